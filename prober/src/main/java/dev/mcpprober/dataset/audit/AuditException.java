package dev.mcpprober.dataset.audit;

/** What was handed in cannot be used; the message says where and what to do. */
public final class AuditException extends Exception {
    private static final long serialVersionUID = 1L;

    public AuditException(String message) {
        super(message);
    }
}
