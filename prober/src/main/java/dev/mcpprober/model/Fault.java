package dev.mcpprober.model;

/**
 * Why an attempt could not measure: never the server's doing, never a result. The class comes from the engine's API, the
 * operating system or our own code, never from text that a server printed.
 */
public sealed interface Fault {
    /** What happened and what to do, for a person. */
    String detail();

    /** Stable short name, as written in {@code ledger.jsonl} and {@code attempts.csv}. */
    String kind();

    /** No engine answers, and none may or can be set up. */
    record EngineUnavailable(String detail) implements Fault {
        @Override public String kind() { return "engine-unavailable"; }
    }

    /** An engine is there but this user may not use it. */
    record EngineForbidden(String detail) implements Fault {
        @Override public String kind() { return "engine-forbidden"; }
    }

    /** The engine refused or broke off an operation that it should carry out. */
    record EngineError(String operation, String detail) implements Fault {
        @Override public String kind() { return "engine-error"; }
    }

    /** No space, in the engine's storage or in the run folder. */
    record HostDiskFull(String detail) implements Fault {
        @Override public String kind() { return "host-disk-full"; }
    }

    /** An image that the work needs is missing or cannot be built. */
    record ImageUnavailable(String image, String detail) implements Fault {
        @Override public String kind() { return "image-unavailable"; }
    }

    /** The registry did not answer through the gateway; says nothing about the package. */
    record RegistryUnreachable(String detail) implements Fault {
        @Override public String kind() { return "registry-unreachable"; }
    }

    /** The connection to a running container broke although the container goes on. */
    record ChannelLost(String detail) implements Fault {
        @Override public String kind() { return "channel-lost"; }
    }

    /** The sandbox is not as tight as it must be; nothing may run. */
    record SandboxLeaks(String detail) implements Fault {
        @Override public String kind() { return "sandbox-leaks"; }
    }

    /** Stopped from outside: a signal, Ctrl-C, or a process that ended with a started attempt. */
    record Interrupted(String detail) implements Fault {
        @Override public String kind() { return "interrupted"; }
    }

    /** Our own bug. */
    record ProberDefect(String detail) implements Fault {
        @Override public String kind() { return "prober-defect"; }
    }
}
