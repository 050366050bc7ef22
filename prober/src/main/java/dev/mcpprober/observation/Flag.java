package dev.mcpprober.observation;

import java.util.Set;

/** Refinements of an observed value that rules may look at. */
public final class Flag {
    private Flag() {}

    // Any request.
    /** invalid-response: the answer's id differs from the request's in type or value. */
    public static final String ID_OTHER = "id-other";
    /** The answer's id is null or absent although the request's could be read; malformed-json: the error's id is null. */
    public static final String ID_NULL = "id-null";
    /** malformed-json: the error has no id. */
    public static final String ID_ABSENT = "id-absent";
    /** invalid-response: result and error both say something. */
    public static final String BOTH_MEMBERS = "both-members";
    /** invalid-response: neither result nor error says anything. */
    public static final String NO_MEMBERS = "no-members";
    /** response-exclusive: result and error are both there, one of them null. */
    public static final String NULL_MEMBER = "null-member";
    /** A result member or type that the schema demands is missing or wrong; the detail names it. */
    public static final String SCHEMA = "schema";
    /** The error carries no integer code. */
    public static final String NO_CODE = "no-code";
    /** error-object: the error is no object; toolFailure: the value of the key is none. */
    public static final String NO_OBJECT = "no-object";
    /** error-object: the message is no string. */
    public static final String NO_MESSAGE = "no-message";
    /** invalid-response: the answer was there, but not framed as one line. */
    public static final String FRAMING = "framing";
    /** The answer came after the deadline. */
    public static final String LATE = "late";
    /** no-response: an answer came only after stdin had been closed. */
    public static final String ANSWERED_AT_EOF = "answered-at-eof";
    /** exited: {@code code} is a signal number. */
    public static final String SIGNAL = "signal";
    /** exited: the kernel ended the process for want of memory. */
    public static final String OOM = "oom";
    /** The process ended, stdout ended, or nothing was answered any more, after this reaction. */
    public static final String THEN_EXITED = "exited";
    public static final String THEN_CLOSED = "closed";
    public static final String THEN_UNRESPONSIVE = "unresponsive";

    /** The refusal names a host or network that cannot be reached, and a sandbox has none: what was asked was not looked at. */
    public static final String NO_NETWORK = "no-network";

    // initialize and discover.
    /** ping: the result has members besides {@code _meta}. */
    public static final String EXTRA_MEMBERS = "extra-members";
    /** The revision answered is none that we know, or not one of the handshake. */
    public static final String UNKNOWN_REVISION = "unknown-revision";
    /** initialize-version-known: another session of the server settled on the version that this one refused. */
    public static final String SUPPORTED = "supported";
    /** initialize-version-unknown: another session of the server settled on a newer version. */
    public static final String OLDER = "older";
    /** An error's message or data names a protocol version. */
    public static final String NAMES_VERSIONS = "names-versions";
    /** unsupported-version: data.supported is a non-empty list of strings. */
    public static final String DATA_SUPPORTED = "data-supported";
    /** unsupported-version: data.requested echoes what was asked for. */
    public static final String DATA_REQUESTED = "data-requested";
    /** era-detect: a legacy handshake succeeds in a process of its own. */
    public static final String LEGACY_HANDSHAKE = "legacy-handshake";
    /** era-detect: an error number of a draft of the modern revision. */
    public static final String DRAFT_CODE = "draft-code";
    /** era-detect: server/discover gave a result that names a modern revision but is no DiscoverResult. */
    public static final String CLAIMS_MODERN = "claims-modern";

    // tools/call.
    /** The text of a result without isError reports an error. */
    public static final String ERROR_TEXT = "error-text";
    /** The bad value can be converted to the declared type. */
    public static final String COERCIBLE = "coercible";
    /** The refusal is the very one that the same call with good arguments met, so that it need not be about the bad one. */
    public static final String SAME_AS_VALID = "same-as-valid";
    /** Nothing shows that the refusal is about the argument under test and not about something else. */
    public static final String UNATTRIBUTED = "unattributed";
    /** The error is about the result that the tool gave, not about the call. */
    public static final String OWN_RESULT = "own-result";
    /** isError is there and is no boolean. */
    public static final String IS_ERROR_TYPE = "is-error-type";

    // Frames that are not one plain request.
    /** malformed-json: the frame is the beginning of a message, as a line of its own. */
    public static final String CUT_SHORT = "cut-short";
    /** malformed-json: the frame is JSON, but no message. */
    public static final String FOREIGN = "foreign";
    /** The server ended, or fell silent, only after it had served a request that came later. */
    public static final String DELAYED = "delayed";
    /** unresponsive: the next request was lost, one after it was answered. */
    public static final String REVIVED = "revived";
    /** batch-receive: a response came to a notification. */
    public static final String ANSWERED_NOTIFICATION = "answered-notification";
    /** batch-receive: an empty array was not met with one error -32600. */
    public static final String EMPTY_BATCH = "empty-batch";

    // What came before liveness failed, or in place of an error.
    public static final String UNMATCHED_ERROR = "unmatched-error";
    public static final String SILENCE = "silence";
    public static final String NOTIFICATION = "notification";

