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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses the primary tool and builds each call, so that a refusal can only be for the reason under test: every other
 * required argument gets a value that the schema accepts, and the finished arguments are checked against the schema both
 * ways before they are sent.
 */
final class CallPlanner {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    /** Rank of a property with a plain type; none is better. */
    private static final int PLAIN = 0;
    /** For one search through the tools: some seconds, and far more than any honest listing takes. */
    private static final long MAX_WORK = 100_000_000;
    private static final String TOO_MUCH_WORK = "the schemas of the tools take too much work to build arguments for";

    /** What to send. {@code about} tells the reader of the transcript what was chosen. */
    record Planned(ObjectNode params, Map<String, String> about) {}

    /** Either a call, or why there is none. */
    record Choice(Planned planned, String reason) {
        static Choice none(String reason) {
            return new Choice(null, reason);
        }
    }

    private record Candidate(Tool tool, String property, JsonNode wrong, String variant, ObjectNode arguments, int rank) {}

    private final ToolListing listing;
    private final boolean harmlessOnly;
    private final String suffix;
    private boolean searchedAll = true;

    /**
     * @param harmlessOnly valid calls only to tools that seem to have no effect: for commands on this host, where a call that works
     *                     acts on the real world
     * @param suffix       makes the unknown tool's name one that nobody has
     */
    CallPlanner(ToolListing listing, boolean harmlessOnly, String suffix) {
        this.listing = listing;
        this.harmlessOnly = harmlessOnly;
        this.suffix = suffix;
    }

    Choice plan(Step.CallKind kind) {
        return switch (kind) {
            case UNKNOWN_TOOL -> unknownTool();
            case WRONG_TYPE -> wrongType();
            case MISSING_REQUIRED -> missingRequired();
            case VALID -> valid();
            case NO_NAME -> new Choice(new Planned(params(null, Json.object()), about("variant", "no-name")), "");
            case BAD_ARGUMENTS -> badArguments();
        };
    }

    private Choice unknownTool() {
        String name = "mcp_prober_no_such_tool_" + suffix;
        while (listing.has(name)) {
            name += "_";
        }
        return new Choice(new Planned(params(name, Json.object()), about("tool", name)), "");
    }

    private Choice wrongType() {
        Optional<Candidate> primary = primary();
        if (primary.isEmpty()) {
            return Choice.none(noCandidate());
        }
        Candidate c = primary.get();
        ObjectNode arguments = c.arguments().deepCopy();
        arguments.set(c.property(), c.wrong());
        return new Choice(new Planned(params(c.tool().name(), arguments),
                about("tool", c.tool().name(), "property", c.property(), "variant", c.variant(), "primary", "true")), "");
    }

    private Choice missingRequired() {
        Work work = new Work(MAX_WORK);
        try {
            Optional<Choice> ofPrimary = primary().flatMap(c -> missingOf(c.tool(), List.of(c.property()), work));
            if (ofPrimary.isPresent()) {
                return ofPrimary.get();
            }
            for (Tool tool : listing.tools()) {
                List<String> required = new ArrayList<>();
                tool.schema().path("required").forEach(name -> required.add(name.asText()));
                Optional<Choice> choice = missingOf(tool, required, work);
                if (choice.isPresent()) {
                    return choice.get();
                }
            }
        } catch (Work.Exceeded e) {
            return Choice.none(TOO_MUCH_WORK);
        }
        return Choice.none(listing.tools().isEmpty() ? "no tools listed" : "no tool has a required argument without a default that valid arguments can be built around");
    }

    /** A call without the first of {@code properties} whose absence the schema refuses. */
    private static Optional<Choice> missingOf(Tool tool, List<String> properties, Work work) {
        SchemaView view = new SchemaView(tool.schema(), work);
        ArgumentBuilder builder = new ArgumentBuilder(tool.schema(), work);
        Optional<ObjectNode> valid = Optional.empty();
        for (String property : properties) {
            if (view.resolve(tool.schema().path("properties").path(property)).map(s -> s.has("default")).orElse(false)) {
                continue;
            }
            valid = valid.isPresent() ? valid : builder.validArguments();
            if (valid.isEmpty()) {
                return Optional.empty();
            }
            ObjectNode arguments = valid.get().deepCopy();
            if (arguments.remove(property) != null && builder.refused(arguments)) {
                return Optional.of(new Choice(new Planned(params(tool.name(), arguments),
                        about("tool", tool.name(), "property", property, "variant", "left-out", "primary", "true")), ""));
            }
        }
        return Optional.empty();
    }

    private Choice valid() {
        List<Tool> order = new ArrayList<>();
        primary().ifPresent(c -> order.add(c.tool()));
        order.addAll(listing.tools());
        Work work = new Work(MAX_WORK);
        try {
            for (Tool tool : order) {
                Optional<ObjectNode> arguments = new ArgumentBuilder(tool.schema(), work).validArguments();
                if (arguments.isPresent()) {
                    if (harmlessOnly && !tool.harmless()) {
                        return Choice.none("the primary tool may have effects (no readOnlyHint) and this command runs outside a sandbox");
                    }
                    return new Choice(new Planned(params(tool.name(), arguments.get()), about("tool", tool.name(), "variant", "valid", "primary", "true")), "");
                }
            }
        } catch (Work.Exceeded e) {
            return Choice.none(TOO_MUCH_WORK);
        }
        return Choice.none(listing.tools().isEmpty() ? "no tools listed" : "no tool whose schema valid arguments can be built for");
    }

