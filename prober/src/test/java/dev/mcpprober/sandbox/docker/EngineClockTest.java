package dev.mcpprober.sandbox.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EngineClockTest {
    private static final Instant THERE = Instant.parse("2026-01-01T00:00:00Z");

    private final EngineClock clock = new EngineClock();

    /** Of an engine whose clock is an hour behind ours. */
    private void heard(long second, long lagMillis) {
        clock.heard(THERE.plusSeconds(second), THERE.plusSeconds(3600 + second).plusMillis(lagMillis));
    }

    @Test
    void withoutEventsNothingIsKnown() {
        assertEquals(Optional.empty(), clock.left(THERE));
    }

    @Test
    void theFastestEventTellsHowTheClocksDiffer() {
        heard(0, 40);
        heard(1, 3);
        heard(2, 900);
        assertEquals(Optional.of(THERE.plusSeconds(10)), clock.left(THERE.plusSeconds(3610).plusMillis(3)));
    }

    @Test
    void aClockThatWasSetIsFollowed() {
        heard(0, -5_000_000);
        for (int i = 1; i <= 63; i++) {
            heard(i, 2);
        }
        assertEquals(Optional.of(THERE.plusSeconds(10 + 5000)), clock.left(THERE.plusSeconds(3610)), "not yet");
        heard(64, 2);
        assertEquals(Optional.of(THERE.plusSeconds(10)), clock.left(THERE.plusSeconds(3610).plusMillis(2)));
    }
}
