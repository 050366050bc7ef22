package dev.mcpprober.session;

import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.Sandbox;
import dev.mcpprober.sandbox.StdioChannel;
import dev.mcpprober.sandbox.StdioChannel.Happening;
import dev.mcpprober.sandbox.Termination;
import dev.mcpprober.transcript.WireLine;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The running server as lines and states. Everything that arrives is recorded before anybody looks at it.
 * Reading, writing and the process's end are independent: a server may close stdout and live, or end while a child of it
 * keeps stdout open.
 */
final class Wire {
    /** How often an idle wait asks whether the process still runs, for ends that no stream shows. */
    private static final Duration EXIT_POLL = Duration.ofMillis(200);
    /** How long after the end of stdout the process may take to be seen as ended. */
    private static final Duration EXIT_AFTER_CLOSE = Duration.ofSeconds(2);
    /** How long to collect what is still under way after the process ended. */
    private static final Duration DRAIN = Duration.ofMillis(500);

    /** Reading a line takes several times its length in memory: long ones are read one at a time, whatever runs beside this session. */
    private static final Object ONE_LONG_LINE = new Object();
    private static final int LONG_LINE = 1 << 20;

    /** The part of a wait that may be lost before it counts for nothing, as a divisor. */
    private static final int MAX_HELD_UP = 5;

    private final Sandbox sandbox;
    private final StdioChannel channel;
    private final Recorder recorder;
    private final SessionLimits limits;
    private final LineSplitter splitter;
    private final StderrKeeper stderr;
    private final Deque<WireLine> lines = new ArrayDeque<>();
    private long stdoutBytes;
    private long linesDropped;
    private long lineCount;
    private long lastStdoutAt;
    /** When something was last done that the server may react to. */
    private long actedAt = System.nanoTime();
    private boolean capped;
    private boolean stdoutClosed;
    private boolean stderrClosed;
    private boolean sendFailed;
    private boolean stdinClosed;
    private Termination termination;

    Wire(Sandbox sandbox, StdioChannel channel, Recorder recorder, SessionLimits limits) {
        this.sandbox = sandbox;
        this.channel = channel;
        this.recorder = recorder;
        this.limits = limits;
        this.splitter = new LineSplitter(limits.lineBytes());
        this.stderr = new StderrKeeper(limits.stderrBytes());
    }

    void send(String step, byte[] bytes) throws IOException {
        recorder.sent(step, bytes);
        actedAt = System.nanoTime();
        if (!stdinClosed) {
            channel.send(bytes);
        }
    }

    void closeStdin() throws IOException {
        if (!stdinClosed) {
            stdinClosed = true;
            recorder.stdinClosed();
            actedAt = System.nanoTime();
            channel.closeStdin();
        }
    }

    void signal(Sandbox.Signal signal) throws IOException, EngineException {
        recorder.signalSent(signal.name());
        actedAt = System.nanoTime();
        sandbox.signal(signal);
    }

    /** The process ended, or stdout did: no further line can come. Lines already here may still be taken. */
    boolean over() {
        return termination != null || stdoutClosed || capped;
    }

    boolean exited() {
        return termination != null;
    }

    boolean capped() {
        return capped;
    }

    /** All that came on stderr so far. */
    long stderrBytes() {
        return stderr.total();
    }

    long stdoutBytes() {
        return stdoutBytes;
    }

    boolean sendFailed() {
        return sendFailed;
    }

    /**
     * The next line of stdout. Empty when none came before {@code deadline}, or when none can come any more ({@link #over()}).
     */
    Optional<WireLine> next(Deadline deadline) throws IOException, EngineException, InterruptedException {
        while (lines.isEmpty() && !over()) {
            long left = deadline.left();
            Optional<Happening> happening = channel.poll(Duration.ofNanos(Math.max(0, Math.min(left, EXIT_POLL.toNanos()))));
            if (happening.isPresent()) {
                take(happening.get());
                // What arrived in time counts, however long it waited for us behind a flood.
                if (happening.get().nanoTime() > deadline.at() && !deadline.extended()) {
                    undelayed();
                    return Optional.empty();
                }
                if (stdoutClosed || sendFailed && termination == null && lines.isEmpty()) {
                    awaitExit(stdoutClosed ? EXIT_AFTER_CLOSE : Duration.ZERO);
                }
            } else if (left > 0) {
                awaitExit(Duration.ZERO);
            } else if (!deadline.extended()) {
                undelayed();
                return Optional.empty();
            }
        }
        return Optional.ofNullable(lines.poll());
    }

    /** Waits for the end of the process, recording what comes meanwhile. False when it still runs at {@code deadline}. */
    boolean waitForExit(Deadline deadline) throws IOException, EngineException, InterruptedException {
        while (termination == null) {
            if (deadline.left() <= 0 && !deadline.extended()) {
                undelayed();
                return false;
            }
            long slice = Math.max(1, Math.min(deadline.left(), EXIT_POLL.toNanos()));
            if (stdoutClosed && stderrClosed) {
                awaitExit(Duration.ofNanos(slice));
            } else {
                Optional<Happening> happening = channel.poll(Duration.ofNanos(Math.min(slice, 50_000_000L)));
                if (happening.isPresent()) {
                    take(happening.get());
                } else {
                    awaitExit(Duration.ZERO);
                }
            }
            lines.clear();
        }
        return true;
    }

