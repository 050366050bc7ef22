package dev.mcpprober.cli.report;

import dev.mcpprober.observation.TargetObservations;
import dev.mcpprober.rules.Graded;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.Transcript;
import dev.mcpprober.transcript.TranscriptReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The events that prove what a report says, fetched from the transcripts again; nothing else of them stays in memory. */
public final class Witnesses {
    /** Events shown for one row. */
    static final int SHOWN = 6;

    private final Map<String, Map<Integer, Event>> events = new HashMap<>();
    private final Map<String, Map<String, Long>> stepStarts = new HashMap<>();

    public static Witnesses none() {
        return new Witnesses();
    }

    /** @param files transcripts by session name */
    public static Witnesses of(List<Graded> rows, Optional<TargetObservations.StartupFailure> startup, Map<String, Path> files) throws IOException {
        Map<String, Set<Integer>> wanted = new HashMap<>();
        rows.forEach(row -> want(wanted, row.observation().subject().session(), row.observation().witness()));
        startup.ifPresent(failure -> want(wanted, failure.session(), failure.witness()));
        Witnesses out = new Witnesses();
        for (Map.Entry<String, Set<Integer>> session : wanted.entrySet()) {
            if (files.containsKey(session.getKey())) {
                out.take(session.getKey(), session.getValue(), TranscriptReader.read(files.get(session.getKey())));
            }
        }
        return out;
    }

    private static void want(Map<String, Set<Integer>> wanted, String session, List<Integer> witness) {
        wanted.computeIfAbsent(session, s -> new HashSet<>()).addAll(witness.subList(0, Math.min(SHOWN, witness.size())));
    }

    private void take(String session, Set<Integer> indexes, Transcript transcript) {
        Map<Integer, Event> kept = events.computeIfAbsent(session, s -> new HashMap<>());
        Map<String, Long> starts = stepStarts.computeIfAbsent(session, s -> new HashMap<>());
        for (Event event : transcript.events()) {
            if (event instanceof Event.StepBegan began) {
                starts.put(began.step(), began.nanos());
            }
            if (indexes.contains(event.index())) {
                kept.put(event.index(), event);
            }
        }
    }

    /** At most {@link #SHOWN} events, in order. */
    List<Event> shown(String session, List<Integer> witness) {
        Map<Integer, Event> of = events.getOrDefault(session, Map.of());
        List<Event> out = new ArrayList<>();
        witness.stream().limit(SHOWN).map(of::get).filter(event -> event != null).forEach(out::add);
        return out;
    }

    /** The same in words, one printable line each: a padded label, what it was, and where the transcript has it. */
    List<String> lines(String session, List<Integer> witness) {
        List<String> out = new ArrayList<>();
        for (Event event : shown(session, witness)) {
            words(session, event).ifPresent(line -> out.add(line + " [" + session + "#" + event.index() + "]"));
        }
        if (witness.size() > SHOWN) {
            out.add(FindingText.line("…", (witness.size() - SHOWN) + " more events; the transcript has them"));
        }
        return out;
    }

    private Optional<String> words(String session, Event event) {
        if (event instanceof Event.Sent sent) {
            return line("sent", Quote.text(text(sent.bytes())));
        } else if (event instanceof Event.Received received) {
            return line("received", Quote.text(text(received.bytes())) + (received.terminated() ? "" : " (no line end)"));
        } else if (event instanceof Event.Stderr stderr) {
            return line("stderr", Quote.text(text(stderr.bytes())));
        } else if (event instanceof Event.Terminated end) {
            return line("ended", end.how() + " " + end.status());
        } else if (event instanceof Event.StepEnded ended) {
            return line("waited", ended.outcome().id() + " after " + waitedMs(session, ended) + " ms");
        } else if (event instanceof Event.StdoutClosed) {
            return line("closed", "stdout");
        } else if (event instanceof Event.SignalSent signal) {
            return line("signal", signal.signal());
        } else if (event instanceof Event.StdinClosed) {
            return line("closed", "stdin");
        }
        return Optional.empty();
    }

    private static Optional<String> line(String label, String text) {
        return Optional.of(FindingText.line(label, text));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, 0, Math.min(bytes.length, 4 * Quote.LIMIT), StandardCharsets.UTF_8).stripTrailing();
    }

    /** Milliseconds from the beginning of the step to its end. */
    private long waitedMs(String session, Event.StepEnded ended) {
        long began = stepStarts.getOrDefault(session, Map.of()).getOrDefault(ended.step(), ended.nanos());
        return (ended.nanos() - began) / 1_000_000;
    }
}
