package dev.mcpprober.observation;

import static dev.mcpprober.transcript.StepOutcome.DEADLINE;
import static dev.mcpprober.transcript.StepOutcome.REPLIED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** tools/list: declared, answered, paged, named, and schemas by the revision in force. */
class ToolListObservationTest {
    private static String tool(String name, String schema) {
        return "{\"name\":\"" + name + "\",\"inputSchema\":" + schema + "}";
    }

    private static Seen listed(String revision, String... tools) {
        return Tape.open(revision).tools(tools).seen();
    }

    private static Seen schema(String revision, String schema) {
        return listed(revision, tool("t", schema));
    }

    @Test
    void aGoodListIsAResult() {
        Seen seen = listed("2025-11-25", Tape.TOOL);
        assertEquals("result", seen.observed(Check.TOOLS_LIST));
        assertEquals("pages", seen.observed(Check.TOOLS_LIST_PAGINATION));
        assertEquals("conforms", seen.observed(Check.TOOLS_SCHEMA_VALID));
        assertEquals("conforms", seen.observed(Check.TOOLS_SCHEMA_ROOT));
        assertEquals("conforms", seen.observed(Check.TOOLS_NAME_FORMAT));
        assertEquals("conforms", seen.observed(Check.TOOLS_NAME_UNIQUE));
        assertEquals("conforms", seen.observed(Check.TOOLS_CAPABILITY));
        assertEquals(1, seen.target().session().toolCount());
    }

    @Test
    void anEmptyListIsNoFault() {
        Seen seen = listed("2025-11-25");
        assertEquals("result", seen.observed(Check.TOOLS_LIST));
        assertEquals("no tools listed", seen.reason(Check.TOOLS_SCHEMA_VALID));
        assertEquals(0, seen.target().session().toolCount());
    }

    @Test
    void shapeFaultsAreNamedByPath() {
        assertEquals("/tools is missing", Tape.open("2025-11-25").step("tools-list", "tools-list").ask("tools/list").result("{}").end(REPLIED).seen().detail(Check.TOOLS_LIST));
        for (String[] each : new String[][] {{"{\"inputSchema\":{\"type\":\"object\"}}", "/tools/0/name is missing"}, {"{\"name\":1,\"inputSchema\":{\"type\":\"object\"}}",
            "/tools/0/name is no string"}, {"{\"name\":\"t\"}", "/tools/0/inputSchema is missing"}, {"7", "/tools/0 is no object"},
            {"{\"name\":\"t\",\"description\":1,\"inputSchema\":{\"type\":\"object\"}}", "/tools/0/description is no string"}}) {
            Seen seen = listed("2025-11-25", each[0]);
            assertEquals("violates", seen.observed(Check.TOOLS_LIST), each[0]);
            assertEquals(each[1], seen.detail(Check.TOOLS_LIST));
        }
    }

    @Test
    void anErrorForWantOfANetworkIsToldApart() {
        for (String message : List.of("fetch failed", "getaddrinfo EAI_AGAIN api.example.org", "[Errno -3] Temporary failure in name resolution")) {
            Seen relay = Tape.open("2025-11-25").step("tools-list", "tools-list").ask("tools/list").error(-32603, message).end(REPLIED).seen();
            assertEquals("protocol-error", relay.observed(Check.TOOLS_LIST));
            assertEquals(Set.of(Flag.NO_NETWORK), relay.flags(Check.TOOLS_LIST), message);
        }
        Seen own = Tape.open("2025-11-25").step("tools-list", "tools-list").ask("tools/list").error(-32603, "cannot read the list of tools").end(REPLIED).seen();
        assertEquals(Set.of(), own.flags(Check.TOOLS_LIST));
    }

    @Test
    void descriptionsAreNotRequired() {
        assertEquals("result", listed("2025-11-25", tool("t", "{\"type\":\"object\"}")).observed(Check.TOOLS_LIST));
    }

    @Test
    void booleanPropertySchemasAreAShapeFaultInTheLegacyEraOnly() {
        String open = tool("t", "{\"type\":\"object\",\"properties\":{\"a\":true}}");
        assertEquals("/tools/0/inputSchema/properties/a is no object", listed("2025-11-25", open).detail(Check.TOOLS_LIST));
        assertEquals("conforms", listed("2025-11-25", open).observed(Check.TOOLS_SCHEMA_VALID));
        assertEquals("result", Tape.openModern().tools(open).seen().observed(Check.TOOLS_LIST));
    }

