package dev.mcpprober.traits;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * What a declared schema is made of. References are not followed.
 *
 * @param declared   one of {@link #DECLARED}
 * @param dialect    one of {@link #DIALECTS}
 * @param features   of {@link #FEATURES}, sorted
 * @param properties of its root
 * @param required   names that its root demands
 * @param described  properties of its root with a description
 * @param depth      of properties within properties and items: 0 without a property, 1 for a flat object
 * @param whole      false where it is larger than is looked through
 */
public record SchemaTraits(String declared, String dialect, List<String> features, int properties, int required, int described, int depth, boolean whole) {
    /** {@code bare}: an object that names no property; {@code other}: no JSON object. */
    public static final List<String> DECLARED = List.of("absent", "bare", "properties", "other");
    public static final List<String> DIALECTS = List.of("absent", "draft-04", "draft-06", "draft-07", "2019-09", "2020-12", "other");
    /** {@code closed}: additionalProperties false; {@code open-typed}: a schema for them; {@code nullable}: null among several types. */
    public static final List<String> FEATURES = List.of("allOf", "anyOf", "closed", "const", "contentEncoding", "default", "definitions", "dependentRequired", "enum",
            "examples", "format", "if", "items", "limits", "not", "nullable", "oneOf", "open", "open-typed", "pattern", "patternProperties", "prefixItems",
            "propertyNames", "ref", "title", "unevaluatedProperties", "uniqueItems");
    private static final List<String> SAME_NAME = List.of("allOf", "anyOf", "const", "contentEncoding", "default", "dependentRequired", "enum", "examples", "format",
            "if", "items", "not", "oneOf", "pattern", "patternProperties", "prefixItems", "propertyNames", "title", "unevaluatedProperties", "uniqueItems");
    private static final List<String> LIMITS = List.of("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength",
            "minItems", "maxItems", "minProperties", "maxProperties");
    /** Keywords whose value is a schema, a list of schemas or, for the second, a mapping of names to schemas. */
    private static final List<String> SCHEMAS = List.of("items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "prefixItems",
            "allOf", "anyOf", "oneOf", "unevaluatedProperties", "unevaluatedItems", "additionalItems");
    private static final List<String> NAMED = List.of("properties", "patternProperties", "$defs", "definitions", "dependentSchemas");
    private static final int MAX_NODES = 20_000;
    private static final SchemaTraits ABSENT = new SchemaTraits("absent", "absent", List.of(), 0, 0, 0, 0, true);

    public SchemaTraits {
        features = List.copyOf(features);
    }

    private record Part(JsonNode node, int depth) {}

    /** @param schema missing where there is none */
    static SchemaTraits of(JsonNode schema) {
        if (schema.isMissingNode() || schema.isNull()) {
            return ABSENT;
        }
        if (!schema.isObject()) {
            return new SchemaTraits("other", "absent", List.of(), 0, 0, 0, 0, true);
        }
        TreeSet<String> features = new TreeSet<>();
        Deque<Part> parts = new ArrayDeque<>(List.of(new Part(schema, 0)));
        int depth = 0;
        int seen = 0;
        while (!parts.isEmpty() && seen < MAX_NODES) {
            Part part = parts.poll();
            seen++;
            features(part.node(), features);
            for (String keyword : SCHEMAS) {
                JsonNode value = part.node().path(keyword);
                if (value.isObject()) {
                    parts.add(new Part(value, part.depth()));
                } else if (value.isArray()) {
                    value.forEach(element -> parts.add(new Part(element, part.depth())));
                }
            }
            for (String keyword : NAMED) {
                JsonNode named = part.node().path(keyword);
                int below = part.depth() + (keyword.equals("properties") && named.isObject() && !named.isEmpty() ? 1 : 0);
                depth = Math.max(depth, below);
                named.forEach(value -> parts.add(new Part(value, below)));
            }
        }
        JsonNode properties = schema.path("properties");
        int described = 0;
        for (JsonNode property : properties) {
            described += property.path("description").isTextual() && !property.get("description").textValue().isBlank() ? 1 : 0;
        }
        return new SchemaTraits(properties.isObject() && !properties.isEmpty() ? "properties" : "bare", dialect(schema.path("$schema")), List.copyOf(features),
                properties.isObject() ? properties.size() : 0, schema.path("required").isArray() ? schema.get("required").size() : 0, described, depth, parts.isEmpty());
    }

    private static void features(JsonNode schema, TreeSet<String> out) {
        for (Iterator<Map.Entry<String, JsonNode>> members = schema.fields(); members.hasNext();) {
            Map.Entry<String, JsonNode> member = members.next();
            String name = member.getKey();
            if (SAME_NAME.contains(name)) {
                out.add(name);
            } else if (LIMITS.contains(name)) {
                out.add("limits");
            } else if (name.equals("$ref")) {
                out.add("ref");
            } else if (name.equals("$defs") || name.equals("definitions")) {
                out.add("definitions");
            } else if (name.equals("additionalProperties")) {
                out.add(member.getValue().isObject() ? "open-typed" : member.getValue().asBoolean(true) ? "open" : "closed");
            } else if (name.equals("type") && member.getValue().isArray() || name.equals("nullable")) {
                out.add("nullable");
            }
        }
    }

    static String dialect(JsonNode schema) {
        if (schema.isMissingNode()) {
            return "absent";
        }
        String uri = schema.asText().replaceFirst("^https?://", "").replaceFirst("#$", "");
        return switch (uri) {
            case "json-schema.org/draft-04/schema" -> "draft-04";
            case "json-schema.org/draft-06/schema" -> "draft-06";
            case "json-schema.org/draft-07/schema" -> "draft-07";
            case "json-schema.org/draft/2019-09/schema" -> "2019-09";
            case "json-schema.org/draft/2020-12/schema" -> "2020-12";
            default -> "other";
        };
    }
}
