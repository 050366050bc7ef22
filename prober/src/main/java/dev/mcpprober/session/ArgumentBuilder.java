package dev.mcpprober.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.io.JsonSchemas;
import dev.mcpprober.io.JsonSchemas.Dialect;
import dev.mcpprober.io.Work;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Builds the smallest plausible value that a schema accepts: required members only, harmless values, no randomness. What it
 * builds is checked against the schema before it is used; a schema that defeats it gives an empty answer, never a bad guess.
 */
final class ArgumentBuilder {
    private static final int MAX_DEPTH = 10;
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    /** Of copying one value of a schema. */
    private static final long COPY = 20;
    private final SchemaView view;
    private final Work work;
    private final long copy;
    private final Dialect dialect;

    /**
     * @param schema the root schema that local references start from
     * @param work   what building may cost; {@link Work.Exceeded} comes out of it when it cost more
     */
    ArgumentBuilder(JsonNode schema, Work work) {
        this.view = new SchemaView(schema, work);
        this.work = work;
        this.copy = COPY * JsonSchemas.size(schema);
        this.dialect = Dialect.of(schema.path("$schema").asText("")).orElse(Dialect.DRAFT_2020_12);
    }

    /** Arguments that the root schema accepts. */
    Optional<ObjectNode> validArguments() {
        return value(view.root(), "", 0).filter(JsonNode::isObject).map(node -> (ObjectNode) node).filter(this::accepted);
    }

    /** True when the schema accepts the arguments, so far as it can be put to use at all. */
    boolean accepted(JsonNode arguments) {
        try {
            return JsonSchemas.faultsOfInstance(view.root(), dialect, arguments, work).isEmpty();
        } catch (JsonSchemas.UnusableSchemaException e) {
            return false;
        }
    }

    /** True when the schema was put to use and refused the arguments. */
    boolean refused(JsonNode arguments) {
        try {
            return !JsonSchemas.faultsOfInstance(view.root(), dialect, arguments, work).isEmpty();
        } catch (JsonSchemas.UnusableSchemaException e) {
            return false;
        }
    }

    private Optional<JsonNode> value(JsonNode declared, String name, int depth) {
        Optional<JsonNode> resolved = view.resolve(declared);
        if (resolved.isEmpty() || depth > MAX_DEPTH) {
            return Optional.empty();
        }
        JsonNode schema = resolved.get();
        if (schema.isBoolean()) {
            return schema.booleanValue() ? Optional.of(NODES.textNode("mcp-prober")) : Optional.empty();
        }
        if (schema.has("const")) {
            return Optional.of(schema.get("const"));
        }
        if (schema.path("enum").isArray()) {
            for (JsonNode choice : schema.get("enum")) {
                if (!choice.isNull()) {
                    return Optional.of(choice);
                }
            }
            return schema.get("enum").isEmpty() ? Optional.empty() : Optional.of(schema.get("enum").get(0));
        }
        for (String given : new String[] {"examples", "default"}) {
            JsonNode offer = given.equals("examples") ? schema.path(given).path(0) : schema.path(given);
            if (!offer.isMissingNode() && !offer.isNull() && depth > 0 && fits(schema, offer)) {
                return Optional.of(offer);
            }
        }
        if (schema.path("allOf").isArray()) {
            ObjectNode merged = merge(schema, schema.get("allOf"));
            return value(merged, name, depth + 1);
        }
        for (String union : new String[] {"anyOf", "oneOf"}) {
            if (schema.path(union).isArray()) {
                return branch(schema, union, name, depth);
            }
        }
        if (schema.has("if")) {
            return conditional(schema, name, depth);
        }
        return byType(schema, name, depth);
    }

    /** What the condition and its consequence ask for together, else what the alternative does. */
    private Optional<JsonNode> conditional(JsonNode schema, String name, int depth) {
        work.spend(copy);
        ObjectNode base = schema.deepCopy();
        base.remove(List.of("if", "then", "else"));
        for (String[] parts : new String[][] {{"if", "then"}, {"else"}}) {
            ArrayNode together = NODES.arrayNode();
            for (String part : parts) {
                together.add(schema.path(part).isObject() ? schema.get(part) : Json.object());
            }
            Optional<JsonNode> value = value(merge(base, together), name, depth + 1);
            if (value.isPresent() && fits(schema, value.get())) {
                return value;
            }
        }
        return byType(base, name, depth);
    }

