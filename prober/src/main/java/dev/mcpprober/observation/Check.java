package dev.mcpprober.observation;

import static dev.mcpprober.observation.Observed.ABSENT;
import static dev.mcpprober.observation.Observed.ANSWERED;
import static dev.mcpprober.observation.Observed.BATCH_RESPONSE;
import static dev.mcpprober.observation.Observed.CALL_RESPONSES;
import static dev.mcpprober.observation.Observed.CLOSED;
import static dev.mcpprober.observation.Observed.CONFORMITY;
import static dev.mcpprober.observation.Observed.CONFORMS;
import static dev.mcpprober.observation.Observed.EXITED;
import static dev.mcpprober.observation.Observed.INVALID_RESPONSE;
import static dev.mcpprober.observation.Observed.MISPLACED;
import static dev.mcpprober.observation.Observed.NOT_RUN;
import static dev.mcpprober.observation.Observed.NO_RESPONSE;
import static dev.mcpprober.observation.Observed.OTHER;
import static dev.mcpprober.observation.Observed.PRESENCE;
import static dev.mcpprober.observation.Observed.PRESENT;
import static dev.mcpprober.observation.Observed.PROTOCOL_ERROR;
import static dev.mcpprober.observation.Observed.RESPONSES;
import static dev.mcpprober.observation.Observed.RESPONSE_TO_NOTIFICATION;
import static dev.mcpprober.observation.Observed.RESULT;
import static dev.mcpprober.observation.Observed.SILENCE;
import static dev.mcpprober.observation.Observed.SPLIT_RESPONSE;
import static dev.mcpprober.observation.Observed.UNMATCHED_ERROR;
import static dev.mcpprober.observation.Observed.UNRESPONSIVE;
import static dev.mcpprober.observation.Observed.VIOLATES;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The closed vocabulary of checks, each with the values that may be observed for it. A check that is not extracted has no row. */
public enum Check {
    // Era and version.
    ERA_DETECT("era-detect", Set.of("modern", "modern-unsupported", "legacy", "dual", "none", NOT_RUN)),
    SERVER_INITIALIZE("server-initialize", RESPONSES),
    INITIALIZE_VERSION_KNOWN("initialize-version-known", with(RESPONSES, "same", OTHER)),
    INITIALIZE_VERSION_UNKNOWN("initialize-version-unknown", with(RESPONSES, OTHER, "echoed")),
    INITIALIZE_ON_MODERN("initialize-on-modern", RESPONSES),
    DISCOVER("discover", RESPONSES),
    DISCOVER_LISTS_VERSION("discover-lists-version", Set.of("listed", "unlisted", NOT_RUN)),
    UNSUPPORTED_VERSION("unsupported-version", RESPONSES),
    META_MISSING_META("meta-missing-meta", RESPONSES),
    META_MISSING_PROTOCOL_VERSION("meta-missing-protocol-version", RESPONSES),
    META_MISSING_CLIENT_CAPABILITIES("meta-missing-client-capabilities", RESPONSES),
    META_CLIENT_INFO_OPTIONAL("meta-client-info-optional", RESPONSES),
    SERVER_INFO_META("server-info-meta", Set.of(PRESENT, ABSENT, "top-level-only", NOT_RUN)),
    REMOVED_METHODS("removed-methods", RESPONSES),
    PING("ping", RESPONSES),

    // JSON-RPC layer.
    ID_ECHO("id-echo", CONFORMITY),
    RESPONSE_EXCLUSIVE("response-exclusive", CONFORMITY),
    ERROR_OBJECT("error-object", CONFORMITY),
    RESPONSE_ORPHAN("response-orphan", CONFORMITY),
    RESPONSE_DUPLICATE("response-duplicate", CONFORMITY),
    ID_NULL_REQUEST("id-null-request", Set.of(UNMATCHED_ERROR, SILENCE, "result-null-id", OTHER, UNRESPONSIVE, EXITED, CLOSED, NOT_RUN)),
    ERROR_CODE_RANGE("error-code-range", CONFORMITY),
    ERROR_ID_UNREADABLE("error-id-unreadable", Set.of("id-null", "id-absent", "id-invented", NOT_RUN)),
    METHOD_NOT_FOUND("method-not-found", RESPONSES),
    NOTIFICATION_NO_RESPONSE("notification-no-response", Set.of(SILENCE, RESPONSE_TO_NOTIFICATION, UNRESPONSIVE, EXITED, CLOSED, NOT_RUN)),
    CANCELLED_UNKNOWN("cancelled-unknown", Set.of(SILENCE, RESPONSE_TO_NOTIFICATION, OTHER, UNRESPONSIVE, EXITED, CLOSED, NOT_RUN)),
    LIVENESS("liveness", Set.of(ANSWERED, UNRESPONSIVE, EXITED, CLOSED, NOT_RUN)),

