package dev.mcpprober.dataset;

import static dev.mcpprober.dataset.Column.flag;
import static dev.mcpprober.dataset.Column.integer;
import static dev.mcpprober.dataset.Column.oneOf;
import static dev.mcpprober.dataset.Column.plain;
import static dev.mcpprober.dataset.Column.text;

import dev.mcpprober.dataset.TableSchema.ForeignKey;
import dev.mcpprober.traits.DeclaredTool;
import dev.mcpprober.traits.SchemaTraits;
import dev.mcpprober.traits.ThirdState;
import dev.mcpprober.traits.ToolNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Tables of trait {@code declared}: what servers say of their tools before anything is called. */
final class TraitTables {
    private static final ForeignKey TO_TARGET = new ForeignKey(List.of("target_id"), "targets", List.of("target_id"));

    static final TableSchema DECLARED_TOOLS = new TableSchema("declared-tools", "What servers declare of their tools in tools/list, without a call: a trait, never scored. "
            + "One row for each tool of the session that stands for the server, at most the first 5000 of a server.", List.of(
            plain("target_id", "The target.").always(),
            plain("tool", "Number within its target, in the order listed.").always(),
            plain("trait", "Rules and version that described it.").always(),
            plain("session", "Session whose listing it is.").always(),
            integer("event", "Index of the answer that lists it, in the session's transcript.").always(),
            text("name_text", "Its name; empty where it has none."),
            oneOf("name_form", "Held against the names that revision 2025-11-25 describes: 1 to 128 letters, digits, underscores, hyphens and dots.", ToolNames.FORMS).always(),
            oneOf("name_style", "How the words of the name are joined; empty for none.", ToolNames.STYLES),
            oneOf("verb", "What kind of tool it is by the first verb in its name.", ToolNames.VERBS).always(),
            plain("verb_word", "That verb; empty where no word of the name is in the lists."),
            flag("annotated", "True where it has annotations with at least one member.").always(),
            oneOf("read_only_hint", "As declared; absent leaves the protocol's default, other is no boolean.", DeclaredTool.HINT_VALUES).always(),
            oneOf("destructive_hint", "The same.", DeclaredTool.HINT_VALUES).always(),
            oneOf("idempotent_hint", "The same.", DeclaredTool.HINT_VALUES).always(),
            oneOf("open_world_hint", "The same.", DeclaredTool.HINT_VALUES).always(),
            oneOf("effect", "What kind of tool it is by its annotations alone, defaults left out.", DeclaredTool.EFFECTS).always(),
            oneOf("input_schema", "Its inputSchema.", SchemaTraits.DECLARED).always(),
            oneOf("output_schema", "Its outputSchema.", SchemaTraits.DECLARED).always(),
            oneOf("input_dialect", "Dialect that the inputSchema names.", SchemaTraits.DIALECTS).always(),
            oneOf("output_dialect", "Dialect that the outputSchema names.", SchemaTraits.DIALECTS).always(),
            plain("input_features", "What the inputSchema is made of, at any depth, parted by semicolons; see list schema-feature."),
            plain("output_features", "The same of the outputSchema."),
            integer("input_properties", "Properties at the root of the inputSchema.").always(),
            integer("input_required", "Names that its root demands.").always(),
            integer("input_described", "Properties of its root with a description.").always(),
            integer("input_depth", "Properties within properties: 0 for none, 1 for a flat object.").always(),
            integer("output_depth", "The same of the outputSchema.").always(),
            oneOf("task_support", "execution.taskSupport, of revision 2025-11-25.", DeclaredTool.TASK_SUPPORT).always(),
            integer("description_length", "Characters of the description.").always(),
            integer("third_state", "Rows of table vocabulary for it that count.").always(),
            integer("third_state_marked", "Rows of table vocabulary for it that are marked as something else.").always(),
            flag("whole", "False where it has more text or schema than is looked through, or more hits than are kept.").always()),
            List.of("target_id", "tool"), List.of(TO_TARGET, new ForeignKey(List.of("target_id", "session"), "sessions", List.of("target_id", "session"))));

    static final TableSchema VOCABULARY = new TableSchema("vocabulary", "Words in what servers declare that may announce a third state beside success and failure: "
            + "acknowledged, and nobody has verified it. Every place is listed, at most 50 for a tool; what is something else is marked.", List.of(
            plain("target_id", "The target.").always(),
            plain("tool", "See table declared-tools.").always(),
            plain("hit", "Number within its tool.").always(),
            oneOf("place", "Where in the tool.", ThirdState.PLACES).always(),
            text("pointer_text", "The same exactly, a JSON pointer into the tool."),
            oneOf("term", "Word or phrase.", Derived.DECLARED.terms()).always(),
            oneOf("class", "state: names a state; deferral: a deed that comes later; unproven: an effect that nobody vouches for.", ThirdState.CLASSES).always(),
            oneOf("mark", "Rule by which it is something else; empty where it counts.", List.copyOf(Derived.DECLARED.notOnes().keySet())),
            text("context_text", "What stands around it.")),
            List.of("target_id", "tool", "hit"), List.of(new ForeignKey(List.of("target_id", "tool"), "declared-tools", List.of("target_id", "tool"))));

    private TraitTables() {}

    /** Adds the rows of one target to both lists. */
    static void rows(String target, List<DeclaredTool> tools, List<Row> declared, List<Row> vocabulary) {
        for (DeclaredTool tool : tools) {
            String id = String.format(Locale.ROOT, "t%05d", declared.size() + 1);
            declared.add(row(target, id, tool));
            List<ThirdState.Hit> hits = tool.hits();
            for (int i = 0; i < hits.size(); i++) {
                ThirdState.Hit hit = hits.get(i);
                vocabulary.add(new Row(VOCABULARY).set("target_id", target).set("tool", id).set("hit", String.format(Locale.ROOT, "h%02d", i + 1)).set("place", hit.place())
                        .set("pointer_text", hit.pointer()).set("term", hit.term()).set("class", hit.kind()).set("mark", hit.notOne())
                        .set("context_text", hit.context()));
            }
        }
    }

    private static Row row(String target, String id, DeclaredTool tool) {
        SchemaTraits input = tool.input();
        SchemaTraits output = tool.output();
        return new Row(DECLARED_TOOLS).set("target_id", target).set("tool", id).set("trait", Derived.DECLARED.label()).set("session", tool.session())
                .set("event", tool.event()).set("name_text", tool.name()).set("name_form", tool.form()).set("name_style", tool.style())
                .set("verb", tool.verb().kind()).set("verb_word", tool.verb().word()).set("annotated", tool.annotated())
                .set("read_only_hint", tool.hints().get("readOnlyHint")).set("destructive_hint", tool.hints().get("destructiveHint"))
                .set("idempotent_hint", tool.hints().get("idempotentHint")).set("open_world_hint", tool.hints().get("openWorldHint")).set("effect", tool.effect())
                .set("input_schema", input.declared()).set("output_schema", output.declared()).set("input_dialect", input.dialect()).set("output_dialect", output.dialect())
                .set("input_features", new ArrayList<>(input.features())).set("output_features", new ArrayList<>(output.features()))
                .set("input_properties", input.properties()).set("input_required", input.required()).set("input_described", input.described())
                .set("input_depth", input.depth()).set("output_depth", output.depth()).set("task_support", tool.taskSupport())
                .set("description_length", tool.description()).set("third_state", tool.thirdState()).set("third_state_marked", tool.hits().size() - tool.thirdState())
                .set("whole", tool.whole());
    }
}
