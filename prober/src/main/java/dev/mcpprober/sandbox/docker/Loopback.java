package dev.mcpprober.sandbox.docker;

import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Mount;
import com.github.dockerjava.api.model.MountType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How a container without a network comes by its loopback. The engine's network {@code none} runs a program of the engine's in the new
 * network namespace; engines before 25 spend more time on it than on all the rest of a start. With networking disabled there is the
 * same namespace, its loopback brought up by the runtime, and no {@code /etc/hosts}, which is then mounted from {@code images/}.
 */
final class Loopback {
    private static final Path SELINUX = Path.of("/sys/fs/selinux/enforce");

    private volatile Optional<Path> hosts;

    private Loopback(Optional<Path> hosts) {
        this.hosts = hosts;
    }

    /** The short way needs an engine that sees this machine's files, and containers that may read them. */
    static Loopback of(EngineAddress engine, Path hosts) {
        boolean mountable = engine.isUnix() && Files.isRegularFile(hosts) && !Files.exists(SELINUX);
        return new Loopback(mountable ? Optional.of(hosts) : Optional.empty());
    }

    boolean isShort() {
        return hosts.isPresent();
    }

    /** The engine has refused it (its files are not those of this machine): not tried again. */
    void giveUp() {
        hosts = Optional.empty();
    }

    /** Call it for a container on network {@code none} only, which that stays where an engine does not know the short way. */
    CreateContainerCmd apply(CreateContainerCmd create) {
        Optional<Path> file = hosts;
        if (file.isEmpty()) {
            return create;
        }
        HostConfig config = create.getHostConfig();
        config.withMounts(List.of(new Mount().withType(MountType.BIND).withSource(file.get().toString()).withTarget("/etc/hosts").withReadOnly(true)));
        return create.withHostConfig(config).withNetworkDisabled(true);
    }
}
