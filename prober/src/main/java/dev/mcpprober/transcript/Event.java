package dev.mcpprober.transcript;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One thing that happened in a session. {@code index} counts from 0 within the transcript and is what a witness points to;
 * {@code nanos} counts from the start of the session. Events say what happened, never whether it was right.
 */
public sealed interface Event {
    int index();

    long nanos();

    /** The process was started. */
    record Started(int index, long nanos, List<String> argv) implements Event {}

    /**
     * The script began a step.
     *
     * @param step  id of the step in its script
     * @param probe the check that the step was made for, or what it prepares ({@code handshake}, {@code liveness})
     * @param about what was chosen for it: {@code tool}, {@code property}, {@code variant}, {@code primary}, {@code id} …
     */
    record StepBegan(int index, long nanos, String step, String probe, Map<String, String> about) implements Event {}

    /** Bytes handed to the server's stdin, line feed included. */
    record Sent(int index, long nanos, String step, byte[] bytes) implements Event {}

    /** The server's stdin took no more bytes. */
    record SendFailed(int index, long nanos, String reason) implements Event {}

    /**
     * One line of stdout without its line feed.
     *
     * @param bytes          what was kept; a carriage return before the line feed is part of it
     * @param terminated     false for what stood after the last line feed when the stream ended or the session gave up
     * @param originalLength bytes on the wire; greater than {@code bytes.length} where the line was cut
     */
    record Received(int index, long nanos, byte[] bytes, boolean terminated, long originalLength) implements Event {
        public boolean truncated() {
            return originalLength > bytes.length;
        }
    }

    /** A piece of stderr as it came; {@code dropped} bytes between the piece before it and this one were not kept. */
    record Stderr(int index, long nanos, byte[] bytes, long dropped) implements Event {}

    /** Stdout passed the session's total; what follows was read and thrown away. */
    record StdoutCapped(int index, long nanos, long keptBytes) implements Event {}

    /** Totals at the end, also where caps dropped bytes. */
    record Totals(int index, long nanos, long stdoutBytes, long stderrBytes, long stdoutLinesDropped) implements Event {}

    /** A step came to its end. */
    record StepEnded(int index, long nanos, String step, StepOutcome outcome, String detail) implements Event {}

    /**
     * A time limit has passed, and the server gets the same time again: our host had too much to do to be fair.
     *
     * @param byMillis      the time given
     * @param waitedPercent of the time that has passed in which something on the host waited for a processor
     * @param perProcessor  what wanted to run on it in the last minute, on average, for each processor
     */
    record DeadlineExtended(int index, long nanos, long byMillis, int waitedPercent, double perProcessor) implements Event {}

    /** We half-closed stdin. */
    record StdinClosed(int index, long nanos) implements Event {}

    /** The server's stdout reached its end; the process may live on. */
    record StdoutClosed(int index, long nanos) implements Event {}

    /** We sent a signal ({@code SIGTERM}, {@code SIGKILL}). */
    record SignalSent(int index, long nanos, String signal) implements Event {}

    /**
     * The main process ended.
     *
     * @param how    {@code exited}, {@code signalled}, {@code oom-killed} or {@code stopped} (by us)
     * @param status exit status or signal number; 0 where there is none
     */
    record Terminated(int index, long nanos, String how, int status) implements Event {}

    /** The connection to the engine broke: the attempt is a fault, not a result. */
    record ChannelLost(int index, long nanos, String reason) implements Event {}

    /** The last event of a transcript that secrets were taken out of: id of what was found to how often. */
    record Redacted(int index, long nanos, Map<String, Integer> counts) implements Event {
        public Redacted {
            // In order: the order of other immutable maps is another one in every process, and pages show it.
            counts = Collections.unmodifiableMap(new TreeMap<>(counts));
        }
    }
}
