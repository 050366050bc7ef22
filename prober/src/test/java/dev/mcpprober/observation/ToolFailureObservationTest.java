package dev.mcpprober.observation;

import static dev.mcpprober.transcript.StepOutcome.REPLIED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.session.Scripts;
import dev.mcpprober.toolfailure.Finding;
import dev.mcpprober.toolfailure.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The toolFailure key: where it stands, and what stands there. */
class ToolFailureObservationTest {
    private static final String KEY = "\"io.modelcontextprotocol/toolFailure\":";
    private static final String WRONG = "tools-call-wrong-type";
    private static final String MISSING = "tools-call-missing-required";
    private static final List<Check> CHECKS = Arrays.stream(Check.values()).filter(c -> c.id().startsWith("sep-3313-")).toList();

    private static Tape session() {
        return Tape.open("2025-11-25").tools(Tape.TOOL);
    }

    private static String object(String id) {
        return "{\"class\":\"capability\",\"code\":\"invalid_input\",\"correlationId\":\"" + id + "\"}";
    }

    private static String text(String text) {
        return "\"content\":[{\"type\":\"text\",\"text\":\"" + text + "\"}]";
    }

    private static String error(String failure) {
        return "{" + text("no") + ",\"isError\":true,\"_meta\":{" + KEY + failure + "}}";
    }

    private static Tape wrong(Tape tape, String result) {
        return tape.call(WRONG, "text", "{\"text\":{\"mcp-prober\":\"an object\"},\"count\":1}").result(result).end(REPLIED);
    }

    private static Tape missing(Tape tape, String result) {
        return tape.call(MISSING, "text", "{\"count\":1}").result(result).end(REPLIED);
    }

    @Test
    void aServerWithoutTheKeyHasNoRow() {
        Seen seen = wrong(session(), "{" + text("no") + ",\"isError\":true,\"_meta\":{\"other\":1}}").seen();
        CHECKS.forEach(check -> assertEquals(List.of(), seen.rows(check), check.id()));
    }

    @Test
    void goodObjectsHaveARowForEveryCheck() {
        Seen seen = missing(wrong(session(), error(object("f-1"))), error(object("f-2"))).seen();
        for (Check check : CHECKS) {
            boolean optional = Set.of(Check.SEP_3313_RETRYABLE_ONLY_RELIABILITY, Check.SEP_3313_RETRY_NOT_BEFORE_PAIRED,
                    Check.SEP_3313_RETRY_NOT_BEFORE_EPOCH_MS, Check.SEP_3313_AGENT_GUIDANCE_STRING).contains(check);
            assertEquals(optional ? "absent" : "present", seen.observed(check), check.id());
            assertTrue(seen.witness(check).size() >= 2, check.id());
        }
        assertEquals("2025-11-25", seen.row(Check.SEP_3313_CLASS_ENUM).subject().revision());
    }

    @Test
    void oneBadObjectAmongGoodOnesIsWhatCounts() {
        Tape tape = wrong(session(), error(object("f-1")));
        Seen seen = missing(tape, error("{\"class\":\"Capability\",\"code\":5,\"retryNotBefore\":1.7e9,\"correlationId\":\"f-2\"}")).seen();
        assertEquals("violates", seen.observed(Check.SEP_3313_CLASS_ENUM));
        assertEquals(Set.of("unknown-value"), seen.flags(Check.SEP_3313_CLASS_ENUM));
        assertEquals(Set.of("type"), seen.flags(Check.SEP_3313_CODE_STRING));
        assertEquals(Set.of("too-small"), seen.flags(Check.SEP_3313_RETRY_NOT_BEFORE_EPOCH_MS));
        assertTrue(seen.detail(Check.SEP_3313_RETRY_NOT_BEFORE_EPOCH_MS).contains("1.7e9"), "the number as it was written");
        assertEquals(Set.of("unpaired"), seen.flags(Check.SEP_3313_RETRY_NOT_BEFORE_PAIRED));
        assertEquals("present", seen.observed(Check.SEP_3313_CODE_BASELINE), "the other object has a code");
    }

    @Test
    void ownCodesAreListed() {
        Seen seen = missing(wrong(session(), error(object("f-1"))), error("{\"class\":\"capability\",\"code\":\"quota\",\"correlationId\":\"f-2\"}")).seen();
        assertEquals(Set.of("own-code"), seen.flags(Check.SEP_3313_CODE_BASELINE));
        assertEquals("code is \"invalid_input\"; code is \"quota\"", seen.detail(Check.SEP_3313_CODE_BASELINE));
    }

