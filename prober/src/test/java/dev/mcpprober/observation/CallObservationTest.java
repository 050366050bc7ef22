package dev.mcpprober.observation;

import static dev.mcpprober.transcript.StepOutcome.CLOSED;
import static dev.mcpprober.transcript.StepOutcome.DEADLINE;
import static dev.mcpprober.transcript.StepOutcome.EXITED;
import static dev.mcpprober.transcript.StepOutcome.REPLIED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Calls with something wrong in them: how they were met, and what came of those that were not refused. */
class CallObservationTest {
    private static final String WRONG = "tools-call-wrong-type";
    private static final String BAD_TEXT = "{\"text\":{\"mcp-prober\":\"an object\"},\"count\":1}";
    private static final String GOOD = "{\"text\":\"mcp-prober\",\"count\":1}";

    private static Tape session() {
        return Tape.open("2025-11-25").tools(Tape.TOOL);
    }

    private static Tape wrong() {
        return session().call(WRONG, "text", BAD_TEXT);
    }

    private static Tape withTwin(Tape tape) {
        return tape.step("tools-call-valid", "valid-twin", "tool", "repeat", "variant", "valid").ask("tools/call", "{\"name\":\"repeat\",\"arguments\":" + GOOD + "}");
    }

    private static Seen pair(String badText, String goodText) {
        return withTwin(wrong().says(badText)).says(goodText).seen();
    }

