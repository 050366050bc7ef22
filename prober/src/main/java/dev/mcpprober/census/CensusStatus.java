package dev.mcpprober.census;

import dev.mcpprober.run.Coverage;
import dev.mcpprober.run.FrameRow;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.LedgerState;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.RunInfo;
import dev.mcpprober.run.TargetState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Where a census stands. Reads only, so it may look at a run that is going on.
 *
 * @param outcomes    measured, not installed: install outcome to number of targets
 * @param faults      unmeasured targets that faulted, by kind of the last fault
 * @param openAttempts attempts without an end: under way, or broken off with the program
 * @param ended       how the last run of the program ended: {@code complete}, a reason for an early stop, or empty while it runs or
 *                    after it was killed
 */
public record CensusStatus(RunInfo info, Coverage coverage, Map<String, Integer> outcomes, Map<String, Integer> faults,
                           List<Unmeasured> unmeasured, int openAttempts, String ended) {
    /** A target without a result; {@code kind} and {@code detail} of its last fault, empty when it was not tried. Raw text. */
    public record Unmeasured(String target, String kind, String detail) {}

    /** @throws IOException naming the file, when the folder is no readable run */
    public static CensusStatus of(RunFolder folder) throws IOException {
        RunInfo info = folder.readInfo();
        List<String> frame = folder.readFrame().stream().map(FrameRow::target).toList();
        LedgerState state = folder.readLedger();
        Map<String, Integer> outcomes = new TreeMap<>();
        Map<String, Integer> faults = new TreeMap<>();
        List<Unmeasured> unmeasured = new ArrayList<>();
        for (String target : frame) {
            LedgerState.OfTarget of = state.of(target);
            if (of.state() == TargetState.NOT_INSTALLED) {
                outcomes.merge(of.finished().map(LedgerEvent.Finished::detail).orElse(""), 1, Integer::sum);
            } else if (of.state() == TargetState.UNMEASURED) {
                of.lastFault().ifPresent(fault -> faults.merge(fault.kind(), 1, Integer::sum));
                unmeasured.add(new Unmeasured(target, of.lastFault().map(LedgerEvent.Faulted::kind).orElse(""),
                        of.lastFault().map(LedgerEvent.Faulted::detail).orElse("")));
            }
        }
        String ended = !state.closed() ? "" : state.closeReason().isEmpty() ? "complete" : state.closeReason();
        return new CensusStatus(info, state.coverage(frame), outcomes, faults, unmeasured, state.open().size(), ended);
    }
}
