package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Whether a value of the wrong type is one that usual conversions turn into the declared type, so that taking it is no blindness. */
final class Coercion {
    private static final Pattern NUMBER = Pattern.compile("\\s*[-+]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][-+]?\\d+)?\\s*|\\s*");
    private static final Set<String> BOOLEAN = Set.of("", "true", "false", "yes", "no", "on", "off", "1", "0", "t", "f", "y", "n");
    private static final int MAX_REFS = 20;

    private Coercion() {}

    /** @param schema the tool's whole input schema; only references within it are followed */
    static boolean possible(JsonNode schema, String property, JsonNode arguments) {
        JsonNode value = arguments.path(property);
        Set<String> types = types(schema, schema.path("properties").path(property));
        if (value.isMissingNode() || types.isEmpty()) {
            return false;
        }
        boolean number = types.contains("number") || types.contains("integer");
        if (value.isNumber()) {
            return types.contains("string") || number || types.contains("boolean") && (value.asDouble() == 0 || value.asDouble() == 1);
        }
        if (value.isBoolean()) {
            return types.contains("string") || number;
        }
        if (value.isTextual()) {
            return number && NUMBER.matcher(value.textValue()).matches()
                    || types.contains("boolean") && BOOLEAN.contains(value.textValue().toLowerCase(Locale.ROOT));
        }
        return false;
    }

    private static Set<String> types(JsonNode root, JsonNode declared) {
        JsonNode schema = declared;
        for (int i = 0; schema.path("$ref").isTextual() && i < MAX_REFS; i++) {
            String ref = schema.get("$ref").textValue();
            schema = ref.equals("#") ? root : ref.startsWith("#/") ? root.at(ref.substring(1).replace("%24", "$")) : MissingNode.getInstance();
        }
        Set<String> out = new HashSet<>();
        if (schema.path("type").isTextual()) {
            out.add(schema.get("type").textValue());
        }
        schema.path("type").forEach(type -> out.add(type.asText()));
        return out;
    }
}
