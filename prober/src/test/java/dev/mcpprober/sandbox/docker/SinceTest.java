package dev.mcpprober.sandbox.docker;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class SinceTest {
    private static final Since BEGIN = new Since(Instant.parse("2026-11-30T12:00:00Z"), 5_000_000_000L);

    @Test
    void aClockThatGoesIsNotSetBack() {
        assertFalse(BEGIN.setBackBy(new Since(Instant.parse("2026-11-30T12:00:20Z"), 25_000_000_000L)));
        assertFalse(BEGIN.setBackBy(new Since(Instant.parse("2026-11-30T12:00:19.5Z"), 25_000_000_000L)), "a clock that is being kept right");
        assertFalse(BEGIN.setBackBy(new Since(Instant.parse("2026-12-30T12:00:00Z"), 25_000_000_000L)), "set ahead: everything logged is still later");
    }

    @Test
    void aClockThatWasSetBackIsFoundOut() {
        assertTrue(BEGIN.setBackBy(new Since(Instant.parse("2026-11-30T11:00:20Z"), 25_000_000_000L)));
        assertTrue(BEGIN.setBackBy(new Since(Instant.parse("2026-11-30T12:00:10Z"), 25_000_000_000L)), "later than before, and yet set back");
    }
}
