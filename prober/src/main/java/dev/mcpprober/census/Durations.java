package dev.mcpprober.census;

import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.LedgerReader;
import dev.mcpprober.run.RunFolder;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How long the targets of an earlier run took, so that the longest can go first: the last worker to end then waits for a short one.
 *
 * @param seconds by target id
 * @param middle  those of the middle target: what is expected of one that was not in the run
 */
public record Durations(Map<String, Integer> seconds, int middle) {
    public static final Durations UNKNOWN = new Durations(Map.of(), 0);

    public Durations {
        seconds = Map.copyOf(seconds);
    }

    /** From a target's first attempt to its end. @throws IOException when the run has no readable ledger */
    public static Durations of(RunFolder run) throws IOException {
        Map<String, Instant> started = new HashMap<>();
        Map<String, Integer> seconds = new HashMap<>();
        LedgerReader.read(run.ledger(), event -> {
            if (event instanceof LedgerEvent.Started e) {
                started.putIfAbsent(e.target(), Instant.parse(e.at()));
            } else if (event instanceof LedgerEvent.Finished e && started.containsKey(e.target())) {
                seconds.put(e.target(), (int) Math.max(0, Duration.between(started.get(e.target()), Instant.parse(e.at())).toSeconds()));
            }
        });
        List<Integer> sorted = seconds.values().stream().sorted().toList();
        return new Durations(seconds, sorted.isEmpty() ? 0 : sorted.get(sorted.size() / 2));
    }

    /** Seconds; those of the middle target where this one was not in the run. */
    public int of(FrameEntry entry) {
        return seconds.getOrDefault(entry.id(), middle);
    }

    /** Longest first; equal ones in the order of the frame. */
    public List<FrameEntry> order(List<FrameEntry> targets) {
        return seconds.isEmpty() ? targets : targets.stream().sorted(Comparator.comparingInt((FrameEntry entry) -> -of(entry))).toList();
    }
}
