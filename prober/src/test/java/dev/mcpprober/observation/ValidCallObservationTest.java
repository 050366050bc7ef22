package dev.mcpprober.observation;

import static dev.mcpprober.transcript.StepOutcome.DEADLINE;
import static dev.mcpprober.transcript.StepOutcome.DONE;
import static dev.mcpprober.transcript.StepOutcome.EXITED;
import static dev.mcpprober.transcript.StepOutcome.REPLIED;
import static dev.mcpprober.transcript.StepOutcome.SKIPPED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.mcpprober.io.Json;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How tools fail on good arguments: by which channel the failure comes. */
class ValidCallObservationTest {
    private static final String LEVEL = "{\"name\":\"repeat\",\"inputSchema\":{\"type\":\"object\"},\"outputSchema\":{\"type\":\"object\",\"required\":[\"cm\"]}}";

    private static Tape valid(String tool) {
        return Tape.open("2025-11-25").tools(tool).step("tools-call-valid", "valid-twin", "tool", "repeat", "primary", "true")
                .ask("tools/call", "{\"name\":\"repeat\",\"arguments\":{\"text\":\"mcp-prober\",\"count\":1}}");
    }

    private static Seen says(String text) {
        return valid(Tape.TOOL).says(text).seen();
    }

    private static String result(String text, String more) {
        return "{\"content\":[{\"type\":\"text\",\"text\":" + Json.write(TextNode.valueOf(text)) + "}]" + more + "}";
    }

    @Test
    void theChannelOfAFailureIsTheObservation() {
        Seen tool = valid(Tape.TOOL).result(result("fetch failed", ",\"isError\":true")).end(REPLIED).seen();
        assertEquals("tool-error", tool.observed(Check.TOOLS_CALL_EXEC_ERROR));
        assertTrue(tool.row(Check.TOOLS_CALL_EXEC_ERROR).subject().primary());
        Seen protocol = valid(Tape.TOOL).error(-32603, "fetch failed").end(REPLIED).seen();
        assertEquals("protocol-error", protocol.observed(Check.TOOLS_CALL_EXEC_ERROR));
        assertEquals(-32603L, protocol.code(Check.TOOLS_CALL_EXEC_ERROR));
        Seen text = says("Error: fetch failed");
        assertEquals("success", text.observed(Check.TOOLS_CALL_EXEC_ERROR));
        assertEquals(Set.of(Flag.ERROR_TEXT), text.flags(Check.TOOLS_CALL_EXEC_ERROR));
        assertEquals("no-response", valid(Tape.TOOL).end(DEADLINE).alive("tools-call-valid").seen().observed(Check.TOOLS_CALL_EXEC_ERROR));
        assertEquals("exited", valid(Tape.TOOL).exits(1).end(EXITED).seen().observed(Check.TOOLS_CALL_EXEC_ERROR));
        assertEquals("invalid-response", valid(Tape.TOOL).result(result("no", ",\"isError\":\"true\"")).end(REPLIED).seen().observed(Check.TOOLS_CALL_EXEC_ERROR));
    }

