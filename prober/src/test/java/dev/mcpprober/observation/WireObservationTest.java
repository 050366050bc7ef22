package dev.mcpprober.observation;

import static dev.mcpprober.transcript.StepOutcome.REPLIED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** wire-schema and content-blocks: every message by the shape that its revision gives it, and each fault found once. */
class WireObservationTest {
    private static final List<String> LEGACY = List.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25");

    private static Seen listed(String revision, String members) {
        return Tape.open(revision).tools("{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"}" + members + "}").seen();
    }

    private static Seen called(String revision, String result) {
        return Tape.open(revision).tools(Tape.TOOL).call("valid-twin", "", "{}").result(result).end(REPLIED).seen();
    }

    private static Seen calledModern(String result) {
        return Tape.openModern().tools(Tape.TOOL).call("valid-twin", "", "{}").result(result).end(REPLIED).seen();
    }

    private static String blocks(String block) {
        return "{\"content\":[" + block + "]}";
    }

    @Test
    void goodMessagesConform() {
        for (String revision : LEGACY) {
            Seen seen = called(revision, blocks("{\"type\":\"text\",\"text\":\"x\"}"));
            assertEquals("conforms", seen.observed(Check.WIRE_SCHEMA), revision);
            assertEquals("conforms", seen.observed(Check.CONTENT_BLOCKS), revision);
            assertEquals(revision, seen.row(Check.WIRE_SCHEMA).subject().revision());
        }
        Seen modern = calledModern("{\"content\":[]," + Tape.MODERN_RESULT + "}");
        assertEquals("conforms", modern.observed(Check.WIRE_SCHEMA), () -> modern.detail(Check.WIRE_SCHEMA));
        assertEquals("conforms", modern.observed(Check.CONTENT_BLOCKS));
    }

    @Test
    void faultsThatNoOtherCheckNamesAreToldByPath() {
        String[][] each = {{",\"annotations\":null", "2025-06-18", "tools/list: /result/tools/0/annotations is no object but null"},
            {",\"annotations\":{\"readOnlyHint\":\"yes\"}", "2025-03-26", "tools/list: /result/tools/0/annotations/readOnlyHint is no boolean but \"yes\""},
            {",\"title\":null", "2025-11-25", "tools/list: /result/tools/0/title is no string but null"},
            {",\"outputSchema\":{\"type\":\"object\",\"required\":true}", "2025-06-18", "tools/list: /result/tools/0/outputSchema/required is no list but true"},
            {",\"execution\":{\"taskSupport\":\"maybe\"}", "2025-11-25", "tools/list: /result/tools/0/execution/taskSupport is not forbidden or optional or required but \"maybe\""}};
        for (String[] one : each) {
            Seen seen = listed(one[1], one[0]);
            assertEquals("violates", seen.observed(Check.WIRE_SCHEMA), one[0]);
            assertEquals(Set.of(), seen.flags(Check.WIRE_SCHEMA));
            assertEquals(one[2], seen.detail(Check.WIRE_SCHEMA));
            assertEquals(2, seen.witness(Check.WIRE_SCHEMA).size());
        }
        // Members that a revision does not have are free.
        assertEquals("conforms", listed("2024-11-05", ",\"annotations\":null,\"title\":7").observed(Check.WIRE_SCHEMA));
        assertEquals("conforms", listed("2025-06-18", ",\"execution\":7").observed(Check.WIRE_SCHEMA));
    }

    @Test
    void aNullCursorIsAFaultOfShapeAndNoOther() {
        Seen seen = Tape.open("2025-11-25").step("tools-list", "tools-list").ask("tools/list").result("{\"tools\":[],\"nextCursor\":null}").end(REPLIED).seen();
        assertEquals("tools/list: /result/nextCursor is no string but null", seen.detail(Check.WIRE_SCHEMA));
        assertEquals("pages", seen.observed(Check.TOOLS_LIST_PAGINATION));
        assertEquals("result", seen.observed(Check.TOOLS_LIST));
    }

    @Test
    void whatAnotherCheckFindsIsFoundThereAlone() {
        Seen seen = Tape.open("2025-11-25").tools("{\"inputSchema\":{}}").seen();
        assertEquals("violates", seen.observed(Check.TOOLS_LIST));
        assertEquals(Set.of(Flag.REPORTED_ELSEWHERE), seen.flags(Check.WIRE_SCHEMA));
        assertTrue(seen.detail(Check.WIRE_SCHEMA).startsWith("found by tools-list, tools-schema-root: "), seen.detail(Check.WIRE_SCHEMA));
        assertEquals(Set.of(Flag.REPORTED_ELSEWHERE), called("2025-11-25", "{\"content\":\"done\"}").flags(Check.WIRE_SCHEMA));
        // Beside one of its own, those of others do not matter.
        assertEquals(Set.of(), Tape.open("2025-11-25").tools("{\"inputSchema\":{},\"title\":1}").seen().flags(Check.WIRE_SCHEMA));
    }

    @Test
    void idsAndEnvelopesAreOtherChecksFindings() {
        Seen seen = Tape.open("2025-11-25").step("ping", "ping").ask("ping").get("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":\"x\"}}").end(REPLIED).seen();
        assertEquals("conforms", seen.observed(Check.WIRE_SCHEMA));
        Seen both = Tape.open("2025-11-25").step("ping", "ping").ask("ping").get("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{},\"error\":{\"code\":1,\"message\":\"m\"}}").end(REPLIED).seen();
        assertEquals("conforms", both.observed(Check.WIRE_SCHEMA));
        assertEquals("violates", both.observed(Check.RESPONSE_EXCLUSIVE));
    }

    @Test
    void messagesWithoutTheirVersionBreachEveryRevision() {
        Seen seen = Tape.open("2025-11-25").step("ping", "ping").ask("ping").get("{\"id\":2,\"result\":{}}").end(REPLIED).seen();
        assertEquals("violates", seen.observed(Check.WIRE_SCHEMA));
        assertEquals(Set.of("jsonrpc"), seen.flags(Check.WIRE_SCHEMA));
        Seen before = Tape.legacy("legacy", "legacy-full").step("initialize", "server-initialize").ask("initialize", "{}").get("{\"id\":1,\"error\":{\"code\":1,\"message\":\"m\"}}").end(REPLIED).seen();
        assertEquals("violates", before.observed(Check.WIRE_SCHEMA));
        assertEquals("no revision was agreed on", Tape.legacy("legacy", "legacy-full").step("initialize", "server-initialize").ask("initialize", "{}").error(-32000, "m").end(REPLIED).seen().reason(Check.WIRE_SCHEMA));
    }

    @Test
    void notificationsAndRequestsOfTheServer() {
        String[][] each = {{"\"method\":\"notifications/message\",\"params\":{\"level\":\"warn\",\"data\":1}", "notifications/message: /params/level is not alert or"},
            {"\"method\":\"notifications/message\",\"params\":{\"level\":\"info\"}", "notifications/message: /params/data is missing"},
            {"\"method\":\"notifications/x\",\"params\":[1]", "notifications/x: /params is no object but a list"},
            {"\"method\":\"notifications/progress\",\"params\":{\"progress\":\"5\",\"progressToken\":1}", "notifications/progress: /params/progress is no number but \"5\""},
            {"\"id\":null,\"method\":\"ping\"", "/id of a request is null"}, {"\"id\":1.5,\"method\":\"ping\"", "/id of a request is 1.5"},
            {"\"id\":\"a\",\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[]}", "sampling/createMessage: /params/maxTokens is missing"}};
        for (String[] one : each) {
            Seen seen = Tape.open("2025-11-25").step("ping", "ping").ask("ping").get("{\"jsonrpc\":\"2.0\"," + one[0] + "}").result("{}").end(REPLIED).seen();
            assertEquals("violates", seen.observed(Check.WIRE_SCHEMA), one[0]);
            assertTrue(seen.detail(Check.WIRE_SCHEMA).startsWith(one[1]), seen.detail(Check.WIRE_SCHEMA));
        }
    }

    @Test
    void blocksByTheirTypeAndRevision() {
        String link = blocks("{\"type\":\"resource_link\",\"uri\":\"a:b\",\"name\":\"n\"}");
        String audio = blocks("{\"type\":\"audio\",\"data\":\"\",\"mimeType\":\"audio/wav\"}");
        for (String revision : LEGACY) {
            assertEquals(revision.compareTo("2025-06-18") >= 0 ? "conforms" : "violates", called(revision, link).observed(Check.CONTENT_BLOCKS), revision);
            assertEquals(revision.compareTo("2025-03-26") >= 0 ? "conforms" : "violates", called(revision, audio).observed(Check.CONTENT_BLOCKS), revision);
        }
        assertEquals("/result/content/0/type is not audio or image or resource or resource_link or text but \"markdown\"", called("2025-11-25", blocks("{\"type\":\"markdown\",\"text\":\"x\"}")).detail(Check.CONTENT_BLOCKS));
        assertEquals("/result/content/0/mimeType is missing", called("2025-11-25", blocks("{\"type\":\"image\",\"data\":\"\"}")).detail(Check.CONTENT_BLOCKS));
        assertEquals("/result/content is missing", called("2025-11-25", "{}").detail(Check.CONTENT_BLOCKS));
        assertEquals("/result/content is no list but \"done\"", called("2024-11-05", "{\"content\":\"done\"}").detail(Check.CONTENT_BLOCKS));
        assertEquals("/result/isError is no boolean but \"false\"", called("2025-11-25", "{\"content\":[],\"isError\":\"false\"}").detail(Check.CONTENT_BLOCKS));
        assertEquals("/result is no object but a list", called("2025-11-25", "[]").detail(Check.CONTENT_BLOCKS));
        assertEquals("violates", called("2025-11-25", blocks("{\"type\":\"resource\",\"resource\":{\"uri\":\"a:b\"}}")).observed(Check.CONTENT_BLOCKS));
    }

    @Test
    void anErrorWithoutContentIsNoted() {
        assertEquals(Set.of(Flag.EMPTY), called("2025-11-25", "{\"content\":[],\"isError\":true}").flags(Check.CONTENT_BLOCKS));
        assertEquals(Set.of(), called("2025-11-25", "{\"content\":[]}").flags(Check.CONTENT_BLOCKS));
    }

    @Test
    void structuredContentIsAnObjectBeforeTheModernEra() {
        assertEquals("tools/call: /result/structuredContent is no object but 5", called("2025-06-18", "{\"content\":[],\"structuredContent\":5}").detail(Check.WIRE_SCHEMA));
        assertEquals("conforms", called("2025-03-26", "{\"content\":[],\"structuredContent\":5}").observed(Check.WIRE_SCHEMA));
        assertEquals("conforms", calledModern("{\"content\":[],\"structuredContent\":null," + Tape.MODERN_RESULT + "}").observed(Check.WIRE_SCHEMA));
    }

    /** The check of the output has found it; the same tool called with one argument more, or in another way, is no further breach. */
    @Test
    void structuredContentThatOutputSchemaHasFoundIsNotFoundTwice() {
        String tool = Tape.TOOL.replaceFirst("\\}$", ",\"outputSchema\":{\"type\":\"object\"}}");
        String five = "{\"content\":[],\"structuredContent\":[5]}";
        Tape tape = Tape.open("2025-11-25").tools(tool).call("valid-twin", "", "{}").result(five).end(REPLIED)
                .call("tools-call-extra-argument-open", "mcp_prober_extra", "{}").result(five).end(REPLIED);
        assertEquals(Set.of(Flag.REPORTED_ELSEWHERE), tape.seen().flags(Check.WIRE_SCHEMA));
        Tape only = Tape.open("2025-11-25").tools(tool).call("valid-twin", "", "{}").result("{\"content\":[],\"structuredContent\":{}}").end(REPLIED)
                .call("tools-call-extra-argument-open", "mcp_prober_extra", "{}").result(five).end(REPLIED);
        assertEquals(Set.of(), only.seen().flags(Check.WIRE_SCHEMA), "here output-schema has found nothing");
        assertEquals("violates", only.seen().observed(Check.WIRE_SCHEMA));
    }

    @Test
    void aRequestForInputHasAShapeOfItsOwn() {
        String asks = "{\"resultType\":\"input_required\",\"inputRequests\":{\"a\":{\"method\":\"elicitation/create\",\"params\":%s}}}";
        String form = "{\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"number\",\"minimum\":0.5}}}}";
        assertEquals("conforms", calledModern(String.format(asks, form)).observed(Check.WIRE_SCHEMA));
        assertEquals("no result of a call was received", calledModern(String.format(asks, form)).reason(Check.CONTENT_BLOCKS));
        assertEquals("violates", calledModern(String.format(asks, "{\"message\":\"m\"}")).observed(Check.WIRE_SCHEMA));
    }

    /** A server of both eras may take it for a request of the other one. */
    @Test
    void theAnswerToARequestThatIsNoneOfTheRevisionIsNotJudgedByIt() {
        Tape tape = Tape.openModern("modern-meta", "modern-meta");
        Seen seen = tape.step("meta-missing-meta", "meta-missing-meta").ask("tools/list").result("{\"tools\":[]}").end(REPLIED)
                .step("removed-ping", "removed-methods").ask("ping", "{" + Tape.META + "}").result("{}").end(REPLIED).seen();
        assertEquals("conforms", seen.observed(Check.WIRE_SCHEMA));
        assertEquals("conforms", seen.observed(Check.RESULT_TYPE));
        assertEquals("present", seen.observed(Check.SERVER_INFO_META));
    }

    @Test
    void errorsWithDataOfTheirOwn() {
        String error = "{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-32042,\"message\":\"m\"%s}}";
        assertEquals("error -32042: /error/data is missing", Tape.open("2025-11-25").tools(Tape.TOOL).call("valid-twin", "", "{}").get(String.format(error, "")).end(REPLIED).seen().detail(Check.WIRE_SCHEMA));
        assertEquals("conforms", Tape.open("2025-06-18").tools(Tape.TOOL).call("valid-twin", "", "{}").get(String.format(error, "")).end(REPLIED).seen().observed(Check.WIRE_SCHEMA));
    }

    @Test
    void aFloodOfFaultsIsOneObservation() {
        StringBuilder tools = new StringBuilder();
        for (int i = 0; i < 30_000; i++) {
            tools.append(i == 0 ? "" : ",").append("{\"name\":\"t").append(i).append("\",\"title\":1,\"inputSchema\":{\"type\":\"object\"}}");
        }
        Seen seen = Tape.open("2025-11-25").tools(tools.toString()).seen();
        assertTrue(seen.detail(Check.WIRE_SCHEMA).contains("cases in 1 session"), seen.detail(Check.WIRE_SCHEMA));
        assertTrue(seen.witness(Check.WIRE_SCHEMA).size() <= 12);
    }
}
