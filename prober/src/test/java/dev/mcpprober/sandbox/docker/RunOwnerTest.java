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
        assertFalse(own.isGone(own, id -> true));
    }

    @Test
    void anEndedProcessIsGone() throws Exception {
        Process process = new ProcessBuilder("true").start();
        process.waitFor();
        assertTrue(new RunOwner(own.host(), own.boot(), process.pid(), own.start()).isGone(own, id -> true));
    }

    @Test
    void anotherProcessWithTheSamePidIsNotTheOwner() {
        assertTrue(new RunOwner(own.host(), own.boot(), own.pid(), "1").isGone(own, id -> true));
    }

    @Test
    void nothingSurvivesAReboot() {
        assertTrue(new RunOwner(own.host(), "another-boot", own.pid(), own.start()).isGone(own, id -> true));
    }

    @Test
    void whatRunsOnAnotherMachineIsNotOursToJudge() {
        assertFalse(new RunOwner("another-host", "another-boot", 1, "1").isGone(own, id -> true));
    }

    @Test
    void aContainerThatIsNoMoreHasNoProcess() {
        String id = "5b".repeat(32);
        RunOwner contained = new RunOwner("container-" + id, own.boot(), 1, "1");
        assertTrue(contained.isGone(own, running -> !running.equals(id)));
        assertFalse(contained.isGone(own, running -> running.equals(id)));
        // A container that was started again has another process under the same name.
        RunOwner now = new RunOwner("container-" + id, own.boot(), own.pid(), own.start());
        assertFalse(now.isGone(now, running -> true));
        assertTrue(new RunOwner("container-" + id, own.boot(), own.pid(), "1").isGone(now, running -> true));
    }

    @Test
    void aContainerIsReadOffItsMounts() {
        String id = "7d".repeat(32);
        String mounts = "234 214 254:0 /var/lib/docker/containers/" + "00".repeat(32) + "/hostname /var/lib/docker/overlay2/e9/merged/etc/hostname rw - ext4 /dev/vda rw\n"
                + "235 214 254:0 /var/lib/docker/containers/" + id + "/hostname /etc/hostname rw,relatime - ext4 /dev/vda rw";
        assertEquals(Optional.of(id), RunOwner.containerOf(mounts), "not one whose folder it only sees");
        assertEquals(Optional.empty(), RunOwner.containerOf("1 0 254:0 / / rw - ext4 /dev/vda rw"));
        assertEquals(own, RunOwner.thisProcess(known -> false), "in a container of another engine, or in none");
    }
}
