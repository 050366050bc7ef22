package dev.mcpprober.traits;

import java.util.List;
import java.util.Map;

/**
 * One tool as its server declares it, without a call.
 *
 * @param session     whose listing it is
 * @param name        raw; empty where it has none that is a string
 * @param form        one of {@link ToolNames#FORMS}
 * @param style       one of {@link ToolNames#STYLES}; empty for a name that is missing or empty
 * @param verb        by its name
 * @param annotated   has annotations with at least one member
 * @param hints       each of {@link #HINTS} to one of {@link #HINT_VALUES}
 * @param effect      by its annotations, one of {@link #EFFECTS}
 * @param input       its inputSchema
 * @param output      its outputSchema
 * @param taskSupport one of {@link #TASK_SUPPORT}
 * @param description length of the description in characters; 0 for none
 * @param hits        of the vocabulary, in the order of the tool's texts
 * @param whole       false where it has more texts than are looked through
 * @param event       of the answer that lists it
 */
public record DeclaredTool(String session, String name, String form, String style, ToolNames.Verb verb, boolean annotated, Map<String, String> hints, String effect,
                           SchemaTraits input, SchemaTraits output, String taskSupport, int description, List<ThirdState.Hit> hits, boolean whole, int event) {
    public static final List<String> HINTS = List.of("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint");
    public static final List<String> HINT_VALUES = List.of("true", "false", "absent", "other");
    public static final List<String> EFFECTS = List.of("read", "write", "destructive", "undeclared", "contradictory");
    public static final List<String> TASK_SUPPORT = List.of("absent", "forbidden", "optional", "required", "other");

    public DeclaredTool {
        hints = Map.copyOf(hints);
        hits = List.copyOf(hits);
    }

    /** Hits that nothing marks as something else. */
    public int thirdState() {
        return (int) hits.stream().filter(ThirdState.Hit::counts).count();
    }

    /**
     * What the annotations say, and nothing that they leave out: {@code read}, readOnlyHint true; {@code destructive}, destructiveHint true;
     * {@code write}, readOnlyHint false or destructiveHint false; {@code contradictory}, both true; {@code undeclared}, neither hint.
     */
    static String effect(Map<String, String> hints) {
        boolean read = hints.get("readOnlyHint").equals("true");
        boolean destructive = hints.get("destructiveHint").equals("true");
        if (read || destructive) {
            return !read ? "destructive" : destructive ? "contradictory" : "read";
        }
        return hints.get("readOnlyHint").equals("false") || hints.get("destructiveHint").equals("false") ? "write" : "undeclared";
    }
}