    /** Valid calls to the first {@code most} tools with an output schema, without the one that {@link Step.CallKind#VALID} calls. */
    List<Planned> outputs(int most) {
        String called = Optional.ofNullable(valid().planned()).map(p -> p.about().get("tool")).orElse("");
        List<Planned> out = new ArrayList<>();
        Work work = new Work(MAX_WORK);
        try {
            for (Tool tool : listing.tools()) {
                if (tool.output() && !tool.name().equals(called) && (tool.harmless() || !harmlessOnly) && out.size() < most) {
                    new ArgumentBuilder(tool.schema(), work).validArguments()
                            .ifPresent(arguments -> out.add(new Planned(params(tool.name(), arguments), about("tool", tool.name(), "variant", "valid"))));
                }
            }
        } catch (Work.Exceeded e) {
            return out;
        }
        return out;
    }

    private Choice badArguments() {
        if (listing.tools().isEmpty()) {
            return Choice.none("no tools listed");
        }
        String name = primary().map(c -> c.tool().name()).orElse(listing.tools().get(0).name());
        ObjectNode params = Json.object().put("name", name);
        params.putArray("arguments").add("mcp-prober");
        return new Choice(new Planned(params, about("tool", name, "variant", "array-for-object")), "");
    }

    /** The first tool, in listing order, with the plainest required argument that can be given an impossible value. */
    private Optional<Candidate> primary() {
        Candidate best = null;
        Work work = new Work(MAX_WORK);
        try {
            for (Tool tool : listing.tools()) {
                Optional<Candidate> candidate = candidate(tool, work);
                if (candidate.isPresent() && (best == null || candidate.get().rank() < best.rank())) {
                    best = candidate.get();
                }
                if (best != null && best.rank() == PLAIN) {
                    break;
                }
            }
        } catch (Work.Exceeded e) {
            searchedAll = false;
        }
        return Optional.ofNullable(best);
    }

    private static Optional<Candidate> candidate(Tool tool, Work work) {
        ArgumentBuilder builder = new ArgumentBuilder(tool.schema(), work);
        SchemaView view = new SchemaView(tool.schema(), work);
        ObjectNode arguments = null;
        Candidate best = null;
        for (JsonNode required : tool.schema().path("required")) {
            JsonNode declared = tool.schema().path("properties").path(required.asText());
            Optional<Set<Type>> accepted = declared.isObject() ? view.acceptedTypes(declared) : Optional.empty();
            Optional<JsonNode> wrong = accepted.flatMap(CallPlanner::impossible);
            if (wrong.isEmpty() || view.resolve(declared).map(s -> s.has("default")).orElse(true)) {
                continue;
            }
            if (arguments == null) {
                arguments = builder.validArguments().orElse(null);
                if (arguments == null) {
                    return Optional.empty();
                }
            }
            ObjectNode bad = arguments.deepCopy();
            bad.set(required.asText(), wrong.get());
            int rank = declared.has("$ref") || declared.has("anyOf") || declared.has("oneOf") || declared.has("allOf") || declared.path("type").isArray() ? 2
                    : declared.has("enum") || declared.has("const") ? 1 : PLAIN;
            if (builder.refused(bad) && (best == null || rank < best.rank())) {
                String variant = name(Type.of(wrong.get())) + "-for-" + String.join("-or-", accepted.get().stream().map(CallPlanner::name).toList());
                best = new Candidate(tool, required.asText(), wrong.get(), variant, arguments, rank);
                if (rank == PLAIN) {
                    break;
                }
            }
        }
        return Optional.ofNullable(best);
    }

    private String noCandidate() {
        if (listing.tools().isEmpty()) {
            return "no tools listed";
        }
        if (!searchedAll) {
            return TOO_MUCH_WORK;
        }
        boolean anyRequired = listing.tools().stream().anyMatch(tool -> !tool.schema().path("required").isEmpty());
        return anyRequired ? "no required argument has a type that its schema settles, with valid values for the others"
                : "no tool has a required argument";
    }

    /**
     * A value of a type that is not accepted and that no usual coercion turns into one: an object for a text, a text that is no
     * number for a number or a boolean, a scalar for an array or an object. Never a number for a text.
     */
    static Optional<JsonNode> impossible(Set<Type> accepted) {
        Set<Type> types = EnumSet.copyOf(accepted);
        types.remove(Type.NULL);
        boolean text = types.contains(Type.STRING);
        boolean array = types.contains(Type.ARRAY);
        boolean object = types.contains(Type.OBJECT);
        if (types.isEmpty()) {
            return Optional.of(NODES.textNode("mcp-prober: no null"));
        }
        if (!object && (text || array)) {
            return Optional.of(Json.object().put("mcp-prober", "an object"));
        }
        if (!text) {
            return Optional.of(NODES.textNode("mcp-prober: no " + name(types.iterator().next())));
        }
        return array ? Optional.empty() : Optional.of(NODES.arrayNode().add(Json.object().put("mcp-prober", "a list")));
    }

    private static String name(Type type) {
        return type.name().toLowerCase(java.util.Locale.ROOT);
    }

    private static ObjectNode params(String name, ObjectNode arguments) {
        ObjectNode params = Json.object();
        if (name != null) {
            params.put("name", name);
        }
        params.set("arguments", arguments);
        return params;
    }

    private static Map<String, String> about(String... pairs) {
        Map<String, String> out = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            out.put(pairs[i], pairs[i + 1]);
        }
        return out;
    }
}
