package dev.mcpprober.observation;

import static dev.mcpprober.transcript.StepOutcome.DEADLINE;
import static dev.mcpprober.transcript.StepOutcome.REPLIED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.mcpprober.io.Json;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Refusals that show that the argument was looked at, and refusals that do not. */
class AttributionTest {
    private static final String WRONG = "tools-call-wrong-type";
    private static final String OBJECT = "{\"text\":{\"mcp-prober\":\"an object\"},\"count\":1}";
    private static final String LIST = "{\"text\":[{\"mcp-prober\":\"a list\"}],\"count\":1}";
    private static final String GOOD = "{\"text\":\"mcp-prober\",\"count\":1}";
    private static final Set<String> NONE = Set.of();
    private static final Set<String> UNATTRIBUTED = Set.of(Flag.UNATTRIBUTED);
    private static final Set<String> SAME = Set.of(Flag.SAME_AS_VALID);

    private static String failed(String text) {
        return "{\"content\":[{\"type\":\"text\",\"text\":" + Json.write(TextNode.valueOf(text)) + "}],\"isError\":true}";
    }

    private static Tape wrong() {
        return Tape.open("2025-11-25").tools(Tape.TOOL).call(WRONG, "text", OBJECT);
    }

    private static Tape bad(String text) {
        return wrong().result(failed(text)).end(REPLIED);
    }

    private static Tape second(Tape tape) {
        return tape.step("tools-call-wrong-type-second", "second-wrong-type", "tool", "repeat", "property", "text")
                .ask("tools/call", "{\"name\":\"repeat\",\"arguments\":" + LIST + "}");
    }

    private static Tape twin(Tape tape) {
        return tape.step("tools-call-valid", "valid-twin", "tool", "repeat").ask("tools/call", "{\"name\":\"repeat\",\"arguments\":" + GOOD + "}");
    }

    private static Set<String> flags(Tape tape) {
        return tape.seen().flags(Check.TOOLS_CALL_WRONG_TYPE);
    }

