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
 * @param moment resolve versions as they stood before this moment, where a day is too coarse; {@code asOf} is empty then
 * @param like   an earlier install of the same package whose tree is to be installed again, release by release
 */
public record InstallRequest(Target target, List<String> args, Optional<LocalDate> asOf, Optional<Instant> moment, Optional<InstallRecord> like) {
    public InstallRequest(Target target, List<String> args, Optional<LocalDate> asOf) {
        this(target, args, asOf, Optional.empty(), Optional.empty());
    }

    public InstallRequest(Target target, List<String> args, Optional<LocalDate> asOf, Optional<InstallRecord> like) {
        this(target, args, asOf, Optional.empty(), like);
    }

    /** As the registries stood before {@code moment}. */
    public static InstallRequest before(Target target, List<String> args, Instant moment) {
        return new InstallRequest(target, args, Optional.empty(), Optional.of(moment), Optional.empty());
    }

    public InstallRequest {
        if (asOf.isPresent() && moment.isPresent()) {
            throw new IllegalArgumentException("a day or a moment, not both");
        }
        if (target instanceof Target.Command) {
            throw new IllegalArgumentException("a command on this host is not installed");
        }
        args = List.copyOf(args);
    }

    /** The lockfile to follow; empty where there is none, or where the target is on this machine and may have changed. */
    Optional<InstallRecord.Lock> lock() {
        return like.filter(record -> record.usable() && target instanceof Target.InRegistry).map(InstallRecord::lock).filter(lock -> !lock.text().isEmpty());
    }

    /** The first moment that is too late. */
    Optional<Instant> before() {
        return moment.or(() -> asOf.map(day -> day.plusDays(1).atStartOfDay().toInstant(ZoneOffset.UTC)));
    }

    /** ISO date or moment, empty for now. */
    String when() {
        return moment.map(Instant::toString).or(() -> asOf.map(LocalDate::toString)).orElse("");
    }
}
