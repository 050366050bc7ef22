package dev.mcpprober.census;

import dev.mcpprober.model.Fault;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.LedgerState;
import java.util.List;
import java.util.Set;

/**
 * How often a faulted attempt is made again. Results are never retried. Faults of the whole machine do not count against a
 * target: they stop the run instead.
 *
 * @param faults        faults of one work key after which its target stays unmeasured
 * @param interruptions broken-off attempts after which it does, so that a target on which this program itself dies does not
 *                      keep a census from ever ending
 * @param perRun        attempts at one target within one run of the program, whatever the fault
 */
public record RetryPolicy(int faults, int interruptions, int perRun) {
    public static final RetryPolicy DEFAULT = new RetryPolicy(3, 10, 3);

    private static final Set<String> WHOLE_MACHINE = Set.of(new Fault.EngineUnavailable("").kind(), new Fault.EngineForbidden("").kind(),
            new Fault.HostDiskFull("").kind(), new Fault.SandboxLeaks("").kind());
    private static final String INTERRUPTED = new Fault.Interrupted("").kind();

    /** True when no more attempts are to be made at this key. */
    public boolean exhausted(LedgerState.OfKey key) {
        List<LedgerEvent.Faulted> all = key.faults();
        long interrupted = all.stream().filter(fault -> fault.kind().equals(INTERRUPTED)).count();
        long counted = all.stream().filter(fault -> !fault.kind().equals(INTERRUPTED) && !WHOLE_MACHINE.contains(fault.kind())).count();
        return counted >= faults || interrupted >= interruptions;
    }
}
