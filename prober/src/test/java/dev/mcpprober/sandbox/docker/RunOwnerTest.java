package dev.mcpprober.sandbox.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class RunOwnerTest {
    private final RunOwner own = RunOwner.thisProcess();

    @Test
    void aLabelIsReadBack() {
        assertEquals(Optional.of(own), RunOwner.parse(own.label()));
        assertEquals(Optional.empty(), RunOwner.parse(""));
        assertEquals(Optional.empty(), RunOwner.parse("a/b/c/d"));
    }

    @Test
    void thisProcessIsNotGone() {
        assertFalse(own.isGone());
    }

    @Test
    void anEndedProcessIsGone() throws Exception {
        Process process = new ProcessBuilder("true").start();
        process.waitFor();
        assertTrue(new RunOwner(own.host(), own.boot(), process.pid(), own.start()).isGone());
    }

    @Test
    void anotherProcessWithTheSamePidIsNotTheOwner() {
        assertTrue(new RunOwner(own.host(), own.boot(), own.pid(), "1").isGone());
    }

    @Test
    void nothingSurvivesAReboot() {
        assertTrue(new RunOwner(own.host(), "another-boot", own.pid(), own.start()).isGone());
    }

    @Test
    void whatRunsOnAnotherMachineIsNotOursToJudge() {
        assertFalse(new RunOwner("another-host", "another-boot", 1, "1").isGone());
    }
}
