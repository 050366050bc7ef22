package dev.mcpprober.sandbox.docker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Optional;

/**
 * The clock of an engine that may be on another machine, told from its events: each says when it happened there, and was heard here some
 * time later. The fastest of the last ones tells how the clocks differ, but for the way that the fastest took. Clocks that are set are
 * followed after {@link #KEPT} events.
 */
final class EngineClock {
    private static final int KEPT = 64;

    private final Deque<Duration> lags = new ArrayDeque<>();

    /** Of an event, by the engine's clock and by ours. */
    synchronized void heard(Instant happened, Instant heard) {
        if (lags.size() == KEPT) {
            lags.removeFirst();
        }
        lags.addLast(Duration.between(happened, heard));
    }

    /**
     * By the engine's clock, when that left which arrived here at {@code arrived} and came as fast as the fastest event; what came more
     * slowly left earlier. Empty before the first event.
     */
    synchronized Optional<Instant> left(Instant arrived) {
        return lags.isEmpty() ? Optional.empty() : Optional.of(arrived.minus(Collections.min(lags)));
    }
}
