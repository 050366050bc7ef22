package dev.mcpprober.session;

/**
 * One step of a script. {@code id} names it in the transcript; {@code probe} is the check it was made for, or what it
 * prepares: {@code handshake}, {@code liveness}, {@code valid-twin}.
 */
public sealed interface Step {
    String id();

    String probe();

    /** The {@code initialize} request, offering {@code revision}. Ends the session when no handshake comes of it. */
    record Initialize(String id, String probe, String revision) implements Step {}

    /** {@code notifications/initialized}. */
    record Initialized(String id, String probe) implements Step {}

    /** {@code server/discover} with {@code _meta}; in a modern session the handshake. */
    record Discover(String id, String probe, String revision) implements Step {}

    /**
     * A request with fixed parameters.
     *
     * @param requestId JSON text of the id to use, e.g. {@code "s-1"}; empty for the next free number
     * @param params    JSON text of the params object; empty for none
     */
    record Request(String id, String probe, String method, String params, String requestId) implements Step {}

    /** {@code tools/list}, all pages, stopping at a repeated cursor. */
    record ListTools(String id, String probe) implements Step {}

    /** {@code tools/list} although the server did not declare the capability; skipped where it did. */
    record ListUndeclaredTools(String id, String probe) implements Step {}

    /** One {@code tools/call}, its arguments built from the listed schemas. */
    record Call(String id, String probe, CallKind kind) implements Step {}

    /**
     * A call with valid arguments to each of the first tools that declare an {@code outputSchema}, but the primary one: each is a step
     * of its own in the transcript, numbered after this one.
     */
    record CallDeclaredOutputs(String id, String probe, int most) implements Step {}

    /** A line that is no JSON-RPC message, then a short wait for a reaction. */
    record BadLine(String id, String probe, String line) implements Step {}

    /** A valid request whose only purpose is a sign of life: {@code ping}, where that is not answered {@code tools/list}; modern {@code server/discover}. */
    record Liveness(String id, String probe, String after) implements Step {}

    /** Closes stdin and sees how the server ends: by itself, by SIGTERM, by SIGKILL. */
    record CloseStdin(String id, String probe) implements Step {}

    /** What a {@link Call} sends. */
    enum CallKind {
        /** A name of valid format that no page lists. */
        UNKNOWN_TOOL,
        /** The primary tool, one required argument with a value that its schema cannot accept in any reading. */
        WRONG_TYPE,
        /** The primary tool without one required argument. */
        MISSING_REQUIRED,
        /** The primary tool with schema-valid arguments. */
        VALID,
        /** No {@code name} in params. */
        NO_NAME,
        /** A listed tool, {@code arguments} not an object. */
        BAD_ARGUMENTS
    }
}