    @Test
    void aValueThatIsNoObjectLeavesTheRestOpen() {
        Seen seen = wrong(session(), error("[\"capability\"]")).seen();
        assertEquals(Set.of("no-object"), seen.flags(Check.SEP_3313_CLASS_ENUM));
        assertEquals("the value is no object", seen.reason(Check.SEP_3313_CODE_STRING));
        assertEquals("present", seen.observed(Check.SEP_3313_META_PLACEMENT));
        assertEquals("present", seen.observed(Check.SEP_3313_ONLY_ON_ERROR));
    }

    @Test
    void idsAreComparedWithinASession() {
        assertEquals(Set.of("other-call"), missing(wrong(session(), error(object("same"))), error(object("same"))).seen().flags(Check.SEP_3313_CORRELATION_ID_DISTINCT));
        assertEquals(Set.of("same-call"), wrong(wrong(session(), error(object("same"))), error(object("same"))).seen().flags(Check.SEP_3313_CORRELATION_ID_DISTINCT));
        Tape first = wrong(session(), error(object("same")));
        Tape second = Tape.open("legacy.2", "legacy-full", "2025-11-25").tools(Tape.TOOL);
        assertEquals("no session has two failures with a correlationId", first.seen(missing(second, error(object("same")))).reason(Check.SEP_3313_CORRELATION_ID_DISTINCT));
        Seen blank = missing(wrong(session(), error(object(""))), error(object(""))).seen();
        assertEquals("no session has two failures with a correlationId", blank.reason(Check.SEP_3313_CORRELATION_ID_DISTINCT));
    }

    @Test
    void aCallAskedForTwiceCountsForItsOwnCheckOnce() {
        Tape tape = wrong(session(), error(object("f-1"))).step(WRONG + "-again", Scripts.AGAIN, "tool", "repeat", "property", "text", "primary", "true")
                .ask("tools/call", "{\"name\":\"repeat\",\"arguments\":{\"text\":{\"mcp-prober\":\"an object\"},\"count\":1}}").result(error(object("f-1"))).end(REPLIED);
        Seen seen = tape.seen();
        assertEquals("tool-error", seen.observed(Check.TOOLS_CALL_WRONG_TYPE));
        assertEquals(Set.of("same-call"), seen.flags(Check.SEP_3313_CORRELATION_ID_DISTINCT));
    }

    @Test
    void anIdThatIsTheRequestsIsNoted() {
        Seen seen = missing(wrong(session(), error(object("3"))), error(object("x-4"))).seen();
        assertEquals("present", seen.observed(Check.SEP_3313_CORRELATION_ID_DISTINCT));
        assertEquals(Set.of("equals-request-id"), seen.flags(Check.SEP_3313_CORRELATION_ID_DISTINCT));
    }

    @Test
    void whatWasSentMustNotBeInTheId() {
        assertEquals(Set.of("argument"), wrong(session(), error(object("bad:AN%20OBJECT"))).seen().flags(Check.SEP_3313_CORRELATION_ID_NO_SENSITIVE));
        // The word is the tool's own: its schema lists it.
        String tool = "{\"name\":\"repeat\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"text\":{\"enum\":[\"upside-down\"]}}}}";
        Tape known = Tape.open("2025-11-25").tools(tool).call(MISSING, "", "{\"text\":\"upside-down\"}").result(error(object("err-upside-down-1"))).end(REPLIED);
        assertEquals("present", known.seen().observed(Check.SEP_3313_CORRELATION_ID_NO_SENSITIVE));
        Tape modern = Tape.openModern().tools(Tape.TOOL).step(WRONG, WRONG, "tool", "repeat").ask("tools/call", "{\"name\":\"repeat\",\"arguments\":{},"
                + "\"_meta\":{\"io.modelcontextprotocol/clientInfo\":{\"name\":\"mcp-prober\",\"version\":\"1\"}}}").result(error(object("MCP-PROBER.1"))).end(REPLIED);
        assertEquals(Set.of("client-info"), modern.seen().flags(Check.SEP_3313_CORRELATION_ID_NO_SENSITIVE));
    }

