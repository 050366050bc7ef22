package dev.mcpprober.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Calls to all tools: which, in what order, and what ends them. */
class ToolCallerTest {
    private static final String CLOSED = "{'type':'object','properties':{'a':{'type':'string'},'b':{'type':'integer'}},'required':['a','b'],'additionalProperties':false}";
    private static final String OPEN = "{'type':'object','properties':{'q':{'type':'string'}},'required':['q']}";
    private static final String EMPTY = "{'type':'object'}";
    private static final String HOPELESS = "{'type':'object','properties':{'z':{'type':'string','pattern':'^never[0-9]{44}$'}},'required':['z']}";

    private final List<String> calls = new ArrayList<>();
    private final List<String> skips = new ArrayList<>();

    private static ToolListing listing(String... nameAndSchema) {
        ObjectNode page = Json.object();
        ArrayNode tools = page.putArray("tools");
        for (int i = 0; i < nameAndSchema.length; i += 2) {
            tools.addObject().put("name", nameAndSchema[i]).set("inputSchema", json(nameAndSchema[i + 1]));
        }
        ToolListing listing = new ToolListing();
        listing.addPage(page);
        return listing;
    }

    private static JsonNode json(String text) {
        return ((Json.Parsed.Value) Json.parse(text.replace('\'', '"'))).node();
    }

    private static ToolProgram program(ToolListing listing, boolean harmlessOnly) {
        return new ToolProgram(listing, new CallPlanner(listing, harmlessOnly, "x"), harmlessOnly);
    }

    private ToolCaller.Result run(ToolListing listing, int tools, Set<String> done, Set<String> lost, Function<String, ToolCaller.Met> met) throws Exception {
        Step.CallTools step = new Step.CallTools("tools-calls", Scripts.ALL_TOOLS, new ToolBudget(tools, Duration.ofSeconds(60)), done, lost);
        return ToolCaller.run(program(listing, false), step, Long.MAX_VALUE, new ToolCaller.Line() {
            @Override
            public ToolCaller.Met call(Step call, CallPlanner.Planned planned) {
                calls.add(call.id() + " " + call.probe());
                return met.apply(call.id());
            }

            @Override
            public void skip(Step call, CallPlanner.Planned planned, String reason) {
                skips.add(call.id() + ": " + reason);
            }
        });
    }

    private ToolCaller.Result run(ToolListing listing, int tools) throws Exception {
        return run(listing, tools, Set.of(), Set.of(), id -> ToolCaller.Met.ANSWERED);
    }

    @Test
    void theMainSessionsCallsToThePrimaryToolAreNotRepeated() throws Exception {
        assertEquals(new ToolCaller.Result(true, ""), run(listing("none", EMPTY, "main", CLOSED, "other", OPEN), 25));
        assertEquals(List.of(
                "tool-2-wrong-type-1 tools-call-wrong-type", "tool-2-wrong-type-1-second second-wrong-type", "tool-2-extra-argument tools-call-extra-argument-closed",
                "tool-1-valid valid-twin", "tool-1-extra-argument tools-call-extra-argument-open",
                "tool-3-wrong-type-1 tools-call-wrong-type", "tool-3-wrong-type-1-second second-wrong-type", "tool-3-missing-required tools-call-missing-required",
                "tool-3-valid valid-twin", "tool-3-extra-argument tools-call-extra-argument-open"), calls);
        assertEquals(List.of(), skips);
    }

    @Test
    void whatTheBudgetLeavesOutIsSaid() throws Exception {
        assertEquals("tool budget spent: 2 of 3 tools were called", run(listing("none", EMPTY, "main", CLOSED, "other", OPEN), 2).detail());
        assertTrue(calls.stream().noneMatch(call -> call.startsWith("tool-3-")), calls.toString());
        Step.CallTools late = new Step.CallTools("tools-calls", Scripts.ALL_TOOLS, new ToolBudget(25, Duration.ofSeconds(-1)), Set.of(), Set.of());
        assertEquals("time for tool calls spent: 0 of 1 tools were called in full", ToolCaller.run(program(listing("a", OPEN), false), late, Long.MAX_VALUE, null).detail());
    }

