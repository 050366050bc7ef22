package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.io.JsonSchemas;
import dev.mcpprober.io.JsonSchemas.Dialect;
import dev.mcpprober.model.Era;
import dev.mcpprober.model.ProtocolRevision;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Structured results of calls with good arguments, for tools that declare an output schema (2025-06-18 on). */
final class OutputObserver {
    private OutputObserver() {}

    static List<Observation> observe(SessionLog log, StepView step) {
        Optional<ToolList.Tool> tool = ToolList.of(log).tool(step.about("tool"));
        List<Exchange> exchanges = log.exchanges(step);
        if (step.skipped() || exchanges.isEmpty() || tool.isEmpty() || !ToolListObserver.atLeast(log, ProtocolRevision.V2025_06_18)) {
            return List.of();
        }
        Reading reading = Reactions.toCall(log, step, exchanges.get(0));
        List<Observation> out = new ArrayList<>();
        if (declares(log, tool)) {
            out.add(conformity(log, step, reading, tool.get().node().path("outputSchema")));
        }
        if (reading.observed().equals(Observed.SUCCESS) && reading.result().has("structuredContent")) {
            out.add(mirror(log, step, reading));
        }
        return out;
    }

    /** The tool has an output schema, and the session a revision that knows of such. */
    static boolean declares(SessionLog log, Optional<ToolList.Tool> tool) {
        return ToolListObserver.atLeast(log, ProtocolRevision.V2025_06_18)
                && tool.map(t -> t.node().path("outputSchema")).filter(schema -> schema.isObject() || schema.isBoolean()).isPresent();
    }

    static Observation conformity(SessionLog log, StepView step, Reading reading, JsonNode schema) {
        Subject subject = Subjects.ofCall(Check.OUTPUT_SCHEMA, log, step);
        if (!reading.observed().equals(Observed.SUCCESS)) {
            return new Observation.NotRun(subject, "the call gave no success", Phrase.detail(reading.observed() + ": " + reading.detail()), reading.witness());
        }
        if (!reading.result().has("structuredContent")) {
            return new Observation.Finding(subject, Observed.ABSENT, Set.of(), "no structuredContent: " + reading.detail(), reading.witness());
        }
        JsonNode value = reading.result().get("structuredContent");
        if (log.era() == Era.LEGACY && !value.isObject()) {
            return new Observation.Finding(subject, Observed.VIOLATES, Set.of(), "structuredContent is no object: " + Phrase.quote(value), reading.witness());
        }
        List<Dialect> dialects = dialects(log, schema);
        if (dialects.isEmpty()) {
            return new Observation.NotRun(subject, "dialect", Phrase.quote(schema.path("$schema")), reading.witness());
        }
        String fault = null;
        for (Dialect dialect : dialects) {
            try {
                List<String> faults = JsonSchemas.faultsOfInstance(schema, dialect, value);
                if (faults.isEmpty()) {
                    return new Observation.Finding(subject, Observed.CONFORMS, Set.of(), Phrase.quote(value), reading.witness());
                }
                fault = faults.get(0);
            } catch (JsonSchemas.UnusableSchemaException e) {
                return new Observation.NotRun(subject, "outputSchema cannot be put to use", Phrase.detail(e.getMessage()), reading.witness());
            }
        }
        return new Observation.Finding(subject, Observed.VIOLATES, Set.of(), Phrase.detail(fault + " in " + Phrase.quote(value)), reading.witness());
    }

    private static List<Dialect> dialects(SessionLog log, JsonNode schema) {
        JsonNode named = schema.path("$schema");
        if (named.isTextual()) {
            return Dialect.of(named.textValue()).map(List::of).orElse(List.of());
        }
        return ToolListObserver.atLeast(log, ProtocolRevision.V2025_11_25) ? List.of(Dialect.DRAFT_2020_12) : List.of(Dialect.DRAFT_2020_12, Dialect.DRAFT_07);
    }

    private static Observation mirror(SessionLog log, StepView step, Reading reading) {
        Subject subject = Subjects.ofCall(Check.STRUCTURED_TEXT, log, step);
        List<String> texts = CallResult.of(reading.result()).texts();
        JsonNode value = reading.result().get("structuredContent");
        boolean mirrored = texts.stream().anyMatch(text -> Json.parse(text) instanceof Json.Parsed.Value parsed && parsed.node().equals(value));
        return new Observation.Finding(subject, mirrored ? "mirrored" : texts.isEmpty() ? Observed.ABSENT : "text-only-prose", Set.of(), reading.detail(), reading.witness());
    }
}
