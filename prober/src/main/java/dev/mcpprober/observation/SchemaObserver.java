package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.JsonSchemas;
import dev.mcpprober.io.JsonSchemas.Dialect;
import dev.mcpprober.model.ProtocolRevision;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The input schemas of tools, judged as instances of the bundled meta-schemas; nothing is fetched, {@code format} is
 * annotation. Which dialect counts depends on the revision: up to 2025-06-18 none is named, so any will do; from 2025-11-25
 * on it is the one that {@code $schema} names, else 2020-12.
 */
final class SchemaObserver {
    /** Tools judged per listing. */
    private static final int MAX_TOOLS = 1_000;

    private SchemaObserver() {}

    /** {@code type} at the root is the string {@code object}; one observation for each tool where it is not. */
    static List<Observation> roots(SessionLog log, ToolList list) {
        List<Observation> out = new ArrayList<>();
        int judged = 0;
        for (ToolList.Tool tool : list.distinct()) {
            if (!tool.node().has("inputSchema")) {
                continue;
            }
            judged++;
            JsonNode schema = tool.node().get("inputSchema");
            JsonNode type = schema.path("type");
            if (!type.isTextual() || !type.textValue().equals("object")) {
                out.add(new Observation.Finding(Subjects.ofTool(Check.TOOLS_SCHEMA_ROOT, log, tool.name()), Observed.VIOLATES, Set.of(),
                        schema.isObject() ? "type is " + Phrase.quote(type) : "inputSchema is " + Phrase.quote(schema), List.of(tool.event())));
            }
        }
        return out.isEmpty() ? List.of(conforms(Check.TOOLS_SCHEMA_ROOT, log, list, judged, Phrase.count(judged, "schema"))) : out;
    }

    static List<Observation> valid(SessionLog log, ToolList list) {
        boolean anyDialect = !ToolListObserver.atLeast(log, ProtocolRevision.V2025_11_25);
        List<Observation> out = new ArrayList<>();
        Set<String> dialects = new LinkedHashSet<>();
        int judged = 0;
        int faulty = 0;
        for (ToolList.Tool tool : list.distinct()) {
            if (!tool.node().has("inputSchema") || judged >= MAX_TOOLS) {
                continue;
            }
            JsonNode schema = tool.node().get("inputSchema");
            Subject subject = Subjects.ofTool(Check.TOOLS_SCHEMA_VALID, log, tool.name());
            JsonNode named = schema.path("$schema");
            Optional<Dialect> dialect = named.isTextual() ? Dialect.of(named.textValue()) : Optional.of(Dialect.DRAFT_2020_12);
            if (!anyDialect && dialect.isEmpty()) {
                out.add(new Observation.NotRun(subject, "dialect", Phrase.quote(named), List.of(tool.event())));
                continue;
            }
            Verdict verdict = anyDialect ? any(schema) : one(schema, dialect.get());
            if (verdict == null) {
                out.add(new Observation.NotRun(subject, "schema past a limit of ours", "", List.of(tool.event())));
                continue;
            }
            judged++;
            if (verdict.fault() == null) {
                dialects.add(verdict.dialect());
            } else {
                faulty++;
                out.add(new Observation.Finding(subject, Observed.VIOLATES, named.isTextual() ? Set.of(Flag.DECLARED_DIALECT) : Set.of(),
                        Phrase.detail(verdict.dialect() + ": " + verdict.fault()), List.of(tool.event())));
            }
        }
        if (faulty == 0 && judged > 0) {
            out.add(0, conforms(Check.TOOLS_SCHEMA_VALID, log, list, judged, Phrase.count(judged, "schema") + ", "
                    + dialects.stream().sorted().collect(Collectors.joining(", "))));
        }
        return out.isEmpty() ? List.of(conforms(Check.TOOLS_SCHEMA_VALID, log, list, 0, "")) : out;
    }

    private static Observation conforms(Check check, SessionLog log, ToolList list, int judged, String detail) {
        return judged == 0 ? new Observation.NotRun(Subjects.of(check, log), "no tool has an inputSchema", "", List.of())
                : new Observation.Finding(Subjects.of(check, log), Observed.CONFORMS, Set.of(), Phrase.detail(detail),
                        list.pages().stream().limit(8).map(ToolList.Page::event).toList());
    }

    /** @param fault null where the schema is valid */
    private record Verdict(String dialect, String fault) {}

    /** Null where the schema is too large or too deep to be judged. */
    private static Verdict one(JsonNode schema, Dialect dialect) {
        try {
            List<String> faults = JsonSchemas.faultsOfSchema(schema, dialect);
            return new Verdict(label(dialect), faults.isEmpty() ? null : faults.get(0));
        } catch (JsonSchemas.UnusableSchemaException e) {
            return null;
        }
    }

    private static Verdict any(JsonNode schema) {
        Dialect[] dialects = Dialect.values();
        Verdict newest = null;
        for (int i = dialects.length - 1; i >= 0; i--) {
            Verdict verdict = one(schema, dialects[i]);
            if (verdict == null || verdict.fault() == null) {
                return verdict;
            }
            newest = newest == null ? verdict : newest;
        }
        return new Verdict("no dialect from draft-04 to 2020-12, e.g. " + newest.dialect(), newest.fault());
    }

    private static String label(Dialect dialect) {
        return dialect.name().toLowerCase(Locale.ROOT).replace("draft_20", "20").replace('_', '-');
    }
}
