package dev.mcpprober.sandbox;

import dev.mcpprober.sandbox.StdioChannel.Happening;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Takes from a channel for tests and keeps what came. */
public final class Taken {
    public final ByteArrayOutputStream stdout = new ByteArrayOutputStream();
    public final ByteArrayOutputStream stderr = new ByteArrayOutputStream();
    /** All that is not a piece of output, in order. */
    public final List<Happening> events = new ArrayList<>();
    private final StdioChannel channel;

    public Taken(StdioChannel channel) {
        this.channel = channel;
    }

    /** Until both streams have ended, or the connection is lost, or {@code limit} is over; true when it has ended. */
    public boolean toEnd(Duration limit) throws InterruptedException {
        return until(limit, taken -> taken.has(Happening.Lost.class)
                || taken.has(Happening.StdoutEnd.class) && taken.has(Happening.StderrEnd.class));
    }

    public boolean until(Duration limit, Predicate<Taken> done) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (!done.test(this)) {
            Optional<Happening> next = channel.poll(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
            if (next.isEmpty()) {
                return false;
            }
            add(next.get());
        }
        return true;
    }

    private void add(Happening happening) {
        if (happening instanceof Happening.Stdout out) {
            stdout.writeBytes(out.bytes());
        } else if (happening instanceof Happening.Stderr err) {
            stderr.writeBytes(err.bytes());
        } else {
            events.add(happening);
        }
    }

    public boolean has(Class<? extends Happening> kind) {
        return events.stream().anyMatch(kind::isInstance);
    }

    public String out() {
        return stdout.toString(StandardCharsets.UTF_8);
    }

    public String err() {
        return stderr.toString(StandardCharsets.UTF_8);
    }
}