    @Test
    void reactionsThatAreNoResult() {
        Tape error = Tape.open("2025-11-25").step("tools-list", "tools-list").ask("tools/list").error(-32601, "no").end(REPLIED);
        assertEquals("protocol-error", error.seen().observed(Check.TOOLS_LIST));
        assertEquals("no tools listed", error.seen().reason(Check.TOOLS_LIST_PAGINATION));
        assertNull(error.seen().target().session().toolCount());
        Tape silent = Tape.open("2025-11-25").step("tools-list", "tools-list").ask("tools/list").end(DEADLINE).alive("tools-list");
        assertEquals("no-response", silent.seen().observed(Check.TOOLS_LIST));
    }

    @Test
    void pagesAreReadToTheEndAndCountedOnce() {
        Seen seen = Tape.open("2025-11-25").step("tools-list", "tools-list")
                .ask("tools/list").result("{\"tools\":[" + tool("a", "{\"type\":\"object\"}") + "],\"nextCursor\":\"2\"}")
                .ask("tools/list", "{\"cursor\":\"2\"}").result("{\"tools\":[" + tool("b", "{\"type\":\"object\"}") + "],\"nextCursor\":null}").end(REPLIED).seen();
        assertEquals("pages", seen.observed(Check.TOOLS_LIST_PAGINATION));
        assertEquals(2, seen.target().session().toolCount());
    }

    @Test
    void aCursorThatComesAgainNeverEnds() {
        String page = "{\"tools\":[" + tool("a", "{\"type\":\"object\"}") + "],\"nextCursor\":\"again\"}";
        Seen seen = Tape.open("2025-11-25").step("tools-list", "tools-list").ask("tools/list").result(page)
                .ask("tools/list", "{\"cursor\":\"again\"}").result(page).end(REPLIED, "pages:2 cursor repeated").seen();
        assertEquals("loop", seen.observed(Check.TOOLS_LIST_PAGINATION));
        assertEquals(List.of(10, 12), seen.witness(Check.TOOLS_LIST_PAGINATION));
        assertEquals(1, seen.target().session().toolCount());
        assertEquals("conforms", seen.observed(Check.TOOLS_NAME_UNIQUE), "the same page again is no second tool");
    }

    @Test
    void pagesWithoutEndAndEmptyAndBadCursors() {
        Tape endless = Tape.open("2025-11-25").step("tools-list", "tools-list");
        for (int i = 0; i < 5; i++) {
            endless.ask("tools/list").result("{\"tools\":[],\"nextCursor\":\"c" + i + "\"}");
        }
        Seen seen = endless.end(REPLIED, "pages:5 page limit").seen();
        assertEquals("loop", seen.observed(Check.TOOLS_LIST_PAGINATION));
        assertEquals(Set.of(Flag.ENDLESS), seen.flags(Check.TOOLS_LIST_PAGINATION));
        Seen empty = Tape.open("2025-11-25").step("tools-list", "tools-list").ask("tools/list").result("{\"tools\":[],\"nextCursor\":\"\"}")
                .ask("tools/list", "{\"cursor\":\"\"}").result("{\"tools\":[]}").end(REPLIED).seen();
        assertEquals("empty-cursor", empty.observed(Check.TOOLS_LIST_PAGINATION));
        Seen bad = Tape.open("2025-11-25").step("tools-list", "tools-list").ask("tools/list").result("{\"tools\":[],\"nextCursor\":7}").end(REPLIED).seen();
        assertEquals("pages", bad.observed(Check.TOOLS_LIST_PAGINATION));
        assertEquals(Set.of(Flag.BAD_CURSOR), bad.flags(Check.TOOLS_LIST_PAGINATION));
    }

