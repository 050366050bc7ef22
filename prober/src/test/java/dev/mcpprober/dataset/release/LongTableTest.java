package dev.mcpprober.dataset.release;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class LongTableTest {
    @Test
    void holdsWhatWasPutIntoIt() {
        LongTable table = new LongTable();
        for (long i = 0; i < 20_000; i++) {
            assertTrue(table.put(Keys.of("pkg:npm/server-" + i, "o00001"), i + 1));
        }
        for (long i = 0; i < 20_000; i++) {
            assertEquals(i + 1, table.get(Keys.of("pkg:npm/server-" + i, "o00001")));
            assertFalse(table.contains(Keys.of("pkg:npm/server-" + i, "o00002")));
        }
        assertFalse(table.put(Keys.of("pkg:npm/server-7", "o00001"), 99));
        assertEquals(8, table.get(Keys.of("pkg:npm/server-7", "o00001")));
        assertEquals(0, table.get(12345));
        assertTrue(table.add(0));
        assertTrue(table.contains(0));
    }

    @Test
    void whereACellEndsCounts() {
        assertFalse(Keys.of("ab", "c") == Keys.of("a", "bc"));
        assertFalse(Keys.of("a", "") == Keys.of("a"));
        assertEquals(Keys.of("a", "b"), Keys.of(List.of("a", "b")));
    }
}
