package dev.mcpprober.dataset;

import dev.mcpprober.run.FrameRow;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.TargetState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the ledger has of one target.
 *
 * @param state     as the census saw it; the extractor has the last word on whether a server started
 * @param attempts  in the order in which they began
 * @param installed last install that came to a result, or null
 * @param lastFault kind of the last fault, or empty
 */
record TargetHistory(FrameRow row, TargetState state, List<Attempt> attempts, LedgerEvent.Installed installed, String lastFault) {
    /**
     * One try.
     *
     * @param outcome {@code completed}, {@code faulted} or {@code open}
     * @param counts  the target is measured by it
     */
    record Attempt(String id, String key, String session, String startedAt, String endedAt, String outcome, String fault, String detail,
                   String sha256, boolean counts) {
        boolean install() {
            return key.equals(LedgerEvent.INSTALL);
        }

        private Attempt ended(String at, String how, String kind, String why, String digest) {
            return new Attempt(id, key, session, startedAt, at, how, kind, why, digest, false);
        }

        private Attempt counting() {
            return new Attempt(id, key, session, startedAt, endedAt, outcome, fault, detail, sha256, true);
        }
    }

    /** Sessions that count, in the order of the plan. */
    List<Attempt> counting() {
        return attempts.stream().filter(attempt -> attempt.counts() && !attempt.install()).toList();
    }

    static TargetHistory of(FrameRow row, List<LedgerEvent> events) {
        Map<String, Attempt> attempts = new LinkedHashMap<>();
        LedgerEvent.Installed installed = null;
        LedgerEvent.Finished finished = null;
        String lastFault = "";
        for (LedgerEvent event : events) {
            if (event instanceof LedgerEvent.Started e) {
                finished = null;
                attempts.put(e.attempt(), new Attempt(e.attempt(), e.key(), e.session(), e.at(), "", "open", "", "", "", false));
            } else if (event instanceof LedgerEvent.Installed e) {
                installed = e;
                attempts.computeIfPresent(e.attempt(), (id, a) -> a.ended(e.at(), "completed", "", "", e.sha256()));
            } else if (event instanceof LedgerEvent.Completed e) {
                attempts.computeIfPresent(e.attempt(), (id, a) -> a.ended(e.at(), "completed", "", "", e.sha256()));
            } else if (event instanceof LedgerEvent.Faulted e) {
                lastFault = e.kind();
                attempts.computeIfPresent(e.attempt(), (id, a) -> a.ended(e.at(), "faulted", e.kind(), e.detail(), ""));
            } else if (event instanceof LedgerEvent.Finished e) {
                finished = e;
            }
        }
        if (finished != null) {
            List<String> order = new ArrayList<>(finished.attempts());
            if (installed != null) {
                order.add(installed.attempt());
            }
            for (String id : order) {
                // Re-inserted, so that those that count stand in the order of the plan.
                Attempt attempt = attempts.remove(id);
                if (attempt != null) {
                    attempts.put(id, attempt.counting());
                }
            }
        }
        TargetState state = !row.excluded().isEmpty() ? TargetState.EXCLUDED
                : finished == null ? TargetState.UNMEASURED : TargetState.of(finished.state());
        return new TargetHistory(row, state, List.copyOf(attempts.values()), installed, lastFault);
    }
}