    @Test
    void undeclaredToolsAreNotAskedForInTheList() {
        Tape tape = Tape.legacy("legacy", "legacy-full").handshake("server-initialize", "2025-11-25", "{}")
                .skip("tools-list", "tools-list", "tools capability not declared")
                .skip("tools-call-unknown", "tools-call-unknown", "tools capability not declared")
                .step("tools-list-undeclared", "tools-capability").ask("tools/list");
        Seen served = tape.result("{\"tools\":[" + Tape.TOOL + "]}").end(REPLIED).seen();
        assertEquals("violates", served.observed(Check.TOOLS_CAPABILITY));
        assertEquals("tools capability not declared", served.reason(Check.TOOLS_LIST));
        assertEquals("tools capability not declared", served.reason(Check.TOOLS_CALL_UNKNOWN));
        assertNull(served.target().session().toolCount());
    }

    @Test
    void undeclaredAndRefusedIsCorrect() {
        Seen seen = Tape.legacy("legacy", "legacy-full").handshake("server-initialize", "2025-11-25", "{}")
                .step("tools-list-undeclared", "tools-capability").ask("tools/list").error(-32601, "no").end(REPLIED).seen();
        assertEquals("protocol-error", seen.observed(Check.TOOLS_CAPABILITY));
        assertEquals(-32601L, seen.code(Check.TOOLS_CAPABILITY));
    }

    @Test
    void theQuickScriptSeesWhatIsDeclared() {
        Tape tape = Tape.legacy("legacy", "legacy-quick").handshake("server-initialize", "2025-11-25", "{}");
        assertEquals("absent", tape.seen().observed(Check.TOOLS_CAPABILITY));
        assertEquals("conforms", Tape.open("legacy", "legacy-quick", "2025-11-25").seen().observed(Check.TOOLS_CAPABILITY));
        assertEquals("not-run", Tape.legacy("legacy", "legacy-full").handshake("server-initialize", "2025-11-25", "{}").seen().observed(Check.TOOLS_CAPABILITY));
    }

    @Test
    void rootTypeIsExactlyObject() {
        for (String schema : List.of("{}", "true", "null", "{\"type\":[\"object\"]}", "{\"type\":\"string\"}")) {
            Seen seen = schema("2025-11-25", schema);
            assertEquals("violates", seen.observed(Check.TOOLS_SCHEMA_ROOT), schema);
            assertEquals("t", seen.row(Check.TOOLS_SCHEMA_ROOT).subject().tool());
        }
    }

    @Test
    void theDefaultDialectDependsOnTheRevision() {
        String tuple = "{\"type\":\"object\",\"properties\":{\"p\":{\"type\":\"array\",\"items\":[{\"type\":\"string\"}]}}}";
        String draft4 = "{\"type\":\"object\",\"properties\":{\"p\":{\"type\":\"integer\",\"minimum\":0,\"exclusiveMinimum\":true}}}";
        for (String schema : List.of(tuple, draft4)) {
            assertEquals("violates", schema("2025-11-25", schema).observed(Check.TOOLS_SCHEMA_VALID), schema);
            for (String old : List.of("2024-11-05", "2025-03-26", "2025-06-18")) {
                assertEquals("conforms", schema(old, schema).observed(Check.TOOLS_SCHEMA_VALID), old + schema);
            }
        }
    }

    @Test
    void aDeclaredDialectIsTheOneThatCounts() {
        assertEquals("conforms", schema("2025-11-25", "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"type\":\"object\",\"properties\":"
                + "{\"p\":{\"type\":\"array\",\"items\":[{\"type\":\"string\"}]}},\"dependencies\":{\"p\":[\"q\"]}}").observed(Check.TOOLS_SCHEMA_VALID));
        assertEquals("conforms", schema("2025-11-25", "{\"$schema\":\"http://json-schema.org/draft-04/schema#\",\"type\":\"object\",\"properties\":"
                + "{\"p\":{\"type\":\"integer\",\"minimum\":0,\"exclusiveMinimum\":true}}}").observed(Check.TOOLS_SCHEMA_VALID));
        Seen broken = schema("2025-11-25", "{\"$schema\":\"http://json-schema.org/draft-07/schema#\",\"type\":\"object\",\"required\":true}");
        assertEquals("violates", broken.observed(Check.TOOLS_SCHEMA_VALID));
        assertEquals(Set.of(Flag.DECLARED_DIALECT), broken.flags(Check.TOOLS_SCHEMA_VALID));
    }

