package dev.mcpprober.sandbox;

import java.time.Duration;
import java.util.Optional;

/** One created process with its own file system, network and limits. Not for use by several threads, but for {@link #close()}. */
public interface Sandbox extends AutoCloseable {
    /** The engine's own id, for messages. */
    String id();

    /** Attaches, then starts, so that no byte is lost. May be called once. */
    StdioChannel start() throws EngineException;

    /** Sends SIGTERM or SIGKILL to the main process; does nothing when it has ended. */
    void signal(Signal signal) throws EngineException;

    /**
     * Waits for the main process to end. Empty when it still runs after {@code limit}; a container whose output waits to be taken
     * from an open channel counts as running, so take first.
     */
    Optional<Termination> awaitExit(Duration limit) throws EngineException;

    /**
     * How much of the time since {@code since} ({@link System#nanoTime()}) engine or machine stood still: what did not come then may only
     * not have been let through.
     */
    default Duration heldUp(long since) {
        return Duration.ZERO;
    }

    /** Kills whatever runs and removes all of it. Never throws, may be called from any thread and more than once. */
    @Override
    void close();

    /** The signals that a session sends. */
    enum Signal { SIGTERM, SIGKILL }
}
