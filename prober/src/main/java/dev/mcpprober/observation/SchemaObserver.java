package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.EcmaPattern;
import dev.mcpprober.io.JsonSchemas.Dialect;
import dev.mcpprober.io.JsonSchemas;
import dev.mcpprober.io.SchemaRefs;
import dev.mcpprober.model.ProtocolRevision;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The schemas of tools, judged as instances of the bundled meta-schemas; nothing is fetched, {@code format} is annotation. Which
 * dialect counts depends on the revision: up to 2025-06-18 none is named, so any will do; from 2025-11-25 on it is the one that
 * {@code $schema} names, else 2020-12.
 */
final class SchemaObserver {
    /** Tools judged per listing. */
    private static final int MAX_TOOLS = 5_000;

    private SchemaObserver() {}

    /** Every schema check of a listing that has tools. */
    static List<Observation> observe(SessionLog log, ToolList list) {
        List<ToolList.Tool> tools = list.distinct().stream().limit(MAX_TOOLS).toList();
        List<Observation> out = new ArrayList<>(roots(Check.TOOLS_SCHEMA_ROOT, "inputSchema", log, list, tools));
        out.addAll(valid(log, list, tools));
        boolean modern = ToolListObserver.atLeast(log, ProtocolRevision.V2026_07_28);
        boolean outputs = !modern && ToolListObserver.atLeast(log, ProtocolRevision.V2025_06_18);
        out.addAll(outputs ? roots(Check.OUTPUT_SCHEMA_ROOT, "outputSchema", log, list, tools) : List.of(notAsked(Check.OUTPUT_SCHEMA_ROOT, log)));
        out.add(modern ? networkRefs(log, list, tools) : notAsked(Check.TOOLS_SCHEMA_NETWORK_REF, log));
        return out;
    }

    private static Observation notAsked(Check check, SessionLog log) {
        return new Observation.NotRun(Subjects.of(check, log), "the revision does not speak of it", "", List.of());
    }

    /** {@code type} at the root is the string {@code object}; one observation for each tool where it is not. */
    private static List<Observation> roots(Check check, String member, SessionLog log, ToolList list, List<ToolList.Tool> tools) {
        List<Observation> out = new ArrayList<>();
        int judged = 0;
        for (ToolList.Tool tool : tools) {
            if (!tool.node().has(member)) {
                continue;
            }
            judged++;
            JsonNode schema = tool.node().get(member);
            JsonNode type = schema.path("type");
            if (!type.isTextual() || !type.textValue().equals("object")) {
                out.add(new Observation.Finding(Subjects.ofTool(check, log, tool.name()), Observed.VIOLATES, Set.of(),
                        schema.isObject() ? "type is " + Phrase.quote(type) : member + " is " + Phrase.quote(schema), List.of(tool.event())));
            }
        }
        return out.isEmpty() ? List.of(conforms(check, member, log, list, judged, Phrase.count(judged, "schema"))) : out;
    }

    private static List<Observation> valid(SessionLog log, ToolList list, List<ToolList.Tool> tools) {
        boolean anyDialect = !ToolListObserver.atLeast(log, ProtocolRevision.V2025_11_25);
        List<Observation> out = new ArrayList<>();
        Set<String> dialects = new LinkedHashSet<>();
        int judged = 0;
        int faulty = 0;
        for (ToolList.Tool tool : tools) {
            if (!tool.node().has("inputSchema")) {
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
                Set<String> flags = new LinkedHashSet<>(verdict.flags());
                if (named.isTextual()) {
                    flags.add(Flag.DECLARED_DIALECT);
                }
                out.add(new Observation.Finding(subject, Observed.VIOLATES, flags, Phrase.detail(verdict.dialect() + ": " + verdict.fault()), List.of(tool.event())));
            }
        }
        if (faulty == 0 && judged > 0) {
            out.add(0, conforms(Check.TOOLS_SCHEMA_VALID, "inputSchema", log, list, judged, Phrase.count(judged, "schema") + ", "
                    + dialects.stream().sorted().collect(Collectors.joining(", "))));
        }
        return out.isEmpty() ? List.of(conforms(Check.TOOLS_SCHEMA_VALID, "inputSchema", log, list, 0, "")) : out;
    }

