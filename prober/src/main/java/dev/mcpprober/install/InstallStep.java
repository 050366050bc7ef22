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
    private static final Duration LOOK = Duration.ofMillis(500);
    private static final Duration END = Duration.ofSeconds(30);
    private static final long FIRST_LOOK_NANOS = Duration.ofSeconds(5).toNanos();

    enum Stop { NOT, TIMEOUT, TOO_LARGE }

    boolean succeeded() {
        return stopped == Stop.NOT && how instanceof Termination.Exited exited && exited.status() == 0;
    }

    boolean outOfMemory() {
        return how instanceof Termination.OomKilled;
    }

    /** The outcome where the end alone decides it: no time, no space, no memory. */
    Optional<InstallOutcome> limitReached(InstallLimits limits) {
        if (stopped == Stop.TIMEOUT) {
            return Optional.of(new InstallOutcome.TimedOut(limits.time().toSeconds()));
        }
        if (stopped == Stop.TOO_LARGE) {
            return Optional.of(new InstallOutcome.TooLarge("wrote more than " + (limits.treeBytes() >> 20) + " MiB"));
        }
        return outOfMemory() ? Optional.of(new InstallOutcome.TooLarge("needs more than " + (limits.memoryBytes() >> 20) + " MiB of memory")) : Optional.empty();
    }

    /** @param deadline {@link System#nanoTime()} at which the program is ended */
    static InstallStep run(ImageEngine engine, Sandbox sandbox, InstallLimits limits, long deadline) throws EngineException, InterruptedException {
        Reading reading = new Reading();
        Stop stop = Stop.NOT;
        long began = System.nanoTime();
        long nextLook = began + FIRST_LOOK_NANOS;
        try (StdioChannel channel = sandbox.start()) {
            channel.closeStdin();
            while (!reading.ended()) {
                Optional<Happening> happening = channel.poll(LOOK);
                if (happening.isPresent()) {
                    reading.take(happening.get(), sandbox);
                }
                long now = System.nanoTime();
                if (stop == Stop.NOT && now > deadline) {
                    undelayed(sandbox.heldUp(began), now - began);
                    stop = Stop.TIMEOUT;
                    sandbox.signal(Sandbox.Signal.SIGKILL);
                } else if (stop == Stop.NOT && now > nextLook) {
                    if (engine.writtenBytes(sandbox) > limits.treeBytes()) {
                        stop = Stop.TOO_LARGE;
                        sandbox.signal(Sandbox.Signal.SIGKILL);
                    }
                    // Counting is work for the engine: never more than a tenth of the time.
                    nextLook = System.nanoTime() + Math.max(FIRST_LOOK_NANOS, 10 * (System.nanoTime() - now));
                }
            }
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

    private static final class Reading {
        private final ByteArrayOutputStream stdout = new ByteArrayOutputStream();
        private final byte[] ring = new byte[MAX_LOG];
        private long logged;
        private boolean outEnded;
        private boolean errEnded;

        boolean ended() {
            return outEnded && errEnded;
        }

        void take(Happening happening, Sandbox sandbox) throws EngineException {
            if (happening instanceof Happening.Stdout out) {
                stdout.write(out.bytes(), 0, Math.min(out.bytes().length, MAX_STDOUT - stdout.size()));
            } else if (happening instanceof Happening.Stderr err) {
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
