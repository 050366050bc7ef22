package dev.mcpprober.session;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.io.Work;
import dev.mcpprober.session.ToolListing.Tool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Chooses the primary tool and plans the calls that stand for a server in a headline figure. */
final class CallPlanner {
    /** For one search through the tools: some seconds, and far more than any honest listing takes. */
    private static final long MAX_WORK = 100_000_000;
    static final String TOO_MUCH_WORK = "the schemas of the tools take too much work to build arguments for";
    /** What the finished call is about, in the transcript. */
    private static final String PRIMARY = "primary";

    /** What to send. {@code about} tells the reader of the transcript what was chosen. */
    record Planned(ObjectNode params, Map<String, String> about) {
        String tool() {
            return about.getOrDefault("tool", "");
        }

        String property() {
            return about.getOrDefault("property", "");
        }
    }

    /** Either a call, or why there is none. */
    record Choice(Planned planned, String reason) {
        static Choice none(String reason) {
            return new Choice(null, reason);
        }
    }

    private record Candidate(Tool tool, ToolProbe.Wrong wrong) {}

    private final ToolListing listing;
    private final boolean harmlessOnly;
    private final String suffix;
    private Optional<Candidate> primary;
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
            case WRONG_TYPE -> primary().map(c -> wrong(c, Optional.of(c.wrong().first()))).orElseGet(() -> Choice.none(noCandidate()));
            case SECOND_WRONG_TYPE -> primary().map(c -> wrong(c, c.wrong().second())).orElseGet(() -> Choice.none(noCandidate()));
            case MISSING_REQUIRED -> missingRequired();
            case VALID -> valid();
            case NO_NAME -> new Choice(new Planned(params(null, Json.object()), about("variant", "no-name")), "");
            case BAD_ARGUMENTS -> badArguments();
        };
    }

    /** The tool that the calls of the main sessions are made to; empty where no tool has an argument that can be given a wrong type. */
    Optional<Tool> primaryTool() {
        return primary().map(Candidate::tool);
    }

    private Choice unknownTool() {
        String name = "mcp_prober_no_such_tool_" + suffix;
        while (listing.has(name)) {
            name += "_";
        }
        return new Choice(new Planned(params(name, Json.object()), about("tool", name)), "");
    }

    private static Choice wrong(Candidate c, Optional<ToolProbe.Bad> bad) {
        return bad.map(b -> new Choice(new Planned(params(c.tool().name(), b.arguments()),
                        about("tool", c.tool().name(), "property", c.wrong().property(), "variant", b.variant(), PRIMARY, "true")), ""))
                .orElseGet(() -> Choice.none("no second value that the schema refuses in every reading"));
    }

    private Choice missingRequired() {
        Work work = new Work(MAX_WORK);
        try {
            Optional<Choice> ofPrimary = primary().flatMap(c -> missingOf(c.tool(), List.of(c.wrong().property()), work));
            if (ofPrimary.isPresent()) {
                return ofPrimary.get();
            }
            for (Tool tool : listing.tools()) {
                Optional<Choice> choice = missingOf(tool, new ToolProbe(tool, work).required(), work);
                if (choice.isPresent()) {
                    return choice.get();
                }
            }
        } catch (Work.Exceeded e) {
            return Choice.none(TOO_MUCH_WORK);
        }
        return Choice.none(listing.tools().isEmpty() ? "no tools listed" : "no tool has a required argument without a default that valid arguments can be built around");
    }

    private static Optional<Choice> missingOf(Tool tool, List<String> properties, Work work) {
        return new ToolProbe(tool, work).missing(properties).map(left -> new Choice(new Planned(params(tool.name(), left.arguments()),
                about("tool", tool.name(), "property", left.property(), "variant", "left-out", PRIMARY, "true")), ""));
    }

    private Choice valid() {
        List<Tool> order = new ArrayList<>();
        primaryTool().ifPresent(order::add);
        order.addAll(listing.tools());
        Work work = new Work(MAX_WORK);
        try {
            for (Tool tool : order) {
                Optional<ObjectNode> arguments = new ToolProbe(tool, work).valid();
                if (arguments.isPresent()) {
                    if (harmlessOnly && !tool.harmless()) {
                        return Choice.none("the primary tool may have effects (no readOnlyHint) and this command runs outside a sandbox");
                    }
                    return new Choice(new Planned(params(tool.name(), arguments.get()), about("tool", tool.name(), "variant", "valid", PRIMARY, "true")), "");
                }
            }
        } catch (Work.Exceeded e) {
            return Choice.none(TOO_MUCH_WORK);
        }
        return Choice.none(listing.tools().isEmpty() ? "no tools listed" : "no tool whose schema valid arguments can be built for");
    }

    private Choice badArguments() {
        if (listing.tools().isEmpty()) {
            return Choice.none("no tools listed");
        }
        String name = primaryTool().map(Tool::name).orElse(listing.tools().get(0).name());
        ObjectNode params = Json.object().put("name", name);
        params.putArray("arguments").add("mcp-prober");
        return new Choice(new Planned(params, about("tool", name, "variant", "array-for-object")), "");
    }

    /** The first tool, in listing order, with the plainest required argument that can be given an impossible value. */
    private Optional<Candidate> primary() {
        if (primary == null) {
            primary = search();
        }
        return primary;
    }

    private Optional<Candidate> search() {
        Candidate best = null;
        Work work = new Work(MAX_WORK);
        try {
            for (Tool tool : listing.tools()) {
                ToolProbe probe = new ToolProbe(tool, work);
                for (String property : probe.required()) {
                    Optional<ToolProbe.Wrong> wrong = probe.wrong(property);
                    if (wrong.isPresent() && (best == null || wrong.get().rank() < best.wrong().rank())) {
                        best = new Candidate(tool, wrong.get());
                    }
                    if (best != null && best.wrong().rank() == ToolProbe.PLAIN) {
                        return Optional.of(best);
                    }
                }
            }
        } catch (Work.Exceeded e) {
            searchedAll = false;
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

    static ObjectNode params(String name, ObjectNode arguments) {
        ObjectNode params = Json.object();
        if (name != null) {
            params.put("name", name);
        }
        params.set("arguments", arguments);
        return params;
    }

    static Map<String, String> about(String... pairs) {
        Map<String, String> out = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            out.put(pairs[i], pairs[i + 1]);
        }
        return out;
    }
}
