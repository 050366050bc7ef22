package dev.mcpprober.install;

import dev.mcpprober.model.Target;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/**
 * What to install.
 *
 * @param target a package of a registry, or one on this machine
 * @param args   appended to the entry point's own
 * @param asOf   resolve versions as the registries stood at the end of that day (UTC)
 */
public record InstallRequest(Target target, List<String> args, Optional<LocalDate> asOf) {
    public InstallRequest {
        if (target instanceof Target.Command) {
            throw new IllegalArgumentException("a command on this host is not installed");
        }
        args = List.copyOf(args);
    }

    /** The first moment that is too late. */
    Optional<Instant> before() {
        return asOf.map(day -> day.plusDays(1).atStartOfDay().toInstant(ZoneOffset.UTC));
    }
}