    // stdio framing.
    STDOUT_PURITY("stdout-purity", CONFORMITY),
    STDOUT_FRAMING("stdout-framing", CONFORMITY),
    STDOUT_UTF8("stdout-utf8", CONFORMITY),
    MALFORMED_JSON("malformed-json", Set.of(UNMATCHED_ERROR, SILENCE, OTHER, UNRESPONSIVE, EXITED, CLOSED, NOT_RUN)),
    INVALID_UTF8("invalid-utf8", Set.of(UNMATCHED_ERROR, SILENCE, RESULT, PROTOCOL_ERROR, OTHER, UNRESPONSIVE, EXITED, CLOSED, NOT_RUN)),
    BATCH_RECEIVE("batch-receive", Set.of(BATCH_RESPONSE, SPLIT_RESPONSE, PROTOCOL_ERROR, UNMATCHED_ERROR, NO_RESPONSE, UNRESPONSIVE, EXITED,
            CLOSED, INVALID_RESPONSE, NOT_RUN)),
    BATCH_REJECT("batch-reject", Set.of(BATCH_RESPONSE, SPLIT_RESPONSE, PROTOCOL_ERROR, UNMATCHED_ERROR, SILENCE, UNRESPONSIVE, EXITED,
            CLOSED, OTHER, NOT_RUN)),
    STDIN_EOF("stdin-eof", Set.of(EXITED, "sigterm-needed", "sigkill-needed", NOT_RUN)),

    // Server-initiated traffic.
    SERVER_REQUEST("server-request", PRESENCE),
    SERVER_REQUEST_UNDECLARED("server-request-undeclared", PRESENCE),
    SERVER_REQUEST_EARLY("server-request-early", PRESENCE),
    LOG_CAPABILITY("log-capability", Set.of("declared", "undeclared", "none", NOT_RUN)),
    LOG_WITHOUT_LEVEL("log-without-level", PRESENCE),
    LIST_CHANGED_UNSOLICITED("list-changed-unsolicited", PRESENCE),
    PROGRESS_UNREQUESTED("progress-unrequested", PRESENCE),
    SERVER_CANCELLED("server-cancelled", PRESENCE),

    // Result envelope.
    RESULT_TYPE("result-type", CONFORMITY),
    INPUT_REQUIRED_SCOPE("input-required-scope", CONFORMITY),
    WIRE_SCHEMA("wire-schema", CONFORMITY),
    CONTENT_BLOCKS("content-blocks", CONFORMITY),

    // tools/list.
    TOOLS_CAPABILITY("tools-capability", with(RESPONSES, CONFORMS, VIOLATES, ABSENT)),
    TOOLS_LIST("tools-list", with(RESPONSES, VIOLATES)),
    TOOLS_LIST_PAGINATION("tools-list-pagination", Set.of("pages", "loop", "empty-cursor", NOT_RUN)),
    TOOLS_LIST_INVALID_CURSOR("tools-list-invalid-cursor", RESPONSES),
    TOOLS_LIST_ORDER("tools-list-order", Set.of("same", "reordered", "differs", NOT_RUN)),
    TOOLS_LIST_SET("tools-list-set", Set.of("same", "reordered", "differs", NOT_RUN)),
    TOOLS_LIST_CACHING("tools-list-caching", Set.of(PRESENT, ABSENT, VIOLATES, NOT_RUN)),
    DISCOVER_CACHING("discover-caching", Set.of(PRESENT, ABSENT, VIOLATES, NOT_RUN)),
    TOOLS_NAME_FORMAT("tools-name-format", CONFORMITY),
    TOOLS_NAME_UNIQUE("tools-name-unique", CONFORMITY),
    TOOLS_SCHEMA_VALID("tools-schema-valid", CONFORMITY),
    TOOLS_SCHEMA_ROOT("tools-schema-root", CONFORMITY),
    OUTPUT_SCHEMA_ROOT("output-schema-root", CONFORMITY),
    TOOLS_SCHEMA_NETWORK_REF("tools-schema-network-ref", PRESENCE),

