package dev.mcpprober.install;

import dev.mcpprober.redaction.Redaction;
import java.util.List;

/**
 * What an install came to: a closed set. All of it is the package's (or the request's) doing; what the engine, the host or the
 * registry failed to do is an {@link dev.mcpprober.sandbox.EngineException} instead. Details quote packages: hostile text.
 */
public sealed interface InstallOutcome {
    /** Stable short name, as written in records and tables. */
    String kind();

    /** For a person; empty where the kind says all. */
    String detail();

    /** The same without what is to be taken out of its detail. */
    default InstallOutcome redacted(Redaction redaction) {
        String told = redaction.text(detail());
        if (told == null || told.equals(detail())) {
            return this;
        }
        return this instanceof BlockedEgress blocked ? of(kind(), told, blocked.hosts(), blocked.packageName(), 0)
                : of(kind(), told, List.of(), this instanceof InstallScriptFailed failed ? failed.packageName() : "", 0);
    }

    /** There is an image with an entry point. */
    record Installed(String detail) implements InstallOutcome {
        @Override public String kind() { return "installed"; }
    }

    /** The registry has no such package, or this machine no such folder or file. */
    record NotFound(String detail) implements InstallOutcome {
        @Override public String kind() { return "not-found"; }
    }

    /** The package is there, but no version of it, or of what it depends on, is as asked. */
    record NoVersionMatches(String detail) implements InstallOutcome {
        @Override public String kind() { return "no-version-matches"; }
    }

    /** The package says that it does not run on any runtime there is here. */
    record UnsupportedRuntime(String detail) implements InstallOutcome {
        @Override public String kind() { return "unsupported-runtime"; }
    }

    /** A source distribution did not build, or the package's own metadata cannot be installed. */
    record BuildFailed(String detail) implements InstallOutcome {
        @Override public String kind() { return "build-failed"; }
    }

    /** An install script ended with a failure, for no host that it was denied. */
    record InstallScriptFailed(String packageName, String detail) implements InstallOutcome {
        @Override public String kind() { return "install-script-failed"; }
    }

    /**
     * An install script, build or dependency needed hosts that the gateway does not serve.
     *
     * @param hosts       as asked for
     * @param packageName whose script or build it was; empty where not known
     */
    record BlockedEgress(List<String> hosts, String packageName, String detail) implements InstallOutcome {
        public BlockedEgress {
            hosts = List.copyOf(hosts);
        }

        @Override public String kind() { return "blocked-egress"; }
    }

    /** Installed, but with nothing to start, or nothing that can be told from several. */
    record NoEntryPoint(String detail) implements InstallOutcome {
        @Override public String kind() { return "no-entry-point"; }
    }

    /** It takes more space or memory than is allowed. */
    record TooLarge(String detail) implements InstallOutcome {
        @Override public String kind() { return "too-large"; }
    }

    /** It was not done in time. */
    record TimedOut(long seconds) implements InstallOutcome {
        @Override public String kind() { return "timeout"; }

        @Override public String detail() { return "not done within " + seconds + " s"; }
    }

    /** From what a record says. @throws IllegalArgumentException when {@code kind} is none of the set */
    static InstallOutcome of(String kind, String detail, List<String> hosts, String packageName, long seconds) {
        return switch (kind) {
            case "installed" -> new Installed(detail);
            case "not-found" -> new NotFound(detail);
            case "no-version-matches" -> new NoVersionMatches(detail);
            case "unsupported-runtime" -> new UnsupportedRuntime(detail);
            case "build-failed" -> new BuildFailed(detail);
            case "install-script-failed" -> new InstallScriptFailed(packageName, detail);
            case "blocked-egress" -> new BlockedEgress(hosts, packageName, detail);
            case "no-entry-point" -> new NoEntryPoint(detail);
            case "too-large" -> new TooLarge(detail);
            case "timeout" -> new TimedOut(seconds);
            default -> throw new IllegalArgumentException("no such install outcome: " + kind);
        };
    }
}
