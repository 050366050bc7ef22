package dev.mcpprober.model;

import java.nio.file.Path;
import java.util.List;

/** What a user or a frame names to be probed. */
public sealed interface Target {
    /** How the target is written in reports and ledgers. */
    String label();

    /** A package of a registry; the version may still be open. */
    record InRegistry(PackageUrl url) implements Target {
        @Override public String label() { return url.toString(); }
    }

    /** A package on this machine: a folder, npm tarball, source archive or wheel. */
    record OnDisk(Path path) implements Target {
        @Override public String label() { return path.toString(); }
    }

    /** A command run on this host, without isolation; the user trusts it. */
    record Command(List<String> argv) implements Target {
        public Command {
            argv = List.copyOf(argv);
        }

        @Override public String label() { return String.join(" ", argv); }
    }
}
