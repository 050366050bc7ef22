package dev.mcpprober.observation;

import static dev.mcpprober.transcript.StepOutcome.REPLIED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.rules.Graded;
import dev.mcpprober.rules.Grader;
import dev.mcpprober.rules.RuleSet;
import dev.mcpprober.rules.RuleSetParser;
import dev.mcpprober.transcript.Planted;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The edge cases of the toolFailure requirements, from a server's frames to the verdict: each row of their table that a server decides. */
class ToolFailureEdgeCasesTest {
    private static final String KEY = "\"io.modelcontextprotocol/toolFailure\":";
    private static final String WRONG = "tools-call-wrong-type";
    private static final RuleSet RULES = rules();
    private static final Map<String, String> ALL_PASS = new TreeMap<>();

    private static RuleSet rules() {
        try (InputStream in = ToolFailureEdgeCasesTest.class.getResourceAsStream("/rules/tool-failure.yaml")) {
            return RuleSetParser.parse("tool-failure.yaml", new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** Verdicts that are neither pass, nor not-applicable, nor not-run, by check id without its prefix. */
    private static Map<String, String> findings(Tape tape) {
        Map<String, String> out = new TreeMap<>();
        for (Graded graded : Grader.grade(RULES, tape.seen().target())) {
            String word = graded.verdict().word();
            if (!List.of("pass", "not-applicable", "not-run").contains(word)) {
                out.put(graded.observation().subject().check().substring("sep-3313-".length()), word);
            }
        }
        return out;
    }

    private static String verdict(Tape tape, String check) {
        return Grader.grade(RULES, tape.seen().target()).stream().filter(g -> g.observation().subject().check().equals("sep-3313-" + check))
                .map(g -> g.verdict().word()).findFirst().orElse("no row");
    }

    private static Tape answered(String revision, String arguments, String result) {
        return Tape.open(revision).tools(Tape.TOOL).call(WRONG, "text", arguments).result(result).end(REPLIED);
    }

    private static Tape error(String revision, String arguments, String value) {
        return answered(revision, arguments, "{\"content\":[{\"type\":\"text\",\"text\":\"no\"}],\"isError\":true,\"_meta\":{" + KEY + value + "}}");
    }

    private static Tape error(String value) {
        return error("2025-11-25", "{\"text\":\"canary argument\",\"count\":1}", value);
    }

    private static Tape members(String members) {
        return error("{" + members + ",\"correlationId\":\"f-81a2c4\"}");
    }

    private static String classAndCode(String failureClass, String code) {
        return "\"class\":\"" + failureClass + "\",\"code\":\"" + code + "\"";
    }

    @Test
    void absenceIsNeverAFailure() {
        Tape without = answered("2025-11-25", "{}", "{\"content\":[],\"isError\":true}");
        assertEquals(List.of(), Grader.grade(RULES, without.seen().target()).stream().filter(g -> !g.verdict().word().equals("not-applicable")).toList());
    }

    @Test
    void retryableWithAnotherClassThanReliability() {
        assertEquals(Map.of("retryable-only-reliability", "fail"), findings(members(classAndCode("governance", "policy_blocked") + ",\"retryable\":true")));
        assertEquals(Map.of("retryable-only-reliability", "fail"), findings(members(classAndCode("capability", "invalid_input") + ",\"retryable\":true")));
        assertEquals(ALL_PASS, findings(members(classAndCode("governance", "policy_blocked") + ",\"retryable\":false")));
        assertEquals(Map.of("retryable-only-reliability", "fail"), findings(members(classAndCode("capability", "invalid_input") + ",\"retryable\":\"false\"")));
    }

    @Test
    void reliabilityWithoutRetryable() {
        assertEquals(ALL_PASS, findings(members(classAndCode("reliability", "retryable_transient_error"))));
        assertEquals("pass", verdict(members(classAndCode("reliability", "retryable_transient_error")), "retryable-only-reliability"));
    }

    @Test
    void aTimeWithoutRetryable() {
        assertEquals(Map.of("retry-not-before-paired", "warn"), findings(members(classAndCode("reliability", "retryable_transient_error") + ",\"retryNotBefore\":1796083200000")));
        assertEquals(Map.of("retry-not-before-paired", "warn"),
                findings(members(classAndCode("reliability", "retryable_transient_error") + ",\"retryable\":false,\"retryNotBefore\":1796083200000")));
    }

    /** Sessions of the tape begin at 1796083200000. */
    @ParameterizedTest
    @CsvSource({"1.7e9, warn", "1796083200, warn", "30000, warn", "-1796083200000, warn", "0, warn", "1000000000000, none", "1796083199000, none", "1796083260000, none",
        "9007199254740993, warn", "1e99999999999, warn", "'\"soon\"', fail", "null, fail", "'{}', fail", "true, fail"})
    void timesInOtherUnitsAndTypes(String time, String expected) {
        Map<String, String> found = findings(members(classAndCode("reliability", "retryable_transient_error") + ",\"retryable\":true,\"retryNotBefore\":" + time));
        assertEquals(expected.equals("none") ? Map.of() : Map.of("retry-not-before-epoch-ms", expected), found);
    }

    @ParameterizedTest
    @CsvSource({"'\"\"', warn", "'\" \"', warn", "'\"\\t\\n\"', warn", "'\"\\u00a0\"', warn", "'\"\\u200b\\u2003\"', warn", "12, fail", "null, fail", "'[\"x\"]', fail", "'\"x\"', none"})
    void idsThatAreEmptyOrNoText(String id, String expected) {
        Map<String, String> found = findings(error("{" + classAndCode("capability", "invalid_input") + ",\"correlationId\":" + id + "}"));
        assertEquals(expected.equals("none") ? Map.of() : Map.of("correlation-id-present", expected), found);
        assertEquals(Map.of("correlation-id-present", "fail"), findings(error("{" + classAndCode("capability", "invalid_input") + "}")));
    }

    @Test
    void oneIdForEverything() {
        String result = "{\"content\":[],\"isError\":true,\"_meta\":{" + KEY + "{" + classAndCode("capability", "invalid_input") + ",\"correlationId\":\"constant\"}}}";
        Tape tape = answered("2025-11-25", "{}", result).call("tools-call-missing-required", "text", "{\"count\":1}").result(result).end(REPLIED);
        assertEquals(Map.of("correlation-id-distinct", "warn"), findings(tape));
    }

    @Test
    void idsThatEchoWhatTheServerWasToldOrStartedWith() {
        String jwt = "eyJhbGciOiJub25lIn0." + Base64.getUrlEncoder().withoutPadding().encodeToString("{\"sub\":\"canary argument\"}".getBytes(StandardCharsets.UTF_8)) + ".";
        for (String id : List.of("req:canary argument", "CANARY ARGUMENT", "canary%20argument", "canary+argument", "63616e61727920617267756d656e74", jwt,
                "env-" + Planted.VALUE, Planted.VALUE.toUpperCase(java.util.Locale.ROOT))) {
            Tape tape = error("{" + classAndCode("capability", "invalid_input") + ",\"correlationId\":\"" + id + "\"}");
            assertEquals(Map.of("correlation-id-no-sensitive", "fail"), findings(tape), id);
        }
        // SHA-256 of "canary argument".
        Tape hashed = error("{" + classAndCode("capability", "invalid_input") + ",\"correlationId\":\"" + dev.mcpprober.io.Digests.sha256("canary argument") + "\"}");
        assertEquals(ALL_PASS, findings(hashed));
        assertTrue(hashed.seen().flags(Check.SEP_3313_CORRELATION_ID_NO_SENSITIVE).contains("hashed"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"transient", "Reliability", "reliability ", "", "RELIABILITY"})
    void aClassOutsideTheClosedSet(String failureClass) {
        assertEquals(Map.of("class-enum", "fail"), findings(members(classAndCode(failureClass, "retryable_transient_error"))));
    }

    @Test
    void theKeyOnASuccess() {
        String object = "{" + classAndCode("capability", "invalid_input") + ",\"correlationId\":\"f-1\"}";
        String meta = "\"_meta\":{" + KEY + object + "}";
        assertEquals(Map.of("only-on-error", "warn"), findings(answered("2025-11-25", "{}", "{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]," + meta + "}")));
        assertEquals(Map.of("only-on-error", "warn"), findings(answered("2025-11-25", "{}", "{\"content\":[{\"type\":\"text\",\"text\":\"done\"}],\"isError\":false," + meta + "}")));
        // What stands on a success is not judged as a failure.
        assertEquals(Map.of("only-on-error", "warn"),
                findings(answered("2025-11-25", "{}", "{\"content\":[{\"type\":\"text\",\"text\":\"done\"}],\"_meta\":{" + KEY + "{\"class\":7}}}")));
    }

    @Test
    void theKeyBesideMeta() {
        String object = KEY + "{\"class\":\"nonsense\"}";
        assertEquals(Map.of("meta-placement", "warn"), findings(answered("2025-11-25", "{}", "{\"content\":[],\"isError\":true," + object + "}")));
        assertEquals(Map.of("meta-placement", "warn"), findings(Tape.open("2025-11-25").tools(Tape.TOOL).step("method-not-found", "method-not-found").ask("no/such")
                .get("{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-32601,\"message\":\"no\",\"data\":{" + object + "}}}").end(REPLIED)), "in an error of another method");
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "[]", "\"capability\"", "7", "true", "[{\"class\":\"capability\"}]"})
    void aValueThatIsNoObject(String value) {
        assertEquals(Map.of("class-enum", "fail"), findings(error(value)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
    void everyRevisionHasTheSameRules(String revision) {
        String good = "{" + classAndCode("capability", "invalid_input") + ",\"correlationId\":\"f-1\"}";
        assertEquals(ALL_PASS, findings(error(revision, "{}", good)));
        assertEquals("pass", verdict(error(revision, "{}", good), "class-enum"));
        assertEquals(Map.of("class-enum", "fail"), findings(error(revision, "{}", good.replace("capability", "Capability"))));
    }

    @Test
    void theModernEraToo() {
        String result = "{\"content\":[],\"isError\":true,\"resultType\":\"complete\",\"_meta\":{" + KEY + "{" + classAndCode("governance", "invalid") + ",\"retryable\":true,\"correlationId\":\"f\"}}}";
        Tape tape = Tape.openModern().tools(Tape.TOOL).call(WRONG, "text", "{}").result(result).end(REPLIED);
        assertEquals(Map.of("retryable-only-reliability", "fail"), findings(tape));
        assertEquals("fail", verdict(tape, "retryable-only-reliability"));
        // A request for input is no CallToolResult.
        Tape input = Tape.openModern().tools(Tape.TOOL).call(WRONG, "text", "{}").result(result.replace("complete", "input_required").replace("\"content\"", "\"requestState\":\"s\",\"content\"")).end(REPLIED);
        assertEquals("no row", verdict(input, "retryable-only-reliability"));
    }

    @Test
    void anUnknownToolStaysAProtocolError() {
        Tape tape = Tape.open("2025-11-25").tools(Tape.TOOL).step("tools-call-unknown", "tools-call-unknown", "tool", "nope").ask("tools/call", "{\"name\":\"nope\",\"arguments\":{}}")
                .error(-32602, "Unknown tool").end(REPLIED);
        assertEquals("no row", verdict(tape, "class-enum"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"governance", "capability"})
    void aMissingPermissionHasTwoClasses(String failureClass) {
        assertEquals(ALL_PASS, findings(members(classAndCode(failureClass, "permission_denied"))));
        assertEquals(Map.of("code-class-consistent", "warn"), findings(members(classAndCode("reliability", "permission_denied"))));
    }

    @Test
    void codesAreOpenButNotMisspelt() {
        assertEquals(ALL_PASS, findings(members(classAndCode("reliability", "rate_limited"))));
        assertEquals(ALL_PASS, findings(members(classAndCode("governance", ""))));
        assertEquals(Map.of("code-baseline", "warn"), findings(members(classAndCode("capability", "INVALID-INPUT"))));
        assertEquals(Map.of("code-string", "fail"), findings(members("\"class\":\"capability\",\"code\":[\"invalid_input\"]")));
    }

    @Test
    void guidanceIsAStringOfAnyLength() {
        String plain = classAndCode("capability", "invalid_input") + ",\"agentGuidance\":";
        assertEquals(ALL_PASS, findings(members(plain + "\"" + "long ".repeat(20_000) + "\"")));
        assertEquals(ALL_PASS, findings(members(plain + "\"\"")));
        assertEquals(Map.of("agent-guidance-string", "fail"), findings(members(plain + "{\"text\":\"x\"}")));
        assertEquals(Map.of("agent-guidance-string", "fail"), findings(members(plain + "[".repeat(400) + "]".repeat(400))));
    }

    @Test
    void unknownMembersBreakNothing() {
        assertEquals(ALL_PASS, findings(members(classAndCode("capability", "invalid_input") + ",\"severity\":9007199254740993,\"detail\":{\"deep\":[1e3]}")));
    }
}