    // tools/call.
    TOOLS_CALL_UNKNOWN("tools-call-unknown", CALL_RESPONSES),
    TOOLS_CALL_WRONG_TYPE("tools-call-wrong-type", CALL_RESPONSES),
    TOOLS_CALL_MISSING_REQUIRED("tools-call-missing-required", CALL_RESPONSES),
    TOOLS_CALL_EXTRA_ARGUMENT_OPEN("tools-call-extra-argument-open", CALL_RESPONSES),
    TOOLS_CALL_EXTRA_ARGUMENT_CLOSED("tools-call-extra-argument-closed", CALL_RESPONSES),
    TOOLS_CALL_NO_NAME("tools-call-no-name", CALL_RESPONSES),
    TOOLS_CALL_BAD_ARGUMENTS("tools-call-bad-arguments", CALL_RESPONSES),
    TOOLS_CALL_EXEC_ERROR("tools-call-exec-error", CALL_RESPONSES),
    OUTPUT_SCHEMA("output-schema", Set.of(CONFORMS, ABSENT, VIOLATES, NOT_RUN)),
    STRUCTURED_TEXT("structured-text", Set.of("mirrored", "text-only-prose", ABSENT, NOT_RUN)),
    RESOURCE_NOT_FOUND("resource-not-found", RESPONSES),
    SUBSCRIPTIONS_ACK("subscriptions-ack", with(RESPONSES, PRESENT, ABSENT)),

    // Asked for by other rule sets only.
    TOOLS_CALL_DISABLED("tools-call-disabled", CALL_RESPONSES),
    OUTPUT_SCHEMA_REPORT("output-schema-report", CALL_RESPONSES),
    ERROR_SCHEMA_CONFORMS("error-schema-conforms", Set.of(CONFORMS, VIOLATES, ABSENT, NOT_RUN)),
    SEP_3313_CLASS_ENUM("sep-3313-class-enum", Set.of(PRESENT, VIOLATES, NOT_RUN)),
    SEP_3313_CODE_STRING("sep-3313-code-string", Set.of(PRESENT, VIOLATES, NOT_RUN)),
    SEP_3313_CODE_BASELINE("sep-3313-code-baseline", Set.of(PRESENT, VIOLATES, NOT_RUN)),
    SEP_3313_CODE_CLASS_CONSISTENT("sep-3313-code-class-consistent", Set.of(PRESENT, VIOLATES, NOT_RUN)),
    SEP_3313_RETRYABLE_ONLY_RELIABILITY("sep-3313-retryable-only-reliability", Set.of(PRESENT, ABSENT, VIOLATES, NOT_RUN)),
    SEP_3313_RETRY_NOT_BEFORE_PAIRED("sep-3313-retry-not-before-paired", Set.of(PRESENT, ABSENT, VIOLATES, NOT_RUN)),
    SEP_3313_RETRY_NOT_BEFORE_EPOCH_MS("sep-3313-retry-not-before-epoch-ms", Set.of(PRESENT, ABSENT, VIOLATES, NOT_RUN)),
    SEP_3313_CORRELATION_ID_PRESENT("sep-3313-correlation-id-present", Set.of(PRESENT, VIOLATES, NOT_RUN)),
    SEP_3313_CORRELATION_ID_DISTINCT("sep-3313-correlation-id-distinct", Set.of(PRESENT, VIOLATES, NOT_RUN)),
    SEP_3313_CORRELATION_ID_NO_SENSITIVE("sep-3313-correlation-id-no-sensitive", Set.of(PRESENT, VIOLATES, NOT_RUN)),
    SEP_3313_AGENT_GUIDANCE_STRING("sep-3313-agent-guidance-string", Set.of(PRESENT, ABSENT, VIOLATES, NOT_RUN)),
    SEP_3313_ONLY_ON_ERROR("sep-3313-only-on-error", Set.of(PRESENT, VIOLATES, NOT_RUN)),
    SEP_3313_META_PLACEMENT("sep-3313-meta-placement", Set.of(PRESENT, MISPLACED, NOT_RUN));

    private static final Map<String, Check> BY_ID = Arrays.stream(values()).collect(Collectors.toMap(Check::id, check -> check, (a, b) -> a, HashMap::new));

    private final String id;
    private final Set<String> values;

    Check(String id, Set<String> values) {
        this.id = id;
        this.values = values;
    }

    /** As written in observations, verdicts and CSV files. */
    public String id() {
        return id;
    }

    /** What may be observed, {@code not-run} included. */
    public Set<String> observable() {
        return values;
    }

    /** Empty when {@code id} names no check. */
    public static Optional<Check> of(String id) {
        return Optional.ofNullable(BY_ID.get(id));
    }

    private static Set<String> with(Set<String> base, String... more) {
        return Stream.concat(base.stream(), Arrays.stream(more)).collect(Collectors.toUnmodifiableSet());
    }
}