    @Test
    void whereNothingFailedThereIsNothingToSay() {
        assertEquals("no tool failed on a valid call", says("mcp-prober").reason(Check.TOOLS_CALL_EXEC_ERROR));
        assertEquals("no tool failed on a valid call", valid(Tape.TOOL).result("{\"content\":\"no\"}").end(REPLIED).seen().reason(Check.TOOLS_CALL_EXEC_ERROR));
        Seen skipped = Tape.open("2025-11-25").tools(Tape.TOOL).skip("tools-call-valid", "valid-twin", "the tool may have effects").seen();
        assertEquals("the tool may have effects", skipped.reason(Check.TOOLS_CALL_EXEC_ERROR));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Error: x", "\u274c Error fetching page", "TypeError: fetch failed", "An unexpected error occurred", "Failed to fetch data", "Could not read it",
        "Traceback (most recent call last):", "Sorry, getaddrinfo ENOTFOUND example.com", "The API key is not set", "{\"success\": false, \"message\": \"x\"}", "{\"error\": \"x\"}"})
    void reportsOfFailureInAPlainSuccess(String text) {
        assertEquals(Set.of(Flag.ERROR_TEXT), says(text).flags(Check.TOOLS_CALL_EXEC_ERROR));
    }

    @ParameterizedTest
    @ValueSource(strings = {"No errors found", "Errors: 0", "Error rate 3 %", "3 failed tests", "Failed: 0", "No results", "not found", "{\"ok\": true}", "{\"valid\": false, \"problems\": []}", "{\"status\": 404}", "{\"status\": \"compile_error\"}", "Unknown birds of the north",
        "The page explains how errors are handled"})
    void outputThatOnlySpeaksOfErrorsIsNone(String text) {
        assertEquals("no tool failed on a valid call", says(text).reason(Check.TOOLS_CALL_EXEC_ERROR));
    }

    /** As seen of a tool that shows what messages look like, called with the first kind that its schema lists. */
    @Test
    void anErrorThatWasAskedForIsNoFailure() {
        Tape asked = Tape.open("2025-11-25").tools(Tape.TOOL).step("tools-call-valid", "valid-twin", "tool", "repeat", "primary", "true");
        Tape kind = asked.ask("tools/call", "{\"name\":\"repeat\",\"arguments\":{\"kind\":\"error\"}}");
        assertEquals("no tool failed on a valid call", kind.says("Error: Operation failed").seen().reason(Check.TOOLS_CALL_EXEC_ERROR));
        Tape again = Tape.open("2025-11-25").tools(Tape.TOOL).step("tools-call-valid", "valid-twin", "tool", "repeat", "primary", "true")
                .ask("tools/call", "{\"name\":\"repeat\",\"arguments\":{\"states\":[\"failed\"]}}");
        assertEquals(Set.of(Flag.ERROR_TEXT), again.says("Error: fetch failed").seen().flags(Check.TOOLS_CALL_EXEC_ERROR), "a network that is not there was not asked for");
    }

    @Test
    void everyToolThatFailsHasARowTheOthersNone() {
        Tape tape = valid(Tape.TOOL).says("fine");
        Tape tools = Tape.open("legacy-tools", "legacy-tools", "2025-11-25").tools(Tape.TOOL)
                .step("tool-2-valid", "valid-twin", "tool", "a").ask("tools/call", "{\"name\":\"a\",\"arguments\":{}}").error(-32603, "x").end(REPLIED)
                .step("tool-3-valid", "valid-twin", "tool", "b").ask("tools/call", "{\"name\":\"b\",\"arguments\":{}}").result(result("x", ",\"isError\":true")).end(REPLIED)
                .step("tool-4-valid", "valid-twin", "tool", "c").end(SKIPPED, "the tool left a call before without an answer")
                .step("tools-calls", "all-tools").end(DONE, "tool budget spent: 25 of 31 tools were called");
        Seen seen = tape.seen(tools);
        assertEquals(List.of("protocol-error", "tool-error", "not-run", "not-run"), seen.rows(Check.TOOLS_CALL_EXEC_ERROR).stream().filter(o -> o.subject().tool() != null
                || o instanceof Observation.NotRun).map(Observation::observed).sorted(java.util.Comparator.comparing((String o) -> o.equals("not-run"))).toList());
    }

    @Test
    void whatTheBudgetLeftOutIsNotRun() {
        Tape tools = Tape.open("legacy-tools", "legacy-tools", "2025-11-25").tools(Tape.TOOL).step("tools-calls", "all-tools")
                .end(DONE, "time for tool calls spent: 12 of 31 tools were called in full");
        Seen seen = valid(Tape.TOOL).says("fine").seen(tools);
        for (Check check : List.of(Check.TOOLS_CALL_WRONG_TYPE, Check.TOOLS_CALL_MISSING_REQUIRED, Check.TOOLS_CALL_EXEC_ERROR)) {
            Observation.NotRun row = (Observation.NotRun) seen.rows(check).stream()
                    .filter(o -> o instanceof Observation.NotRun n && n.reason().equals("time for tool calls spent")).findFirst().orElseThrow();
            assertEquals("12 of 31 tools were called in full", row.detail());
            assertFalse(row.subject().primary());
        }
    }

    @Test
    void resultsThatMissTheirOwnSchemaAreReportedOrNot() {
        assertEquals("success", valid(LEVEL).result(result("x", ",\"structuredContent\":{}")).end(REPLIED).seen().observed(Check.OUTPUT_SCHEMA_REPORT));
        assertEquals("success", valid(LEVEL).result(result("x", "")).end(REPLIED).seen().observed(Check.OUTPUT_SCHEMA_REPORT));
        assertEquals("no result missed its schema", valid(LEVEL).result(result("x", ",\"structuredContent\":{\"cm\":1}")).end(REPLIED).seen().reason(Check.OUTPUT_SCHEMA_REPORT));
        Seen tool = valid(LEVEL).result(result("Output validation error: 'cm' is a required property", ",\"isError\":true")).end(REPLIED).seen();
        assertEquals("tool-error", tool.observed(Check.OUTPUT_SCHEMA_REPORT));
        Seen protocol = valid(LEVEL).error(-32602, "MCP error -32602: Invalid structured content for tool repeat").end(REPLIED).seen();
        assertEquals("protocol-error", protocol.observed(Check.OUTPUT_SCHEMA_REPORT));
        assertEquals(Set.of(Flag.OWN_RESULT), protocol.flags(Check.TOOLS_CALL_EXEC_ERROR));
        assertEquals("no result missed its schema", valid(LEVEL).result(result("fetch failed", ",\"isError\":true")).end(REPLIED).seen().reason(Check.OUTPUT_SCHEMA_REPORT));
        assertEquals("no tool with an output schema answered a valid call", says("x").reason(Check.OUTPUT_SCHEMA_REPORT));
    }

    @Test
    void whichToolsAreDisabledCannotBeKnown() {
        assertEquals("no listed tool is known to be disabled", says("x").reason(Check.TOOLS_CALL_DISABLED));
    }

    private static Seen errors(String errorSchema, String structured) {
        Tape tape = Tape.open("2025-11-25").step("tools-list", "tools-list").ask("tools/list")
                .result("{\"tools\":[" + Tape.TOOL + "]" + (errorSchema == null ? "" : ",\"errorSchema\":" + errorSchema) + "}").end(REPLIED);
        return tape.call("tools-call-wrong-type", "text", "{\"text\":{},\"count\":1}")
                .result(result("text must be a string", ",\"isError\":true" + (structured == null ? "" : ",\"structuredContent\":" + structured))).end(REPLIED).seen();
    }

    @Test
    void errorResultsAreHeldAgainstTheDeclaredErrorSchema() {
        String schema = "{\"type\":\"object\",\"properties\":{\"code\":{\"type\":\"string\"}},\"required\":[\"code\"]}";
        assertEquals("conforms", errors(schema, "{\"code\":\"invalid\"}").observed(Check.ERROR_SCHEMA_CONFORMS));
        Seen bad = errors(schema, "{\"code\":7}");
        assertEquals("violates", bad.observed(Check.ERROR_SCHEMA_CONFORMS));
        assertEquals(2, bad.witness(Check.ERROR_SCHEMA_CONFORMS).size());
        assertEquals("absent", errors(null, "{\"code\":7}").observed(Check.ERROR_SCHEMA_CONFORMS));
        assertEquals("no error result has structured content", errors(schema, null).reason(Check.ERROR_SCHEMA_CONFORMS));
        assertEquals("dialect", errors("{\"$schema\":\"urn:x\"}", "{}").reason(Check.ERROR_SCHEMA_CONFORMS));
        assertEquals("errorSchema cannot be put to use", errors("{\"$ref\":\"http://127.0.0.1:9/e.json\"}", "{}").reason(Check.ERROR_SCHEMA_CONFORMS));
    }
}
