package dev.mcpprober.observation;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What came of calls with good arguments, over all sessions of an era: in a sandbox without network and files most tools that need one must
 * fail, and show how the server reports a real failure: by isError, by a JSON-RPC error, by a success whose text reports it, or not at all.
 */
final class ValidCalls {
    private static final String NOTHING_FAILED = "no tool failed on a valid call";
    private static final String NO_CALL = "no valid call was made";
    private static final String NO_MISFIT = "no result missed its schema";

    private final List<Observation> failures = new ArrayList<>();
    private final List<Observation> reports = new ArrayList<>();
    private final List<Observation> skipped = new ArrayList<>();
    private boolean called;
    private boolean declared;

    private ValidCalls() {}

    /** @param groups of one era; at least one has a handshake */
    static List<Observation> observe(List<Group> groups) {
        ValidCalls calls = new ValidCalls();
        List<Observation> out = new ArrayList<>();
        for (Group group : groups) {
            for (Group.Placed placed : group.steps()) {
                if (placed.step().probe().equals(Probe.VALID_TWIN) && placed.log().handshake().done()) {
                    calls.take(placed.log(), placed.step());
                } else if (placed.step().probe().equals(Probe.ALL_TOOLS)) {
                    out.addAll(leftOut(placed.log(), placed.step()));
                }
            }
        }
        Optional<SessionLog> open = groups.stream().flatMap(group -> group.open().stream()).findFirst();
        if (open.isEmpty()) {
            return List.of();
        }
        boolean asked = groups.stream().anyMatch(group -> group.steps().stream().anyMatch(placed -> placed.step().probe().equals(Probe.VALID_TWIN)));
        if (asked) {
            out.addAll(calls.all(open.get()));
        }
        return out;
    }

    private List<Observation> all(SessionLog log) {
        List<Observation> out = new ArrayList<>(failures);
        if (failures.isEmpty() && (called || skipped.isEmpty())) {
            out.add(new Observation.NotRun(Subjects.of(Check.TOOLS_CALL_EXEC_ERROR, log), called ? NOTHING_FAILED : NO_CALL, "", List.of()));
        }
        out.addAll(skipped);
        out.addAll(reports);
        if (reports.isEmpty()) {
            out.add(new Observation.NotRun(Subjects.of(Check.OUTPUT_SCHEMA_REPORT, log),
                    declared ? NO_MISFIT : "no tool with an output schema answered a valid call", "", List.of()));
        }
        out.add(new Observation.NotRun(Subjects.of(Check.TOOLS_CALL_DISABLED, log), "no listed tool is known to be disabled", "", List.of()));
        return out;
    }

    /** What the budget did not allow for. */
    private static List<Observation> leftOut(SessionLog log, StepView step) {
        int colon = step.detail().indexOf(": ");
        String reason = colon < 0 ? step.detail() : step.detail().substring(0, colon);
        String detail = colon < 0 ? "" : step.detail().substring(colon + 2);
        return reason.isEmpty() || step.skipped() ? List.of()
                : Stream.of(Check.TOOLS_CALL_WRONG_TYPE, Check.TOOLS_CALL_MISSING_REQUIRED, Check.TOOLS_CALL_EXEC_ERROR)
                        .map(check -> (Observation) new Observation.NotRun(Subjects.of(check, log), reason, Phrase.detail(detail), List.of(step.ended()))).toList();
    }

    private void take(SessionLog log, StepView step) {
        Subject subject = Subjects.ofCall(Check.TOOLS_CALL_EXEC_ERROR, log, step);
        Optional<Met> found = step.skipped() ? Optional.empty() : Met.of(log, step);
        if (found.isEmpty()) {
            skipped.add(new Observation.NotRun(subject, step.skipped() ? step.detail() : "not sent", "", List.of()));
            return;
        }
        Met met = found.get();
        Optional<ToolList.Tool> tool = ToolList.of(log).tool(step.about("tool"));
        if (tool.isPresent() && CallObserver.demandsTask(log, tool.get().node())) {
            skipped.add(new Observation.NotRun(subject, "tool demands a task", "", List.of(tool.get().event())));
            return;
        }
        if (!met.reading().ran()) {
            skipped.add(new Observation.NotRun(subject, met.reading().detail(), "", met.reading().witness()));
            return;
        }
        called = true;
        failure(met).ifPresent(reading -> failures.add(reading.plus(Liveness.after(log, step)).observation(subject, null)));
        if (OutputObserver.declares(log, tool)) {
            declared |= met.reading().result() != null;
            report(log, step, met, tool.get()).ifPresent(reports::add);
        }
    }

    /** How the tool failed, where it did. */
    private static Optional<Reading> failure(Met met) {
        Reading reading = met.reading();
        return switch (reading.observed()) {
            case Observed.SUCCESS -> FailureText.in(CallResult.of(reading.result()), met.exchange().params().path("arguments"))
                    ? Optional.of(reading.plus(Set.of(Flag.ERROR_TEXT))) : Optional.empty();
            case Observed.INPUT_REQUIRED -> Optional.empty();
            case Observed.INVALID_RESPONSE -> reading.result() != null && reading.result().isObject() && CallResult.of(reading.result()).claimsError()
                    ? Optional.of(reading) : Optional.empty();
            default -> Optional.of(met.refused() && Attribution.ofOwnResult(met.words()) ? reading.plus(Set.of(Flag.OWN_RESULT)) : reading);
        };
    }

    /** How it came out that the tool's result does not fit its own schema, where it does not. */
    private static Optional<Observation> report(SessionLog log, StepView step, Met met, ToolList.Tool tool) {
        Subject subject = Subjects.ofCall(Check.OUTPUT_SCHEMA_REPORT, log, step);
        if (met.refused()) {
            return Attribution.ofOwnResult(met.words()) ? Optional.of(met.reading().plus(Set.of(Flag.OWN_RESULT)).observation(subject, null)) : Optional.empty();
        }
        if (!met.reading().observed().equals(Observed.SUCCESS)) {
            return Optional.empty();
        }
        Observation fit = OutputObserver.conformity(log, step, met.reading(), tool.node().path("outputSchema"));
        boolean misfit = fit.observed().equals(Observed.ABSENT) || fit.observed().equals(Observed.VIOLATES);
        return misfit ? Optional.of(met.reading().as(Observed.SUCCESS, fit.detail()).observation(subject, null)) : Optional.empty();
    }
}
