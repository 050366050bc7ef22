package dev.mcpprober.census;

import dev.mcpprober.model.Fault;
import java.util.Optional;

/**
 * Stops a run when the trouble is the machine's and not a target's, so that an engine that is down does not use up the tries of
 * a whole frame. Safe for use by many threads.
 */
public final class EngineBreaker {
    private final int limit;
    private int consecutive;

    /** @param limit faults in a row, over all workers, that stop the run */
    public EngineBreaker(int limit) {
        this.limit = limit;
    }

    /** Something was measured, so the machine works. */
    public synchronized void worked() {
        consecutive = 0;
    }

    /** The reason to stop, if this fault is one. */
    public synchronized Optional<String> faulted(Fault fault) {
        if (fault instanceof Fault.Interrupted) {
            return Optional.empty();
        }
        consecutive++;
        if (fault instanceof Fault.EngineForbidden || fault instanceof Fault.SandboxLeaks) {
            return Optional.of(fault.kind() + ": " + fault.detail());
        }
        return consecutive < limit ? Optional.empty()
                : Optional.of(consecutive + " faults in a row, the last one " + fault.kind() + ": " + fault.detail());
    }
}
