package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.model.ProtocolRevision;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Calls with something wrong in them. */
final class CallObserver {
    private static final Set<Check> BAD_ARGUMENTS = Set.of(Check.TOOLS_CALL_WRONG_TYPE, Check.TOOLS_CALL_MISSING_REQUIRED,
            Check.TOOLS_CALL_EXTRA_ARGUMENT_OPEN, Check.TOOLS_CALL_EXTRA_ARGUMENT_CLOSED);
    /** A success says nothing of a further argument: it may be used, dropped or not looked at. */
    private static final Set<Check> TAKEN = Set.of(Check.TOOLS_CALL_EXTRA_ARGUMENT_OPEN, Check.TOOLS_CALL_EXTRA_ARGUMENT_CLOSED);

    private CallObserver() {}

    /** @param groups all of the era, {@code group} among them: a twin may have been called in another */
    static Observation observe(Check check, List<Group> groups, Group group, SessionLog log, StepView step) {
        Subject subject = check == Check.TOOLS_CALL_UNKNOWN ? Subjects.of(check, log) : Subjects.ofCall(check, log, step);
        Optional<Met> called = step.skipped() ? Optional.empty() : Met.of(log, step);
        if (called.isEmpty()) {
            return new Observation.NotRun(subject, step.skipped() ? step.detail() : "not sent", "", List.of());
        }
        Met bad = called.get();
        Optional<ToolList.Tool> tool = ToolList.of(log).tool(step.about("tool"));
        if (tool.isPresent() && demandsTask(log, tool.get().node())) {
            return new Observation.NotRun(subject, "tool demands a task", "", List.of(tool.get().event()));
        }
        Reading reading = bad.reading().plus(Liveness.after(log, step));
        if (!BAD_ARGUMENTS.contains(check)) {
            if (bad.refused() && Attribution.ofOwnResult(bad.words())) {
                return reading.plus(Set.of(Flag.OWN_RESULT)).observation(subject, null);
            }
            // What is wrong with bad arguments is told from their valid twin; these calls need not have one.
            Reading met = FailureText.withoutNetwork(reading, bad.exchange());
            return (check == Check.TOOLS_CALL_UNKNOWN ? compared(met, bad, group) : met).observation(subject, null);
        }
        Optional<Met> twin = twin(groups, group, step.about("tool"));
        String consequence = TAKEN.contains(check) ? null : consequence(twin, step, bad);
        Set<String> flags = new LinkedHashSet<>(reading.flags());
        flags.remove(Flag.ERROR_TEXT);
        if (Consequence.IN_BAND_ERROR.equals(consequence)) {
            flags.add(Flag.ERROR_TEXT);
        }
        if (check == Check.TOOLS_CALL_WRONG_TYPE && tool.isPresent()
                && Coercion.possible(tool.get().node().path("inputSchema"), step.about("property"), bad.exchange().params().path("arguments"))) {
            flags.add(Flag.COERCIBLE);
        }
        Optional<Met> second = bad.refused() ? second(group, step) : Optional.empty();
        if (bad.refused()) {
            Attribution.doubt(bad, second, twin, step.about("property")).ifPresent(flags::add);
        } else if (TAKEN.contains(check) && silent(bad.reading()) && silentTwin(groups, step.about("tool"))) {
            flags.add(Flag.SAME_AS_VALID);
        }
        // What was compared is part of the proof.
        Set<Integer> witness = new TreeSet<>(reading.witness());
        boolean compared = consequence != null || flags.contains(Flag.SAME_AS_VALID) || flags.contains(Flag.UNATTRIBUTED);
        if (compared) {
            Stream.of(twin, flags.contains(Flag.UNATTRIBUTED) ? second : Optional.<Met>empty()).flatMap(Optional::stream).filter(met -> met.log() == log)
                    .forEach(met -> witness.addAll(met.reading().witness()));
        }
        return new Reading(reading.observed(), reading.code(), flags, reading.detail(), List.copyOf(witness), reading.result()).observation(subject, consequence);
    }