    @Test
    void anUnknownDialectIsNotJudged() {
        Seen seen = schema("2025-11-25", "{\"$schema\":\"https://example.org/my-dialect\",\"type\":\"object\"}");
        assertEquals("dialect", seen.reason(Check.TOOLS_SCHEMA_VALID));
        assertTrue(seen.detail(Check.TOOLS_SCHEMA_VALID).contains("my-dialect"));
    }

    @Test
    void typicalFaultsOfSchemas() {
        for (String property : List.of("{\"type\":\"any\"}", "{\"type\":\"string\",\"required\":true}", "{\"enum\":\"a\"}", "{\"properties\":[]}")) {
            for (String revision : List.of("2024-11-05", "2025-11-25")) {
                // draft-04 knows required:true nowhere either, so even "any dialect" refuses these.
                assertEquals("violates", schema(revision, "{\"type\":\"object\",\"properties\":{\"p\":" + property + "}}").observed(Check.TOOLS_SCHEMA_VALID), revision + property);
            }
        }
    }

    @Test
    void whatSchemasMaySay() {
        for (String schema : List.of("{\"type\":\"object\",\"nullable\":true,\"properties\":{\"p\":{\"type\":\"string\",\"format\":\"nonsense\",\"pattern\":\"(?<name>x)\"}}}",
                "{\"type\":\"object\",\"properties\":{\"p\":{\"$ref\":\"http://127.0.0.1:9/x.json\"},\"q\":{\"$ref\":\"file:///nope.json\"}}}",
                "{\"type\":\"object\",\"required\":[\"undeclared\"]}", "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\",\"maximum\":" + "9".repeat(5_000) + "}}}")) {
            assertEquals("conforms", schema("2025-11-25", schema).observed(Check.TOOLS_SCHEMA_VALID), schema);
        }
    }

    @Test
    void oneObservationForEachOffendingTool() {
        Seen seen = listed("2025-11-25", Tape.TOOL, tool("x", "{\"type\":\"object\",\"required\":true}"), tool("y", "{\"type\":\"object\",\"properties\":{\"p\":{\"type\":\"any\"}}}"));
        assertEquals(List.of("x", "y"), seen.rows(Check.TOOLS_SCHEMA_VALID).stream().map(o -> o.subject().tool()).toList());
    }

    @Test
    void names() {
        assertEquals("violates", listed("2025-11-25", tool("has space", "{\"type\":\"object\"}")).observed(Check.TOOLS_NAME_FORMAT));
        assertEquals(Set.of(Flag.SLASH), listed("2025-11-25", tool("a/b", "{\"type\":\"object\"}")).flags(Check.TOOLS_NAME_FORMAT));
        assertEquals(Set.of(Flag.EMPTY), listed("2025-11-25", tool("", "{\"type\":\"object\"}")).flags(Check.TOOLS_NAME_FORMAT));
        assertEquals("conforms", listed("2025-11-25", tool("a".repeat(128), "{\"type\":\"object\"}")).observed(Check.TOOLS_NAME_FORMAT));
        assertEquals("violates", listed("2025-11-25", tool("a".repeat(129), "{\"type\":\"object\"}")).observed(Check.TOOLS_NAME_FORMAT));
        Seen twice = listed("2025-11-25", tool("a", "{\"type\":\"object\"}"), tool("a", "{\"type\":\"object\"}"));
        assertEquals("violates", twice.observed(Check.TOOLS_NAME_UNIQUE));
        assertEquals(1, twice.target().session().toolCount());
    }

    @Test
    void aListWhoseReplyHasATextIdIsStillRead() {
        Seen seen = Tape.open("2025-11-25").step("tools-list", "tools-list").ask("tools/list").resultFor("\"2\"", "{\"tools\":[" + Tape.TOOL + "]}").end(REPLIED).seen();
        assertEquals("invalid-response", seen.observed(Check.TOOLS_LIST));
        assertEquals("conforms", seen.observed(Check.TOOLS_SCHEMA_VALID));
        assertEquals(1, seen.target().session().toolCount());
    }

