package dev.mcpprober.census;

import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.TargetState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** {@code census retry}: gives unmeasured targets that faulted their tries again. Results are left alone. */
public final class Retry {
    private Retry() {}

    /** The targets to run, in the order of the frame; that they may be retried is in the ledger when this returns. */
    public static List<FrameEntry> allow(OpenRun run, List<FrameEntry> frame) throws IOException {
        List<FrameEntry> again = new ArrayList<>();
        List<LedgerEvent> events = new ArrayList<>();
        for (FrameEntry entry : frame) {
            boolean faulted = run.ledger().read(state -> state.of(entry.id()).state() == TargetState.UNMEASURED
                    && state.of(entry.id()).lastFault().isPresent());
            if (faulted) {
                again.add(entry);
                events.add(new LedgerEvent.RetryAllowed(run.now(), entry.id()));
            }
        }
        if (!events.isEmpty()) {
            run.ledger().append(events.toArray(LedgerEvent[]::new));
        }
        return again;
    }
}
