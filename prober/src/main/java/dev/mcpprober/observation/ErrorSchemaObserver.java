package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.JsonSchemas;
import dev.mcpprober.io.JsonSchemas.Dialect;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Structured content of error results against {@code errorSchema} of the listing (a proposal in the thread of SEP-2145): one schema for all
 * tools, from the first page that has one; where it names no dialect, 2020-12.
 */
final class ErrorSchemaObserver {
    private static final String MEMBER = "errorSchema";

    private ErrorSchemaObserver() {}

    /** One observation over sessions of an era, none where nothing was listed. */
    static List<Observation> observe(List<SessionLog> logs) {
        Optional<SessionLog> listed = logs.stream().filter(log -> ToolList.of(log).listed()).findFirst();
        if (listed.isEmpty()) {
            return List.of();
        }
        Optional<JsonNode> schema = schema(ToolList.of(listed.get()));
        Subject subject = Subjects.of(Check.ERROR_SCHEMA_CONFORMS, listed.get());
        if (schema.isEmpty()) {
            List<Integer> pages = ToolList.of(listed.get()).pages().stream().map(ToolList.Page::event).limit(3).toList();
            return List.of(new Observation.Finding(subject, Observed.ABSENT, Set.of(), "no errorSchema in the listing", pages));
        }
        JsonNode named = schema.get().path("$schema");
        Optional<Dialect> dialect = named.isTextual() ? Dialect.of(named.textValue()) : Optional.of(Dialect.DRAFT_2020_12);
        if (dialect.isEmpty()) {
            return List.of(new Observation.NotRun(subject, "dialect", Phrase.quote(named), List.of()));
        }
        try {
            return List.of(judged(logs, subject, schema.get(), dialect.get()));
        } catch (JsonSchemas.UnusableSchemaException e) {
            return List.of(new Observation.NotRun(subject, "errorSchema cannot be put to use", Phrase.detail(e.getMessage()), List.of()));
        }
    }

    private static Optional<JsonNode> schema(ToolList list) {
        return list.pages().stream().map(page -> page.result().path(MEMBER)).filter(node -> node.isObject() || node.isBoolean()).findFirst();
    }

    /** The first result that does not conform, else the first that does. */
    private static Observation judged(List<SessionLog> logs, Subject subject, JsonNode schema, Dialect dialect) throws JsonSchemas.UnusableSchemaException {
        List<Observation> conforming = new ArrayList<>();
        for (SessionLog log : logs) {
            for (Exchange exchange : log.exchanges()) {
                JsonNode result = exchange.method().equals("tools/call") && exchange.answer() != null ? exchange.answer().response().node().path("result") : null;
                if (result == null || !result.path("isError").asBoolean(false) || !result.has("structuredContent")) {
                    continue;
                }
                JsonNode value = result.get("structuredContent");
                List<String> faults = JsonSchemas.faultsOfInstance(schema, dialect, value);
                List<Integer> witness = List.of(exchange.sentAt(), exchange.answer().event());
                Subject shown = Subjects.ofTool(Check.ERROR_SCHEMA_CONFORMS, log, exchange.params().path("name").asText(null));
                if (!faults.isEmpty()) {
                    return new Observation.Finding(shown, Observed.VIOLATES, Set.of(), Phrase.detail(faults.get(0) + " in " + Phrase.quote(value)), witness);
                }
                if (conforming.isEmpty()) {
                    conforming.add(new Observation.Finding(shown, Observed.CONFORMS, Set.of(), Phrase.quote(value), witness));
                }
            }
        }
        return conforming.isEmpty() ? new Observation.NotRun(subject, "no error result has structured content", "", List.of()) : conforming.get(0);
    }
}
