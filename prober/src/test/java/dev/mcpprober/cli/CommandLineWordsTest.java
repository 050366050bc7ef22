package dev.mcpprober.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class CommandLineWordsTest {
    @Test
    void wordsAreSplitAsAShellWould() throws UserError {
        assertEquals(List.of("node", "a b.js", "", "x'y", "$HOME", "back\\slash", "a\"b"),
                CommandLineWords.split(" node 'a b.js' \"\" x\\'y $HOME 'back\\slash' \"a\\\"b\" "));
        assertEquals(List.of("python3", "-c", "print('x')"), CommandLineWords.split("python3 -c \"print('x')\""));
    }

    @Test
    void anOpenQuoteOrNothingIsRefused() {
        assertThrows(UserError.class, () -> CommandLineWords.split("node 'x"));
        assertThrows(UserError.class, () -> CommandLineWords.split(" \t"));
    }
}
