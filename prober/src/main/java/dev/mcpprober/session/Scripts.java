package dev.mcpprober.session;

import dev.mcpprober.model.Era;
import dev.mcpprober.model.ProtocolRevision;
import java.util.List;

/**
 * The scripts. Frames that are known to end or jam servers come last or in a process of their own, each followed by a request
 * that any living server answers (requirements: session plan P0 to P9).
 */
public final class Scripts {
    public static final String HANDSHAKE = "handshake";
    public static final String LIVENESS = "liveness";
    public static final String VALID_TWIN = "valid-twin";
    /** Of a step that no script has: the driver repeats a call that failed with a toolFailure object, under the step's id and {@code -again}. */
    public static final String AGAIN = "again";

    private static final int OUTPUT_CALLS = 5;
    private static final String LEGACY = ProtocolRevision.NEWEST_LEGACY.date();
    private static final String MODERN = ProtocolRevision.NEWEST_MODERN.date();
    private static final String UNKNOWN_METHOD = "mcp-prober/no-such-method";
    /** A complete line that is no JSON text, so that a server that frames by lines can go on. */
    private static final String NOT_JSON = "{\"jsonrpc\": \"2.0\", \"id\": 7001, \"method\": ping}";

    private Scripts() {}

    /** Which era: one {@code server/discover} in a process that sees nothing else. */
    public static final SessionScript DISCOVER = new SessionScript("discover", 1, Era.MODERN,
            List.of(new Step.Discover("discover", "era-detect", MODERN)));

    public static final SessionScript LEGACY_QUICK = new SessionScript("legacy-quick", 1, Era.LEGACY, List.of(
            new Step.Initialize("initialize", "server-initialize", LEGACY),
            new Step.Initialized("initialized", HANDSHAKE),
            new Step.Request("ping", "ping", "ping", "", ""),
            new Step.ListTools("tools-list", "tools-list"),
            new Step.Call("tools-call-wrong-type", "tools-call-wrong-type", Step.CallKind.WRONG_TYPE),
            new Step.Call("tools-call-missing-required", "tools-call-missing-required", Step.CallKind.MISSING_REQUIRED),
            new Step.Call("tools-call-valid", VALID_TWIN, Step.CallKind.VALID),
            new Step.Call("tools-call-unknown", "tools-call-unknown", Step.CallKind.UNKNOWN_TOOL),
            new Step.Call("tools-call-no-name", "tools-call-no-name", Step.CallKind.NO_NAME),
            new Step.Request("method-not-found", "method-not-found", UNKNOWN_METHOD, "", "")));

    public static final SessionScript LEGACY_FULL = new SessionScript("legacy-full", 1, Era.LEGACY, List.of(
            new Step.Initialize("initialize", "server-initialize", LEGACY),
            new Step.Initialized("initialized", HANDSHAKE),
            new Step.Request("ping", "ping", "ping", "", ""),
            new Step.Request("id-text", "id-echo", "ping", "", "\"s-1\""),
            new Step.Request("id-digits", "id-echo", "ping", "", "\"1\""),
            new Step.Request("id-zero", "id-echo", "ping", "", "0"),
            new Step.Request("id-largest", "id-echo", "ping", "", "9007199254740991"),
            new Step.ListTools("tools-list", "tools-list"),
            new Step.Call("tools-call-wrong-type", "tools-call-wrong-type", Step.CallKind.WRONG_TYPE),
            new Step.Call("tools-call-missing-required", "tools-call-missing-required", Step.CallKind.MISSING_REQUIRED),
            new Step.Call("tools-call-valid", VALID_TWIN, Step.CallKind.VALID),
            new Step.CallDeclaredOutputs("tools-call-outputs", VALID_TWIN, OUTPUT_CALLS),
            new Step.Call("tools-call-unknown", "tools-call-unknown", Step.CallKind.UNKNOWN_TOOL),
            new Step.ListUndeclaredTools("tools-list-undeclared", "tools-capability"),
            new Step.CloseStdin("stdin-eof", "stdin-eof")));

    public static final SessionScript LEGACY_NEGATIVE = new SessionScript("legacy-negative", 1, Era.LEGACY, List.of(
            new Step.Initialize("initialize", HANDSHAKE, LEGACY),
            new Step.Initialized("initialized", HANDSHAKE),
            new Step.ListTools("tools-list", HANDSHAKE),
            new Step.Request("method-not-found", "method-not-found", UNKNOWN_METHOD, "", ""),
            new Step.Liveness("alive-after-method-not-found", LIVENESS, "method-not-found"),
            new Step.Call("tools-call-no-name", "tools-call-no-name", Step.CallKind.NO_NAME),
            new Step.Liveness("alive-after-no-name", LIVENESS, "tools-call-no-name"),
            new Step.Call("tools-call-bad-arguments", "tools-call-bad-arguments", Step.CallKind.BAD_ARGUMENTS),
            new Step.Liveness("alive-after-bad-arguments", LIVENESS, "tools-call-bad-arguments")));

