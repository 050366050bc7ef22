package dev.mcpprober.observation;

import java.util.Set;

/** The closed list of observed values. */
public final class Observed {
    private Observed() {}

    /** An error reply with the request's id; {@code code} carries its code where that is an integer. */
    public static final String PROTOCOL_ERROR = "protocol-error";
    /** A tools/call result with {@code isError: true}. */
    public static final String TOOL_ERROR = "tool-error";
    /** A tools/call result without {@code isError: true}. */
    public static final String SUCCESS = "success";
    /** A result of any other method. */
    public static final String RESULT = "result";
    /** A result that asks for input instead (modern era). */
    public static final String INPUT_REQUIRED = "input-required";
    /** An error whose id is null or absent, where no readable request was pending. */
    public static final String UNMATCHED_ERROR = "unmatched-error";
    public static final String BATCH_RESPONSE = "batch-response";
    public static final String SPLIT_RESPONSE = "split-response";
    /** Nothing came where nothing had to come. */
    public static final String SILENCE = "silence";
    /** No answer in time; a later request was answered. */
    public static final String NO_RESPONSE = "no-response";
    /** No answer in time, nor to a later request; the process runs. */
    public static final String UNRESPONSIVE = "unresponsive";
    /** The process ended; {@code code} is its exit status, or with the flag {@code signal} the number of the signal. */
    public static final String EXITED = "exited";
    /** Stdout ended; the process runs. */
    public static final String CLOSED = "closed";
    /** An answer that is none: flags and detail say why (id, members, shape, framing). */
    public static final String INVALID_RESPONSE = "invalid-response";
    public static final String RESPONSE_TO_NOTIFICATION = "response-to-notification";
    public static final String PRESENT = "present";
    public static final String ABSENT = "absent";
    /** There, but not where it belongs. */
    public static final String MISPLACED = "misplaced";
    public static final String CONFORMS = "conforms";
    public static final String VIOLATES = "violates";
    public static final String NOT_RUN = "not-run";
    /** Some other reaction to a frame that has no answer, e.g. a log notification; the detail says which. */
    public static final String OTHER = "other";
    /** A living server answered a request that followed a probe. */
    public static final String ANSWERED = "answered";

    /** Reactions to a request of any method but tools/call. */
    static final Set<String> RESPONSES = Set.of(PROTOCOL_ERROR, RESULT, INPUT_REQUIRED, NO_RESPONSE, UNRESPONSIVE, EXITED, CLOSED,
            INVALID_RESPONSE, NOT_RUN);
    /** Reactions to tools/call. */
    static final Set<String> CALL_RESPONSES = Set.of(PROTOCOL_ERROR, TOOL_ERROR, SUCCESS, INPUT_REQUIRED, NO_RESPONSE, UNRESPONSIVE,
            EXITED, CLOSED, INVALID_RESPONSE, NOT_RUN);
    /** Findings about what a server sends. */
    static final Set<String> CONFORMITY = Set.of(CONFORMS, VIOLATES, NOT_RUN);
    static final Set<String> PRESENCE = Set.of(PRESENT, ABSENT, NOT_RUN);
}
