package dev.mcpprober.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class PrintableTest {
    @Test
    void nothingThatMovesACursorOrReordersTextComesThrough() {
        String hostile = "\u001b[2J\u0007\u009b31m\n\r\t\u202egnp\u200b\u2028\ud83d ok\u0000\uFEFF\u2066";
        String safe = Printable.text(hostile);
        assertEquals("\\u001b[2J\\u0007\\u009b31m\\n\\r\\t\\u202egnp\\u200b\\u2028\\ud83d ok\\u0000\\ufeff\\u2066", safe);
        assertTrue(safe.chars().allMatch(c -> c >= ' ' && c < 0x7f));
    }

    @Test
    void ordinaryTextOfAnyLanguageStays() {
        assertEquals("naïve 日本語 👍 <b>", Printable.text("naïve 日本語 👍 <b>"));
    }

    @Test
    void whatIsCutIsCounted() {
        assertEquals("abc… (2 more characters)", Printable.text("abcde", 3));
    }
}
