package dev.mcpprober.session;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.io.Work;
import dev.mcpprober.session.CallPlanner.Planned;
import dev.mcpprober.session.ToolListing.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The calls to all tools, in an order that depends on the listing alone: the primary tool, then the others as listed; for each the wrong
 * types, a call without a required argument, a valid one, and one with an argument too many. What the main sessions call is left out.
 */
final class ToolProgram {
    /** Tools with more required arguments than this are rare; each costs two calls. */
    private static final int MAX_WRONG = 8;
    /** For the schema of one tool: a tenth of a second. */
    private static final long WORK = 10_000_000;
    /** How the ids of all its steps begin. */
    static final String STEP = "tool-";
    private static final String NO_ARGUMENTS = "no valid arguments can be built from the schema of this tool";
    private static final String EFFECTS = "the tool may have effects (no readOnlyHint) and this command runs outside a sandbox";

    /**
     * One call.
     *
     * @param step as it stands in the transcript; the same in every process of the same listing
     * @param skip why it is not made; empty where it is
     */
    record ToolCall(Step step, Planned planned, String skip) {}

    private final ToolListing listing;
    private final CallPlanner planner;
    private final boolean harmlessOnly;
    private final Planned mainWrong;
    private final Planned mainMissing;
    private final Planned mainValid;

    /** @param harmlessOnly see {@link CallPlanner}: tools that may have effects are not called at all */
    ToolProgram(ToolListing listing, CallPlanner planner, boolean harmlessOnly) {
        this.listing = listing;
        this.planner = planner;
        this.harmlessOnly = harmlessOnly;
        this.mainWrong = planner.plan(Step.CallKind.WRONG_TYPE).planned();
        this.mainMissing = planner.plan(Step.CallKind.MISSING_REQUIRED).planned();
        this.mainValid = planner.plan(Step.CallKind.VALID).planned();
    }

    /** The tools in the order in which they are called. */
    List<Tool> order() {
        List<Tool> out = new ArrayList<>();
        planner.primaryTool().ifPresent(out::add);
        listing.tools().stream().filter(tool -> !out.contains(tool)).forEach(out::add);
        return out;
    }

    /** What the ids of all steps that call {@code tool} begin with. */
    String prefix(Tool tool) {
        return STEP + (listing.tools().indexOf(tool) + 1) + "-";
    }

    /** The same of a step that calls some tool. */
    static String toolOf(String step) {
        return step.substring(0, step.indexOf('-', STEP.length()) + 1);
    }

    List<ToolCall> calls(Tool tool) {
        String prefix = prefix(tool);
        try {
            ToolProbe probe = new ToolProbe(tool, new Work(WORK));
            Optional<ObjectNode> valid = probe.valid();
            if (valid.isEmpty()) {
                return List.of(skipped(prefix, tool, NO_ARGUMENTS));
            }
            if (harmlessOnly && !tool.harmless()) {
                return isMain(mainValid, tool, "") ? List.of() : List.of(skipped(prefix, tool, EFFECTS));
            }
            return calls(tool, prefix, probe, valid.get());
        } catch (Work.Exceeded e) {
            return List.of(skipped(prefix, tool, CallPlanner.TOO_MUCH_WORK));
        }
    }

    private List<ToolCall> calls(Tool tool, String prefix, ToolProbe probe, ObjectNode valid) {
        List<ToolCall> out = new ArrayList<>();
        int number = 0;
        for (String property : probe.required()) {
            Optional<ToolProbe.Wrong> wrong = number < MAX_WRONG && !isMain(mainWrong, tool, property) ? probe.wrong(property) : Optional.empty();
            if (wrong.isPresent()) {
                String id = prefix + "wrong-type-" + ++number;
                out.add(call(id, "tools-call-wrong-type", tool, wrong.get().first().arguments(), property, wrong.get().first().variant()));
                wrong.get().second().ifPresent(second -> out.add(call(id + "-second", Scripts.SECOND_WRONG_TYPE, tool, second.arguments(), property, second.variant())));
            }
        }
        if (!isMain(mainMissing, tool, "")) {
            probe.missing(probe.required()).ifPresent(left -> out.add(call(prefix + "missing-required", "tools-call-missing-required", tool, left.arguments(),
                    left.property(), "left-out")));
        }
        if (!isMain(mainValid, tool, "")) {
            out.add(call(prefix + "valid", Scripts.VALID_TWIN, tool, valid, "", "valid"));
        }
        probe.extra().ifPresent(extra -> out.add(call(prefix + "extra-argument", extra.closed() ? "tools-call-extra-argument-closed" : "tools-call-extra-argument-open",
                tool, extra.arguments(), ToolProbe.EXTRA, extra.closed() ? "closed" : "open")));
        return out;
    }

    /** The call is one of the main sessions'. */
    private static boolean isMain(Planned main, Tool tool, String property) {
        return main != null && main.tool().equals(tool.name()) && (property.isEmpty() || main.property().equals(property));
    }

    private ToolCall call(String id, String probe, Tool tool, ObjectNode arguments, String property, String variant) {
        Map<String, String> about = CallPlanner.about("tool", tool.name(), "variant", variant);
        if (!property.isEmpty()) {
            about.put("property", property);
        }
        // Only what no main session asks the primary tool.
        if (variant.equals("open") || variant.equals("closed")) {
            planner.primaryTool().filter(tool::equals).ifPresent(primary -> about.put("primary", "true"));
        }
        return new ToolCall(new Step.Request(id, probe, "tools/call", "", ""), new Planned(CallPlanner.params(tool.name(), arguments), about), "");
    }

    private static ToolCall skipped(String prefix, Tool tool, String why) {
        return new ToolCall(new Step.Request(prefix + "valid", Scripts.VALID_TWIN, "tools/call", "", ""),
                new Planned(CallPlanner.params(tool.name(), Json.object()), CallPlanner.about("tool", tool.name())), why);
    }
}
