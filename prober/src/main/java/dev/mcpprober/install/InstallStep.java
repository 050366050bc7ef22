package dev.mcpprober.install;

import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.ImageEngine;
import dev.mcpprober.sandbox.Sandbox;
import dev.mcpprober.sandbox.StdioChannel;
import dev.mcpprober.sandbox.StdioChannel.Happening;
import dev.mcpprober.sandbox.Termination;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * One program run to its end in an install sandbox.
 *
 * @param how     how it ended
 * @param stopped why it was ended before, if it was
 * @param stdout  its answer to us, cut at a few MiB
 * @param log     the end of its stderr
 */
record InstallStep(Termination how, Stop stopped, String stdout, String log) {
    private static final int MAX_STDOUT = 16 << 20;
    private static final int MAX_LOG = 64 << 10;
    /** Of both streams together. No installer says a thousandth of it; what a package writes past the installer costs the engine and us work. */
    private static final long MAX_OUTPUT = 64L << 20;
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final Duration END = Duration.ofSeconds(30);
    private static final Duration WATCH = Duration.ofSeconds(5);

    enum Stop {
        NOT, TIMEOUT, TOO_LARGE, TOO_MANY,
        /** The engine cannot count what was written: somewhere a path is longer than the kernel takes in one piece. */
        UNCOUNTABLE,
        FLOOD
    }

    boolean succeeded() {
        return stopped == Stop.NOT && how instanceof Termination.Exited exited && exited.status() == 0;
    }

    boolean outOfMemory() {
        return how instanceof Termination.OomKilled;
    }

    /** While it is being installed a tree may be there twice, once in the installer's cache, and there is what builds leave. */
    private static int mostEntries(InstallLimits limits) {
        return 3 * limits.treeFiles();
    }

    /** A signal that nobody here sent: something that ran beside the program ended it, so its output cannot be taken for its own. */
    Optional<String> killed() {
        return how instanceof Termination.Signalled signalled ? Optional.of("signal " + signalled.signal()) : Optional.empty();
    }

    /** The outcome where the end alone decides it: no time, no space, no memory. */
    Optional<InstallOutcome> limitReached(InstallLimits limits) {
        return switch (stopped) {
            case TIMEOUT -> Optional.of(new InstallOutcome.TimedOut(limits.time().toSeconds()));
            case TOO_LARGE -> Optional.of(new InstallOutcome.TooLarge("wrote more than " + (limits.treeBytes() >> 20) + " MiB"));
            case TOO_MANY -> Optional.of(new InstallOutcome.TooLarge("made more than " + mostEntries(limits) + " files"));
            case UNCOUNTABLE -> Optional.of(new InstallOutcome.TooLarge("made a path that is too long to count what is below it"));
            case FLOOD -> Optional.of(new InstallOutcome.TooLarge("wrote more than " + (MAX_OUTPUT >> 20) + " MiB of output"));
            case NOT -> outOfMemory() ? Optional.of(new InstallOutcome.TooLarge("needs more than " + (limits.memoryBytes() >> 20) + " MiB of memory"))
                    : Optional.empty();
        };
    }

    /** @param deadline {@link System#nanoTime()} at which the program is ended */
    static InstallStep run(ImageEngine engine, Sandbox sandbox, InstallLimits limits, long deadline) throws EngineException, InterruptedException {
        return run(engine, sandbox, limits, deadline, WATCH);
    }

