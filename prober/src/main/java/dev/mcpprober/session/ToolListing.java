package dev.mcpprober.session;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** The tools of all pages, each name once, in the order listed; entries without a usable name or schema are left out. */
final class ToolListing {
    /** Words in a name that speak of an effect on the world. */
    private static final Pattern EFFECT = Pattern.compile("(?i)(?<![a-z])(add|append|apply|approve|archive|assign|book|buy|cancel|clear|close|commit|copy"
            + "|create|delete|deploy|disable|drop|edit|enable|exec|execute|import|insert|install|invite|kill|launch|merge|modify|move|open|order|patch|pay"
            + "|post|publish|purge|push|put|remove|rename|replace|reset|restart|restore|revoke|rollback|run|save|schedule|send|set|sign|start|stop|store|submit"
            + "|subscribe|sync|transfer|trigger|uninstall|unlink|update|upgrade|upload|write)(?![a-z])");
    private static final Pattern CAMEL = Pattern.compile("(?<=[a-z])(?=[A-Z])");

    /**
     * @param schema   the declared {@code inputSchema}, an object
     * @param harmless declared read-only; or nothing else is declared and the name speaks of no effect
     * @param output   declares an {@code outputSchema}
     */
    record Tool(String name, JsonNode schema, boolean harmless, boolean output) {}

    private final List<Tool> tools = new ArrayList<>();
    private final Set<String> names = new HashSet<>();

    void addPage(JsonNode result) {
        for (JsonNode entry : result.path("tools")) {
            JsonNode name = entry.path("name");
            if (name.isTextual() && names.add(name.textValue()) && entry.path("inputSchema").isObject()) {
                tools.add(new Tool(name.textValue(), entry.get("inputSchema"), harmless(name.textValue(), entry.path("annotations")),
                        entry.has("outputSchema")));
            }
        }
    }

    private static boolean harmless(String name, JsonNode annotations) {
        if (annotations.path("readOnlyHint").isBoolean()) {
            return annotations.path("readOnlyHint").booleanValue();
        }
        return !annotations.path("destructiveHint").asBoolean(false) && !EFFECT.matcher(CAMEL.matcher(name).replaceAll("_")).find();
    }

    List<Tool> tools() {
        return List.copyOf(tools);
    }

    boolean has(String name) {
        return names.contains(name);
    }
}
