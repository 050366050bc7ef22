package dev.mcpprober.toolfailure.relay;

import dev.mcpprober.model.Era;
import dev.mcpprober.toolfailure.client.Answer;
import dev.mcpprober.toolfailure.client.ClientClock;
import dev.mcpprober.toolfailure.client.ClientSession;
import dev.mcpprober.toolfailure.client.SessionFailure;
import dev.mcpprober.toolfailure.wire.Lines;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/** Asks a server through a relay for every {@link RelayCase} and says what the relay lost or changed. Bounded by the settings' times. */
public final class RelayCheck {
    /** After so many cases without an answer no more are asked: each costs the whole time. */
    private static final int PATIENCE = 2;

    /** Starts a relay in front of a server that serves one set of eras; and tells which tools that server was called for. */
    public interface Bench {
        Lines relay(Pass pass) throws IOException;

        /** Names of the tools called since the relay was started, in order. */
        List<String> called() throws IOException;
    }

    /** Which era the client speaks, and which the server. */
    public record Pass(Era client, Era server) {
        public static final List<Pass> ALL = List.of(new Pass(Era.LEGACY, Era.LEGACY), new Pass(Era.MODERN, Era.MODERN), new Pass(Era.LEGACY, Era.MODERN),
                new Pass(Era.MODERN, Era.LEGACY));

        public String words() {
            return client == server ? client.id() : client.id() + " client, " + server.id() + " server";
        }
    }

    /**
     * @param losses empty where the relay preserved it
     */
    public record Row(RelayCase asked, List<Loss> losses) {
        public Row {
            losses = List.copyOf(losses);
        }
    }

    /**
     * What one pass showed.
     *
     * @param noSession why there was none; empty where there was one. A relay that does not know an era has nothing to preserve in it.
     * @param unasked   cases that were given up
     * @param noise     what the relay wrote that is no message; a fault, but none of preserving
     */
    public record Outcome(Pass pass, Optional<String> noSession, List<Row> rows, int unasked, Optional<String> noise) {
        public Outcome {
            rows = List.copyOf(rows);
        }

        public boolean preserved() {
            return noSession.isEmpty() && unasked == 0 && rows.stream().allMatch(row -> row.losses().isEmpty());
        }
    }

    private final Bench bench;
    private final ClientSession.Settings settings;
    private final ClientClock clock;

    public RelayCheck(Bench bench, ClientSession.Settings settings, ClientClock clock) {
        this.bench = bench;
        this.settings = settings;
        this.clock = clock;
    }

    public Outcome run(Pass pass) throws IOException, InterruptedException {
        try (ClientSession session = ClientSession.open(() -> bench.relay(pass), Optional.of(pass.client()), settings, clock)) {
            List<Row> rows = new ArrayList<>();
            int unanswered = 0;
            for (RelayCase asked : RelayCase.ALL) {
                if (unanswered == PATIENCE) {
                    break;
                }
                Answer came = session.request("tools/call", "\"name\":\"" + asked.name() + "\",\"arguments\":{}").answer();
                unanswered = came instanceof Answer.Missing ? unanswered + 1 : 0;
                rows.add(new Row(asked, Losses.between(asked.sent(), came)));
            }
            int unasked = RelayCase.ALL.size() - rows.size();
            List<Row> all = new ArrayList<>(counted(rows, bench.called()));
            if (unasked == 0) {
                all.add(crossed(session));
            }
            return new Outcome(pass, Optional.empty(), all, unasked, session.noise());
        } catch (SessionFailure e) {
            return new Outcome(pass, Optional.of(e.getMessage()), List.of(), 0, Optional.empty());
        }
    }

    /** Two calls under way at once, the second answered first: does each get its own answer? */
    private static Row crossed(ClientSession session) throws IOException, InterruptedException {
        RelayCase slow = RelayCase.ALL.get(0);
        RelayCase quick = RelayCase.ALL.get(4);
        List<Answer> came = session.requestBoth("tools/call", "\"name\":\"" + slow.name() + "\",\"arguments\":{\"hold\":true}",
                "\"name\":\"" + quick.name() + "\",\"arguments\":{}");
        List<Loss> losses = new ArrayList<>(Losses.between(slow.sent(), came.get(0)));
        losses.addAll(Losses.between(quick.sent(), came.get(1)));
        return new Row(new RelayCase("two-at-once", "two calls under way, answered in the other order", slow.result()), losses);
    }

    /** Adds what the server saw: each call once, neither sent again nor answered from memory. */
    private static List<Row> counted(List<Row> rows, List<String> called) {
        List<Row> out = new ArrayList<>();
        for (Row row : rows) {
            int times = Collections.frequency(called, row.asked().name());
            List<Loss> losses = new ArrayList<>(row.losses());
            boolean answered = losses.stream().noneMatch(loss -> loss.kind() == Loss.Kind.NO_ANSWER);
            if (times > 1) {
                losses.add(new Loss(Loss.Kind.CALLED_AGAIN, "one call of the client reached the server " + times + " times"));
            } else if (times == 0 && answered) {
                losses.add(new Loss(Loss.Kind.NOT_CALLED, "the call was answered and never reached the server"));
            }
            out.add(new Row(row.asked(), losses));
        }
        return out;
    }
}
