package dev.mcpprober.toolfailure.demo;

import dev.mcpprober.model.Era;
import dev.mcpprober.toolfailure.ExactJson;
import dev.mcpprober.toolfailure.ToolFailure;
import dev.mcpprober.toolfailure.client.Answer;
import dev.mcpprober.toolfailure.client.ClientClock;
import dev.mcpprober.toolfailure.client.ClientSession;
import dev.mcpprober.toolfailure.client.ReferenceClient;
import dev.mcpprober.toolfailure.client.RetryLimits;
import dev.mcpprober.toolfailure.client.SessionFailure;
import dev.mcpprober.toolfailure.client.Trail;
import dev.mcpprober.toolfailure.relay.RelayedLines;
import dev.mcpprober.toolfailure.wire.Lines;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One run of a scenario: every line that passed, what the client made of it, and what the server logged.
 *
 * @param revision that was negotiated
 * @param relayed  whether a relay stood between client and server
 * @param log      lines of the server's stderr, raw
 */
public record Passage(String revision, boolean relayed, Trail trail, List<Passed> lines, List<String> log) {
    /** The client's limits: its own, as the proposal has none, and short enough to be waited for. */
    public static final RetryLimits LIMITS = new RetryLimits(3, Duration.ofMillis(200), Duration.ofSeconds(5), Duration.ofSeconds(10));
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration REQUEST = Duration.ofSeconds(20);
    private static final Duration END = Duration.ofSeconds(5);

    public Passage {
        lines = List.copyOf(lines);
        log = List.copyOf(log);
    }

    /**
     * A line that passed.
     *
     * @param at     milliseconds since 1970 by this machine's clock
     * @param server between server and relay; else on the client's side. Without a relay every line is on the client's
     * @param sent   towards the server
     */
    public record Passed(long at, boolean server, boolean sent, String line) {}

    /** Starts a server whose stderr goes to {@code log}, line by line. */
    public interface Starter {
        Lines start(Consumer<String> log) throws IOException;
    }

    /** @throws SessionFailure where the server gave no session */
    public static Passage run(Scenario scenario, Era era, boolean relayed, Starter starter, String version) throws SessionFailure, IOException, InterruptedException {
        List<Passed> lines = new ArrayList<>();
        List<String> log = new ArrayList<>();
        Lines[] outermost = new Lines[1];
        Lines.Opener opener = () -> {
            Lines server = starter.start(log::add);
            Lines behind = relayed ? new RelayedLines(new TappedLines(server, (sent, line) -> lines.add(new Passed(System.currentTimeMillis(), true, sent, line))),
                    note -> log.add("relay: " + note)) : server;
            outermost[0] = new TappedLines(behind, (sent, line) -> lines.add(new Passed(System.currentTimeMillis(), false, sent, line)));
            return outermost[0];
        };
        ClientSession.Settings settings = new ClientSession.Settings(START, REQUEST, version);
        try (ClientSession session = ClientSession.open(opener, Optional.of(era), settings, ClientClock.SYSTEM)) {
            ReferenceClient.Stance stance = new ReferenceClient.Stance(scenario.client() != Scenario.Client.UNAWARE,
                    scenario.client() == Scenario.Client.TRUSTING, LIMITS);
            Trail trail = new ReferenceClient(session, stance, ClientClock.SYSTEM).call(scenario.tool(), scenario.arguments());
            hangUp(outermost[0]);
            return new Passage(session.revision().date(), relayed, trail, lines, log);
        }
    }

    /** Lets the server end by itself, so that all it has logged is here. */
    private static void hangUp(Lines lines) throws IOException, InterruptedException {
        lines.endInput();
        long until = System.nanoTime() + END.toNanos();
        while (System.nanoTime() < until && !(lines.next(END) instanceof Lines.Arrival.Ended)) {
            continue;
        }
    }

    /** What an answer holds under the key, where it counts. */
    static Optional<ExactJson> failure(Answer answer) {
        return answer instanceof Answer.Result result ? result.value().member("_meta").flatMap(meta -> meta.member(ToolFailure.KEY)) : Optional.empty();
    }

    /** The objects that the client got, in order. */
    List<ExactJson> failures() {
        return trail.tries().stream().map(Trail.Try::answer).map(Passage::failure).flatMap(Optional::stream).toList();
    }

    /** When a request of the client's went out, in milliseconds since 1970. */
    long sentAt(String request) {
        return lines.stream().filter(line -> line.sent() && !line.server() && line.line().equals(request)).findFirst().orElseThrow().at();
    }
}
