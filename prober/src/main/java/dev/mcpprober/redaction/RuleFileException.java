package dev.mcpprober.redaction;

/** A file of credential rules that cannot be used; the message names file, rule and what to do. */
public final class RuleFileException extends Exception {
    private static final long serialVersionUID = 1L;

    RuleFileException(String message) {
        super(message);
    }
}
