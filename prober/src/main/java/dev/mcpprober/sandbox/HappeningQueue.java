package dev.mcpprober.sandbox;

import dev.mcpprober.sandbox.StdioChannel.Happening;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * The receiving half of a {@link StdioChannel}: bounded in bytes, not in entries, and safe for several producers and one taker.
 * A full queue makes {@link #put} wait, which is how back-pressure reaches the server.
 */
public final class HappeningQueue {
    /** What one entry costs beside its bytes, so that a flood of tiny chunks is bounded too. */
    private static final int ENTRY_COST = 128;

    private final long capacity;
    private final ArrayDeque<Happening> entries = new ArrayDeque<>();
    private long cost;
    private boolean closed;

    /** @param capacity bytes that may be held; a single entry larger than that is let in when the queue is empty */
    public HappeningQueue(long capacity) {
        this.capacity = capacity;
    }

    /** Waits for room. False when the queue was closed, and the entry is dropped. */
    public synchronized boolean put(Happening happening) throws InterruptedException {
        while (!closed && cost > 0 && cost + costOf(happening) > capacity) {
            wait();
        }
        return add(happening);
    }

    /** For ends and failures: never waits. */
    public synchronized boolean putAtOnce(Happening happening) {
        return add(happening);
    }

    private boolean add(Happening happening) {
        if (closed) {
            return false;
        }
        entries.add(happening);
        cost += costOf(happening);
        notifyAll();
        return true;
    }

    /** The oldest entry; empty after {@code limit}. A closed queue answers with {@code Lost}, so that no caller waits or spins on it. */
    public synchronized Optional<Happening> poll(Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        while (entries.isEmpty() && !closed) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return Optional.empty();
            }
            wait(left / 1_000_000, (int) (left % 1_000_000));
        }
        if (closed) {
            return Optional.of(new Happening.Lost(System.nanoTime(), "the channel was closed on this side"));
        }
        Happening oldest = entries.remove();
        cost -= costOf(oldest);
        notifyAll();
        return Optional.of(oldest);
    }

    /** Drops what is held and lets every waiter go. */
    public synchronized void close() {
        closed = true;
        entries.clear();
        cost = 0;
        notifyAll();
    }

    private static long costOf(Happening happening) {
        if (happening instanceof Happening.Stdout out) {
            return ENTRY_COST + out.bytes().length;
        }
        if (happening instanceof Happening.Stderr err) {
            return ENTRY_COST + err.bytes().length;
        }
        return ENTRY_COST;
    }
}