    @Test
    void refusalsInBothChannels() {
        Seen tool = wrong().result("{\"content\":[{\"type\":\"text\",\"text\":\"no\"}],\"isError\":true}").end(REPLIED).seen();
        assertEquals("tool-error", tool.observed(Check.TOOLS_CALL_WRONG_TYPE));
        assertNull(tool.consequence(Check.TOOLS_CALL_WRONG_TYPE));
        Subject subject = tool.row(Check.TOOLS_CALL_WRONG_TYPE).subject();
        assertEquals("repeat", subject.tool());
        assertEquals("text", subject.property());
        assertTrue(subject.primary());
        Seen protocol = wrong().error(-32602, "invalid").end(REPLIED).seen();
        assertEquals("protocol-error", protocol.observed(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(-32602L, protocol.code(Check.TOOLS_CALL_WRONG_TYPE));
        assertNull(protocol.consequence(Check.TOOLS_CALL_WRONG_TYPE));
    }

    @Test
    void aRefusalThatTheValidCallMeetsTooIsMarked() {
        Tape bad = wrong().error(-32603, "open map[mcp-prober:an object]: no such file or directory").end(REPLIED);
        Seen seen = withTwin(bad).error(-32603, "open mcp-prober: no such file or directory").end(REPLIED).seen();
        assertEquals("protocol-error", seen.observed(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(Set.of(Flag.SAME_AS_VALID), seen.flags(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(4, seen.witness(Check.TOOLS_CALL_WRONG_TYPE).size(), "both calls with their answers");
        String key = "{\"content\":[{\"type\":\"text\",\"text\":\"API key is missing\"}],\"isError\":true}";
        Seen keyless = withTwin(wrong().result(key).end(REPLIED)).result(key).end(REPLIED).seen();
        assertEquals(Set.of(Flag.SAME_AS_VALID), keyless.flags(Check.TOOLS_CALL_WRONG_TYPE));
        Seen missing = withTwin(session().call("tools-call-missing-required", "text", "{\"count\":1}").error(-32603, "fetch failed").end(REPLIED))
                .error(-32603, "fetch failed").end(REPLIED).seen();
        assertEquals(Set.of(Flag.SAME_AS_VALID), missing.flags(Check.TOOLS_CALL_MISSING_REQUIRED));
    }

    @Test
    void anErrorThatEveryCallMeetsSaysNothingOfAnUnknownTool() {
        String limit = "{\"content\":[{\"type\":\"text\",\"text\":\"Rate limit exceeded for client: global\"}],\"isError\":true}";
        Tape valid = withTwin(session()).result(limit).end(REPLIED);
        Seen seen = valid.step("tools-call-unknown", "tools-call-unknown").ask("tools/call", "{\"name\":\"none\",\"arguments\":{}}").result(limit).end(REPLIED).seen();
        assertEquals("tool-error", seen.observed(Check.TOOLS_CALL_UNKNOWN));
        assertEquals(Set.of(Flag.SAME_AS_VALID), seen.flags(Check.TOOLS_CALL_UNKNOWN));
        assertEquals(4, seen.witness(Check.TOOLS_CALL_UNKNOWN).size(), "both calls with their answers");
        String own = "{\"content\":[{\"type\":\"text\",\"text\":\"Unknown tool: none\"}],\"isError\":true}";
        Seen told = withTwin(session()).result(limit).end(REPLIED).step("tools-call-unknown", "tools-call-unknown")
                .ask("tools/call", "{\"name\":\"none\",\"arguments\":{}}").result(own).end(REPLIED).seen();
        assertEquals(Set.of(), told.flags(Check.TOOLS_CALL_UNKNOWN));
    }

    @Test
    void soDoesAJsonRpcErrorThatEveryCallMeets() {
        Tape valid = withTwin(session()).error(-32603, "not signed in").end(REPLIED);
        Seen seen = valid.step("tools-call-unknown", "tools-call-unknown").ask("tools/call", "{\"name\":\"none\",\"arguments\":{}}").error(-32603, "not signed in").end(REPLIED).seen();
        assertEquals("protocol-error", seen.observed(Check.TOOLS_CALL_UNKNOWN));
        assertEquals(Set.of(Flag.SAME_AS_VALID), seen.flags(Check.TOOLS_CALL_UNKNOWN));
    }

    @Test
    void anErrorForWantOfANetworkSaysNothingOfTheCall() {
        String relay = "remote error: getaddrinfo EAI_AGAIN tools.example";
        String result = "{\"content\":[{\"type\":\"text\",\"text\":\"" + relay + "\"}],\"isError\":true}";
        for (Check check : List.of(Check.TOOLS_CALL_UNKNOWN, Check.TOOLS_CALL_NO_NAME, Check.TOOLS_CALL_BAD_ARGUMENTS)) {
            Seen error = session().step("bad", check.id()).ask("tools/call", "{\"arguments\":[]}").error(-32603, relay).end(REPLIED).seen();
            assertEquals(Set.of(Flag.NO_NETWORK), error.flags(check), check.id());
            Seen tool = session().step("bad", check.id()).ask("tools/call", "{\"arguments\":[]}").result(result).end(REPLIED).seen();
            assertEquals(Set.of(Flag.NO_NETWORK), tool.flags(check), check.id());
            Seen own = session().step("bad", check.id()).ask("tools/call", "{\"arguments\":[]}").error(-32603, "no such tool").end(REPLIED).seen();
            assertEquals(Set.of(), own.flags(check), check.id());
        }
    }

    @Test
    void aRefusalOfItsOwnIsNotMarkedHoweverTheValidCallFails() {
        Tape bad = wrong().error(-32603, "text must be a string").end(REPLIED);
        Seen words = withTwin(bad).error(-32603, "no such file").end(REPLIED).seen();
        assertEquals(Set.of(), words.flags(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(2, words.witness(Check.TOOLS_CALL_WRONG_TYPE).size());
        Seen code = withTwin(wrong().error(-32602, "failed").end(REPLIED)).error(-32603, "failed").end(REPLIED).seen();
        assertEquals(Set.of(), code.flags(Check.TOOLS_CALL_WRONG_TYPE));
        Seen channel = withTwin(wrong().error(-32603, "failed").end(REPLIED)).result("{\"content\":[{\"type\":\"text\",\"text\":\"failed\"}],\"isError\":true}")
                .end(REPLIED).seen();
        assertEquals(Set.of(), channel.flags(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(Set.of(Flag.UNATTRIBUTED), withTwin(wrong().error(-32603, "failed").end(REPLIED)).end(DEADLINE).seen().flags(Check.TOOLS_CALL_WRONG_TYPE));
    }

    @Test
    void whatAConsequenceWasJudgedByIsPartOfItsProof() {
        assertEquals(4, pair("done", "done").witness(Check.TOOLS_CALL_WRONG_TYPE).size());
        assertEquals(2, wrong().says("done").seen().witness(Check.TOOLS_CALL_WRONG_TYPE).size());
    }

    @Test
    void noAnswerIsNoRefusal() {
        assertEquals("no-response", wrong().end(DEADLINE).alive(WRONG).seen().observed(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals("unresponsive", wrong().end(DEADLINE).step("alive", "liveness", "after", WRONG).ask("ping").end(DEADLINE).seen().observed(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals("exited", wrong().exits(1).end(EXITED).seen().observed(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals("closed", wrong().closesStdout().end(CLOSED).seen().observed(Check.TOOLS_CALL_WRONG_TYPE));
        Seen later = wrong().end(DEADLINE).step("alive", "liveness", "after", WRONG).ask("ping").exits(9).end(EXITED).seen();
        assertEquals("exited", later.observed(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(9L, later.code(Check.TOOLS_CALL_WRONG_TYPE));
    }

    @Test
    void progressForEverIsNoAnswer() {
        Tape tape = wrong();
        for (int i = 0; i < 40; i++) {
            tape.get("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":3,\"progress\":" + i + "}}");
        }
        Seen seen = tape.end(DEADLINE).alive(WRONG).seen();
        assertEquals("no-response", seen.observed(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals("present", seen.observed(Check.PROGRESS_UNREQUESTED));
    }

    @Test
    void executionIsShownByTheTwin() {
        Seen seen = pair("{'mcp-prober': 'an object'}", "mcp-prober");
        assertEquals("success", seen.observed(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(Consequence.SILENT_EXECUTION, seen.consequence(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(Set.of(), seen.flags(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(Consequence.SILENT_EXECUTION, pair("done", "done").consequence(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(Consequence.SILENT_EXECUTION, pair("Found 0 results for [object Object]", "Found 3 results for mcp-prober").consequence(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(Consequence.SILENT_EXECUTION, pair("{\"ok\":true,\"n\":0}", "{\"ok\":true,\"n\":4}").consequence(Check.TOOLS_CALL_WRONG_TYPE));
    }

    @Test
    void isErrorAsATextIsInvalidAndNotTruth() {
        String text = "{\"content\":[{\"type\":\"text\",\"text\":\"hahaha\"}],\"isError\":\"false\"}";
        Seen ran = withTwin(wrong().result(text).end(REPLIED)).result(text).end(REPLIED).seen();
        assertEquals("invalid-response", ran.observed(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(Set.of(Flag.IS_ERROR_TYPE), ran.flags(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(Consequence.SILENT_EXECUTION, ran.consequence(Check.TOOLS_CALL_WRONG_TYPE));
        Seen refused = wrong().result(text.replace("false", "true")).end(REPLIED).seen();
        assertEquals("invalid-response", refused.observed(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(Consequence.IN_BAND_ERROR, refused.consequence(Check.TOOLS_CALL_WRONG_TYPE));
    }

    @Test
    void errorsAsOrdinaryText() {
        Seen seen = pair("Error: text: want string", "mcp-prober");
        assertEquals("success", seen.observed(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(Consequence.IN_BAND_ERROR, seen.consequence(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(Set.of(Flag.ERROR_TEXT), seen.flags(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(Consequence.IN_BAND_ERROR, wrong().says("Error: text: want string").seen().consequence(Check.TOOLS_CALL_WRONG_TYPE), "without a twin too");
    }

    @Test
    void aRefusalInJsonNeedsNoErrorWord() {
        assertEquals(Consequence.IN_BAND_ERROR, pair("{\"ok\": false, \"status\": 422, \"why\": [\"text\"]}", "{\"ok\": true, \"status\": 200}").consequence(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(Consequence.IN_BAND_ERROR, pair("{\"status\": 400}", "{\"status\": 200}").consequence(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(Consequence.IN_BAND_ERROR, pair("{\"errors\": [\"x\"]}", "{\"errors\": []}").consequence(Check.TOOLS_CALL_WRONG_TYPE));
    }

    @Test
    void oldErrorBlocksAndTheFailureKeyMarkAnError() {
        String block = "{\"content\":[{\"type\":\"error\",\"text\":\"nope\"}]}";
        assertEquals(Consequence.IN_BAND_ERROR, withTwin(wrong().result(block).end(REPLIED)).says("fine").seen().consequence(Check.TOOLS_CALL_WRONG_TYPE));
        String key = "{\"content\":[{\"type\":\"text\",\"text\":\"nope\"}],\"_meta\":{\"io.modelcontextprotocol/toolFailure\":{\"class\":\"capability\"}}}";
        assertEquals(Consequence.IN_BAND_ERROR, withTwin(wrong().result(key).end(REPLIED)).says("fine").seen().consequence(Check.TOOLS_CALL_WRONG_TYPE));
    }

    @Test
    void namingTheArgumentThatTheTwinDoesNotNameIsARefusal() {
        assertEquals(Consequence.IN_BAND_ERROR, pair("`text`?", "all good here, 4 items").consequence(Check.TOOLS_CALL_WRONG_TYPE));
    }

    @Test
    void aToolThatFailsOnGoodArgumentsTooTellsNothing() {
        assertEquals(Consequence.UNDETERMINED, pair("Error: fetch failed", "Error: fetch failed").consequence(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(Consequence.IN_BAND_ERROR, pair("Error: text must be a string", "Error: fetch failed").consequence(Check.TOOLS_CALL_WRONG_TYPE));
    }

    @Test
    void aToolThatFailsOnGoodArgumentsInAnotherWayTellsSomething() {
        String report = "{\"status\":\"error\",\"took_ms\":%d,\"diagnostics\":[{\"code\":\"E001\",\"message\":\"%s\"}]}";
        String twin = String.format(report, 1, "path escapes the workspace: mcp-prober");
        assertEquals(Consequence.IN_BAND_ERROR, pair(String.format(report, 0, "path must be a non-empty workspace path"), twin).consequence(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(Consequence.UNDETERMINED, pair(String.format(report, 0, "path escapes the workspace: {'mcp-prober': 'an object'}"), twin)
                .consequence(Check.TOOLS_CALL_WRONG_TYPE));
        String id = "{\"error\":\"no key is set\",\"request\":\"%s\"}";
        assertEquals(Consequence.UNDETERMINED, pair(String.format(id, "9f2c-11"), String.format(id, "77ab-02")).consequence(Check.TOOLS_CALL_WRONG_TYPE));
    }

    @Test
    void aStatusOfSeveralWordsIsJudgedByTheLast() {
        String report = "{\"status\":\"%s\",\"diagnostics\":[{\"severity\":\"error\",\"message\":\"%s\"}]}";
        String twin = String.format(report, "compile_error", "path escapes the workspace: mcp-prober");
        assertEquals(Consequence.IN_BAND_ERROR, pair(String.format(report, "compile_error", "path must be a non-empty workspace path"), twin).consequence(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(Consequence.IN_BAND_ERROR, pair("{\"status\":\"compile-error\",\"n\":0}", "{\"status\":\"done\",\"n\":0}").consequence(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(Consequence.SILENT_EXECUTION, pair("{\"status\":\"no_error\",\"n\":0}", "{\"status\":\"no_error\",\"n\":1}").consequence(Check.TOOLS_CALL_WRONG_TYPE));
    }

    @Test
    void whatResemblesNothingIsUndetermined() {
        assertEquals(Consequence.UNDETERMINED, pair("参数不对", "结果：四项").consequence(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(Consequence.UNDETERMINED, wrong().says("hmm").seen().consequence(Check.TOOLS_CALL_WRONG_TYPE), "no twin");
    }

    @Test
    void anErrorWordInOutputThatIsElseTheSameProvesNothing() {
        assertEquals(Consequence.UNDETERMINED, pair("3 pages about unknown birds", "3 pages about common birds").consequence(Check.TOOLS_CALL_WRONG_TYPE));
    }

    /** It is what linters, scanners and jobs print when they have run. */
    @Test
    void outputThatDeniesErrorsReportsNone() {
        for (String done : List.of("Checked: 0 errors found", "Done without errors.", "No errors in 3 files", "passed: 4, failed: 0", "Nothing is missing", "2 files, no parse errors, errors=none",
                "{\"ok\": true, \"errors\": [], \"error\": null, \"missing\": 0}", "{\"ok\":true,\"error\":null,\"lines\":4}")) {
            assertEquals(Consequence.SILENT_EXECUTION, pair(done, done).consequence(Check.TOOLS_CALL_WRONG_TYPE), done);
        }
        assertEquals(Consequence.UNDETERMINED, pair("Checked: 0 files", "Four lines of text").consequence(Check.TOOLS_CALL_WRONG_TYPE));
        for (String refusal : List.of("failed: 01, no errors", "0 errors allowed: text must be a string", "no such value", "not found", "7 errors", "errors: 0.5 is no number, but required",
                "{\"error\": {\"mcp-prober\": \"an object\"}}")) {
            assertEquals(Consequence.IN_BAND_ERROR, pair(refusal, "mcp-prober").consequence(Check.TOOLS_CALL_WRONG_TYPE), refusal);
        }
    }

    @Test
    void withoutATwinTheOtherArgumentsInTheOutputShowExecution() {
        String tool = "{\"name\":\"repeat\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"mode\":{\"enum\":[\"brisk\"]},\"count\":{\"type\":\"integer\"}},\"required\":[\"mode\",\"count\"]}}";
        Tape tape = Tape.open("2025-11-25").tools(tool).call(WRONG, "count", "{\"mode\":\"brisk\",\"count\":\"mcp-prober: not a integer\"}");
        assertEquals(Consequence.SILENT_EXECUTION, tape.says("brisk plan with mcp-prober: not a integer steps").seen().consequence(Check.TOOLS_CALL_WRONG_TYPE));
    }

    @Test
    void emptyResults() {
        assertEquals(Consequence.EMPTY_RESULT, pair("", "mcp-prober").consequence(Check.TOOLS_CALL_WRONG_TYPE));
        Seen none = withTwin(wrong().result("{\"content\":[]}").end(REPLIED)).says("x").seen();
        assertEquals("success", none.observed(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(Consequence.EMPTY_RESULT, none.consequence(Check.TOOLS_CALL_WRONG_TYPE));
        Seen falsy = withTwin(wrong().result("{\"content\":[],\"structuredContent\":false}").end(REPLIED)).says("x").seen();
        assertEquals(Consequence.UNDETERMINED, falsy.consequence(Check.TOOLS_CALL_WRONG_TYPE), "false is content");
    }

    @Test
    void resultsThatAreNoCallResult() {
        for (String result : List.of("{}", "{\"content\":\"text\"}", "{\"content\":[{\"text\":\"x\"}]}", "{\"toolResult\":1}")) {
            Seen seen = wrong().result(result).end(REPLIED).seen();
            assertEquals("invalid-response", seen.observed(Check.TOOLS_CALL_WRONG_TYPE), result);
            assertEquals(Set.of(Flag.SCHEMA), seen.flags(Check.TOOLS_CALL_WRONG_TYPE));
        }
        assertEquals("invalid-response", wrong().result("[]").end(REPLIED).seen().observed(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals("tool-error", wrong().result("{\"isError\":true}").end(REPLIED).seen().observed(Check.TOOLS_CALL_WRONG_TYPE), "a refusal all the same");
    }

    @Test
    void anAnswerWithAWrongIdIsInvalidWhateverItSays() {
        Seen seen = wrong().resultFor("\"3\"", "{\"content\":[],\"isError\":true}").end(REPLIED).seen();
        assertEquals("invalid-response", seen.observed(Check.TOOLS_CALL_WRONG_TYPE));
        assertNull(seen.consequence(Check.TOOLS_CALL_WRONG_TYPE));
    }

    @Test
    void coercibleValuesAreFlagged() {
        String[][] cases = {{"text", "{\"text\":5,\"count\":1}"}, {"text", "{\"text\":true,\"count\":1}"}, {"count", "{\"text\":\"x\",\"count\":\"5\"}"},
            {"count", "{\"text\":\"x\",\"count\":\"\"}"}, {"count", "{\"text\":\"x\",\"count\":1.5}"}};
        for (String[] each : cases) {
            assertTrue(session().call(WRONG, each[0], each[1]).says("x").seen().flags(Check.TOOLS_CALL_WRONG_TYPE).contains(Flag.COERCIBLE), each[1]);
        }
        assertEquals(Set.of(), pair("done", "done").flags(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(Set.of(), session().call(WRONG, "count", "{\"text\":\"x\",\"count\":\"not a number\"}").says("hm").seen().flags(Check.TOOLS_CALL_WRONG_TYPE));
    }

    @Test
    void coercionLooksThroughReferencesAndUnions() throws Exception {
        var schema = dev.mcpprober.io.Json.mapper().readTree("{\"properties\":{\"a\":{\"$ref\":\"#/$defs/N\"},\"b\":{\"type\":[\"boolean\",\"null\"]},\"c\":{\"$ref\":\"http://127.0.0.1:9/x\"}},"
                + "\"$defs\":{\"N\":{\"type\":\"number\"}}}");
        var values = dev.mcpprober.io.Json.mapper().readTree("{\"a\":\" 4e2 \",\"b\":\"yes\",\"c\":5}");
        assertTrue(Coercion.possible(schema, "a", values));
        assertTrue(Coercion.possible(schema, "b", values));
        assertEquals(false, Coercion.possible(schema, "c", values));
        assertEquals(false, Coercion.possible(schema, "none", values));
    }

    @Test
    void missingRequiredIsJudgedTheSameWay() {
        Tape tape = withTwin(session().call("tools-call-missing-required", "text", "{\"count\":1}").says("undefined")).says("mcp-prober");
        Seen seen = tape.seen();
        assertEquals("success", seen.observed(Check.TOOLS_CALL_MISSING_REQUIRED));
        assertEquals(Consequence.SILENT_EXECUTION, seen.consequence(Check.TOOLS_CALL_MISSING_REQUIRED));
    }

    @Test
    void theTwinMayStandInAContinuation() {
        Tape rest = withTwin(Tape.open("legacy.2", "legacy-full", "2025-11-25").tools(Tape.TOOL)).says("mcp-prober");
        assertEquals(Consequence.SILENT_EXECUTION, wrong().says("[object Object]").seen(rest).consequence(Check.TOOLS_CALL_WRONG_TYPE));
    }

    @Test
    void unknownToolsHaveNoConsequenceAndNoToolName() {
        Tape tape = session().step("tools-call-unknown", "tools-call-unknown", "tool", "no_such").ask("tools/call", "{\"name\":\"no_such\",\"arguments\":{}}");
        Seen seen = tape.says("Unknown tool: no_such").seen();
        assertEquals("success", seen.observed(Check.TOOLS_CALL_UNKNOWN));
        assertEquals(Set.of(Flag.ERROR_TEXT), seen.flags(Check.TOOLS_CALL_UNKNOWN));
        assertNull(seen.consequence(Check.TOOLS_CALL_UNKNOWN));
        assertNull(seen.row(Check.TOOLS_CALL_UNKNOWN).subject().tool());
    }

    @Test
    void malformedCallsAreReactions() {
        Tape noName = Tape.open("legacy-negative", "legacy-negative", "2025-11-25").step("tools-call-no-name", "tools-call-no-name").ask("tools/call", "{\"arguments\":{}}");
        assertEquals("tool-error", noName.result("{\"content\":[],\"isError\":true}").end(REPLIED).seen().observed(Check.TOOLS_CALL_NO_NAME));
        Tape bad = Tape.open("legacy-negative", "legacy-negative", "2025-11-25").tools(Tape.TOOL).step("tools-call-bad-arguments", "tools-call-bad-arguments", "tool", "repeat")
                .ask("tools/call", "{\"name\":\"repeat\",\"arguments\":[1]}").error(-32602, "x").end(REPLIED);
        assertEquals("protocol-error", bad.seen().observed(Check.TOOLS_CALL_BAD_ARGUMENTS));
        Seen dies = Tape.open("legacy-negative", "legacy-negative", "2025-11-25").step("tools-call-no-name", "tools-call-no-name").ask("tools/call", "{}").error(-32603, "x").end(REPLIED)
                .step("alive-after-no-name", "liveness", "after", "tools-call-no-name").ask("ping").end(DEADLINE).seen();
        assertEquals("protocol-error", dies.observed(Check.TOOLS_CALL_NO_NAME));
        assertEquals(Set.of(Flag.THEN_UNRESPONSIVE), dies.flags(Check.TOOLS_CALL_NO_NAME));
    }

    @Test
    void skippedStepsCarryTheirReason() {
        Seen seen = session().skip(WRONG, WRONG, "no tool has a required argument").seen();
        assertEquals("no tool has a required argument", seen.reason(Check.TOOLS_CALL_WRONG_TYPE));
    }

    @Test
    void toolsThatDemandATaskAreNotJudged() {
        Tape tape = Tape.legacy("legacy", "legacy-full").handshake("server-initialize", "2025-11-25", "{\"tools\":{},\"tasks\":{\"requests\":{\"tools\":{\"call\":{}}}}}")
                .tools(Tape.TOOL.replace("{\"name\"", "{\"execution\":{\"taskSupport\":\"required\"},\"name\"")).call(WRONG, "text", BAD_TEXT).error(-32601, "task").end(REPLIED);
        assertEquals("tool demands a task", tape.seen().reason(Check.TOOLS_CALL_WRONG_TYPE));
    }

    @Test
    void legalRequestsForInputDecideNothing() {
        Tape tape = Tape.openModern().tools(Tape.TOOL).call(WRONG, "text", BAD_TEXT);
        Seen seen = tape.result("{\"resultType\":\"input_required\",\"requestState\":\"s\"}").end(REPLIED).seen();
        assertEquals("input-required", seen.observed(Check.TOOLS_CALL_WRONG_TYPE));
        assertNull(seen.consequence(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals("conforms", seen.observed(Check.INPUT_REQUIRED_SCOPE));
    }

    @Test
    void illegalRequestsForInputAreNoExecution() {
        Seen seen = Tape.openModern().tools(Tape.TOOL).call(WRONG, "text", BAD_TEXT)
                .result("{\"resultType\":\"input_required\",\"inputRequests\":{\"u\":{\"method\":\"elicitation/create\",\"params\":{}}}}").end(REPLIED).seen();
        assertEquals("invalid-response", seen.observed(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(Set.of(Flag.INPUT_REQUIRED, Flag.UNDECLARED), seen.flags(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(Consequence.UNDETERMINED, seen.consequence(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals("violates", seen.observed(Check.INPUT_REQUIRED_SCOPE));
        assertEquals(Set.of(Flag.UNDECLARED), seen.flags(Check.INPUT_REQUIRED_SCOPE));
    }

    @Test
    void aLegacyResultThatSaysInputRequiredIsNoExecutionEither() {
        Seen seen = wrong().result("{\"resultType\":\"input_required\",\"requestState\":\"s\"}").end(REPLIED).seen();
        assertEquals("invalid-response", seen.observed(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(Consequence.UNDETERMINED, seen.consequence(Check.TOOLS_CALL_WRONG_TYPE));
    }

    @Test
    void primaryRowsComeFirst() {
        Seen seen = session().step(WRONG, WRONG, "tool", "other", "property", "q").ask("tools/call", "{\"name\":\"other\",\"arguments\":{}}").error(-32602, "x").end(REPLIED)
                .call(WRONG, "text", BAD_TEXT).error(-32602, "x").end(REPLIED).seen();
        assertEquals(List.of("repeat", "other"), seen.rows(Check.TOOLS_CALL_WRONG_TYPE).stream().map(o -> o.subject().tool()).toList());
    }
}
