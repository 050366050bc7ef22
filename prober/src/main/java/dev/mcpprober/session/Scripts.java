package dev.mcpprober.session;

import dev.mcpprober.model.Era;
import dev.mcpprober.model.ProtocolRevision;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The scripts. Frames that are known to end or jam servers come last or in a process of their own, each followed by a request
 * that any living server answers (requirements: session plan P0 to P9).
 */
public final class Scripts {
    public static final String HANDSHAKE = "handshake";
    public static final String LIVENESS = "liveness";
    /** Of the one step that asks which era a server has. */
    static final String ERA_PROBE = "era-detect";
    public static final String VALID_TWIN = "valid-twin";
    /** A second wrong value for the argument of the step before: what both are told can only come from the argument. */
    public static final String SECOND_WRONG_TYPE = "second-wrong-type";
    /** Of the step that ends the calls to all tools; its detail says what the budget left out, by one of the next two. */
    public static final String ALL_TOOLS = "all-tools";
    public static final String TOOLS_SPENT = "tool budget spent";
    public static final String TIME_SPENT = "time for tool calls spent";
    /** Of a step that no script has: the driver repeats a call that failed with a toolFailure object, under the step's id and {@code -again}. */
    public static final String AGAIN = "again";

    private static final String LEGACY = ProtocolRevision.NEWEST_LEGACY.date();
    private static final String MODERN = ProtocolRevision.NEWEST_MODERN.date();
    private static final String UNKNOWN_METHOD = "mcp-prober/no-such-method";
    /** What a server does some time after a bad frame. */
    public static final String AUTOPSY = "autopsy";
    /** Well formed, but no server has it. */
    static final String UNKNOWN_VERSION = "2099-12-31";
    /** Offers that no server can take, from before and after all revisions. */
    public static final List<String> BOGUS_VERSIONS = List.of("1999-12-31", UNKNOWN_VERSION);
    static final String UNKNOWN_NOTIFICATION = "notifications/mcp-prober/unknown";
    private static final String BATCHES = ProtocolRevision.V2025_03_26.date();

    /** A complete line that is no JSON text, so that a server that frames by lines can go on. */
    private static final String NOT_JSON = "{\"jsonrpc\": \"2.0\", \"id\": 7001, \"method\": ping}";
    /** The beginning of a message as a line of its own: who reads on for its end has lost the framing. */
    private static final String CUT_SHORT = "{\"jsonrpc\": \"2.0\", \"id\": 7002, \"method\": \"pi";
    /** JSON, but no message. */
    private static final String FOREIGN = "{\"greeting\": \"mcp-prober\"}";

    /** Frames that no server may answer and frames that no client may send but that end no decent server; each followed by a sign of life. */
    private static final List<Step> NOTICES = List.of(
            new Step.InvalidCursor("tools-list-invalid-cursor", "tools-list-invalid-cursor"),
            new Step.RawLine("notification-unknown", "notification-no-response", notification(UNKNOWN_NOTIFICATION, "")),
            new Step.Liveness("alive-after-notification-unknown", LIVENESS, "notification-unknown"),
            new Step.RawLine("notification-request", "notification-no-response", notification("tools/list", "")),
            new Step.Liveness("alive-after-notification-request", LIVENESS, "notification-request"),
            new Step.RawLine("cancelled-unknown", "cancelled-unknown", notification("notifications/cancelled", "{\"requestId\":987654321,\"reason\":\"probe\"}")),
            new Step.Liveness("alive-after-cancelled-unknown", LIVENESS, "cancelled-unknown"),
            new Step.NullId("id-null-request", "id-null-request"),
            new Step.Liveness("alive-after-id-null", LIVENESS, "id-null-request"),
            new Step.BadUtf8("invalid-utf8", "invalid-utf8"),
            new Step.Liveness("alive-after-invalid-utf8", LIVENESS, "invalid-utf8"),
            new Step.Batch("batch-reject", "batch-reject", Step.BatchKind.REQUESTS),
            new Step.Liveness("alive-after-batch", LIVENESS, "batch-reject"));

