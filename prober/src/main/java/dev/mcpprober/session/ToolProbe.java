package dev.mcpprober.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.io.Work;
import dev.mcpprober.session.SchemaView.Type;
import dev.mcpprober.session.ToolListing.Tool;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Arguments for one tool, each set with at most one thing wrong in it: every other required argument gets a value that the schema
 * accepts, and the finished arguments are checked against the schema both ways, so that a refusal can only be for the reason under test.
 */
final class ToolProbe {
    static final String EXTRA = "mcp_prober_extra";
    /** Rank of a property with a plain type; none is better. */
    static final int PLAIN = 0;
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    /**
     * @param value   of a type that the schema cannot accept in any reading
     * @param variant what stands for what, e.g. {@code object-for-string}
     */
    record Bad(ObjectNode arguments, JsonNode value, String variant) {}

    /**
     * A required property that can be given an impossible value.
     *
     * @param second with another impossible value, where there is one
     * @param rank   how plainly the type is declared, {@link #PLAIN} is best
     */
    record Wrong(String property, Bad first, Optional<Bad> second, int rank) {}

    /** Without one required property. */
    record Left(String property, ObjectNode arguments) {}

    /** With one property more than the schema declares; {@code closed} where it has no room for it, whatever its value. */
    record Extra(ObjectNode arguments, boolean closed) {}

    private final Tool tool;
    private final SchemaView view;
    private final ArgumentBuilder builder;
    private Optional<ObjectNode> valid;

    /** @param work what all of it may cost; {@link Work.Exceeded} comes out of any method when it cost more */
    ToolProbe(Tool tool, Work work) {
        this.tool = tool;
        this.view = new SchemaView(tool.schema(), work);
        this.builder = new ArgumentBuilder(tool.schema(), work);
    }

    /** Arguments that the schema accepts, the smallest plausible ones. */
    Optional<ObjectNode> valid() {
        if (valid == null) {
            valid = builder.validArguments();
        }
        return valid;
    }

    List<String> required() {
        List<String> out = new ArrayList<>();
        tool.schema().path("required").forEach(name -> out.add(name.asText()));
        return out.stream().distinct().toList();
    }

    /** Empty when the property has a default, a type that its schema does not settle, or none that is told apart from the rest. */
    Optional<Wrong> wrong(String property) {
        JsonNode declared = tool.schema().path("properties").path(property);
        Optional<Set<Type>> accepted = declared.isObject() ? view.acceptedTypes(declared) : Optional.empty();
        List<JsonNode> values = accepted.map(ToolProbe::impossible).orElse(List.of());
        if (values.isEmpty() || hasDefault(declared) || valid().isEmpty()) {
            return Optional.empty();
        }
        List<Bad> bad = values.stream().map(value -> bad(property, value, accepted.get())).flatMap(Optional::stream).toList();
        int rank = declared.has("$ref") || declared.has("anyOf") || declared.has("oneOf") || declared.has("allOf") || declared.path("type").isArray() ? 2
                : declared.has("enum") || declared.has("const") ? 1 : PLAIN;
        return bad.isEmpty() ? Optional.empty() : Optional.of(new Wrong(property, bad.get(0), bad.stream().skip(1).findFirst(), rank));
    }

    private Optional<Bad> bad(String property, JsonNode value, Set<Type> accepted) {
        ObjectNode arguments = valid().orElseThrow().deepCopy();
        arguments.set(property, value);
        String variant = name(Type.of(value)) + "-for-" + String.join("-or-", accepted.stream().map(ToolProbe::name).toList());
        return builder.refused(arguments) ? Optional.of(new Bad(arguments, value, variant)) : Optional.empty();
    }

    /** A default may stand beside a reference, where it is of this property alone. Also true where the reference leads nowhere. */
    private boolean hasDefault(JsonNode declared) {
        return declared.has("default") || view.resolve(declared).map(schema -> schema.has("default")).orElse(true);
    }

    /** The first of {@code properties} without a default whose absence the schema refuses, left out. */
    Optional<Left> missing(List<String> properties) {
        for (String property : properties) {
            JsonNode declared = tool.schema().path("properties").path(property);
            if (declared.has("default") || view.resolve(declared).map(s -> s.has("default")).orElse(false)) {
                continue;
            }
            if (valid().isEmpty()) {
                return Optional.empty();
            }
            ObjectNode arguments = valid().get().deepCopy();
            if (arguments.remove(property) != null && builder.refused(arguments)) {
                return Optional.of(new Left(property, arguments));
            }
        }
        return Optional.empty();
    }

    /** A property that no schema declares, with a value that is welcome there if any is. Empty where the schema cannot be put to use. */
    Optional<Extra> extra() {
        if (valid().isEmpty() || tool.schema().path("properties").has(EXTRA)) {
            return Optional.empty();
        }
        List<JsonNode> values = List.of(NODES.textNode("mcp-prober"), NODES.numberNode(1), NODES.booleanNode(true), Json.object(), NODES.arrayNode());
        for (JsonNode value : values) {
            ObjectNode arguments = valid().get().deepCopy();
            arguments.set(EXTRA, value);
            if (builder.accepted(arguments)) {
                return Optional.of(new Extra(arguments, false));
            }
        }
        ObjectNode arguments = valid().get().deepCopy();
        arguments.set(EXTRA, values.get(0));
        return builder.refused(arguments) ? Optional.of(new Extra(arguments, true)) : Optional.empty();
    }

    /**
     * Up to two values of types that are not accepted and that no usual conversion turns into one: an object for a text, a text that is
     * no number for a number or a boolean. Never a number for a text, and no list where an object is expected, which many take for one.
     */
    static List<JsonNode> impossible(Set<Type> accepted) {
        Set<Type> types = EnumSet.copyOf(accepted);
        types.remove(Type.NULL);
        boolean text = types.contains(Type.STRING);
        boolean array = types.contains(Type.ARRAY);
        boolean object = types.contains(Type.OBJECT);
        JsonNode anObject = object ? null : Json.object().put("mcp-prober", "an object");
        JsonNode aText = text ? null : NODES.textNode("mcp-prober: no " + (types.isEmpty() ? "null" : name(types.iterator().next())));
        JsonNode aList = array ? null : NODES.arrayNode().add(Json.object().put("mcp-prober", "a list"));
        List<JsonNode> out = new ArrayList<>();
        if (text || array) {
            out.add(anObject);
            out.add(aText);
        } else {
            out.add(aText);
            out.add(anObject);
        }
        if (text && (object || !array)) {
            out.add(aList);
        }
        if (!types.isEmpty() && types.stream().allMatch(type -> type == Type.ARRAY || type == Type.OBJECT)) {
            out.add(NODES.numberNode(41));
        }
        return out.stream().filter(java.util.Objects::nonNull).limit(2).toList();
    }

    private static String name(Type type) {
        return type.name().toLowerCase(Locale.ROOT);
    }
}