    /** Flags when bad call and second one fail with these texts, and the valid one with the third. */
    private static Set<String> flags(String bad, String second, String twin) {
        return flags(twin(second(bad(bad)).result(failed(second)).end(REPLIED)).result(failed(twin)).end(REPLIED));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "MCP error -32602: Invalid arguments for tool x: [ { \"code\": \"invalid_type\", \"expected\": \"string\", \"path\": [] } ]",
        "Input validation error: Invalid arguments for tool x: Invalid input: expected string, received object",
        "Input validation error: {'mcp-prober': 'an object'} is not of type 'string'",
        "Error executing tool x: 1 validation error for xArguments", "1 validation error for call[x]", "Input should be a valid string",
        "Tool 'x' parameter validation failed. Please check the parameter types and values according to the tool's schema.",
        "data must be string", "json: cannot unmarshal object into Go struct field .q of type string", "invalid type: map, expected a string",
        "needs to be a string", "Expected a string but got object", "Invalid parameters", "'dict' object has no attribute 'strip'"})
    void whatValidatorsSayNeedsNoTwin(String words) {
        assertEquals(NONE, flags(bad(words)));
        assertEquals(NONE, flags(twin(bad(words)).result(failed("fetch failed")).end(REPLIED)));
    }

    @Test
    void theNameOfTheArgumentCountsWhereTheValidCallIsNotToldIt() {
        assertEquals(NONE, flags(bad("Input refused: text")));
        assertEquals(NONE, flags(twin(bad("Input refused: text")).result(failed("no network")).end(REPLIED)));
        assertEquals(UNATTRIBUTED, flags("open text: denied", "write text: broken", "read text: no such place"), "the tool names it whatever it is given");
    }

    @Test
    void aFailureWithoutNameSchemaOrTwinIsUnattributed() {
        assertEquals(UNATTRIBUTED, flags(bad("Something went wrong")));
        assertEquals(UNATTRIBUTED, flags(wrong().error(-32603, "Internal error").end(REPLIED)));
        assertEquals(UNATTRIBUTED, flags(twin(bad("Something went wrong")).end(DEADLINE)), "nor does a valid call without an answer help");
        assertEquals(NONE, flags(wrong().error(-32602, "no").end(REPLIED)), "the code says what it is about");
    }

    @Test
    void aValidCallThatWorksTellsWhatTheFailureWasAbout() {
        assertEquals(NONE, flags(twin(bad("e.trim is broken")).says("mcp-prober")));
        assertEquals(NONE, flags(twin(second(bad("e.trim is broken")).result(failed("other words")).end(REPLIED)).says("mcp-prober")));
        assertEquals(UNATTRIBUTED, flags(twin(second(bad("e.trim is broken")).says("[object Object]")).says("mcp-prober")), "one wrong value was refused, another taken");
    }

    @Test
    void aValidCallThatFailsTooIsToldApartByWhatBothWrongValuesAreTold() {
        assertEquals(SAME, flags("fetch failed", "fetch failed", "fetch failed"));
        assertEquals(SAME, flags("request 9f2c-11 at 12:00:01 was lost", "request 77aa-12 at 12:00:02 was lost", "request 81bb-13 at 12:00:09 was lost"));
        assertEquals(NONE, flags("that url cannot be parsed", "that url cannot be parsed", "fetch failed"));
        assertEquals(UNATTRIBUTED, flags("socket hang up", "gateway closed early", "fetch failed"), "it fails in ever new ways");
        Set<String> channel = flags(twin(second(bad("boom")).result(failed("boom")).end(REPLIED)).error(-32603, "fetch failed").end(REPLIED));
        assertEquals(NONE, channel);
    }

    /** As seen of a tool that renames: valid arguments are two equal names, which it refuses; a wrong one of them differs and gets as far as the file. */
    @Test
    void aFailureThatIsAboutAnotherArgumentIsNoRefusalOfThisOne() {
        String twin = "{\"error_type\": \"ValueError\", \"message\": \"new and old are identical; nothing to rename\"}";
        String file = "{\"error_type\": \"FileNotFoundError\", \"message\": \"the report\"}";
        assertEquals(UNATTRIBUTED, flags(file, file, twin), "it names a cause that a sandbox gives");
        assertEquals(UNATTRIBUTED, renamed("cannot find /tmp/report.x in the index"), "it repeats the value of another argument");
        assertEquals(NONE, renamed("cannot find [object Object] in the index"), "nothing of another");
        assertEquals(NONE, renamed("cannot find {'mcp-prober': 'an object'} of /tmp/report.x in the index"), "it repeats this one too");
        Tape works = twin(bad("ENOENT: no such file")).says("mcp-prober");
        assertEquals(NONE, flags(works), "the valid call worked, so the argument is what it failed for");
    }

    private static Set<String> renamed(String words) {
        Tape tape = Tape.open("2025-11-25").tools(Tape.TOOL).call(WRONG, "text", "{\"text\":{\"mcp-prober\":\"an object\"},\"path\":\"/tmp/report.x\"}").result(failed(words)).end(REPLIED);
        Tape valid = tape.step("tools-call-valid", "valid-twin", "tool", "repeat").ask("tools/call", "{\"name\":\"repeat\",\"arguments\":{\"text\":\"mcp-prober\",\"path\":\"/tmp/report.x\"}}");
        return flags(valid.result(failed("nothing to rename")).end(REPLIED));
    }

    @Test
    void theKeysOfAJsonAnswerAreNoLikeness() {
        String report = "{'error_type': '%s', 'message': '%s'}".replace('\'', '"');
        String bad = String.format(report, "AttributeError", "x.strip is broken");
        assertEquals(NONE, flags(bad, bad, String.format(report, "FileNotFoundError", "the report")));
        assertEquals(SAME, flags(String.format(report, "FileNotFoundError", "the report"), bad, String.format(report, "FileNotFoundError", "the report")));
    }

    @Test
    void wordsOfSchemasThatTheValidCallIsToldTooProveNothing() {
        String own = "1 validation error for Out: field required";
        assertEquals(SAME, flags(own, own, own));
        assertEquals(UNATTRIBUTED, flags("validation error for Out, q", "validation error for Out, other things entirely here", "validation error for Out, q z"));
    }

    @Test
    void anErrorAboutTheToolsOwnResultIsNoValidation() {
        String own = "MCP error -32602: Invalid tools/call result: expected array, received undefined";
        assertEquals(UNATTRIBUTED, flags(wrong().error(-32602, own).end(REPLIED)));
        assertEquals(SAME, flags(twin(wrong().error(-32602, own).end(REPLIED)).error(-32602, own).end(REPLIED)));
        assertTrue(Attribution.ofOwnResult("Output validation error: 'x' is not of type 'number'"));
        assertTrue(Attribution.ofOwnResult("Tool x has an output schema but no structured content was provided"));
        assertFalse(Attribution.ofOwnResult("Input validation error: 'x' is not of type 'number'"));
        Seen unknown = Tape.open("2025-11-25").tools(Tape.TOOL).step("tools-call-unknown", "tools-call-unknown", "tool", "nobody")
                .ask("tools/call", "{\"name\":\"nobody\",\"arguments\":{}}").error(-32602, own).end(REPLIED).seen();
        assertEquals(Set.of(Flag.OWN_RESULT), unknown.flags(Check.TOOLS_CALL_UNKNOWN));
    }

    @Test
    void aMissingArgumentIsAttributedInTheSameWay() {
        Tape missing = Tape.open("2025-11-25").tools(Tape.TOOL).call("tools-call-missing-required", "text", "{\"count\":1}");
        Seen seen = twin(missing.result(failed("boom")).end(REPLIED)).result(failed("boom")).end(REPLIED).seen();
        assertEquals(SAME, seen.flags(Check.TOOLS_CALL_MISSING_REQUIRED));
        Tape other = Tape.open("2025-11-25").tools(Tape.TOOL).call("tools-call-missing-required", "text", "{\"count\":1}");
        assertEquals(NONE, twin(other.result(failed("x.y is undefined")).end(REPLIED)).result(failed("fetch failed")).end(REPLIED).seen().flags(Check.TOOLS_CALL_MISSING_REQUIRED));
        Tape alone = Tape.open("2025-11-25").tools(Tape.TOOL).call("tools-call-missing-required", "text", "{\"count\":1}");
        assertEquals(UNATTRIBUTED, alone.result(failed("boom")).end(REPLIED).seen().flags(Check.TOOLS_CALL_MISSING_REQUIRED));
    }

    @Test
    void theTwinMayHaveBeenCalledInAnotherSessionOfTheEra() {
        Tape tools = Tape.open("legacy-tools", "legacy-tools", "2025-11-25").tools(Tape.TOOL)
                .step("tool-1-wrong-type-1", WRONG, "tool", "repeat", "property", "count").ask("tools/call", "{\"name\":\"repeat\",\"arguments\":{\"text\":\"a\",\"count\":\"x\"}}")
                .result(failed("boom")).end(REPLIED);
        Tape main = twin(Tape.open("2025-11-25").tools(Tape.TOOL)).says("mcp-prober");
        Seen seen = main.seen(tools);
        Observation row = seen.rows(Check.TOOLS_CALL_WRONG_TYPE).stream().filter(o -> "count".equals(o.subject().property())).findFirst().orElseThrow();
        assertEquals(NONE, ((Observation.Reaction) row).flags());
        assertEquals("legacy-tools", row.subject().session());
    }

    private static Seen extra(String probe, String reply, String twin) {
        Tape tape = Tape.open("2025-11-25").tools(Tape.TOOL).step("tool-1-extra-argument", probe, "tool", "repeat", "property", "mcp_prober_extra", "primary", "true")
                .ask("tools/call", "{\"name\":\"repeat\",\"arguments\":{\"text\":\"mcp-prober\",\"count\":1,\"mcp_prober_extra\":\"mcp-prober\"}}");
        tape = reply == null ? tape.end(DEADLINE).alive("tool-1-extra-argument") : tape.result(reply).end(REPLIED);
        return (twin == null ? twin(tape).end(DEADLINE).alive("tools-call-valid") : twin(tape).result(twin).end(REPLIED)).seen();
    }

    @Test
    void furtherArgumentsAreReadAgainstTheValidCall() {
        String done = "{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}";
        for (Check check : new Check[] {Check.TOOLS_CALL_EXTRA_ARGUMENT_OPEN, Check.TOOLS_CALL_EXTRA_ARGUMENT_CLOSED}) {
            assertEquals("success", extra(check.id(), done, done).observed(check));
            assertEquals(NONE, extra(check.id(), failed("Unexpected keyword argument"), done).flags(check));
            assertEquals(NONE, extra(check.id(), failed("additional properties: mcp_prober_extra"), failed("fetch failed")).flags(check));
            assertEquals(SAME, extra(check.id(), failed("fetch failed"), failed("fetch failed")).flags(check));
            assertEquals(SAME, extra(check.id(), null, null).flags(check), "neither was answered");
            assertEquals("no-response", extra(check.id(), null, done).observed(check));
            assertEquals(NONE, extra(check.id(), null, done).flags(check));
        }
    }
}