    private Scripts() {}

    private static String notification(String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\"" + (params.isEmpty() ? "" : ",\"params\":" + params) + "}";
    }

    @SafeVarargs
    private static List<Step> join(List<Step>... parts) {
        return List.of(parts).stream().flatMap(List::stream).toList();
    }

    /** Which era: one {@code server/discover} in a process that sees nothing else. */
    public static final SessionScript DISCOVER = new SessionScript("discover", 1, Era.MODERN,
            List.of(new Step.Discover("discover", ERA_PROBE, MODERN)));

    public static final SessionScript LEGACY_QUICK = new SessionScript("legacy-quick", 2, Era.LEGACY, List.of(
            new Step.Initialize("initialize", "server-initialize", LEGACY),
            new Step.Initialized("initialized", HANDSHAKE),
            new Step.Request("ping", "ping", "ping", "", ""),
            new Step.ListTools("tools-list", "tools-list"),
            new Step.Call("tools-call-wrong-type", "tools-call-wrong-type", Step.CallKind.WRONG_TYPE),
            new Step.Call("tools-call-wrong-type-second", SECOND_WRONG_TYPE, Step.CallKind.SECOND_WRONG_TYPE),
            new Step.Call("tools-call-missing-required", "tools-call-missing-required", Step.CallKind.MISSING_REQUIRED),
            new Step.Call("tools-call-valid", VALID_TWIN, Step.CallKind.VALID),
            new Step.Call("tools-call-unknown", "tools-call-unknown", Step.CallKind.UNKNOWN_TOOL),
            new Step.Call("tools-call-no-name", "tools-call-no-name", Step.CallKind.NO_NAME),
            new Step.Request("method-not-found", "method-not-found", UNKNOWN_METHOD, "", "")));

    public static final SessionScript LEGACY_FULL = new SessionScript("legacy-full", 3, Era.LEGACY, List.of(
            new Step.Initialize("initialize", "server-initialize", LEGACY),
            new Step.Initialized("initialized", HANDSHAKE),
            new Step.Request("ping", "ping", "ping", "", ""),
            new Step.Request("id-text", "id-echo", "ping", "", "\"s-1\""),
            new Step.Request("id-digits", "id-echo", "ping", "", "\"1\""),
            new Step.Request("id-zero", "id-echo", "ping", "", "0"),
            new Step.Request("id-largest", "id-echo", "ping", "", "9007199254740991"),
            new Step.ListTools("tools-list", "tools-list"),
            new Step.Call("tools-call-wrong-type", "tools-call-wrong-type", Step.CallKind.WRONG_TYPE),
            new Step.Call("tools-call-wrong-type-second", SECOND_WRONG_TYPE, Step.CallKind.SECOND_WRONG_TYPE),
            new Step.Call("tools-call-missing-required", "tools-call-missing-required", Step.CallKind.MISSING_REQUIRED),
            new Step.Call("tools-call-valid", VALID_TWIN, Step.CallKind.VALID),
            new Step.Call("tools-call-unknown", "tools-call-unknown", Step.CallKind.UNKNOWN_TOOL),
            new Step.ListUndeclaredTools("tools-list-undeclared", "tools-capability"),
            new Step.ReadNoResource("resource-not-found", "resource-not-found"),
            new Step.CloseStdin("stdin-eof", "stdin-eof")));

    /** Calls to all tools, in a process of their own: they may hang, jam or end it, and leave traces. */
    public static final SessionScript LEGACY_TOOLS = new SessionScript("legacy-tools", 1, Era.LEGACY, List.of(
            new Step.Initialize("initialize", HANDSHAKE, LEGACY),
            new Step.Initialized("initialized", HANDSHAKE),
            new Step.ListTools("tools-list", HANDSHAKE),
            new Step.CallTools("tools-calls", ALL_TOOLS, ToolBudget.DEFAULT, Set.of(), Set.of())));

