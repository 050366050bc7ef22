package dev.mcpprober.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** {@code toolfailure call} as a user runs it, against a server on this host. */
class CallCommandTest {
    private static final Path SERVER = Path.of(System.getProperty("prober.home", ".")).resolve("src/test/resources/toolfailure/server.py").toAbsolutePath();
    private static final String RETRYABLE = "{\"class\":\"reliability\",\"code\":\"c\",\"retryable\":true,\"correlationId\":\"f-1\"}";

    private record Ran(int status, String out, String err) {
        int calls() {
            return (int) err.lines().filter(line -> line.startsWith("server: call ")).count();
        }
    }

    @BeforeAll
    static void pythonIsThere() throws Exception {
        boolean there;
        try {
            there = new ProcessBuilder("python3", "--version").redirectErrorStream(true).start().waitFor() == 0;
        } catch (java.io.IOException e) {
            there = false;
        }
        assumeTrue(there, "python3 is not here: toolfailure call is not tried on a process");
    }

    private static Ran call(String object, String... more) {
        List<String> arguments = new ArrayList<>(List.of("toolfailure", "call", "--cmd", "python3 '" + SERVER + "' '" + object + "'", "--era", "legacy", "--tool", "book",
                "--backoff", "0.01"));
        arguments.addAll(List.of(more));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = ProberCommand.run(arguments.toArray(String[]::new), new PrintWriter(out), new PrintWriter(err));
        return new Ran(status, out.toString(), err.toString());
    }

    @Test
    void aClientThatUnderstandsAndTrustsTriesAgainAndSaysWhy() {
        Ran ran = call(RETRYABLE, "--understand-tool-failure", "--trust-annotations");
        assertEquals(ExitCode.DONE, ran.status(), ran.out() + ran.err());
        assertEquals(3, ran.calls());
        assertTrue(ran.out().contains("applies   sep-3313-client-retry-gated: "), ran.out());
        assertTrue(ran.out().contains("  log id    f-1\n"), ran.out());
        assertTrue(ran.out().endsWith("succeeded after 3 tries\n"), ran.out());
        assertFalse(ran.out().contains("\u001b"), "server text is escaped");
    }

    @Test
    void neitherTrustNorAttemptsComeByThemselves() {
        Ran untrusted = call(RETRYABLE, "--understand-tool-failure");
        assertEquals(ExitCode.FAILED, untrusted.status());
        assertEquals(1, untrusted.calls());
        Ran once = call(RETRYABLE, "--understand-tool-failure", "--trust-annotations", "--max-attempts", "2");
        assertEquals(2, once.calls());
        assertTrue(once.out().contains("own limit of attempts"), once.out());
    }

    /** What a user of a client that does not know the extension sees is the same, to the letter, with the key and without it. */
    @Test
    void withoutTheOptionNothingDependsOnTheKey() {
        Ran without = call("-");
        for (String object : List.of(RETRYABLE, "[]", "{\"class\":\"governance\",\"code\":\"c\",\"correlationId\":\"f\"}")) {
            Ran with = call(object);
            assertEquals(without.out(), with.out());
            assertEquals(without.err(), with.err());
            assertEquals(ExitCode.FAILED, with.status());
        }
    }

    @Test
    void whatIsWrongOnTheCommandLineIsUsage() {
        assertEquals(ExitCode.USAGE, call("-", "--args", "[1]").status());
        assertEquals(ExitCode.USAGE, call("-", "--max-attempts", "0").status());
        assertEquals(ExitCode.USAGE, call("-", "--max-wait", "-1").status());
        assertEquals(ExitCode.USAGE, call("-", "npm:also-a-target").status());
    }
}
