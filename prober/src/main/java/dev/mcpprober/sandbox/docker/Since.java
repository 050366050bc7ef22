package dev.mcpprober.sandbox.docker;

import java.time.Duration;
import java.time.Instant;

/**
 * A moment by both clocks: logs are told apart by the wall clock, which somebody may set; how long something took is told by the other.
 *
 * @param wall  as logs have it
 * @param nanos {@link System#nanoTime()}
 */
record Since(Instant wall, long nanos) {
    /** Clocks that are kept right are moved by less. */
    private static final Duration STEP = Duration.ofSeconds(1);

    static Since now() {
        return new Since(Instant.now(), System.nanoTime());
    }

    /** True when the wall clock was set back between this moment and {@code now}: what is logged since then may bear an earlier time. */
    boolean setBackBy(Since now) {
        Duration byWall = Duration.between(wall, now.wall);
        return Duration.ofNanos(now.nanos - nanos).minus(byWall).compareTo(STEP) > 0;
    }
}
