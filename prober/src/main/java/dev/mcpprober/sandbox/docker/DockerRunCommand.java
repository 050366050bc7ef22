package dev.mcpprober.sandbox.docker;

import dev.mcpprober.sandbox.SandboxPolicy;
import dev.mcpprober.sandbox.SandboxSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** The same container as {@link Hardening} makes, as a command line of the engine's own client. For policies without a network. */
public final class DockerRunCommand {
    private DockerRunCommand() {}

    /** {@code docker run …}, word by word. */
    public static List<String> of(SandboxSpec spec) {
        return of(spec, Set.of());
    }

    /** @param byName variables whose values are not in the command, but in the environment that it is run in */
    public static List<String> of(SandboxSpec spec, Set<String> byName) {
        SandboxPolicy policy = spec.policy();
        if (!policy.network().equals(SandboxPolicy.NO_NETWORK)) {
            throw new IllegalArgumentException("a network of a run is gone when the run is over");
        }
        List<String> words = new ArrayList<>(List.of("docker", "run", "-i", "--rm", "--init", "--network", "none", "--cap-drop", "ALL",
                "--security-opt", "no-new-privileges", "--user", policy.user(), "--pids-limit", Integer.toString(policy.pids()),
                "--memory", Long.toString(policy.memoryBytes()), "--memory-swap", Long.toString(policy.memoryBytes()), "--cpus", Double.toString(policy.cpus()),
                "--shm-size", Long.toString(Hardening.SHM_BYTES), "--ipc", "private", "--ulimit", "core=0:0", "--log-driver", "none"));
        if (policy.readOnlyRoot()) {
            words.add("--read-only");
        }
        new TreeMap<>(policy.tmpfs()).forEach((place, options) -> words.addAll(List.of("--tmpfs", place + ":" + options)));
        if (!policy.runtime().isEmpty()) {
            words.addAll(List.of("--runtime", policy.runtime()));
        }
        new TreeMap<>(spec.env()).forEach((name, value) -> words.addAll(List.of("--env", byName.contains(name) ? name : name + "=" + value)));
        words.addAll(List.of("--workdir", spec.workdir(), "--entrypoint", spec.argv().get(0), spec.image()));
        words.addAll(spec.argv().subList(1, spec.argv().size()));
        return words;
    }
}
