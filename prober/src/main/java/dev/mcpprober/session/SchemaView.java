package dev.mcpprober.session;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.io.Work;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Reads a tool's schema with its local references resolved. Nothing outside the schema is ever looked at. */
final class SchemaView {
    private static final int MAX_DEPTH = 12;
    /** Of one look at a schema. */
    private static final long LOOK = 20;
    private final JsonNode root;
    private final Work work;

    /** @param work spent by every look at a schema; unions of references to unions multiply */
    SchemaView(JsonNode root, Work work) {
        this.root = root;
        this.work = work;
    }

    JsonNode root() {
        return root;
    }

    /** JSON types in the sense of JSON Schema; integer is a number without a fraction. */
    enum Type { STRING, INTEGER, NUMBER, BOOLEAN, ARRAY, OBJECT, NULL;
        static Optional<Type> of(String name) {
            for (Type type : values()) {
                if (type.name().toLowerCase(java.util.Locale.ROOT).equals(name)) {
                    return Optional.of(type);
                }
            }
            return Optional.empty();
        }

        static Type of(JsonNode value) {
            return switch (value.getNodeType()) {
                case STRING -> STRING;
                case BOOLEAN -> BOOLEAN;
                case ARRAY -> ARRAY;
                case OBJECT, POJO -> OBJECT;
                case NUMBER -> value.isIntegralNumber() ? INTEGER : NUMBER;
                default -> NULL;
            };
        }
    }

    /** The schema behind local references; empty when one leads outside, nowhere or in a circle. */
    Optional<JsonNode> resolve(JsonNode schema) {
        Set<String> seen = new HashSet<>();
        JsonNode current = schema;
        work.spend(LOOK);
        while (current.isObject() && current.path("$ref").isTextual()) {
            work.spend(LOOK);
            String ref = local(current.get("$ref").textValue());
            if (!ref.startsWith("#") || !seen.add(ref)) {
                return Optional.empty();
            }
            current = pointer(ref.substring(1));
            if (current.isMissingNode()) {
                return Optional.empty();
            }
        }
        return Optional.of(current);
    }

    /** A reference to the schema by the address that it gives itself leads nowhere else than one by its fragment. */
    private String local(String ref) {
        String own = root.path(root.path("$id").isTextual() ? "$id" : "id").asText().replaceFirst("#$", "");
        return own.isEmpty() || !ref.startsWith(own) ? ref : ref.equals(own) ? "#" : ref.startsWith(own + "#") ? ref.substring(own.length()) : ref;
    }

    /** The part that calls itself {@code name}; older dialects do so in {@code $id}, the oldest in {@code id}. */
    private Optional<JsonNode> anchored(JsonNode part, String name, int depth) {
        work.spend(LOOK);
        for (String keyword : new String[] {"$anchor", "$dynamicAnchor", "$id", "id"}) {
            if (part.path(keyword).isTextual() && part.get(keyword).textValue().equals(keyword.endsWith("id") ? "#" + name : name)) {
                return Optional.of(part);
            }
        }
        for (JsonNode child : depth < MAX_DEPTH ? part : Json.object()) {
            Optional<JsonNode> found = anchored(child, name, depth + 1);
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private JsonNode pointer(String fragment) {
        if (fragment.isEmpty()) {
            return root;
        }
        if (!fragment.startsWith("/")) {
            return anchored(root, fragment, 0).orElse(com.fasterxml.jackson.databind.node.MissingNode.getInstance());
        }
        try {
            return root.at(java.net.URLDecoder.decode(fragment.replace("+", "%2B"), java.nio.charset.StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            return com.fasterxml.jackson.databind.node.MissingNode.getInstance();
        }
    }

    /** The types that a value may have to be accepted; empty when the schema does not settle it. */
    Optional<Set<Type>> acceptedTypes(JsonNode schema) {
        return acceptedTypes(schema, 0);
    }

    private Optional<Set<Type>> acceptedTypes(JsonNode declared, int depth) {
        Optional<JsonNode> resolved = resolve(declared);
        if (depth > MAX_DEPTH || resolved.isEmpty() || !resolved.get().isObject()) {
            return Optional.empty();
        }
        JsonNode schema = resolved.get();
        Set<Type> accepted = null;
        JsonNode type = schema.path("type");
        if (type.isTextual() || type.isArray()) {
            Set<Type> named = EnumSet.noneOf(Type.class);
            for (JsonNode name : type.isTextual() ? java.util.List.of(type) : type) {
                Optional<Type> known = Type.of(name.asText());
                if (known.isEmpty()) {
                    return Optional.empty();
                }
                named.add(known.get());
            }
            accepted = named;
        }
        if (schema.has("const")) {
            accepted = narrow(accepted, EnumSet.of(Type.of(schema.get("const"))));
        }
        if (schema.path("enum").isArray() && !schema.get("enum").isEmpty()) {
            Set<Type> listed = EnumSet.noneOf(Type.class);
            schema.get("enum").forEach(value -> listed.add(Type.of(value)));
            accepted = narrow(accepted, listed);
        }
        for (String union : new String[] {"anyOf", "oneOf"}) {
            if (schema.path(union).isArray()) {
                Set<Type> any = EnumSet.noneOf(Type.class);
                for (JsonNode branch : schema.get(union)) {
                    Optional<Set<Type>> of = acceptedTypes(branch, depth + 1);
                    if (of.isEmpty()) {
                        any = EnumSet.allOf(Type.class);
                        break;
                    }
                    any.addAll(of.get());
                }
                accepted = narrow(accepted, any);
            }
        }
        for (JsonNode part : schema.path("allOf")) {
            Optional<Set<Type>> of = acceptedTypes(part, depth + 1);
            if (of.isPresent()) {
                accepted = narrow(accepted, of.get());
            }
        }
        boolean settled = accepted != null && !accepted.isEmpty() && accepted.size() < Type.values().length;
        return settled ? Optional.of(accepted) : Optional.empty();
    }

    private static Set<Type> narrow(Set<Type> before, Set<Type> by) {
        if (before == null) {
            return by;
        }
        Set<Type> both = EnumSet.copyOf(before);
        boolean numbers = by.contains(Type.NUMBER);
        both.removeIf(t -> !by.contains(t) && !(t == Type.INTEGER && numbers) && !(t == Type.NUMBER && by.contains(Type.INTEGER)));
        return both;
    }
}
