package dev.mcpprober.cli;

/** Something the user gave is wrong; the message names it and says what to do. */
public final class UserError extends Exception {
    private static final long serialVersionUID = 1L;

    public UserError(String message) {
        super(message);
    }
}
