package dev.mcpprober.dataset.declared;

import dev.mcpprober.traits.DeclaredTool;
import dev.mcpprober.traits.SchemaTraits;
import dev.mcpprober.traits.ThirdState;
import dev.mcpprober.traits.ToolNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Which figures a tool counts for, and with which values. */
final class DeclaredFigures {
    static final String SERVER = "server-";
    private static final String ANY = "any";
    private static final List<String> NAMES = List.of("annotations", "destructive-hint", "effect", "effect-of-read-verb", "effect-of-write-verb", "idempotent-hint",
            "input-dialect", "input-feature", "name-form", "name-style", "open-world-hint", "output-dialect", "output-feature", "read-only-hint", "schema",
            "schema-of-write-annotation", "schema-of-write-verb", "server-annotations", "server-output-schema", "server-third-state", "task-support", "third-state",
            "third-state-of-write-verb", "verb");

    private static final List<String> SCHEMAS = List.of("input-schema", "input-properties", "output-schema", "no-schema");
    private static final List<String> THIRD = Stream.concat(Stream.of(ANY), ThirdState.CLASSES.stream()).toList();
    /** Values that are told where no tool has them, too: that nobody declares an output schema is a finding. */
    private static final Map<String, List<String>> ALWAYS = Map.of("schema", SCHEMAS, "schema-of-write-verb", SCHEMAS, "schema-of-write-annotation", SCHEMAS,
            "server-annotations", List.of("all", ANY), "server-output-schema", List.of(ANY), "server-third-state", THIRD, "third-state", THIRD, "third-state-of-write-verb", THIRD);

    private DeclaredFigures() {}

    /** Values of a figure that stand in the table as soon as something counts for it. */
    static List<String> always(String figure) {
        return ALWAYS.getOrDefault(figure, List.of());
    }

    /** In byte order, as rows of the table stand. */
    static List<String> names() {
        return NAMES;
    }

    /** Figure to values; a figure that the tool does not count for is not there, one that it counts for without a value has none. */
    static Map<String, List<String>> of(DeclaredTool tool) {
        Map<String, List<String>> out = new LinkedHashMap<>();
        out.put("annotations", List.of(tool.annotated() ? "present" : "absent"));
        out.put("read-only-hint", List.of(tool.hints().get("readOnlyHint")));
        out.put("destructive-hint", List.of(tool.hints().get("destructiveHint")));
        out.put("idempotent-hint", List.of(tool.hints().get("idempotentHint")));
        out.put("open-world-hint", List.of(tool.hints().get("openWorldHint")));
        out.put("effect", List.of(tool.effect()));
        out.put("verb", List.of(tool.verb().kind()));
        boolean writes = tool.verb().kind().equals(ToolNames.WRITE);
        if (!tool.verb().kind().equals(ToolNames.NONE)) {
            out.put(writes ? "effect-of-write-verb" : "effect-of-read-verb", List.of(tool.effect()));
        }
        List<String> schemas = schemas(tool.input(), tool.output());
        out.put("schema", schemas);
        if (writes) {
            out.put("schema-of-write-verb", schemas);
        }
        if (tool.effect().equals("write") || tool.effect().equals("destructive")) {
            out.put("schema-of-write-annotation", schemas);
        }
        out.put("name-form", List.of(tool.form()));
        if (!tool.style().isEmpty()) {
            out.put("name-style", List.of(tool.style()));
        }
        if (object(tool.input())) {
            out.put("input-dialect", List.of(tool.input().dialect()));
            out.put("input-feature", tool.input().features());
        }
        if (object(tool.output())) {
            out.put("output-dialect", List.of(tool.output().dialect()));
            out.put("output-feature", tool.output().features());
        }
        out.put("task-support", List.of(tool.taskSupport()));
        List<String> third = thirdState(tool);
        out.put("third-state", third);
        if (writes) {
            out.put("third-state-of-write-verb", third);
        }
        return out;
    }

    static Map<String, List<String>> ofServer(List<DeclaredTool> tools) {
        Map<String, List<String>> out = new LinkedHashMap<>();
        long annotated = tools.stream().filter(DeclaredTool::annotated).count();
        out.put("server-annotations", annotated == 0 ? List.of() : annotated == tools.size() ? List.of("all", ANY) : List.of(ANY));
        out.put("server-output-schema", tools.stream().anyMatch(tool -> object(tool.output())) ? List.of(ANY) : List.of());
        TreeSet<String> third = new TreeSet<>();
        tools.forEach(tool -> third.addAll(thirdState(tool)));
        out.put("server-third-state", List.copyOf(third));
        return out;
    }

    private static boolean object(SchemaTraits schema) {
        return schema.declared().equals("bare") || schema.declared().equals("properties");
    }

    private static List<String> schemas(SchemaTraits input, SchemaTraits output) {
        List<String> out = new ArrayList<>();
        if (object(input)) {
            out.add("input-schema");
        }
        if (input.declared().equals("properties")) {
            out.add("input-properties");
        }
        if (object(output)) {
            out.add("output-schema");
        }
        return out.isEmpty() ? List.of("no-schema") : out;
    }

    private static List<String> thirdState(DeclaredTool tool) {
        TreeSet<String> out = new TreeSet<>();
        tool.hits().stream().filter(ThirdState.Hit::counts).forEach(hit -> {
            out.add(ANY);
            out.add(hit.kind());
        });
        return List.copyOf(out);
    }
}
