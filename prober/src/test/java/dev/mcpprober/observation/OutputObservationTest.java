package dev.mcpprober.observation;

import static dev.mcpprober.transcript.StepOutcome.REPLIED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Structured results against the declared output schema. */
class OutputObservationTest {
    private static String tool(String outputSchema) {
        return "{\"name\":\"level\",\"inputSchema\":{\"type\":\"object\"},\"outputSchema\":" + outputSchema + "}";
    }

    private static Seen call(Tape tape, String outputSchema, String result) {
        return tape.tools(tool(outputSchema)).step("tools-call-valid", "valid-twin", "tool", "level").ask("tools/call", "{\"name\":\"level\",\"arguments\":{}}").result(result).end(REPLIED).seen();
    }

    private static final String CM = "{\"type\":\"object\",\"properties\":{\"cm\":{\"type\":\"integer\"}},\"required\":[\"cm\"]}";

    @Test
    void presenceIsNotEnough() {
        String text = "{\"content\":[{\"type\":\"text\",\"text\":\"{\\\"cm\\\": 12}\"}]";
        Seen right = call(Tape.open("2025-11-25"), CM, text + ",\"structuredContent\":{\"cm\":12}}");
        assertEquals("conforms", right.observed(Check.OUTPUT_SCHEMA));
        assertEquals("mirrored", right.observed(Check.STRUCTURED_TEXT));
        Seen wrong = call(Tape.open("2025-11-25"), CM, text + ",\"structuredContent\":{\"cm\":\"12\"}}");
        assertEquals("violates", wrong.observed(Check.OUTPUT_SCHEMA));
        assertEquals("text-only-prose", wrong.observed(Check.STRUCTURED_TEXT));
        assertEquals("absent", call(Tape.open("2025-11-25"), CM, text + "}").observed(Check.OUTPUT_SCHEMA));
        assertEquals("absent", call(Tape.open("2025-11-25"), CM, "{\"content\":[],\"structuredContent\":{\"cm\":12}}").observed(Check.STRUCTURED_TEXT));
    }

    @Test
    void falsyValuesArePresent() {
        String result = "{" + Tape.MODERN_RESULT + ",\"content\":[{\"type\":\"text\",\"text\":\"false\"}],\"structuredContent\":false}";
        Seen modern = call(Tape.openModern(), "{\"type\":\"boolean\"}", result);
        assertEquals("conforms", modern.observed(Check.OUTPUT_SCHEMA));
        assertEquals("mirrored", modern.observed(Check.STRUCTURED_TEXT));
        assertEquals("violates", call(Tape.open("2025-11-25"), "{\"type\":\"boolean\"}", result).observed(Check.OUTPUT_SCHEMA), "an object until 2026-07-28");
    }

    @Test
    void errorsAndOlderRevisionsAreNotAsked() {
        assertEquals("the call gave no success", call(Tape.open("2025-11-25"), CM, "{\"content\":[],\"isError\":true}").reason(Check.OUTPUT_SCHEMA));
        assertTrue(call(Tape.open("2025-03-26"), CM, "{\"content\":[]}").rows(Check.OUTPUT_SCHEMA).isEmpty());
        assertEquals("dialect", call(Tape.open("2025-11-25"), "{\"$schema\":\"urn:x\",\"type\":\"object\"}", "{\"content\":[],\"structuredContent\":{}}").reason(Check.OUTPUT_SCHEMA));
    }

    @Test
    void referencesThatLeadOutsideAreNotFollowed() {
        Seen seen = call(Tape.open("2025-11-25"), "{\"type\":\"object\",\"properties\":{\"cm\":{\"$ref\":\"http://127.0.0.1:9/cm.json\"}}}", "{\"content\":[],\"structuredContent\":{\"cm\":1}}");
        assertEquals("outputSchema cannot be put to use", seen.reason(Check.OUTPUT_SCHEMA));
    }
}