    @Test
    void stepsThatRanInAContinuationStandForTheScript() {
        Tape first = Tape.open("2025-11-25").step("ping", "ping").ask("ping").exits(0).end(dev.mcpprober.transcript.StepOutcome.EXITED);
        Tape second = Tape.open("legacy.2", "legacy-full", "2025-11-25").step("tools-list", "tools-list").ask("tools/list").result("{\"tools\":[" + Tape.TOOL + "]}").end(REPLIED);
        Seen seen = first.seen(second);
        assertEquals("exited", seen.observed(Check.PING));
        assertEquals("legacy", seen.row(Check.PING).subject().session());
        assertEquals("result", seen.observed(Check.TOOLS_LIST));
        assertEquals("legacy.2", seen.row(Check.TOOLS_LIST).subject().session());
        assertEquals("legacy", seen.target().session().name());
        assertEquals(1, seen.target().session().toolCount());
        assertFalse(seen.reason(Check.STDIN_EOF).isEmpty());
    }

    @Test
    void aListingThatOurOwnTimeCutShortIsNotHeldAgainstTheServer() {
        Seen seen = Tape.open("2025-11-25").step("tools-list", "tools-list").ask("tools/list").result("{\"tools\":[" + Tape.TOOL + "],\"nextCursor\":\"2\"}")
                .ask("tools/list", "{\"cursor\":\"2\"}").end(dev.mcpprober.transcript.StepOutcome.DEADLINE, "session timeout").seen();
        assertEquals("session timeout", seen.reason(Check.TOOLS_LIST));
        assertEquals(java.util.List.of(), seen.rows(Check.LIVENESS));
    }

    @Test
    void referencesThatLeadNowhereAndPatternsOfOneEngineLeaveASchemaValid() {
        for (String revision : List.of("2024-11-05", "2025-11-25")) {
            Seen dangling = schema(revision, "{\"type\":\"object\",\"properties\":{\"p\":{\"$ref\":\"#/$defs/nowhere\"}}}");
            assertEquals(Set.of(Flag.DANGLING_REF), dangling.flags(Check.TOOLS_SCHEMA_VALID), revision);
            Seen python = schema(revision, "{\"type\":\"object\",\"properties\":{\"p\":{\"type\":\"string\",\"pattern\":\"(?P<year>x)\"}}}");
            assertEquals(Set.of(Flag.REGEX), python.flags(Check.TOOLS_SCHEMA_VALID), revision);
        }
        // A fault that a meta-schema sees comes first.
        assertEquals(Set.of(), schema("2025-11-25", "{\"type\":\"object\",\"required\":true,\"$ref\":\"#/nowhere\"}").flags(Check.TOOLS_SCHEMA_VALID));
        assertEquals("conforms", schema("2025-11-25", "{\"type\":\"object\",\"properties\":{\"p\":{\"$ref\":\"#\"}}}").observed(Check.TOOLS_SCHEMA_VALID));
    }

    @Test
    void outputSchemasHaveTypeObjectInTheTwoRevisionsThatSaySo() {
        for (String revision : List.of("2025-06-18", "2025-11-25")) {
            Seen seen = listed(revision, "{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"},\"outputSchema\":{\"type\":\"array\"}}");
            assertEquals("violates", seen.observed(Check.OUTPUT_SCHEMA_ROOT), revision);
            assertEquals("conforms", listed(revision, "{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"},\"outputSchema\":{\"type\":\"object\"}}").observed(Check.OUTPUT_SCHEMA_ROOT));
            assertEquals("no tool has an outputSchema", listed(revision, Tape.TOOL).reason(Check.OUTPUT_SCHEMA_ROOT));
        }
        assertEquals("the revision does not speak of it", listed("2025-03-26", Tape.TOOL).reason(Check.OUTPUT_SCHEMA_ROOT));
    }

    @Test
    void referencesToOtherHostsAreNamedInTheModernEra() {
        String far = "{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"},\"outputSchema\":{\"$ref\":\"https://schemas.example/a\"}}";
        Seen seen = Tape.openModern().tools(far).seen();
        assertEquals("present", seen.observed(Check.TOOLS_SCHEMA_NETWORK_REF));
        assertEquals("https://schemas.example/a", seen.detail(Check.TOOLS_SCHEMA_NETWORK_REF));
        assertEquals("absent", Tape.openModern().tools(Tape.TOOL).seen().observed(Check.TOOLS_SCHEMA_NETWORK_REF));
        assertEquals("the revision does not speak of it", listed("2025-11-25", far).reason(Check.TOOLS_SCHEMA_NETWORK_REF));
    }
}
