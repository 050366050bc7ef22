package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.model.ProtocolRevision;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

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
        String consequence = consequence(group, step, exchange, reading);
        Set<String> flags = new LinkedHashSet<>(reading.flags());
        flags.remove(Flag.ERROR_TEXT);
        if (Consequence.IN_BAND_ERROR.equals(consequence)) {
            flags.add(Flag.ERROR_TEXT);
        }
        if (check == Check.TOOLS_CALL_WRONG_TYPE && tool.isPresent()
                && Coercion.possible(tool.get().node().path("inputSchema"), step.about("property"), exchange.params().path("arguments"))) {
            flags.add(Flag.COERCIBLE);
        }
        return new Reading(reading.observed(), reading.code(), flags, reading.detail(), reading.witness(), reading.result()).observation(subject, consequence);
    }

    /** Such a tool must refuse every plain call, so a refusal says nothing about arguments. */
    private static boolean demandsTask(SessionLog log, JsonNode tool) {
        return log.handshake().known().map(r -> r == ProtocolRevision.V2025_11_25).orElse(false)
                && tool.path("execution").path("taskSupport").asText().equals("required")
                && log.handshake().result().path("capabilities").path("tasks").path("requests").path("tools").has("call");
    }

    /** Null where the call was refused, or not answered with a result. */
    private static String consequence(Group group, StepView step, Exchange exchange, Reading reading) {
        boolean accepted = reading.observed().equals(Observed.SUCCESS) || reading.observed().equals(Observed.INVALID_RESPONSE);
        if (!accepted || reading.result() == null || !reading.result().isObject() || reading.result().path("isError").isBoolean()
                && reading.result().get("isError").booleanValue()) {
            return null;
        }
        ConsequenceJudge.Call bad = new ConsequenceJudge.Call(exchange.params().path("arguments"), CallResult.of(reading.result()));
        return ConsequenceJudge.judge(bad, twin(group, step.about("tool")).orElse(null), step.about("property"));
    }

    /** The call of the same tool with good arguments, where it gave a result. */
    private static Optional<ConsequenceJudge.Call> twin(Group group, String tool) {
        for (Group.Placed placed : group.steps()) {
            if (placed.step().probe().equals(Probe.VALID_TWIN) && placed.step().about("tool").equals(tool)) {
                for (Exchange exchange : placed.log().exchanges(placed.step())) {
                    Reading reading = Reactions.toCall(placed.log(), placed.step(), exchange);
                    if (reading.result() != null && reading.result().isObject()) {
                        return Optional.of(new ConsequenceJudge.Call(exchange.params().path("arguments"), CallResult.of(reading.result())));
                    }
                }
            }
        }
        return Optional.empty();
    }
}