    private static Observation conforms(Check check, String member, SessionLog log, ToolList list, int judged, String detail) {
        return judged == 0 ? new Observation.NotRun(Subjects.of(check, log), "no tool has an " + member, "", List.of())
                : new Observation.Finding(Subjects.of(check, log), Observed.CONFORMS, Set.of(), Phrase.detail(detail), pages(list));
    }

    private static List<Integer> pages(ToolList list) {
        return list.pages().stream().limit(8).map(ToolList.Page::event).toList();
    }

    /** Of both schemas of every tool: the references that lead to another host. */
    private static Observation networkRefs(SessionLog log, ToolList list, List<ToolList.Tool> tools) {
        Set<String> uris = new LinkedHashSet<>();
        Set<Integer> witness = new LinkedHashSet<>();
        for (ToolList.Tool tool : tools) {
            for (String member : List.of("inputSchema", "outputSchema")) {
                Set<String> here = SchemaRefs.of(tool.node().path(member)).network();
                if (!here.isEmpty()) {
                    uris.addAll(here);
                    witness.add(tool.event());
                }
            }
        }
        Subject subject = Subjects.of(Check.TOOLS_SCHEMA_NETWORK_REF, log);
        return uris.isEmpty() ? new Observation.Finding(subject, Observed.ABSENT, Set.of(), Phrase.count(tools.size(), "tool"), pages(list))
                : new Observation.Finding(subject, Observed.PRESENT, Set.of(), Phrase.detail(uris.stream().limit(20).collect(Collectors.joining(", "))),
                        witness.stream().limit(8).toList());
    }

    /**
     * @param fault null where the schema is valid
     * @param flags set where the fault is one that no meta-schema sees
     */
    private record Verdict(String dialect, String fault, Set<String> flags) {}

    /** Null where the schema is too large or too deep to be judged. */
    private static Verdict one(JsonNode schema, Dialect dialect) {
        try {
            List<String> faults = JsonSchemas.faultsOfSchema(schema, dialect);
            return faults.isEmpty() ? beside(schema, dialect) : new Verdict(label(dialect), faults.get(0), Set.of());
        } catch (JsonSchemas.UnusableSchemaException e) {
            return null;
        }
    }

    /** Faults that leave a schema valid: references into the schema that lead nowhere, patterns that not every engine reads. */
    private static Verdict beside(JsonNode schema, Dialect dialect) {
        SchemaRefs refs = SchemaRefs.of(schema);
        Optional<String> dangling = refs.dangling();
        if (dangling.isPresent()) {
            return new Verdict(label(dialect), "$ref " + Phrase.quote(dangling.get()) + " leads to nothing in the schema", Set.of(Flag.DANGLING_REF));
        }
        for (String pattern : refs.patterns()) {
            Optional<String> fault = EcmaPattern.fault(pattern);
            if (fault.isPresent()) {
                return new Verdict(label(dialect), "pattern is no ECMA-262 expression (" + fault.get() + "): " + Phrase.quote(pattern), Set.of(Flag.REGEX));
            }
        }
        return new Verdict(label(dialect), null, Set.of());
    }

    /** The newest dialect under which the schema is without fault, or at least valid. */
    private static Verdict any(JsonNode schema) {
        Dialect[] dialects = Dialect.values();
        Verdict newest = null;
        for (int i = dialects.length - 1; i >= 0; i--) {
            Verdict verdict = one(schema, dialects[i]);
            if (verdict == null || verdict.fault() == null || !verdict.flags().isEmpty()) {
                return verdict;
            }
            newest = newest == null ? verdict : newest;
        }
        return new Verdict("no dialect from draft-04 to 2020-12, e.g. " + newest.dialect(), newest.fault(), Set.of());
    }

    private static String label(Dialect dialect) {
        return dialect.name().toLowerCase(Locale.ROOT).replace("draft_20", "20").replace('_', '-');
    }
}
