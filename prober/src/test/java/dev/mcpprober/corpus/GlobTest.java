package dev.mcpprober.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class GlobTest {
    @Test
    void starsAndQuestionMarksStandForCharactersAndTheRestForItself() {
        for (String glob : List.of("@s/*", "*", "@s/na?e", "@*/*e", "@s/name", "**@s/name**", "@s/*name")) {
            assertTrue(Glob.matches(glob, "@s/name"), glob);
        }
        for (String glob : List.of("", "[", "@s", "@s/nam", "name", "@s/name?", "*x", "@s/[n]ame", "@s/n.me")) {
            assertFalse(Glob.matches(glob, "@s/name"), glob);
        }
        assertTrue(Glob.matches("", ""));
    }

    @Test
    void aPatternOfStarsEnds() {
        assertFalse(Glob.matches("*a".repeat(60) + "x", "a".repeat(200)));
        assertEquals(true, Glob.matches("*a".repeat(60), "a".repeat(200)));
    }
}
