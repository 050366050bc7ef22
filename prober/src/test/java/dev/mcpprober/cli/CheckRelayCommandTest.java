package dev.mcpprober.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command as a user runs it, on relays that are processes of this host. */
class CheckRelayCommandTest {
    private static final Path RELAY = Path.of(System.getProperty("prober.home", ".")).resolve("src/test/resources/toolfailure/relay.py").toAbsolutePath();

    private record Ran(int status, String out, String err) {}

    @BeforeAll
    static void pythonIsThere() throws Exception {
        boolean there;
        try {
            there = new ProcessBuilder("python3", "--version").redirectErrorStream(true).start().waitFor() == 0;
        } catch (java.io.IOException e) {
            there = false;
        }
        assumeTrue(there, "python3 is not here: check-relay is not tried on relays of their own processes");
    }

    private static Ran check(String relay, String... more) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] arguments = new String[4 + more.length];
        arguments[0] = "toolfailure";
        arguments[1] = "check-relay";
        arguments[2] = "--relay";
        arguments[3] = relay;
        System.arraycopy(more, 0, arguments, 4, more.length);
        int status = ProberCommand.run(arguments, new PrintWriter(out), new PrintWriter(err));
        return new Ran(status, out.toString(), err.toString());
    }

    private static Ran broken(String fault, String... more) {
        return check("python3 '" + RELAY + "' " + fault + " {server}", more);
    }

    @Test
    void aRelayThatCopiesPassesInBothEras() {
        Ran ran = broken("none");
        assertEquals(ExitCode.DONE, ran.status(), ran.out() + ran.err());
        assertTrue(ran.out().contains("sep-3313-relay-preserves: pass over 16 cases each in: legacy; modern"), ran.out());
        assertTrue(ran.out().contains("the relay does not translate between eras"), ran.out());
    }

    /** The relay command in a process of its own. */
    @Test
    void ourOwnRelayPasses() {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Ran ran = check("'" + java + "' -XX:TieredStopAtLevel=1 -cp '" + System.getProperty("java.class.path") + "' dev.mcpprober.cli.Main toolfailure relay --cmd \"{server}\"");
        assertEquals(ExitCode.DONE, ran.status(), ran.out() + ran.err());
        assertTrue(ran.out().contains("sep-3313-relay-preserves: pass"), ran.out());
    }

    @ParameterizedTest
    @CsvSource({
            "drop-meta, meta-dropped", "drop-unknown, member-dropped", "numbers, number-rewritten", "move-key, key-moved", "protocol-error, protocol-error",
            "clear-error, error-flag", "invent, key-invented", "calls-twice, called-again",
    })
    void aRelayWithOneFaultFailsForThatFault(String fault, String kind) {
        Ran ran = broken(fault, "--era", "legacy");
        assertEquals(ExitCode.FAILED, ran.status(), ran.out() + ran.err());
        assertTrue(ran.out().contains("sep-3313-relay-preserves: fail"), ran.out());
        String verdict = ran.out().substring(ran.out().indexOf("sep-3313-relay-preserves"));
        assertTrue(verdict.contains(kind), verdict);
    }

    @Test
    void aRelayThatDiesHangsFloodsOrNeverComesUpIsBounded() {
        assertTrue(broken("dies", "--era", "modern", "--request-timeout", "3").out().contains("no-answer: the server ended with status 9"));
        assertTrue(broken("hangs", "--era", "legacy", "--request-timeout", "1").out().contains("no-answer: no answer within 1.0 s"));
        Ran dead = broken("dies-at-once", "--era", "legacy");
        assertEquals(ExitCode.FAILED, dead.status());
        assertTrue(dead.out().contains("no session through the relay: no answer to initialize: the server ended with status 7"), dead.out());
        Ran flood = broken("floods", "--era", "legacy");
        assertEquals(ExitCode.FAILED, flood.status());
        assertTrue(flood.out().contains("more than 128 MiB"), flood.out());
    }

    @Test
    void noiseBesideTheAnswersIsNotedAndLosesNothing() {
        Ran ran = broken("noise", "--era", "legacy");
        assertEquals(ExitCode.DONE, ran.status(), ran.out());
        assertTrue(ran.out().contains("note      3 lines on stdout that are no messages, first: relay starting"), ran.out());
    }

    @Test
    void aCommandWithoutAPlaceForTheServerOrWithoutAProgramIsSaidSo() {
        assertEquals(ExitCode.USAGE, check("python3 relay.py").status());
        assertEquals(ExitCode.USAGE, broken("none", "--era", "middle").status());
        Ran missing = check("/nowhere/relay {server}", "--era", "legacy");
        assertEquals(ExitCode.USAGE, missing.status());
        assertTrue(missing.err().contains("/nowhere/relay") && missing.err().contains("no such file"), missing.err());
    }
}
