package dev.mcpprober.census;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class WorkersTest {
    private static final long GIB = 1L << 30;

    @Test
    void sizedByWhatThereIsLessOf() {
        assertEquals(new Workers(2, 1), Workers.of(2, 24 * GIB));
        assertEquals(new Workers(16, 8), Workers.of(16, 64 * GIB));
        assertEquals(new Workers(9, 1), Workers.of(16, 8 * GIB), "memory for one install and nine probes");
        assertEquals(new Workers(1, 1), Workers.of(1, GIB));
        assertEquals(new Workers(64, 64), Workers.of(500, 2000 * GIB));
    }

    @Test
    void whatIsAskedForCounts() {
        assertEquals(new Workers(9, 1), Workers.of(2, 24 * GIB).with(9, null));
        assertEquals(new Workers(2, 5), Workers.of(2, 24 * GIB).with(null, 5));
        assertThrows(IllegalArgumentException.class, () -> new Workers(0, 1));
    }
}
