package dev.mcpprober.sandbox;

import dev.mcpprober.model.Fault;

/** The engine, the host or this program failed. Never thrown for anything that the package or server under test did. */
public final class EngineException extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Fault fault;

    public EngineException(Fault fault) {
        this(fault, null);
    }

    public EngineException(Fault fault, Throwable cause) {
        super(fault.kind() + ": " + fault.detail(), cause);
        this.fault = fault;
    }

    public Fault fault() {
        return fault;
    }
}
