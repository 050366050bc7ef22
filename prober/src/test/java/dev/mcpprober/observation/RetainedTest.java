package dev.mcpprober.observation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.io.Json;
import org.junit.jupiter.api.Test;

class RetainedTest {
    @Test
    void oneWideCharacterDoublesAText() {
        assertEquals(1_000, Retained.bytes("\u00e9".repeat(1_000)));
        assertEquals(2_002, Retained.bytes("x".repeat(1_000) + "\u4e2d"));
        Retained retained = new Retained();
        assertTrue(retained.fits(Json.object(), 60 << 20));
        assertFalse(retained.fits(Json.object(), 10 << 20));
        assertTrue(retained.fits(Json.object(), 1 << 20), "what is smaller may still fit");
    }
}