    /** @param every how often to look at what is on the disk */
    static InstallStep run(ImageEngine engine, Sandbox sandbox, InstallLimits limits, long deadline, Duration every)
            throws EngineException, InterruptedException {
        Reading reading = new Reading();
        Stop stop = Stop.NOT;
        long began = System.nanoTime();
        long nextLook = began + every.toNanos();
        Watch watch = new Watch(engine, sandbox, limits);
        try (StdioChannel channel = sandbox.start()) {
            channel.closeStdin();
            while (!reading.ended()) {
                Optional<Happening> happening = channel.poll(LOOK);
                if (happening.isPresent()) {
                    reading.take(happening.get(), sandbox);
                }
                long now = System.nanoTime();
                if (stop == Stop.NOT) {
                    stop = now > deadline ? Stop.TIMEOUT : reading.total > MAX_OUTPUT ? Stop.FLOOD : now > nextLook ? watch.look() : Stop.NOT;
                    if (stop == Stop.TIMEOUT) {
                        undelayed(sandbox.heldUp(began), now - began);
                    }
                    if (stop != Stop.NOT) {
                        sandbox.signal(Sandbox.Signal.SIGKILL);
                    } else if (now > nextLook) {
                        // Counting is work for the engine: never more than a tenth of the time.
                        nextLook = System.nanoTime() + Math.max(every.toNanos(), 10 * (System.nanoTime() - now));
                    }
                }
            }
        }
        if (stop == Stop.NOT && watch.uncounted) {
            stop = watch.look();
        }
        Termination how = sandbox.awaitExit(END).orElseThrow(() -> new EngineException(new Fault.EngineError("wait for an install",
                "its output ended, but the container did not within " + END.toSeconds() + " s")));
        return new InstallStep(how, stop, reading.stdout.toString(StandardCharsets.UTF_8), new String(reading.log(), StandardCharsets.UTF_8));
    }

    /** Time that the engine or this machine stood still is not the package's. */
    private static void undelayed(Duration held, long waited) throws EngineException {
        if (held.toNanos() > waited / 5) {
            throw new EngineException(new Fault.EngineError("wait for an install", "the engine or this machine stood still for " + held.toSeconds() + " s of "
                    + waited / 1_000_000_000));
        }
    }

    /** What is on the disk so far. */
    private static final class Watch {
        private final ImageEngine engine;
        private final Sandbox sandbox;
        private final InstallLimits limits;
        private boolean uncounted;

        Watch(ImageEngine engine, Sandbox sandbox, InstallLimits limits) {
            this.engine = engine;
            this.sandbox = sandbox;
            this.limits = limits;
        }

        Stop look() throws EngineException {
            long bytes = engine.writtenBytes(sandbox);
            if (bytes < 0) {
                boolean again = uncounted;
                uncounted = true;
                return again ? Stop.UNCOUNTABLE : Stop.NOT;
            }
            uncounted = false;
            if (bytes > limits.treeBytes()) {
                return Stop.TOO_LARGE;
            }
            // Empty files take no space that is counted, but a disk holds only so many.
            return engine.writtenEntries(sandbox, mostEntries(limits)) > mostEntries(limits) ? Stop.TOO_MANY : Stop.NOT;
        }
    }

    private static final class Reading {
        private final ByteArrayOutputStream stdout = new ByteArrayOutputStream();
        private final byte[] ring = new byte[MAX_LOG];
        private long logged;
        private long total;
        private boolean outEnded;
        private boolean errEnded;

        boolean ended() {
            return outEnded && errEnded;
        }

        void take(Happening happening, Sandbox sandbox) throws EngineException {
            if (happening instanceof Happening.Stdout out) {
                total += out.bytes().length;
                stdout.write(out.bytes(), 0, Math.min(out.bytes().length, MAX_STDOUT - stdout.size()));
            } else if (happening instanceof Happening.Stderr err) {
                total += err.bytes().length;
                for (byte b : err.bytes()) {
                    ring[(int) (logged++ % MAX_LOG)] = b;
                }
            } else if (happening instanceof Happening.StdoutEnd) {
                outEnded = true;
            } else if (happening instanceof Happening.StderrEnd) {
                errEnded = true;
            } else if (happening instanceof Happening.Lost lost) {
                throw new EngineException(new Fault.ChannelLost("install container " + sandbox.id() + ": " + lost.reason()));
            }
        }

        byte[] log() {
            int length = (int) Math.min(logged, MAX_LOG);
            byte[] tail = new byte[length];
            for (int i = 0; i < length; i++) {
                tail[i] = ring[(int) ((logged - length + i) % MAX_LOG)];
            }
            return tail;
        }
    }
}
