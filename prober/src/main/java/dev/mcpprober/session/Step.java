package dev.mcpprober.session;

import java.util.Set;

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
     * Calls to all tools, by {@link ToolProgram}: each is a step of its own in the transcript; this one is recorded when no call is left.
     *
     * @param done      ids of the calls that an earlier process of the same session made
     * @param lostTools beginnings of the ids of the calls in which the server was lost; what is left of those tools is not called
     */
    record CallTools(String id, String probe, ToolBudget budget, Set<String> done, Set<String> lostTools) implements Step {
        public CallTools {
            done = Set.copyOf(done);
            lostTools = Set.copyOf(lostTools);
        }
    }

    /** {@code tools/list} with a cursor that no server gave out. */
    record InvalidCursor(String id, String probe) implements Step {}

    /** {@code resources/read} of what no server has; skipped where resources are not declared. */
    record ReadNoResource(String id, String probe) implements Step {}

    /** {@code subscriptions/listen} for every kind of list that the server says may change, until its first message; then cancelled. Skipped where there is none. */
    record Listen(String id, String probe) implements Step {}

    /** A modern request, {@code tools/list} where tools are declared, else {@code server/discover}, with less or other {@code _meta} than usual. */
    record OtherMeta(String id, String probe, MetaKind kind) implements Step {}

    /** A line sent as it is, then a short wait for a reaction: a notification, or what is no message at all. */
    record RawLine(String id, String probe, String line) implements Step {}

    /** A request whose id is null, then a short wait for a reaction. */
    record NullId(String id, String probe) implements Step {}

    /** A request that is right but for a byte in a string of its params that is no UTF-8. */
    record BadUtf8(String id, String probe) implements Step {}

    /** An array of messages. Made for {@code batch-receive} it is sent under 2025-03-26 only, made for {@code batch-reject} under the others. */
    record Batch(String id, String probe, BatchKind kind) implements Step {}

    /**
     * What became of the server after a bad frame: asks for a sign of life; where none comes, again, to see which later frame revives
     * it; where one comes and the server had noticed the frame, a while later once more.
     *
     * @param after   step that sent the frame
     * @param patient wait for a late end even where nothing shows that the frame was noticed
     */
    record Autopsy(String id, String probe, String after, boolean patient) implements Step {}

    /** A valid request whose only purpose is a sign of life: {@code ping}, where that is not answered {@code tools/list}; modern {@code server/discover}. */
    record Liveness(String id, String probe, String after) implements Step {}

    /** Closes stdin and sees how the server ends: by itself, by SIGTERM, by SIGKILL. */
    record CloseStdin(String id, String probe) implements Step {}

    /** What {@link OtherMeta} sends. */
    enum MetaKind {
        /** No {@code _meta} at all. */
        NONE,
        /** All but {@code protocolVersion}. */
        NO_VERSION,
        /** All but {@code clientCapabilities}. */
        NO_CAPABILITIES,
        /** All but {@code clientInfo}, which is optional. */
        NO_CLIENT_INFO,
        /** A {@code protocolVersion} that no server has. */
        UNKNOWN_VERSION
    }

    /** What {@link Batch} sends. */
    enum BatchKind {
        /** Two requests and a notification. */
        REQUESTS,
        /** Two notifications, which call for no answer. */
        NOTIFICATIONS,
        /** {@code []}. */
        EMPTY
    }

    /** What a {@link Call} sends. */
    enum CallKind {
        /** A name of valid format that no page lists. */
        UNKNOWN_TOOL,
        /** The primary tool, one required argument with a value that its schema cannot accept in any reading. */
        WRONG_TYPE,
        /** The same with a value of another wrong type. */
        SECOND_WRONG_TYPE,
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
