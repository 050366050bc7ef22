package dev.mcpprober.observation.shape;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random values that a definition of a schema accepts, as far as the keywords of the published schemas go, and ways to spoil them. */
final class SchemaSample {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final ObjectNode definitions;
    private final Random random;
    private int depth;

    SchemaSample(ObjectNode definitions, Random random) {
        this.definitions = definitions;
        this.random = random;
    }

    JsonNode of(String definition) {
        depth = 0;
        return value(definitions.get(definition));
    }

    private JsonNode value(JsonNode schema) {
        if (schema.has("$ref")) {
            String ref = schema.get("$ref").asText();
            depth++;
            JsonNode out = value(definitions.get(ref.substring(ref.lastIndexOf('/') + 1)));
            depth--;
            return out;
        }
        for (String some : List.of("anyOf", "oneOf")) {
            if (schema.has(some)) {
                return value(schema.get(some).get(depth > 12 ? schema.get(some).size() - 1 : random.nextInt(schema.get(some).size())));
            }
        }
        if (schema.has("allOf")) {
            ObjectNode all = Json.object();
            schema.get("allOf").forEach(part -> all.setAll((ObjectNode) value(part)));
            return all;
        }
        if (schema.has("const")) {
            return schema.get("const");
        }
        if (schema.has("enum")) {
            return schema.get("enum").get(random.nextInt(schema.get("enum").size()));
        }
        JsonNode type = schema.path("type");
        String name = type.isArray() ? type.get(random.nextInt(type.size())).asText() : type.asText("");
        return switch (name) {
            case "object" -> object(schema);
            case "array" -> list(schema);
            case "string" -> NODES.textNode(text());
            case "integer" -> NODES.numberNode(random.nextInt(100));
            case "number" -> schema.has("maximum") ? NODES.numberNode(random.nextInt(5) / 4.0) : NODES.numberNode(random.nextInt(100) / 4.0);
            case "boolean" -> NODES.booleanNode(random.nextBoolean());
            case "null" -> NODES.nullNode();
            default -> any();
        };
    }

    private ObjectNode object(JsonNode schema) {
        ObjectNode out = Json.object();
        List<String> required = new ArrayList<>();
        schema.path("required").forEach(member -> required.add(member.asText()));
        schema.path("properties").fields().forEachRemaining(property -> {
            if (required.contains(property.getKey()) || random.nextInt(depth > 6 ? 8 : 2) == 0) {
                out.set(property.getKey(), value(property.getValue()));
            }
        });
        JsonNode more = schema.path("additionalProperties");
        for (int i = random.nextInt(3); i > 0 && depth < 8; i--) {
            String name = "x" + random.nextInt(9);
            if (!out.has(name)) {
                out.set(name, more.isObject() && !more.isEmpty() ? value(more) : any());
            }
        }
        return out;
    }

    private ArrayNode list(JsonNode schema) {
        ArrayNode out = NODES.arrayNode();
        for (int i = depth > 12 ? 0 : random.nextInt(3); i > 0; i--) {
            depth++;
            out.add(schema.has("items") ? value(schema.get("items")) : any());
            depth--;
        }
        return out;
    }

    private String text() {
        return List.of("", "text", "image", "object", "user", "public", "info", "a/b", "\u00e9", "form", "complete").get(random.nextInt(11));
    }

    private JsonNode any() {
        return switch (random.nextInt(9)) {
            case 0 -> NODES.nullNode();
            case 1 -> NODES.booleanNode(random.nextBoolean());
            case 2 -> NODES.numberNode(random.nextInt(2000) - 1000);
            case 3 -> NODES.numberNode(random.nextInt(20) / 8.0);
            case 4 -> NODES.numberNode(3.0);
            case 5 -> NODES.arrayNode().add(text());
            case 6 -> Json.object().put("a", text());
            case 7 -> Json.object();
            default -> NODES.textNode(text());
        };
    }

    /** The value with one thing changed: a member left out, added, or of another kind. */
    JsonNode spoil(JsonNode value) {
        List<JsonNode> containers = new ArrayList<>();
        collect(value, containers);
        JsonNode one = containers.get(random.nextInt(containers.size()));
        if (one.isArray()) {
            ArrayNode array = (ArrayNode) one;
            if (array.isEmpty() || random.nextBoolean()) {
                array.add(any());
            } else {
                array.set(random.nextInt(array.size()), any());
            }
            return value;
        }
        ObjectNode object = (ObjectNode) one;
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        if (names.isEmpty()) {
            object.set("x", any());
        } else if (random.nextInt(3) == 0) {
            object.remove(names.get(random.nextInt(names.size())));
        } else {
            object.set(names.get(random.nextInt(names.size())), any());
        }
        return value;
    }

    private static void collect(JsonNode value, List<JsonNode> out) {
        if (value.isContainerNode()) {
            out.add(value);
            value.forEach(child -> collect(child, out));
        }
    }
}