    @Test
    void aToolThatDoesNotAnswerIsLeftAlone() throws Exception {
        assertTrue(run(listing("main", CLOSED, "other", OPEN, "last", EMPTY), 25, Set.of(), Set.of(),
                id -> id.equals("tool-2-missing-required") ? ToolCaller.Met.SILENT : ToolCaller.Met.ANSWERED).whole());
        assertEquals(List.of("tool-2-valid: the tool left a call before without an answer", "tool-2-extra-argument: the tool left a call before without an answer"), skips);
        assertTrue(calls.contains("tool-3-valid valid-twin"), calls.toString());
    }

    @Test
    void aLostServerEndsThemAndTheNextProcessGoesOnBehindTheToolThatLostIt() throws Exception {
        ToolListing listing = listing("main", CLOSED, "other", OPEN, "last", EMPTY);
        assertFalse(run(listing, 25, Set.of(), Set.of(), id -> id.equals("tool-2-wrong-type-1") ? ToolCaller.Met.LOST : ToolCaller.Met.ANSWERED).whole());
        Set<String> made = Set.copyOf(calls.stream().map(call -> call.substring(0, call.indexOf(' '))).toList());
        calls.clear();
        assertEquals("tool-2-", ToolProgram.toolOf("tool-2-wrong-type-1"));
        assertTrue(run(listing, 25, made, Set.of("tool-2-"), id -> ToolCaller.Met.ANSWERED).whole());
        assertEquals(List.of("tool-3-valid valid-twin", "tool-3-extra-argument tools-call-extra-argument-open"), calls);
        assertEquals(4, skips.size(), skips.toString());
    }

    @Test
    void outsideASandboxToolsThatMayHaveEffectsAreNotCalled() {
        ToolListing listing = listing("main", CLOSED, "delete_note", OPEN);
        ToolProgram program = program(listing, true);
        List<ToolProgram.ToolCall> calls = program.calls(listing.tools().get(1));
        assertEquals(1, calls.size());
        assertTrue(calls.get(0).skip().startsWith("the tool may have effects"), calls.toString());
        assertEquals(5, program(listing, false).calls(listing.tools().get(1)).size());
        assertEquals(3, program.calls(listing.tools().get(0)).size(), "this one is harmless by its name");
    }

    @Test
    void aToolWhoseSchemaDefeatsUsIsSkippedWithTheReason() {
        ToolListing listing = listing("main", CLOSED, "hopeless", HOPELESS);
        List<ToolProgram.ToolCall> calls = program(listing, false).calls(listing.tools().get(1));
        assertEquals(List.of("no valid arguments can be built from the schema of this tool"), calls.stream().map(ToolProgram.ToolCall::skip).toList());
    }

    @Test
    void theExtraArgumentIsOneThatTheSchemaHasRoomForOrNot() {
        String typed = OPEN.replace("'required'", "'additionalProperties':{'type':'number'},'required'");
        ToolListing listing = listing("main", CLOSED, "typed", typed, "unevaluated", OPEN.replace("'required'", "'unevaluatedProperties':false,'required'"));
        ToolProgram program = program(listing, false);
        ToolProgram.ToolCall extra = program.calls(listing.tools().get(1)).stream().filter(c -> c.step().id().endsWith("extra-argument")).findFirst().orElseThrow();
        assertEquals("tools-call-extra-argument-open", extra.step().probe());
        assertEquals(1, extra.planned().params().path("arguments").path(ToolProbe.EXTRA).intValue());
        assertTrue(program.calls(listing.tools().get(2)).stream().anyMatch(c -> c.step().probe().equals("tools-call-extra-argument-closed")));
        assertEquals("true", program.calls(listing.tools().get(0)).stream().filter(c -> c.step().id().endsWith("extra-argument")).findFirst().orElseThrow()
                .planned().about().get("primary"), "no main session asks it");
    }

    @Test
    void nobodyHasMoreThanEightWrongTypes() {
        StringBuilder properties = new StringBuilder();
        StringBuilder required = new StringBuilder();
        for (int i = 0; i < 30; i++) {
            properties.append(i == 0 ? "" : ",").append("'p").append(i).append("':{'type':'boolean'}");
            required.append(i == 0 ? "" : ",").append("'p").append(i).append("'");
        }
        ToolListing listing = listing("main", OPEN, "wide", "{'type':'object','properties':{" + properties + "},'required':[" + required + "]}");
        assertEquals(8, program(listing, false).calls(listing.tools().get(1)).stream().filter(c -> c.step().probe().equals("tools-call-wrong-type")).count());
    }
}
