package dev.mcpprober.census;

import java.io.IOException;

/** A run folder may not be used as asked. The message names the folder, says why, and what to do. */
public final class RunRefused extends IOException {
    private static final long serialVersionUID = 1L;

    public RunRefused(String message) {
        super(message);
    }
}
