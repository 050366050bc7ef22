package dev.mcpprober.toolfailure.wire;

import java.io.IOException;
import java.time.Duration;

/** The stdio of a running server as lines, with the process behind it. For use by one thread. */
public interface Lines extends AutoCloseable {
    /** Sends a line; the line feed is added here. Never waits for the other side, and never fails for what it does. */
    void send(String line);

    /**
     * What comes next; {@link Arrival.Nothing} when that is nothing within {@code limit}.
     *
     * @throws IOException when the connection to the server broke on our side: no act of the server
     */
    Arrival next(Duration limit) throws IOException, InterruptedException;

    /** No more lines follow: the server sees the end of its stdin. */
    void endInput();

    /** Ends the server and all that it started. */
    @Override
    void close();

    /** Starts a server; each start is a process of its own. */
    interface Opener {
        Lines open() throws IOException;
    }

    /** What a server's stdout brings. */
    sealed interface Arrival {
        /** A whole line of valid UTF-8, without its line end. */
        record Line(String text) implements Arrival {}

        /** Bytes that are no line of text: broken UTF-8, or longer than a limit of ours. */
        record Unreadable(String why) implements Arrival {}

        /** Nothing follows: stdout was closed, or the process ended. */
        record Ended(String how) implements Arrival {}

        /** Nothing yet. */
        record Nothing() implements Arrival {}
    }
}
