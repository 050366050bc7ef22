package dev.mcpprober.dataset.release;

/** A release that may not be written or read as asked; the message says why and what to do. */
public final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
        super(message);
    }
}
