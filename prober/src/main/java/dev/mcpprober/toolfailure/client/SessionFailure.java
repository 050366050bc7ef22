package dev.mcpprober.toolfailure.client;

/** The server gave no session to call tools in; the message says what it did instead and may quote it, raw. */
public final class SessionFailure extends Exception {
    private static final long serialVersionUID = 1L;

    SessionFailure(String message) {
        super(message);
    }
}