    public static final SessionScript LEGACY_MALFORMED = new SessionScript("legacy-malformed", 1, Era.LEGACY, List.of(
            new Step.Initialize("initialize", HANDSHAKE, LEGACY),
            new Step.Initialized("initialized", HANDSHAKE),
            new Step.Liveness("alive-before", HANDSHAKE, "initialized"),
            new Step.BadLine("malformed-json", "malformed-json", NOT_JSON),
            new Step.Liveness("alive-after-malformed-json", LIVENESS, "malformed-json")));

    public static final SessionScript MODERN_QUICK = new SessionScript("modern-quick", 1, Era.MODERN, List.of(
            new Step.Discover("discover", "discover", MODERN),
            new Step.ListTools("tools-list", "tools-list"),
            new Step.Call("tools-call-wrong-type", "tools-call-wrong-type", Step.CallKind.WRONG_TYPE),
            new Step.Call("tools-call-missing-required", "tools-call-missing-required", Step.CallKind.MISSING_REQUIRED),
            new Step.Call("tools-call-valid", VALID_TWIN, Step.CallKind.VALID),
            new Step.Call("tools-call-unknown", "tools-call-unknown", Step.CallKind.UNKNOWN_TOOL),
            new Step.Call("tools-call-no-name", "tools-call-no-name", Step.CallKind.NO_NAME),
            new Step.Request("method-not-found", "method-not-found", UNKNOWN_METHOD, "", "")));

    public static final SessionScript MODERN_FULL = new SessionScript("modern-full", 1, Era.MODERN, List.of(
            new Step.Discover("discover", "discover", MODERN),
            new Step.Request("id-text", "id-echo", "server/discover", "", "\"s-1\""),
            new Step.Request("id-digits", "id-echo", "server/discover", "", "\"1\""),
            new Step.Request("id-zero", "id-echo", "server/discover", "", "0"),
            new Step.Request("id-largest", "id-echo", "server/discover", "", "9007199254740991"),
            new Step.ListTools("tools-list", "tools-list"),
            new Step.Call("tools-call-wrong-type", "tools-call-wrong-type", Step.CallKind.WRONG_TYPE),
            new Step.Call("tools-call-missing-required", "tools-call-missing-required", Step.CallKind.MISSING_REQUIRED),
            new Step.Call("tools-call-valid", VALID_TWIN, Step.CallKind.VALID),
            new Step.CallDeclaredOutputs("tools-call-outputs", VALID_TWIN, OUTPUT_CALLS),
            new Step.Call("tools-call-unknown", "tools-call-unknown", Step.CallKind.UNKNOWN_TOOL),
            new Step.ListUndeclaredTools("tools-list-undeclared", "tools-capability"),
            new Step.CloseStdin("stdin-eof", "stdin-eof")));

    public static final SessionScript MODERN_NEGATIVE = new SessionScript("modern-negative", 1, Era.MODERN, List.of(
            new Step.Discover("discover", HANDSHAKE, MODERN),
            new Step.ListTools("tools-list", HANDSHAKE),
            new Step.Request("method-not-found", "method-not-found", UNKNOWN_METHOD, "", ""),
            new Step.Liveness("alive-after-method-not-found", LIVENESS, "method-not-found"),
            new Step.Call("tools-call-no-name", "tools-call-no-name", Step.CallKind.NO_NAME),
            new Step.Liveness("alive-after-no-name", LIVENESS, "tools-call-no-name"),
            new Step.Call("tools-call-bad-arguments", "tools-call-bad-arguments", Step.CallKind.BAD_ARGUMENTS),
            new Step.Liveness("alive-after-bad-arguments", LIVENESS, "tools-call-bad-arguments")));

    public static final SessionScript MODERN_MALFORMED = new SessionScript("modern-malformed", 1, Era.MODERN, List.of(
            new Step.Discover("discover", HANDSHAKE, MODERN),
            new Step.BadLine("malformed-json", "malformed-json", NOT_JSON),
            new Step.Liveness("alive-after-malformed-json", LIVENESS, "malformed-json")));

    /** A version that no server has, in a process that has seen no other request. */
    public static final SessionScript MODERN_VERSION = new SessionScript("modern-version", 1, Era.MODERN, List.of(
            new Step.Discover("unsupported-version", "unsupported-version", "2099-12-31")));

    private static final List<SessionScript> ALL = List.of(DISCOVER, LEGACY_QUICK, LEGACY_FULL, LEGACY_NEGATIVE, LEGACY_MALFORMED,
            MODERN_QUICK, MODERN_FULL, MODERN_NEGATIVE, MODERN_MALFORMED, MODERN_VERSION);

    /** @throws IllegalArgumentException when this version of the program has no such script */
    public static SessionScript byLabel(String label) {
        return ALL.stream().filter(script -> script.label().equals(label)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no script " + label + " in this version"));
    }
}