    @Test
    void onASuccessTheKeyIsOutOfPlace() {
        String plain = "{" + text("done") + ",\"_meta\":{" + KEY + object("f") + "}}";
        Seen quiet = wrong(session(), plain).seen();
        assertEquals("violates", quiet.observed(Check.SEP_3313_ONLY_ON_ERROR));
        assertEquals(Set.of(), quiet.flags(Check.SEP_3313_ONLY_ON_ERROR));
        assertEquals("no error result carries the key in its place", quiet.reason(Check.SEP_3313_CLASS_ENUM));
        Seen told = wrong(session(), plain.replace("done", "Error: text is no string")).seen();
        assertEquals(Set.of("error-text"), told.flags(Check.SEP_3313_ONLY_ON_ERROR));
        Seen claimed = wrong(session(), plain.replace("{\"content\"", "{\"isError\":\"true\",\"content\"")).seen();
        assertEquals("present", claimed.observed(Check.SEP_3313_ONLY_ON_ERROR), "an error, if in the wrong type: that is another check's finding");
    }

    private static Seen stray(String result) {
        return wrong(session(), result).seen();
    }

    @Test
    void theKeyInAnotherPlaceIsMisplacedAndTheObjectCountsAsAbsent() {
        String key = KEY + object("f");
        String head = "{" + text("no") + ",\"isError\":true,";
        assertEquals(Set.of("beside-meta"), stray(head + key + "}").flags(Check.SEP_3313_META_PLACEMENT));
        assertEquals(Set.of("in-structured-content"), stray(head + "\"structuredContent\":{\"a\":[{" + key + "}]}}").flags(Check.SEP_3313_META_PLACEMENT));
        assertEquals(Set.of("in-content"), stray("{\"content\":[{\"type\":\"text\",\"text\":\"no\",\"_meta\":{" + key + "}}],\"isError\":true}").flags(Check.SEP_3313_META_PLACEMENT));
        assertEquals(Set.of("elsewhere"), stray(head + "\"_meta\":{\"deeper\":{" + key + "}}}").flags(Check.SEP_3313_META_PLACEMENT));
        Seen inError = session().call(WRONG, "text", "{}").get("{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-32000,\"message\":\"no\",\"data\":{" + key + "}}}").end(REPLIED).seen();
        assertEquals("misplaced", inError.observed(Check.SEP_3313_META_PLACEMENT));
        assertEquals(Set.of("in-error"), inError.flags(Check.SEP_3313_META_PLACEMENT));
        assertTrue(inError.detail(Check.SEP_3313_META_PLACEMENT).contains("/error/data"));
        assertEquals("no error result carries the key in its place", inError.reason(Check.SEP_3313_CLASS_ENUM));
        assertEquals("no result carries the key in its place", inError.reason(Check.SEP_3313_ONLY_ON_ERROR));
    }

    @Test
    void aForgedPathIsNotThePlace() {
        Seen seen = session().call(WRONG, "text", "{}").get("{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{" + text("no") + ",\"isError\":true},\"result/_meta\":{" + KEY + object("f") + "}}")
                .end(REPLIED).seen();
        assertEquals(Set.of("elsewhere"), seen.flags(Check.SEP_3313_META_PLACEMENT));
        assertEquals("no error result carries the key in its place", seen.reason(Check.SEP_3313_CLASS_ENUM));
    }

    @Test
    void anAnswerInABatchIsReadTheSame() {
        Seen seen = session().call(WRONG, "text", "{}").get("[{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\"},{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":" + error(object("f")) + "}]")
                .end(REPLIED).seen();
        assertEquals("present", seen.observed(Check.SEP_3313_CLASS_ENUM));
    }

    @Test
    void otherMethodsAndRequestsForInputAreNotLookedAt() {
        assertEquals(List.of(), session().step("ping", "ping").ask("ping").result("{\"_meta\":{" + KEY + object("f") + "}}").end(REPLIED).seen().rows(Check.SEP_3313_META_PLACEMENT));
        Seen input = wrong(Tape.openModern().tools(Tape.TOOL), "{\"resultType\":\"input_required\",\"requestState\":\"s\",\"_meta\":{" + KEY + object("f") + "}}").seen();
        assertEquals(List.of(), input.rows(Check.SEP_3313_META_PLACEMENT));
    }

    @Test
    void checksAndFlagsAreThoseOfTheValidator() throws IllegalAccessException {
        Set<String> ids = CHECKS.stream().map(Check::id).collect(Collectors.toSet());
        Set<String> judged = Stream.concat(Arrays.stream(Statement.values()).map(Statement::id),
                Stream.of("sep-3313-correlation-id-distinct", "sep-3313-only-on-error", "sep-3313-meta-placement")).collect(Collectors.toSet());
        assertEquals(ids, judged);
        Set<Object> flags = new java.util.HashSet<>();
        for (java.lang.reflect.Field field : Flag.class.getFields()) {
            flags.add(field.get(null));
        }
        for (Finding.Kind kind : Finding.Kind.values()) {
            assertTrue(flags.contains(kind.id()), kind.id());
        }
    }
}
