package dev.mcpprober.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MessagesTest {
    @TempDir Path temp;

    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        return ProberCommand.run(args, new PrintWriter(new StringWriter()), new PrintWriter(err, true));
    }

    @Test
    void asOfMeansNothingForACommand() {
        assertEquals(ExitCode.USAGE, run("check", "--cmd", "cat", "--as-of", "2026-01-01"));
        assertTrue(err.toString().contains("--as-of"), err.toString());
    }

    @Test
    void aFileThatCannotBeWrittenIsNamedWithTheReason() throws Exception {
        Path list = Files.writeString(temp.resolve("list.txt"), "npm:a\n");
        assertEquals(ExitCode.ENGINE_FAULT, run("corpus", "import", list.toString(), "--to", "/proc/prober-test"));
        assertTrue(err.toString().matches("(?s).*/proc/prober-test.*: (no such file or folder|permission denied|Read-only file system).*"), err.toString());
    }

    @Test
    void aRunThatIsNoJsonIsToldInPlainWords() throws Exception {
        Files.writeString(temp.resolve("census.json"), "{");
        assertEquals(ExitCode.USAGE, run("stats", temp.toString()));
        assertTrue(err.toString().contains("census.json") && !err.toString().contains("REDACTED"), err.toString());
    }
}
