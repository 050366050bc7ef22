package dev.mcpprober.sandbox;

import java.time.Duration;
import java.util.Optional;

/**
 * The three standard streams of a running sandbox as one queue of things that happened.
 *
 * <p>Sending never blocks the caller: bytes go to a writer of the channel's own, so a server that reads nothing while its own
 * output is full cannot make both sides wait for each other. What has been received and not yet taken is bounded (a few MiB):
 * beyond it the server is made to wait, for stdout and stderr alike, so the caller must keep taking.
 */
public interface StdioChannel extends AutoCloseable {
    /** Hands bytes to the writer. A failure to write comes back as {@link Happening.SendFailed}. */
    void send(byte[] bytes);

    /** Half-closes: the server sees end of file after all that was sent. */
    void closeStdin();

    /** The next happening in order of arrival; empty when none came within {@code limit}. */
    Optional<Happening> poll(Duration limit) throws InterruptedException;

    /** Lets go of both directions at once and frees every thread. */
    @Override
    void close();

    /** What the other end did, with {@link System#nanoTime()} of its arrival. */
    sealed interface Happening {
        long nanoTime();

        record Stdout(long nanoTime, byte[] bytes) implements Happening {}

        record Stderr(long nanoTime, byte[] bytes) implements Happening {}

        /** No more bytes will come on stdout; the process may live on. */
        record StdoutEnd(long nanoTime) implements Happening {}

        record StderrEnd(long nanoTime) implements Happening {}

        /** The other end does not take our bytes any more (it ended, or closed its stdin). Reported once. */
        record SendFailed(long nanoTime, String reason) implements Happening {}

        /** The connection to the engine broke: a fault of ours, no act of the server. */
        record Lost(long nanoTime, String reason) implements Happening {}
    }
}
