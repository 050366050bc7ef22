package dev.mcpprober.cli.toolfailure;

import dev.mcpprober.io.Utf8;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.Sandbox;
import dev.mcpprober.sandbox.StdioChannel;
import dev.mcpprober.sandbox.StdioChannel.Happening;
import dev.mcpprober.sandbox.Termination;
import dev.mcpprober.session.LineSplitter;
import dev.mcpprober.toolfailure.wire.Lines;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Consumer;

/** A sandboxed process, or one of this host, as lines. What it writes on stderr is handed on line by line. */
final class StdioLines implements Lines {
    private static final int LINE_BYTES = 24 << 20;
    private static final long STDOUT_BYTES = 128L << 20;
    private static final int STDERR_LINE_BYTES = 16 << 10;
    /** How often an idle wait asks whether the process still runs: a child of it may keep its stdout open. */
    private static final Duration EXIT_POLL = Duration.ofMillis(200);
    private static final Duration LOG_AFTER_ANSWER = Duration.ofMillis(100);
    /** How long after the end of stdout the process may take to be seen as ended. */
    private static final Duration EXIT_AFTER_CLOSE = Duration.ofMillis(500);

    private final Sandbox sandbox;
    private final StdioChannel channel;
    private final Consumer<String> stderr;
    private final LineSplitter out = new LineSplitter(LINE_BYTES);
    private final LineSplitter err = new LineSplitter(STDERR_LINE_BYTES);
    private final Deque<Arrival> arrived = new ArrayDeque<>();
    private long stdoutBytes;
    private String end;

    /**
     * Starts what {@code sandbox} holds.
     *
     * @param stderr gets the lines of stderr as they come, raw, on the thread that calls {@link #next} and {@link #close}
     */
    StdioLines(Sandbox sandbox, Consumer<String> stderr) throws EngineException {
        this.sandbox = sandbox;
        this.channel = sandbox.start();
        this.stderr = stderr;
    }

    @Override
    public void send(String line) {
        channel.send((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public Arrival next(Duration limit) throws IOException, InterruptedException {
        long until = System.nanoTime() + limit.toNanos();
        while (arrived.isEmpty() && end == null) {
            long left = Math.max(0, until - System.nanoTime());
            Optional<Happening> happening = channel.poll(Duration.ofNanos(Math.min(left, EXIT_POLL.toNanos())));
            if (happening.isPresent()) {
                take(happening.get());
            } else if (exited()) {
                drain();
            } else if (left == 0) {
                return new Arrival.Nothing();
            }
        }
        return arrived.isEmpty() ? new Arrival.Ended(end) : arrived.remove();
    }

    private void take(Happening happening) throws IOException {
        if (happening instanceof Happening.Stdout piece) {
            stdoutBytes += piece.bytes().length;
            if (stdoutBytes > STDOUT_BYTES) {
                end = "the server wrote more than " + (STDOUT_BYTES >> 20) + " MiB";
            } else {
                out.feed(piece.bytes(), line -> arrived.add(arrival(line)));
            }
        } else if (happening instanceof Happening.Stderr piece) {
            err.feed(piece.bytes(), this::log);
        } else if (happening instanceof Happening.StdoutEnd) {
            end = termination(EXIT_AFTER_CLOSE).isPresent() ? how() : "the server closed its stdout";
        } else if (happening instanceof Happening.StderrEnd) {
            err.rest(this::log);
        } else if (happening instanceof Happening.Lost lost) {
            throw new IOException("the connection to the server broke: " + lost.reason());
        }
    }

    private void log(LineSplitter.Line line) {
        stderr.accept(new String(line.bytes(), StandardCharsets.UTF_8));
    }

    private static Arrival arrival(LineSplitter.Line line) {
        long length = line.length();
        byte[] bytes = line.bytes();
        if (bytes.length < length) {
            return new Arrival.Unreadable("a line of " + length + " bytes");
        }
        int to = bytes.length > 0 && bytes[bytes.length - 1] == '\r' ? bytes.length - 1 : bytes.length;
        int fault = Utf8.firstFault(bytes, 0, to);
        return fault >= 0 ? new Arrival.Unreadable("no UTF-8 at byte " + fault) : new Arrival.Line(new String(bytes, 0, to, StandardCharsets.UTF_8));
    }

    private boolean exited() throws IOException {
        return termination(Duration.ZERO).isPresent();
    }

    private Optional<Termination> termination(Duration limit) throws IOException {
        try {
            return sandbox.awaitExit(limit);
        } catch (EngineException e) {
            throw new IOException(e.fault().kind() + ": " + e.fault().detail(), e);
        }
    }

    private String how() throws IOException {
        Termination termination = termination(Duration.ZERO).orElse(null);
        if (termination instanceof Termination.Exited exited) {
            return "the server ended with status " + exited.status();
        }
        return termination instanceof Termination.Signalled signalled ? "the server was ended by signal " + signalled.signal() : "the server ended";
    }

    /** What was under way when the process ended. */
    private void drain() throws IOException, InterruptedException {
        for (Optional<Happening> rest = channel.poll(EXIT_POLL); rest.isPresent() && end == null; rest = channel.poll(EXIT_POLL)) {
            take(rest.get());
        }
        end = end == null ? how() : end;
    }

    @Override
    public void endInput() {
        channel.closeStdin();
    }

    /** What the server logged about its last answer may still be under way. */
    @Override
    public void close() {
        try {
            long until = System.nanoTime() + EXIT_AFTER_CLOSE.toNanos();
            for (Optional<Happening> rest = channel.poll(LOG_AFTER_ANSWER); rest.isPresent() && System.nanoTime() < until; rest = channel.poll(LOG_AFTER_ANSWER)) {
                if (rest.get() instanceof Happening.Stderr piece) {
                    err.feed(piece.bytes(), this::log);
                } else if (!(rest.get() instanceof Happening.Stdout)) {
                    break;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        channel.close();
        sandbox.close();
    }
}
