package dev.mcpprober.sandbox.docker;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.LogConfig;
import com.github.dockerjava.api.model.Ulimit;
import dev.mcpprober.sandbox.SandboxPolicy;
import dev.mcpprober.sandbox.SandboxSpec;
import java.util.List;
import java.util.Map;

/** How a {@link SandboxSpec} becomes a container. */
final class Hardening {
    static final long SHM_BYTES = 16 << 20;
    private Hardening() {}

    /** @param nameServer address, empty on no network */
    static CreateContainerCmd apply(CreateContainerCmd create, SandboxSpec spec, String nameServer, Map<String, String> labels) {
        // Through Entrypoint: an image's own entry point (a shell script in official images) must not come in between.
        return create.withImage(spec.image())
                .withEntrypoint(spec.argv().subList(0, 1))
                .withCmd(spec.argv().subList(1, spec.argv().size()))
                .withEnv(spec.env().entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).sorted().toList())
                .withWorkingDir(spec.workdir())
                // The engine's own choice is the container's id, which says what machine and run this is to whoever reads the server's log.
                .withHostName("sandbox")
                .withUser(spec.policy().user())
                .withLabels(labels)
                .withStdinOpen(true).withStdInOnce(true).withTty(false)
                .withAttachStdin(true).withAttachStdout(true).withAttachStderr(true)
                .withHostConfig(hostConfig(spec.policy(), nameServer));
    }

    private static HostConfig hostConfig(SandboxPolicy policy, String nameServer) {
        HostConfig config = HostConfig.newHostConfig()
                .withNetworkMode(policy.network())
                .withReadonlyRootfs(policy.readOnlyRoot())
                .withCapDrop(Capability.ALL)
                .withSecurityOpts(List.of("no-new-privileges"))
                .withInit(true)
                .withPidsLimit((long) policy.pids())
                .withMemory(policy.memoryBytes()).withMemorySwap(policy.memoryBytes())
                .withNanoCPUs((long) (policy.cpus() * 1e9))
                .withTmpFs(policy.tmpfs())
                .withShmSize(SHM_BYTES)
                .withIpcMode("private")
                .withUlimits(List.of(new Ulimit("core", 0L, 0L)))
                // A flooding server would fill the disk through the engine's log otherwise.
                .withLogConfig(new LogConfig(LogConfig.LoggingType.NONE));
        if (!nameServer.isEmpty()) {
            // The root as search list: the host's own would turn one look-up into several.
            config.withDns(nameServer).withDnsSearch(".").withDnsOptions(List.of("timeout:2", "attempts:1"));
        }
        return policy.runtime().isEmpty() ? config : config.withRuntime(policy.runtime());
    }
}