    public static final SessionScript LEGACY_NEGATIVE = new SessionScript("legacy-negative", 2, Era.LEGACY, join(List.of(
            new Step.Initialize("initialize", HANDSHAKE, LEGACY),
            new Step.Initialized("initialized", HANDSHAKE),
            new Step.ListTools("tools-list", HANDSHAKE),
            new Step.Request("method-not-found", "method-not-found", UNKNOWN_METHOD, "", ""),
            new Step.Liveness("alive-after-method-not-found", LIVENESS, "method-not-found"),
            new Step.Call("tools-call-no-name", "tools-call-no-name", Step.CallKind.NO_NAME),
            new Step.Liveness("alive-after-no-name", LIVENESS, "tools-call-no-name"),
            new Step.Call("tools-call-bad-arguments", "tools-call-bad-arguments", Step.CallKind.BAD_ARGUMENTS),
            new Step.Liveness("alive-after-bad-arguments", LIVENESS, "tools-call-bad-arguments")), NOTICES));

    public static final SessionScript LEGACY_MALFORMED = legacyMalformed("legacy-malformed", 2, NOT_JSON);
    public static final SessionScript LEGACY_MALFORMED_CUT = legacyMalformed("legacy-malformed-cut", 1, CUT_SHORT);
    public static final SessionScript LEGACY_MALFORMED_FOREIGN = legacyMalformed("legacy-malformed-foreign", 1, FOREIGN);

    private static SessionScript legacyMalformed(String id, int version, String line) {
        return new SessionScript(id, version, Era.LEGACY, List.of(
                new Step.Initialize("initialize", HANDSHAKE, LEGACY),
                new Step.Initialized("initialized", HANDSHAKE),
                new Step.Liveness("alive-before", HANDSHAKE, "initialized"),
                new Step.RawLine("malformed-json", "malformed-json", line),
                new Step.Autopsy("alive-after-malformed-json", LIVENESS, "malformed-json", line.equals(NOT_JSON))));
    }

    /** Batches, in the one revision that has them. */
    public static final SessionScript LEGACY_BATCH = new SessionScript("legacy-batch", 1, Era.LEGACY, List.of(
            new Step.Initialize("initialize", "initialize-version-known", BATCHES),
            new Step.Initialized("initialized", HANDSHAKE),
            new Step.Liveness("alive-before", HANDSHAKE, "initialized"),
            new Step.Batch("batch-requests", "batch-receive", Step.BatchKind.REQUESTS),
            new Step.Liveness("alive-after-batch-requests", LIVENESS, "batch-requests"),
            new Step.Batch("batch-notifications", "batch-receive", Step.BatchKind.NOTIFICATIONS),
            new Step.Liveness("alive-after-batch-notifications", LIVENESS, "batch-notifications"),
            new Step.Batch("batch-empty", "batch-receive", Step.BatchKind.EMPTY),
            new Step.Liveness("alive-after-batch-empty", LIVENESS, "batch-empty")));

    /** A handshake that offers {@code revision}, and what a session begins with. */
    static SessionScript offering(String revision) {
        String check = BOGUS_VERSIONS.contains(revision) ? "initialize-version-unknown" : "initialize-version-known";
        return new SessionScript("versions-" + revision, 1, Era.LEGACY, List.of(
                new Step.Initialize("initialize", check, revision),
                new Step.Initialized("initialized", HANDSHAKE),
                new Step.Liveness("alive-before", HANDSHAKE, "initialized"),
                new Step.ListTools("tools-list", HANDSHAKE)));
    }

    /** One for every revision of the legacy era, then for those that no server has. */
    public static final List<SessionScript> VERSIONS = Stream.concat(Arrays.stream(ProtocolRevision.values()).filter(r -> r.era() == Era.LEGACY)
            .map(ProtocolRevision::date), BOGUS_VERSIONS.stream()).map(Scripts::offering).toList();

