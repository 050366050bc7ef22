package dev.mcpprober.sandbox.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.sandbox.SandboxPolicy;
import dev.mcpprober.sandbox.SandboxSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The command line asks for what {@link Hardening} asks of the engine; a limit added there has to be added here. */
class DockerRunCommandTest {
    private static final SandboxSpec SPEC = new SandboxSpec("sha256:abc", List.of("/srv/app/run", "--flag", "two words"), Map.of("A", "1 2"), "/tmp", SandboxPolicy.probe(), Map.of());

    @Test
    void nothingThatThePolicySaysIsLeftOut() {
        List<String> words = DockerRunCommand.of(SPEC);
        SandboxPolicy policy = SandboxPolicy.probe();
        for (List<String> pair : List.of(List.of("--network", "none"), List.of("--cap-drop", "ALL"), List.of("--security-opt", "no-new-privileges"),
                List.of("--user", policy.user()), List.of("--pids-limit", "" + policy.pids()), List.of("--memory", "" + policy.memoryBytes()),
                List.of("--memory-swap", "" + policy.memoryBytes()), List.of("--cpus", "" + policy.cpus()), List.of("--shm-size", "" + Hardening.SHM_BYTES),
                List.of("--ipc", "private"), List.of("--ulimit", "core=0:0"), List.of("--log-driver", "none"), List.of("--env", "A=1 2"), List.of("--workdir", "/tmp"),
                List.of("--entrypoint", "/srv/app/run"))) {
            assertTrue(java.util.Collections.indexOfSubList(words, pair) >= 0, pair + " in " + words);
        }
        policy.tmpfs().forEach((place, options) -> assertTrue(words.contains(place + ":" + options), place));
        assertTrue(words.containsAll(List.of("-i", "--rm", "--init", "--read-only")));
        assertEquals(List.of("sha256:abc", "--flag", "two words"), words.subList(words.size() - 3, words.size()));
    }

    @Test
    void aNetworkOfARunIsRefused() {
        SandboxSpec install = new SandboxSpec(SPEC.image(), SPEC.argv(), SPEC.env(), SPEC.workdir(), SandboxPolicy.install("net"), Map.of());
        assertThrows(IllegalArgumentException.class, () -> DockerRunCommand.of(install));
    }
}
