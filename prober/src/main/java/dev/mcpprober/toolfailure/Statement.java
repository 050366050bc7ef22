package dev.mcpprober.toolfailure;

/** The statements of the proposal that one object alone can keep or break; ids as in its list of checks. */
public enum Statement {
    CLASS_ENUM("sep-3313-class-enum"),
    CODE_STRING("sep-3313-code-string"),
    CODE_BASELINE("sep-3313-code-baseline"),
    CODE_CLASS_CONSISTENT("sep-3313-code-class-consistent"),
    RETRYABLE_ONLY_RELIABILITY("sep-3313-retryable-only-reliability"),
    RETRY_NOT_BEFORE_PAIRED("sep-3313-retry-not-before-paired"),
    RETRY_NOT_BEFORE_EPOCH_MS("sep-3313-retry-not-before-epoch-ms"),
    CORRELATION_ID_PRESENT("sep-3313-correlation-id-present"),
    CORRELATION_ID_NO_SENSITIVE("sep-3313-correlation-id-no-sensitive"),
    AGENT_GUIDANCE_STRING("sep-3313-agent-guidance-string");

    private final String id;

    Statement(String id) {
        this.id = id;
    }

    public String id() {
        return id;
    }
}