    public static final SessionScript MODERN_QUICK = new SessionScript("modern-quick", 2, Era.MODERN, List.of(
            new Step.Discover("discover", "discover", MODERN),
            new Step.ListTools("tools-list", "tools-list"),
            new Step.Call("tools-call-wrong-type", "tools-call-wrong-type", Step.CallKind.WRONG_TYPE),
            new Step.Call("tools-call-wrong-type-second", SECOND_WRONG_TYPE, Step.CallKind.SECOND_WRONG_TYPE),
            new Step.Call("tools-call-missing-required", "tools-call-missing-required", Step.CallKind.MISSING_REQUIRED),
            new Step.Call("tools-call-valid", VALID_TWIN, Step.CallKind.VALID),
            new Step.Call("tools-call-unknown", "tools-call-unknown", Step.CallKind.UNKNOWN_TOOL),
            new Step.Call("tools-call-no-name", "tools-call-no-name", Step.CallKind.NO_NAME),
            new Step.Request("method-not-found", "method-not-found", UNKNOWN_METHOD, "", "")));

    public static final SessionScript MODERN_FULL = new SessionScript("modern-full", 3, Era.MODERN, List.of(
            new Step.Discover("discover", "discover", MODERN),
            new Step.Request("id-text", "id-echo", "server/discover", "", "\"s-1\""),
            new Step.Request("id-digits", "id-echo", "server/discover", "", "\"1\""),
            new Step.Request("id-zero", "id-echo", "server/discover", "", "0"),
            new Step.Request("id-largest", "id-echo", "server/discover", "", "9007199254740991"),
            new Step.ListTools("tools-list", "tools-list"),
            new Step.Call("tools-call-wrong-type", "tools-call-wrong-type", Step.CallKind.WRONG_TYPE),
            new Step.Call("tools-call-wrong-type-second", SECOND_WRONG_TYPE, Step.CallKind.SECOND_WRONG_TYPE),
            new Step.Call("tools-call-missing-required", "tools-call-missing-required", Step.CallKind.MISSING_REQUIRED),
            new Step.Call("tools-call-valid", VALID_TWIN, Step.CallKind.VALID),
            new Step.Call("tools-call-unknown", "tools-call-unknown", Step.CallKind.UNKNOWN_TOOL),
            new Step.ListUndeclaredTools("tools-list-undeclared", "tools-capability"),
            new Step.ReadNoResource("resource-not-found", "resource-not-found"),
            new Step.Listen("subscriptions-ack", "subscriptions-ack"),
            new Step.CloseStdin("stdin-eof", "stdin-eof")));

    public static final SessionScript MODERN_TOOLS = new SessionScript("modern-tools", 1, Era.MODERN, List.of(
            new Step.Discover("discover", HANDSHAKE, MODERN),
            new Step.ListTools("tools-list", HANDSHAKE),
            new Step.CallTools("tools-calls", ALL_TOOLS, ToolBudget.DEFAULT, Set.of(), Set.of())));

    public static final SessionScript MODERN_NEGATIVE = new SessionScript("modern-negative", 2, Era.MODERN, join(List.of(
            new Step.Discover("discover", HANDSHAKE, MODERN),
            new Step.ListTools("tools-list", HANDSHAKE),
            new Step.Request("method-not-found", "method-not-found", UNKNOWN_METHOD, "", ""),
            new Step.Liveness("alive-after-method-not-found", LIVENESS, "method-not-found"),
            new Step.Call("tools-call-no-name", "tools-call-no-name", Step.CallKind.NO_NAME),
            new Step.Liveness("alive-after-no-name", LIVENESS, "tools-call-no-name"),
            new Step.Call("tools-call-bad-arguments", "tools-call-bad-arguments", Step.CallKind.BAD_ARGUMENTS),
            new Step.Liveness("alive-after-bad-arguments", LIVENESS, "tools-call-bad-arguments")), NOTICES));

