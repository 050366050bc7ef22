package dev.mcpprober.run;

import java.io.IOException;

/** A folder that was named as one of a run and is none that this program can read. */
public final class UnusableRunException extends IOException {
    private static final long serialVersionUID = 1L;

    public UnusableRunException(String message) {
        super(message);
    }

    public UnusableRunException(String message, Throwable cause) {
        super(message, cause);
    }
}
