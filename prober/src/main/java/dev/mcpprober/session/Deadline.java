package dev.mcpprober.session;

import java.io.IOException;

/** Until when something is waited for, by {@link System#nanoTime()}. For one thread. */
final class Deadline {
    private final Extension extension;
    private long at;

    /** Asked when a deadline has passed. */
    @FunctionalInterface
    interface Extension {
        /** Nanoseconds from now that are given after all; 0 for none. */
        long more() throws IOException;
    }

    Deadline(long at, Extension extension) {
        this.at = at;
        this.extension = extension;
    }

    static Deadline fixed(long at) {
        return new Deadline(at, () -> 0);
    }

    long at() {
        return at;
    }

    long left() {
        return at - System.nanoTime();
    }

    /** To be asked once it has passed: whether to wait on. */
    boolean extended() throws IOException {
        long more = extension.more();
        if (more > 0) {
            at = System.nanoTime() + more;
        }
        return more > 0;
    }
}
