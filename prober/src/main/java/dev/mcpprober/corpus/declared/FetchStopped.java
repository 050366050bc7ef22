package dev.mcpprober.corpus.declared;

import java.io.IOException;

/** A registry cannot be had for now; the same command goes on where it stopped. */
public final class FetchStopped extends IOException {
    private static final long serialVersionUID = 1L;

    FetchStopped(String message) {
        super(message);
    }

    FetchStopped(String message, Throwable cause) {
        super(message, cause);
    }
}