    public static final SessionScript MODERN_MALFORMED = modernMalformed("modern-malformed", 2, NOT_JSON);
    public static final SessionScript MODERN_MALFORMED_CUT = modernMalformed("modern-malformed-cut", 1, CUT_SHORT);
    public static final SessionScript MODERN_MALFORMED_FOREIGN = modernMalformed("modern-malformed-foreign", 1, FOREIGN);

    private static SessionScript modernMalformed(String id, int version, String line) {
        return new SessionScript(id, version, Era.MODERN, List.of(
                new Step.Discover("discover", HANDSHAKE, MODERN),
                new Step.RawLine("malformed-json", "malformed-json", line),
                new Step.Autopsy("alive-after-malformed-json", LIVENESS, "malformed-json", line.equals(NOT_JSON))));
    }

    /** The list twice, and once more after a call: run in two processes, so that a difference can be seen to come again. */
    private static final List<Step> LISTS = List.of(
            new Step.Discover("discover", HANDSHAKE, MODERN),
            new Step.ListTools("tools-list", HANDSHAKE),
            new Step.ListTools("tools-list-again", "tools-list-order"),
            new Step.Call("call-between", HANDSHAKE, Step.CallKind.VALID),
            new Step.ListTools("tools-list-after-call", "tools-list-set"));

    public static final SessionScript MODERN_LISTS = new SessionScript("modern-lists", 1, Era.MODERN, LISTS);

    /** {@code _meta} with something missing, in a process that never sees {@code initialize}, and methods that the era no longer has. */
    public static final SessionScript MODERN_META = new SessionScript("modern-meta", 1, Era.MODERN, join(LISTS, List.of(
            new Step.OtherMeta("meta-client-info-optional", "meta-client-info-optional", Step.MetaKind.NO_CLIENT_INFO),
            new Step.OtherMeta("meta-missing-meta", "meta-missing-meta", Step.MetaKind.NONE),
            new Step.OtherMeta("meta-missing-protocol-version", "meta-missing-protocol-version", Step.MetaKind.NO_VERSION),
            new Step.OtherMeta("meta-missing-client-capabilities", "meta-missing-client-capabilities", Step.MetaKind.NO_CAPABILITIES),
            new Step.OtherMeta("unsupported-version-later", "unsupported-version", Step.MetaKind.UNKNOWN_VERSION),
            new Step.Request("removed-ping", "removed-methods", "ping", "", ""),
            new Step.Request("removed-set-level", "removed-methods", "logging/setLevel", "{\"level\":\"error\"}", ""),
            new Step.Request("removed-subscribe", "removed-methods", "resources/subscribe", "{\"uri\":\"mcp-prober:none\"}", ""),
            new Step.Request("removed-unsubscribe", "removed-methods", "resources/unsubscribe", "{\"uri\":\"mcp-prober:none\"}", ""))));

    /** A version that no server has, in a process that has seen no other request. */
    public static final SessionScript MODERN_VERSION = new SessionScript("modern-version", 1, Era.MODERN, List.of(
            new Step.Discover("unsupported-version", "unsupported-version", "2099-12-31")));

    private static final List<SessionScript> ALL = Stream.concat(Stream.of(DISCOVER, LEGACY_QUICK, LEGACY_FULL, LEGACY_TOOLS, LEGACY_NEGATIVE, LEGACY_MALFORMED, LEGACY_MALFORMED_CUT,
            LEGACY_MALFORMED_FOREIGN, LEGACY_BATCH, MODERN_QUICK, MODERN_FULL, MODERN_TOOLS, MODERN_NEGATIVE, MODERN_MALFORMED, MODERN_MALFORMED_CUT,
            MODERN_MALFORMED_FOREIGN, MODERN_VERSION, MODERN_META, MODERN_LISTS), VERSIONS.stream()).toList();

    /** Every script that a plan can come to. */
    public static List<SessionScript> all() {
        return ALL;
    }

    /** @throws IllegalArgumentException when this version of the program has no such script */
    public static SessionScript byLabel(String label) {
        return ALL.stream().filter(script -> script.label().equals(label)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no script " + label + " in this version"));
    }
}