    private Optional<JsonNode> branch(JsonNode schema, String union, String name, int depth) {
        for (JsonNode branch : schema.get(union)) {
            Optional<JsonNode> target = view.resolve(branch);
            if (target.isEmpty() || "null".equals(target.get().path("type").asText())) {
                continue;
            }
            work.spend(copy);
            ObjectNode base = schema.deepCopy();
            base.remove(union);
            ArrayNode one = NODES.arrayNode().add(target.get());
            Optional<JsonNode> value = value(merge(base, one), name, depth + 1);
            if (value.isPresent() && fits(schema, value.get())) {
                return value;
            }
        }
        return Optional.empty();
    }

    /** Object schemas laid over each other; enough for finding a candidate, which is checked afterwards. */
    private ObjectNode merge(JsonNode base, JsonNode parts) {
        work.spend(copy);
        ObjectNode out = base.deepCopy();
        out.remove("allOf");
        for (JsonNode part : parts) {
            JsonNode schema = view.resolve(part).orElse(NODES.objectNode());
            for (Iterator<String> names = schema.fieldNames(); names.hasNext();) {
                String key = names.next();
                if (key.equals("properties") && out.path(key).isObject() && schema.get(key).isObject()) {
                    ((ObjectNode) out.get(key)).setAll((ObjectNode) schema.get(key).deepCopy());
                } else if (key.equals("required") && out.path(key).isArray() && schema.get(key).isArray()) {
                    ((ArrayNode) out.get(key)).addAll((ArrayNode) schema.get(key).deepCopy());
                } else {
                    out.set(key, schema.get(key));
                }
            }
        }
        return out;
    }

    private boolean fits(JsonNode schema, JsonNode candidate) {
        work.spend(copy);
        // Local references inside the part start from the root, so the part is checked as a property of it.
        ObjectNode wrapper = view.root().isObject() ? view.root().deepCopy() : Json.object();
        List.of("properties", "required", "additionalProperties", "unevaluatedProperties", "allOf", "anyOf", "oneOf", "not", "if", "then", "else",
                "minProperties", "maxProperties", "patternProperties", "propertyNames", "dependentRequired", "dependentSchemas", "dependencies")
                .forEach(wrapper::remove);
        wrapper.put("type", "object").putObject("properties").set("value", schema);
        ObjectNode instance = Json.object();
        instance.set("value", candidate);
        try {
            return JsonSchemas.faultsOfInstance(wrapper, dialect, instance, work).isEmpty();
        } catch (JsonSchemas.UnusableSchemaException e) {
            return false;
        }
    }

    private Optional<JsonNode> byType(JsonNode schema, String name, int depth) {
        String type = schema.path("type").asText("");
        if (schema.path("type").isArray()) {
            for (JsonNode each : schema.get("type")) {
                if (!each.asText().equals("null")) {
                    type = each.asText();
                    break;
                }
            }
        }
        if (type.isEmpty()) {
            boolean object = depth == 0 || schema.has("properties") || schema.has("required");
            boolean array = schema.has("items") || schema.has("prefixItems");
            boolean number = schema.has("minimum") || schema.has("maximum");
            type = object ? "object" : array ? "array" : number ? "number" : "string";
        }
        return switch (type) {
            case "string" -> StringSamples.candidates(schema, name).map(NODES::textNode).map(JsonNode.class::cast)
                    .filter(candidate -> fits(schema, candidate)).findFirst();
            case "integer", "number" -> number(schema, type.equals("integer"));
            case "boolean" -> Optional.of(NODES.booleanNode(name.toLowerCase(java.util.Locale.ROOT).contains("dry")));
            case "null" -> Optional.of(NODES.nullNode());
            case "array" -> array(schema, name, depth);
            case "object" -> object(schema, depth);
            default -> Optional.empty();
        };
    }