    /** A server that meets every call with one error, such as a spent rate limit, has not been seen to look for the tool. */
    private static Reading compared(Reading reading, Met unknown, Group group) {
        if (unknown.words().isBlank()) {
            return reading;
        }
        return group.steps().stream().filter(placed -> placed.log() == unknown.log() && placed.step().probe().equals(Probe.VALID_TWIN) && !placed.step().skipped())
                .map(placed -> Met.of(placed.log(), placed.step())).flatMap(Optional::stream).filter(unknown::refusedLike).findFirst()
                .map(valid -> new Reading(reading.observed(), reading.code(), reading.plus(Set.of(Flag.SAME_AS_VALID)).flags(), reading.detail(),
                        Stream.of(valid.reading(), reading).flatMap(each -> each.witness().stream()).distinct().sorted().toList(), reading.result()))
                .orElse(reading);
    }

    /** Such a tool must refuse every plain call, so a refusal says nothing about arguments. */
    static boolean demandsTask(SessionLog log, JsonNode tool) {
        return log.handshake().known().map(r -> r == ProtocolRevision.V2025_11_25).orElse(false)
                && tool.path("execution").path("taskSupport").asText().equals("required")
                && log.handshake().result().path("capabilities").path("tasks").path("requests").path("tools").has("call");
    }

    /** Null where the call was refused, or not answered with a result. */
    private static String consequence(Optional<Met> twin, StepView step, Met bad) {
        boolean accepted = bad.reading().observed().equals(Observed.SUCCESS) || bad.reading().observed().equals(Observed.INVALID_RESPONSE);
        JsonNode result = bad.reading().result();
        if (!accepted || result == null || !result.isObject() || result.path("isError").isBoolean() && result.get("isError").booleanValue()) {
            return null;
        }
        ConsequenceJudge.Call good = twin.filter(other -> other.reading().result() != null && other.reading().result().isObject())
                .map(CallObserver::judged).orElse(null);
        return ConsequenceJudge.judge(judged(bad), good, step.about("property"));
    }

    private static ConsequenceJudge.Call judged(Met met) {
        return new ConsequenceJudge.Call(met.exchange().params().path("arguments"), CallResult.of(met.reading().result()));
    }

    /** The call of the same tool with good arguments, where it was answered: one with a result if there is any, one of the same session if there is. */
    private static Optional<Met> twin(List<Group> groups, Group own, String tool) {
        Met refused = null;
        for (Group group : Stream.concat(Stream.of(own), groups.stream().filter(other -> other != own)).toList()) {
            for (Group.Placed placed : group.steps()) {
                if (placed.step().probe().equals(Probe.VALID_TWIN) && !placed.step().skipped() && placed.step().about("tool").equals(tool)) {
                    Optional<Met> met = Met.of(placed.log(), placed.step());
                    if (met.isPresent() && met.get().reading().result() != null && met.get().reading().result().isObject()) {
                        return met;
                    }
                    refused = refused == null && met.isPresent() && met.get().exchange().answer() != null ? met.get() : refused;
                }
            }
        }
        return Optional.ofNullable(refused);
    }

    private static boolean silent(Reading reading) {
        return reading.observed().equals(Observed.NO_RESPONSE) || reading.observed().equals(Observed.UNRESPONSIVE);
    }

    /** The call with good arguments was not answered in time either. */
    private static boolean silentTwin(List<Group> groups, String tool) {
        return groups.stream().flatMap(group -> group.steps().stream())
                .filter(placed -> placed.step().probe().equals(Probe.VALID_TWIN) && !placed.step().skipped() && placed.step().about("tool").equals(tool))
                .map(placed -> Met.of(placed.log(), placed.step())).flatMap(Optional::stream).anyMatch(met -> silent(met.reading()));
    }

    /** The same argument with another wrong value, where that was answered. */
    private static Optional<Met> second(Group group, StepView first) {
        return group.steps().stream().filter(placed -> placed.step().probe().equals(Probe.SECOND_WRONG_TYPE) && !placed.step().skipped()
                        && first.probe().equals(Check.TOOLS_CALL_WRONG_TYPE.id())
                        && placed.step().about("tool").equals(first.about("tool")) && placed.step().about("property").equals(first.about("property")))
                .map(placed -> Met.of(placed.log(), placed.step())).flatMap(Optional::stream).filter(met -> met.exchange().answer() != null).findFirst();
    }
}
