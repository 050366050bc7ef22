package dev.mcpprober.session;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The tools of all pages, each name once, in the order listed; entries without a usable name or schema are left out. */
final class ToolListing {
    /** @param schema the declared {@code inputSchema}, an object */
    record Tool(String name, JsonNode schema, boolean readOnly) {}

    private final List<Tool> tools = new ArrayList<>();
    private final Set<String> names = new HashSet<>();

    void addPage(JsonNode result) {
        for (JsonNode entry : result.path("tools")) {
            JsonNode name = entry.path("name");
            if (name.isTextual() && names.add(name.textValue()) && entry.path("inputSchema").isObject()) {
                tools.add(new Tool(name.textValue(), entry.get("inputSchema"), entry.path("annotations").path("readOnlyHint").asBoolean(false)));
            }
        }
    }

    List<Tool> tools() {
        return List.copyOf(tools);
    }

    boolean has(String name) {
        return names.contains(name);
    }
}