    private Optional<JsonNode> number(JsonNode schema, boolean integer) {
        BigDecimal multipleOf = bound(schema, "multipleOf");
        BigDecimal step = multipleOf != null ? multipleOf : integer ? BigDecimal.ONE : new BigDecimal("0.5");
        if (step.signum() <= 0 || unwieldy(step)) {
            return Optional.empty();
        }
        BigDecimal[] starts = {bound(schema, "minimum"), bound(schema, "exclusiveMinimum"), BigDecimal.ONE, BigDecimal.ZERO,
                bound(schema, "maximum"), bound(schema, "exclusiveMaximum")};
        for (BigDecimal start : starts) {
            if (start == null || unwieldy(start)) {
                continue;
            }
            BigDecimal base = start.divide(step, 0, RoundingMode.CEILING).multiply(step);
            for (int shift = 0; shift <= 2; shift++) {
                for (BigDecimal candidate : new BigDecimal[] {base.add(step.multiply(BigDecimal.valueOf(shift))),
                        base.subtract(step.multiply(BigDecimal.valueOf(shift)))}) {
                    Optional<JsonNode> node = node(candidate, integer);
                    if (node.isPresent() && fits(schema, node.get())) {
                        return node;
                    }
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<JsonNode> node(BigDecimal value, boolean integer) {
        BigDecimal plain = value.stripTrailingZeros();
        if (plain.scale() <= 0) {
            BigInteger whole = plain.toBigIntegerExact();
            return Optional.of(whole.bitLength() < 32 ? NODES.numberNode(whole.intValue())
                    : whole.bitLength() < 64 ? NODES.numberNode(whole.longValue()) : NODES.numberNode(whole));
        }
        return integer ? Optional.empty() : Optional.of(NODES.numberNode(plain));
    }

    /** Null where there is none; {@code 1e400}, which is read as infinite, bounds nothing. */
    private static BigDecimal bound(JsonNode schema, String keyword) {
        JsonNode value = schema.path(keyword);
        return !value.isNumber() || value.isFloatingPointNumber() && !Double.isFinite(value.doubleValue()) ? null : value.decimalValue();
    }

    private static boolean unwieldy(BigDecimal number) {
        return number.precision() > 40 || Math.abs(number.scale()) > 40;
    }

    private Optional<JsonNode> array(JsonNode schema, String name, int depth) {
        ArrayNode out = NODES.arrayNode();
        JsonNode tuple = schema.path("prefixItems").isArray() ? schema.get("prefixItems") : schema.path("items").isArray() ? schema.get("items") : null;
        if (tuple != null) {
            for (JsonNode place : tuple) {
                Optional<JsonNode> value = value(place, name, depth + 1);
                if (value.isEmpty()) {
                    return Optional.empty();
                }
                out.add(value.get());
            }
            return Optional.of(out);
        }
        int wanted = Math.max(1, schema.path("minItems").asInt(1));
        if (wanted > 64 || schema.path("maxItems").asInt(1) == 0) {
            return wanted > 64 ? Optional.empty() : Optional.of(out);
        }
        Optional<JsonNode> one = value(schema.path("items").isObject() ? schema.get("items") : Json.object().put("type", "string"), name, depth + 1);
        if (one.isEmpty()) {
            return schema.path("minItems").asInt(0) == 0 ? Optional.of(out) : Optional.empty();
        }
        boolean unique = schema.path("uniqueItems").asBoolean();
        for (int i = 0; i < wanted; i++) {
            out.add(unique && i > 0 ? another(schema.path("items"), one.get(), i) : one.get());
        }
        return Optional.of(out);
    }

    /** A value beside the first, for a list that wants none twice; the first again where none is at hand. */
    private JsonNode another(JsonNode declared, JsonNode first, int number) {
        JsonNode schema = view.resolve(declared).orElse(declared);
        JsonNode candidate = schema.path("enum").isArray() ? schema.get("enum").path(number)
                : first.isTextual() ? NODES.textNode(first.textValue() + "-" + (number + 1))
                : first.isNumber() ? node(first.decimalValue().add(BigDecimal.valueOf(number)), first.isIntegralNumber()).orElse(first)
                : first.isBoolean() ? NODES.booleanNode(!first.booleanValue()) : first;
        return candidate.isMissingNode() || !fits(schema.isMissingNode() ? Json.object() : schema, candidate) ? first : candidate;
    }

    private Optional<JsonNode> object(JsonNode schema, int depth) {
        ObjectNode out = Json.object();
        for (JsonNode required : schema.path("required")) {
            String key = required.asText();
            JsonNode property = schema.path("properties").path(key);
            Optional<JsonNode> value = property.isMissingNode() ? Optional.of(NODES.textNode("mcp-prober")) : value(property, key, depth + 1);
            if (value.isEmpty()) {
                return Optional.empty();
            }
            out.set(key, value.get());
        }
        return Optional.of(out);
    }
}
