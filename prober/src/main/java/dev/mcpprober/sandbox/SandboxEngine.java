package dev.mcpprober.sandbox;

/** Makes sandboxes. One per process; safe for use by many threads. */
public interface SandboxEngine extends AutoCloseable {
    /** Creates a sandbox without starting it, so that engine faults show before anything is measured. */
    Sandbox create(SandboxSpec spec) throws EngineException;

    /** Short description of the engine for provenance, e.g. {@code docker 20.10.24 cgroup v1 runc}. */
    String describe();

    @Override
    void close();
}
