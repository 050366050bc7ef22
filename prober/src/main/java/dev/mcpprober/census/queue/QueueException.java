package dev.mcpprober.census.queue;

import java.io.IOException;

/** The queue's database cannot be used; the message says why and what to do, and holds no password. */
public final class QueueException extends IOException {
    private static final long serialVersionUID = 1L;

    public QueueException(String message) {
        super(message);
    }

    public QueueException(String message, Throwable cause) {
        super(message, cause);
    }
}