    /** What did not come in time is no silence of the server's where the engine or this machine stood still for a good part of it. */
    private void undelayed() throws EngineException {
        long waited = System.nanoTime() - actedAt;
        Duration held = sandbox.heldUp(actedAt);
        if (held.toNanos() > waited / MAX_HELD_UP) {
            throw new EngineException(new Fault.EngineError("wait for the server", "the engine or this machine stood still for " + held.toMillis()
                    + " ms of " + waited / 1_000_000));
        }
    }

    private void awaitExit(Duration limit) throws IOException, EngineException, InterruptedException {
        if (termination != null) {
            return;
        }
        Optional<Termination> end = sandbox.awaitExit(limit);
        if (end.isPresent()) {
            long at = System.nanoTime();
            drain(at + DRAIN.toNanos());
            termination = end.get();
            recordEnd(at);
        }
    }

    /** Records what is under way until the streams end or {@code deadline}; a child of the server may hold them open. */
    private void drain(long deadline) throws IOException, EngineException, InterruptedException {
        while (!(stdoutClosed && stderrClosed)) {
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                return;
            }
            Optional<Happening> happening = channel.poll(Duration.ofNanos(left));
            if (happening.isPresent()) {
                take(happening.get());
            }
        }
    }

    private void take(Happening happening) throws IOException, EngineException {
        if (happening instanceof Happening.Stdout out) {
            stdout(out);
        } else if (happening instanceof Happening.Stderr err) {
            byte[] head = stderr.take(err.bytes());
            if (head.length > 0) {
                recorder.stderr(err.nanoTime(), head, 0);
            }
        } else if (happening instanceof Happening.StdoutEnd end) {
            stdoutClosed = true;
            flushRest();
            recorder.stdoutClosed(end.nanoTime());
        } else if (happening instanceof Happening.StderrEnd) {
            stderrClosed = true;
        } else if (happening instanceof Happening.SendFailed failed) {
            sendFailed = true;
            recorder.sendFailed(failed.nanoTime(), failed.reason());
        } else if (happening instanceof Happening.Lost lost) {
            throw new EngineException(new Fault.ChannelLost(lost.reason()));
        }
    }

    private void stdout(Happening.Stdout out) throws IOException {
        stdoutBytes += out.bytes().length;
        lastStdoutAt = out.nanoTime();
        if (capped) {
            return;
        }
        if (stdoutBytes > limits.stdoutBytes()) {
            cap(out, stdoutBytes - out.bytes().length);
            return;
        }
        IOException[] failure = new IOException[1];
        splitter.feed(out.bytes(), line -> {
            if (++lineCount > limits.stdoutLines()) {
                linesDropped++;
                return;
            }
            try {
                line(out.nanoTime(), line, true);
            } catch (IOException e) {
                failure[0] = e;
            }
        });
        if (failure[0] != null) {
            throw failure[0];
        }
        if (lineCount > limits.stdoutLines()) {
            cap(out, stdoutBytes);
        }
    }

    private void line(long at, LineSplitter.Line line, boolean terminated) throws IOException {
        if (line.length() < LONG_LINE) {
            take(at, line, terminated);
        } else {
            synchronized (ONE_LONG_LINE) {
                take(at, line, terminated);
            }
        }
    }

    private void take(long at, LineSplitter.Line line, boolean terminated) throws IOException {
        byte[] kept = line.bytes();
        recorder.received(at, kept, terminated, line.length());
        if (line.length() > kept.length) {
            linesDropped++;
        } else if (terminated) {
            lines.add(WireLine.read(kept));
        }
    }

    private void cap(Happening.Stdout out, long keptBytes) throws IOException {
        flushRest();
        capped = true;
        recorder.stdoutCapped(out.nanoTime(), keptBytes);
    }

    private void flushRest() throws IOException {
        IOException[] failure = new IOException[1];
        splitter.rest(line -> {
            try {
                line(lastStdoutAt, line, false);
            } catch (IOException e) {
                failure[0] = e;
            }
        });
        if (failure[0] != null) {
            throw failure[0];
        }
    }

    /** Records the end of a session that is over or that we break off here. */
    void finish() throws IOException, EngineException, InterruptedException {
        if (termination == null) {
            drainQueued();
            long at = System.nanoTime();
            termination = new Termination.Stopped();
            recordEnd(at);
        }
        flushRest();
        if (stderr.tail().length > 0) {
            recorder.stderr(System.nanoTime(), stderr.tail(), stderr.dropped());
        }
        recorder.totals(stdoutBytes, stderr.total(), linesDropped);
    }

    private void drainQueued() throws IOException, EngineException, InterruptedException {
        long deadline = System.nanoTime() + DRAIN.toNanos();
        for (Optional<Happening> h = channel.poll(Duration.ZERO); h.isPresent() && !capped && System.nanoTime() < deadline;
                h = channel.poll(Duration.ZERO)) {
            if (!(h.get() instanceof Happening.Lost)) {
                take(h.get());
            }
        }
    }

    private void recordEnd(long at) throws IOException {
        if (termination instanceof Termination.Exited exited) {
            recorder.terminated(at, "exited", exited.status());
        } else if (termination instanceof Termination.Signalled signalled) {
            recorder.terminated(at, "signalled", signalled.signal());
        } else if (termination instanceof Termination.OomKilled) {
            recorder.terminated(at, "oom-killed", 0);
        } else {
            recorder.terminated(at, "stopped", 0);
        }
    }
}
