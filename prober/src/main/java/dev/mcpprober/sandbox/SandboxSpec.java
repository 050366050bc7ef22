package dev.mcpprober.sandbox;

import java.util.List;
import java.util.Map;

/**
 * What to run and how.
 *
 * @param image   image id or tag; empty for a command on this host
 * @param argv    the program and its arguments, run directly, never through a shell
 * @param env     the whole environment beside what the engine itself sets; secrets never belong here
 * @param workdir absolute path inside the sandbox
 * @param labels  beside the run label that the engine adds
 */
public record SandboxSpec(String image, List<String> argv, Map<String, String> env, String workdir, SandboxPolicy policy,
                          Map<String, String> labels) {
    public SandboxSpec {
        argv = List.copyOf(argv);
        env = Map.copyOf(env);
        labels = Map.copyOf(labels);
    }
}
