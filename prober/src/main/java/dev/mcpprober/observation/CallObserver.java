package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.model.ProtocolRevision;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Calls with something wrong in them. */
final class CallObserver {
    private static final Set<Check> BAD_ARGUMENTS = Set.of(Check.TOOLS_CALL_WRONG_TYPE, Check.TOOLS_CALL_MISSING_REQUIRED);

    private CallObserver() {}

    static Observation observe(Check check, Group group, SessionLog log, StepView step) {
        Subject subject = check == Check.TOOLS_CALL_UNKNOWN ? Subjects.of(check, log) : Subjects.ofCall(check, log, step);
        List<Exchange> exchanges = log.exchanges(step);
        if (step.skipped() || exchanges.isEmpty()) {
            return new Observation.NotRun(subject, step.skipped() ? step.detail() : "not sent", "", List.of());
        }
        Exchange exchange = exchanges.get(0);
        Optional<ToolList.Tool> tool = ToolList.of(log).tool(step.about("tool"));
        if (tool.isPresent() && demandsTask(log, tool.get().node())) {
            return new Observation.NotRun(subject, "tool demands a task", "", List.of(tool.get().event()));
        }
        Reading reading = Reactions.toCall(log, step, exchange).plus(Liveness.after(log, step));
        if (!BAD_ARGUMENTS.contains(check)) {
            return reading.observation(subject, null);
        }
        Optional<Twin> twin = twin(group, step.about("tool"));
        String consequence = consequence(twin, step, exchange, reading);
        Set<String> flags = new LinkedHashSet<>(reading.flags());
        flags.remove(Flag.ERROR_TEXT);
        if (Consequence.IN_BAND_ERROR.equals(consequence)) {
            flags.add(Flag.ERROR_TEXT);
        }
        if (check == Check.TOOLS_CALL_WRONG_TYPE && tool.isPresent()
                && Coercion.possible(tool.get().node().path("inputSchema"), step.about("property"), exchange.params().path("arguments"))) {
            flags.add(Flag.COERCIBLE);
        }
        boolean same = twin.isPresent() && twin.get().metLike(exchange, reading);
        if (same) {
            flags.add(Flag.SAME_AS_VALID);
        }
        // What was compared is part of the proof.
        Set<Integer> witness = new TreeSet<>(reading.witness());
        twin.filter(other -> (same || consequence != null) && other.log() == log).ifPresent(other -> witness.addAll(other.reading().witness()));
        return new Reading(reading.observed(), reading.code(), flags, reading.detail(), List.copyOf(witness), reading.result()).observation(subject, consequence);
    }

    /** Such a tool must refuse every plain call, so a refusal says nothing about arguments. */
    private static boolean demandsTask(SessionLog log, JsonNode tool) {
        return log.handshake().known().map(r -> r == ProtocolRevision.V2025_11_25).orElse(false)
                && tool.path("execution").path("taskSupport").asText().equals("required")
                && log.handshake().result().path("capabilities").path("tasks").path("requests").path("tools").has("call");
    }

    /** Null where the call was refused, or not answered with a result. */
    private static String consequence(Optional<Twin> twin, StepView step, Exchange exchange, Reading reading) {
        boolean accepted = reading.observed().equals(Observed.SUCCESS) || reading.observed().equals(Observed.INVALID_RESPONSE);
        if (!accepted || reading.result() == null || !reading.result().isObject() || reading.result().path("isError").isBoolean()
                && reading.result().get("isError").booleanValue()) {
            return null;
        }
        ConsequenceJudge.Call bad = new ConsequenceJudge.Call(exchange.params().path("arguments"), CallResult.of(reading.result()));
        ConsequenceJudge.Call good = twin.filter(other -> other.reading().result() != null && other.reading().result().isObject())
                .map(other -> new ConsequenceJudge.Call(other.exchange().params().path("arguments"), CallResult.of(other.reading().result()))).orElse(null);
        return ConsequenceJudge.judge(bad, good, step.about("property"));
    }

    /** The call of the same tool with good arguments, where it was answered: one with a result if there is any. */
    private static Optional<Twin> twin(Group group, String tool) {
        Twin refused = null;
        for (Group.Placed placed : group.steps()) {
            if (placed.step().probe().equals(Probe.VALID_TWIN) && placed.step().about("tool").equals(tool)) {
                for (Exchange exchange : placed.log().exchanges(placed.step())) {
                    Twin twin = new Twin(placed.log(), exchange, Reactions.toCall(placed.log(), placed.step(), exchange));
                    if (twin.reading().result() != null && twin.reading().result().isObject()) {
                        return Optional.of(twin);
                    }
                    refused = refused == null && exchange.answer() != null ? twin : refused;
                }
            }
        }
        return Optional.ofNullable(refused);
    }

    /** A call with good arguments and how it was met. */
    private record Twin(SessionLog log, Exchange exchange, Reading reading) {
        /** A bad call was refused just as this one was: same channel, same code and, but for the arguments, same words. */
        boolean metLike(Exchange bad, Reading met) {
            boolean refused = met.observed().equals(Observed.TOOL_ERROR) || met.observed().equals(Observed.PROTOCOL_ERROR);
            return refused && met.observed().equals(reading.observed()) && Objects.equals(met.code(), reading.code())
                    && words(bad, met).equals(words(exchange, reading));
        }

        private static String words(Exchange exchange, Reading met) {
            JsonNode error = exchange.answer().response().node().path("error");
            String text = met.observed().equals(Observed.TOOL_ERROR) ? CallResult.of(met.result()).text()
                    : error.path("message").asText() + " " + error.path("data");
            return ArgumentMask.mask(text, exchange.params().path("arguments"));
        }
    }
}
