package dev.mcpprober.toolfailure.client;

/** Why the client does what it does: the statement of the proposal, of the specification, or the rule of its own that applied. */
public enum Ground {
    UNAWARE("sep-3313-client-unaware-unchanged", "A client that does not know the extension goes by isError and content alone."),
    SUCCESS("", "The result is no error."),
    KEY_ON_SUCCESS("sep-3313-only-on-error", "The key belongs on error results only; on a success it is ignored, and the success stands."),
    PROTOCOL_ERROR("sep-3313-meta-placement", "A protocol error is no tool result; whatever it carries, it is reported as it is."),
    NO_ANSWER("", "There is no answer to go by, and whether the tool ran is not known: no automatic retry."),
    INPUT_REQUIRED("", "The server asks for input; that is no failure, and this client offers none."),
    IS_ERROR_TYPE("", "isError is no boolean, so the result is no valid tool result: reported, not classified."),
    NO_KEY("", "An error without the key is an opaque error, as today."),
    MISPLACED("sep-3313-meta-placement", "The key counts in _meta of the result only; elsewhere it is not seen, and the error is opaque."),
    MALFORMED("", "An object that is not as declared classifies nothing: an opaque error, no automatic retry."),
    OVERSIZED("", "An object past this client's limits classifies nothing: an opaque error, no automatic retry."),
    CAPABILITY("sep-3313-client-no-retry-capability-governance", "class capability: the call MUST NOT be retried automatically; another way has to be found."),
    GOVERNANCE("sep-3313-client-no-retry-capability-governance", "class governance: the call MUST NOT be retried automatically; somebody has to act first."),
    NOT_RETRYABLE("sep-3313-client-retry-gated", "class reliability: a retry is allowed only when retryable is true."),
    NO_ANNOTATIONS("sep-3313-client-retry-gated", "Revision 2024-11-05 has no tool annotations, so that nothing permits a retry."),
    NOT_LISTED("sep-3313-client-retry-gated", "The tool is not in the server's list, so that no idempotentHint permits a retry."),
    HINT_TYPE("sep-3313-client-retry-gated", "The hint that a retry depends on is no boolean, and permits none."),
    NOT_IDEMPOTENT("sep-3313-client-retry-gated", "A tool that is not idempotent MUST NOT be retried automatically even when retryable is true."),
    HINT_ABSENT("sep-3313-client-retry-gated", "idempotentHint is absent and defaults to false: not idempotent, no automatic retry."),
    READ_ONLY_ONLY("sep-3313-client-retry-gated", "The tool calls itself read-only but not idempotent, which the texts leave open; this client does not retry."),
    UNTRUSTED("sep-3313-client-retry-gated",
            "idempotentHint would permit a retry, but annotations of a server that is not trusted MUST be taken as untrusted (server/tools)."),
    NOT_BEFORE_IMPLAUSIBLE("sep-3313-retry-not-before-epoch-ms", "retryNotBefore cannot be a time in milliseconds, so that when to retry is not known: no retry."),
    ATTEMPTS_USED_UP("", "This client's own limit of attempts is reached."),
    WAIT_TOO_LONG("sep-3313-client-honours-not-before", "The call MUST NOT be retried before retryNotBefore, and that is later than this client waits."),
    CLOCK_WENT_BACK("sep-3313-client-honours-not-before", "The clock was set back while the client waited, so that when to retry is not known: no retry."),
    RETRY("sep-3313-client-retry-gated", "class reliability, retryable true and idempotentHint true: the call MAY be retried."),
    RETRY_NOT_BEFORE("sep-3313-client-honours-not-before", "class reliability, retryable true and idempotentHint true: it MAY be retried, not before retryNotBefore.");

    private final String statement;
    private final String words;

    Ground(String statement, String words) {
        this.statement = statement;
        this.words = words;
    }

    /** Check id of the proposal's statement; empty for the specification's own rules and this client's. */
    public String statement() {
        return statement;
    }

    public String words() {
        return words;
    }
}
