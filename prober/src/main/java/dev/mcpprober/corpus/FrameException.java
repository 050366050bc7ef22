package dev.mcpprober.corpus;

import java.io.IOException;

/** A frame that cannot be read as a whole: no such file, no header. The message names the file and what to do. */
public final class FrameException extends IOException {
    private static final long serialVersionUID = 1L;

    public FrameException(String message) {
        super(message);
    }

    public FrameException(String message, Throwable cause) {
        super(message, cause);
    }
}