    // stdout.
    /** A line that is no JSON value. */
    public static final String TEXT = "text";
    /** A JSON value that is no message. */
    public static final String JSON_NO_MESSAGE = "json-no-message";
    /** Header lines of another framing. */
    public static final String CONTENT_LENGTH = "content-length";
    /** An array outside the one revision that has batches. */
    public static final String BATCH = "batch";
    public static final String BLANK_LINE = "blank-line";
    public static final String CR = "cr";
    public static final String BOM = "bom";
    /** Who wrote what is no message, where its form tells: the banner of dotenv, a package manager, a logger, an error with its trace; else a plain print. */
    public static final String BY_DOTENV = "by-dotenv";
    public static final String BY_PACKAGE_MANAGER = "by-package-manager";
    public static final String BY_LOGGER = "by-logger";
    public static final String BY_TRACEBACK = "by-traceback";
    public static final String BY_PRINT = "by-print";
    /** When it came: before the handshake was answered, while a request waited for its answer, while none did. */
    public static final String BEFORE_HANDSHAKE = "before-handshake";
    public static final String IN_CALL = "in-call";
    public static final String BETWEEN_REQUESTS = "between-requests";
    /** One message over several lines. */
    public static final String MULTI_LINE = "multi-line";
    /** Several values on one line. */
    public static final String SAME_LINE = "same-line";
    /** Messages follow a line feed instead of ending in one, so that each stays unfinished until the next. */
    public static final String UNTERMINATED = "unterminated";
    /** Only the very last message lacks its line feed. */
    public static final String NO_FINAL_NEWLINE = "no-final-newline";
    /** Some output passed a limit of ours and was not looked at. */
    public static final String PARTLY_UNREAD = "partly-unread";

    // Traffic.
    /** Nothing of the kind came but in reaction to frames that no client may send. */
    public static final String AFTER_ILLEGAL_FRAME = "after-illegal-frame";

    // Shutdown.
    /** The exit status is not 0. */
    public static final String NON_ZERO = "non-zero";

    // Result envelope.
    /** wire-schema: every fault is the finding of another check, which the detail names. */
    public static final String REPORTED_ELSEWHERE = "reported-elsewhere";

    // Lists.
    /** tools-list-set: the same change after the same call in two processes. */
    public static final String REPRODUCIBLE = "reproducible";
    /** loop: pages did not end, though no cursor came twice. */
    public static final String ENDLESS = "endless";
    /** A cursor that is neither a string nor null. */
    public static final String BAD_CURSOR = "bad-cursor";
    /** tools-name-format: the only fault is a slash, which another text allows. */
    public static final String SLASH = "slash";
    /** An empty name; a correlationId that is empty or blank; content-blocks: an error without content. */
    public static final String EMPTY = "empty";
    /** tools-schema-valid: the schema is valid, but a reference into it leads nowhere. */
    public static final String DANGLING_REF = "dangling-ref";
    /** tools-schema-valid: the schema is valid, but a pattern is none that every engine reads. */
    public static final String REGEX = "regex";
    /** tools-schema-valid: under which dialect the schema was judged. */
    public static final String DECLARED_DIALECT = "declared-dialect";
    /** error-code-range: codes that new implementations should avoid. */
    public static final String LEGACY_CODES = "legacy-codes";
    /** invalid-response: the result asks for input, but not as it may. */
    public static final String INPUT_REQUIRED = "input-required";
    /** input-required-scope: asked in answer to a method that has no such answer. */
    public static final String WRONG_METHOD = "wrong-method";
    /** input-required-scope: neither inputRequests nor requestState. */
    public static final String NOTHING_ASKED = "nothing-asked";
    /** list-changed-unsolicited: the server did not declare such notifications; subscriptions-ack: nothing that changes is declared;
     * input-required-scope: we did not declare the capability asked for. */
    public static final String UNDECLARED = "undeclared";
    /** result-type, toolFailure: the member is not there. */
    public static final String MISSING = "missing";
    /** result-type: the member is no string that the revision knows; toolFailure: the class is none of the three. */
    public static final String UNKNOWN_VALUE = "unknown-value";
    /** ttlMs is whole but written as a fraction, e.g. 1000.0. */
    public static final String FRACTION_FORM = "fraction-form";

    // The toolFailure object.
    /** A member has another JSON type than declared. */
    public static final String TYPE = "type";
    /** A code that is not of the baseline, as servers may have. */
    public static final String OWN_CODE = "own-code";
    /** A code that is one of the baseline but for case and word breaks. */
    public static final String RESPELLED = "respelled";
    /** The code, or {@code retryable: true}, does not go with the class. */
    public static final String WRONG_CLASS = "wrong-class";
    /** A time to retry after without {@code retryable: true}. */
    public static final String UNPAIRED = "unpaired";
    /** A time that is too small for milliseconds since 1970, or more than ten years ahead. */
    public static final String TOO_SMALL = "too-small";
    public static final String FAR_FUTURE = "far-future";
    /** One correlationId for two tries of the same call, or for two different calls. */
    public static final String SAME_CALL = "same-call";
    public static final String OTHER_CALL = "other-call";
    /** The correlationId is the id of the JSON-RPC request. */
    public static final String EQUALS_REQUEST_ID = "equals-request-id";
    /** The correlationId holds an argument of the call, the client's name or version, or a text of the server's environment or command line. */
    public static final String ARGUMENT = "argument";
    public static final String CLIENT_INFO = "client-info";
    public static final String ENVIRONMENT = "environment";
    /** The correlationId holds the plain hash of such a text. */
    public static final String HASHED = "hashed";
    /** Where the key stands instead of in the result's {@code _meta}. */
    public static final String BESIDE_META = "beside-meta";
    public static final String IN_CONTENT = "in-content";
    public static final String IN_STRUCTURED = "in-structured-content";
    public static final String IN_ERROR = "in-error";
    public static final String ELSEWHERE = "elsewhere";

    /** Those that an observation keeps which says that the server served no more after a frame. */
    static final Set<String> AFTER_FRAME = Set.of(THEN_EXITED, THEN_CLOSED, THEN_UNRESPONSIVE, UNMATCHED_ERROR, SILENCE, NOTIFICATION, TEXT, ID_NULL,
            ID_ABSENT, ID_OTHER, SIGNAL, OOM, CUT_SHORT, FOREIGN, DELAYED, REVIVED);
}
