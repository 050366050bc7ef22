package dev.mcpprober.sandbox;

/** How the main process of a sandbox ended, from the engine's or the operating system's account. */
public sealed interface Termination {
    /** Ended by itself with a status. Statuses over 128 are read as signals where the engine reports them so. */
    record Exited(int status) implements Termination {}

    /** Ended by a signal that did not come from us. */
    record Signalled(int signal) implements Termination {}

    /** The kernel killed it for memory: status 137 and the engine's OOM mark, both. */
    record OomKilled() implements Termination {}

    /** We ended it. */
    record Stopped() implements Termination {}
}
