package dev.mcpprober.toolfailure.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.ProtocolRevision;
import dev.mcpprober.toolfailure.ExactJson;
import dev.mcpprober.toolfailure.client.Decision.Action;
import dev.mcpprober.toolfailure.client.Hints.Hint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DispatchTest {
    private static final long NOW = 1_796_083_200_000L;
    private static final RetryLimits LIMITS = RetryLimits.DEFAULT;
    private static final Hints IDEMPOTENT = new Hints(true, Hint.ABSENT, Hint.TRUE);
    private static final Situation FREE = new Situation(true, IDEMPOTENT, true, ProtocolRevision.V2025_11_25, NOW, 1, LIMITS);
    private static final String RETRYABLE = "{\"class\":\"reliability\",\"code\":\"retryable_transient_error\",\"retryable\":true,\"correlationId\":\"f-1\"}";

    private static Answer result(String json) {
        return new Answer.Result(ExactJson.parse(json).orElseThrow(() -> new AssertionError("no JSON: " + json)));
    }

    private static Answer error(String object) {
        return result("{\"content\":[],\"isError\":true,\"_meta\":{\"io.modelcontextprotocol/toolFailure\":" + object + "}}");
    }

    private static Situation with(Hints hints) {
        return new Situation(true, hints, true, ProtocolRevision.V2025_11_25, NOW, 1, LIMITS);
    }

    private static Situation at(long now) {
        return new Situation(true, IDEMPOTENT, true, ProtocolRevision.V2025_11_25, now, 1, LIMITS);
    }

    private static String retryable(String notBefore) {
        return RETRYABLE.replace("\"retryable\":true", "\"retryable\":true,\"retryNotBefore\":" + notBefore);
    }

    /** The members of the object under test, each with what it is written as; null leaves it out. */
    private static final Map<String, String> TIMES = times();

    private static Map<String, String> times() {
        Map<String, String> out = new HashMap<>();
        out.put("absent", null);
        out.put("past", String.valueOf(NOW - 3_600_000));
        out.put("now", String.valueOf(NOW));
        out.put("soon", String.valueOf(NOW + 20_000));
        out.put("soon, as a float", (NOW + 20_000) / 1000 + ".000e3");
        out.put("beyond the longest wait", String.valueOf(NOW + 3_600_000));
        out.put("seconds", "1796083200");
        out.put("negative", "-1");
        out.put("far future", "99999999999999");
        out.put("beyond 2^53", "9007199254740993");
        out.put("beyond a double", "1e400");
        out.put("text", "\"2026-12-01T00:00:00Z\"");
        out.put("null", "null");
        return out;
    }

    /** The literal reading of requirements 2.2, written once more and apart from the code under test. */
    private static boolean mayRetry(String failureClass, String retryable, String time, String broken, Hints hints, boolean trusted, ProtocolRevision revision,
                                    int attempt) {
        boolean wellFormed = broken.isEmpty() && !List.of("text", "null").contains(time) && (retryable == null || List.of("true", "false").contains(retryable));
        boolean timely = List.of("absent", "past", "now", "soon", "soon, as a float").contains(time);
        return wellFormed && failureClass.equals("\"reliability\"") && "true".equals(retryable) && hints.listed() && hints.idempotent() == Hint.TRUE
                && trusted && revision != ProtocolRevision.V2024_11_05 && timely && attempt < LIMITS.maxAttempts();
    }

    /** Class × retryable × idempotentHint × readOnlyHint × retryNotBefore × malformed × trust × revision × attempt, every combination. */
    @Test
    void aRetryFollowsFromTheLiteralRuleAndFromNothingElse() {
        int combinations = 0;
        int retries = 0;
        List<String> wrong = new ArrayList<>();
        List<String> classes = List.of("\"capability\"", "\"reliability\"", "\"governance\"", "\"Reliability\"", "7");
        List<ProtocolRevision> revisions = List.of(ProtocolRevision.V2024_11_05, ProtocolRevision.V2025_03_26, ProtocolRevision.V2026_07_28);
        List<String> retryables = new ArrayList<>(List.of("true", "false", "\"true\"", "1", "null"));
        retryables.add(null);
        List<String> broken = List.of("", "code missing", "correlationId missing", "correlationId number", "agentGuidance object");
        for (String failureClass : classes) {
            for (String retryable : retryables) {
                for (Map.Entry<String, String> time : TIMES.entrySet()) {
                    for (String fault : broken) {
                        Answer answer = error(object(failureClass, retryable, time.getValue(), fault));
                        for (Hint idempotent : Hint.values()) {
                            for (Hint readOnly : Hint.values()) {
                                for (boolean trusted : new boolean[] {false, true}) {
                                    for (ProtocolRevision revision : revisions) {
                                        for (int attempt : new int[] {1, LIMITS.maxAttempts()}) {
                                            Hints hints = new Hints(true, readOnly, idempotent);
                                            Decision decision = Dispatch.decide(answer, new Situation(true, hints, trusted, revision, NOW, attempt, LIMITS));
                                            boolean allowed = mayRetry(failureClass, retryable, time.getKey(), fault, hints, trusted, revision, attempt);
                                            combinations++;
                                            retries += allowed ? 1 : 0;
                                            boolean retried = decision.action() == Action.RETRY;
                                            boolean early = retried && time.getKey().startsWith("soon") && decision.notBefore() < NOW + 20_000;
                                            if (retried != allowed || early || retried && decision.notBefore() < NOW) {
                                                wrong.add(failureClass + " " + retryable + " " + time.getKey() + " " + fault + " " + hints + " " + trusted + " "
                                                        + revision + " " + attempt + ": " + decision);
                                            }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        assertEquals(List.of(), wrong.subList(0, Math.min(10, wrong.size())), wrong.size() + " of " + combinations);
        assertEquals(5 * 6 * 13 * 5 * 4 * 4 * 2 * 3 * 2, combinations);
        assertEquals(5 * 4 * 2, retries, "times x readOnlyHint x revisions, on the first attempt");
    }

    private static String object(String failureClass, String retryable, String time, String fault) {
        List<String> members = new ArrayList<>(List.of("\"class\":" + failureClass));
        if (!fault.equals("code missing")) {
            members.add("\"code\":\"retryable_transient_error\"");
        }
        if (retryable != null) {
            members.add("\"retryable\":" + retryable);
        }
        if (time != null) {
            members.add("\"retryNotBefore\":" + time);
        }
        if (!fault.equals("correlationId missing")) {
            members.add("\"correlationId\":" + (fault.equals("correlationId number") ? "7" : "\"f-1\""));
        }
        if (fault.equals("agentGuidance object")) {
            members.add("\"agentGuidance\":{}");
        }
        return "{" + String.join(",", members) + "}";
    }

    @ParameterizedTest
    @ValueSource(strings = {"capability", "governance"})
    void theClassRuleWinsOverRetryable(String failureClass) {
        Decision decision = Dispatch.decide(error(retryable("1796083200000").replace("reliability", failureClass)), FREE);
        assertEquals("sep-3313-client-no-retry-capability-governance", decision.statement());
        assertEquals(failureClass.equals("capability") ? Action.CHANGE_APPROACH : Action.ASK_PERSON, decision.action());
        assertTrue(decision.notes().stream().anyMatch(note -> note.startsWith("sep-3313-retryable-only-reliability: ")), "the breach is named: " + decision);
    }

    @Test
    void anUnknownCodeChangesNothing() {
        for (String failureClass : List.of("capability", "reliability", "governance")) {
            String known = RETRYABLE.replace("\"reliability\"", "\"" + failureClass + "\"");
            for (String code : List.of("warehouse_on_fire", "auth_required", "", "RETRYABLE_TRANSIENT_ERROR", "\\u0000")) {
                Decision decision = Dispatch.decide(error(known.replace("retryable_transient_error", code)), FREE);
                Decision usual = Dispatch.decide(error(known), FREE);
                assertEquals(usual.action(), decision.action(), code);
                assertEquals(usual.ground(), decision.ground(), code);
                assertEquals(usual.notBefore(), decision.notBefore(), code);
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "TRUE    | ABSENT   | NOT_LISTED_NOT | RETRY",
            "FALSE   | ABSENT   | listed | NOT_IDEMPOTENT",
            "ABSENT  | ABSENT   | listed | HINT_ABSENT",
            "ABSENT  | FALSE    | listed | HINT_ABSENT",
            "ABSENT  | TRUE     | listed | READ_ONLY_ONLY",
            "FALSE   | TRUE     | listed | READ_ONLY_ONLY",
            "TRUE    | TRUE     | listed | RETRY",
            "TRUE    | MISTYPED | listed | RETRY",
            "MISTYPED| TRUE     | listed | HINT_TYPE",
            "MISTYPED| ABSENT   | listed | HINT_TYPE",
    })
    void hintsPermitOrTheyDoNot(Hint idempotent, Hint readOnly, String listed, Ground ground) {
        assertEquals(ground, Dispatch.decide(error(RETRYABLE), with(new Hints(true, readOnly, idempotent))).ground());
    }

    @Test
    void whatATextLeavesOutPermitsNothing() {
        assertEquals(Ground.NOT_LISTED, Dispatch.decide(error(RETRYABLE), with(Hints.UNLISTED)).ground());
        assertEquals(Ground.UNTRUSTED, Dispatch.decide(error(RETRYABLE),
                new Situation(true, IDEMPOTENT, false, ProtocolRevision.V2025_11_25, NOW, 1, LIMITS)).ground());
        assertEquals(Ground.NO_ANNOTATIONS, Dispatch.decide(error(RETRYABLE),
                new Situation(true, IDEMPOTENT, true, ProtocolRevision.V2024_11_05, NOW, 1, LIMITS)).ground());
        assertEquals(Ground.ATTEMPTS_USED_UP, Dispatch.decide(error(RETRYABLE),
                new Situation(true, IDEMPOTENT, true, ProtocolRevision.V2025_11_25, NOW, 3, LIMITS)).ground());
    }

    @Test
    void anEmptyCorrelationIdIsOfTheDeclaredTypeAndNoReasonNotToRetry() {
        Decision decision = Dispatch.decide(error(RETRYABLE.replace("f-1", " ")), FREE);
        assertEquals(Action.RETRY, decision.action());
        assertEquals(1, decision.notes().size());
    }

    @Test
    void aRetryWaitsForTheTimeAndForTheClientsOwnBackoffWhicheverIsLater() {
        assertEquals(NOW + 500, Dispatch.decide(error(RETRYABLE), FREE).notBefore());
        assertEquals(NOW + 500, Dispatch.decide(error(retryable(String.valueOf(NOW - 5))), FREE).notBefore());
        assertEquals(NOW + 7_001, Dispatch.decide(error(retryable((NOW + 7_000) + ".25")), FREE).notBefore(), "never before, not even by a fraction");
        assertEquals(NOW + 60_000, Dispatch.decide(error(retryable(String.valueOf(NOW + 60_000))), FREE).notBefore());
        assertEquals(Ground.WAIT_TOO_LONG, Dispatch.decide(error(retryable(String.valueOf(NOW + 60_001))), FREE).ground());
        Situation second = new Situation(true, IDEMPOTENT, true, ProtocolRevision.V2025_11_25, NOW, 2, LIMITS);
        assertEquals(NOW + 1_000, Dispatch.decide(error(RETRYABLE), second).notBefore(), "the backoff doubles");
    }

    /** What the issue lists as bad input: a named violation, no exception, no retry. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "[]                   | MALFORMED | sep-3313-class-enum: the value is no object",
            "\"reliability\"      | MALFORMED | sep-3313-class-enum: the value is no object",
            "null                 | MALFORMED | sep-3313-class-enum: the value is no object",
            "{}                   | MALFORMED | sep-3313-class-enum: no class",
            "TIME -1              | NOT_BEFORE_IMPLAUSIBLE | sep-3313-retry-not-before-epoch-ms: retryNotBefore is -1",
            "TIME 1796083200      | NOT_BEFORE_IMPLAUSIBLE | sep-3313-retry-not-before-epoch-ms: retryNotBefore is 1796083200",
            "TIME 0               | NOT_BEFORE_IMPLAUSIBLE | sep-3313-retry-not-before-epoch-ms: retryNotBefore is 0",
            "TIME 9007199254740993| NOT_BEFORE_IMPLAUSIBLE | sep-3313-retry-not-before-epoch-ms: retryNotBefore is 9007199254740993, more than ten years",
            "TIME -1e999999999999 | NOT_BEFORE_IMPLAUSIBLE | sep-3313-retry-not-before-epoch-ms: retryNotBefore is -1e999999999999",
            "TIME 1e999999999999  | NOT_BEFORE_IMPLAUSIBLE | sep-3313-retry-not-before-epoch-ms: retryNotBefore is 1e999999999999, more than ten years",
            "TIME 1e-999999999999 | NOT_BEFORE_IMPLAUSIBLE | sep-3313-retry-not-before-epoch-ms: retryNotBefore is 1e-999999999999",
            "TIME []              | MALFORMED | sep-3313-retry-not-before-epoch-ms: retryNotBefore is []",
    })
    void badInputIsNamedAndNotRetried(String object, Ground ground, String note) {
        Decision decision = Dispatch.decide(error(object.startsWith("TIME ") ? retryable(object.substring(5)) : object), FREE);
        assertEquals(ground, decision.ground());
        assertFalse(decision.action() == Action.RETRY);
        assertTrue(decision.notes().stream().anyMatch(each -> each.startsWith(note)), decision.notes().toString());
    }

    @Test
    void whatIsHugeIsNotReadAsAClassification() {
        String huge = "x".repeat(5_000_000);
        String deep = "[".repeat(900) + "]".repeat(900);
        for (String object : List.of(RETRYABLE.replace("f-1", huge), RETRYABLE.replace("retryable_transient_error", huge),
                RETRYABLE.replace("}", ",\"agentGuidance\":\"" + huge + "\"}"), RETRYABLE.replace("}", ",\"more\":" + deep + "}"),
                RETRYABLE.replace("}", ",\"" + huge.substring(0, 40_000) + "\":1}"), RETRYABLE.replace("}", ",\"n\":" + "9".repeat(10_000) + "}"),
                RETRYABLE.replace("}", ",\"a\":[" + "0,".repeat(2_000) + "0]}"))) {
            Decision decision = Dispatch.decide(error(object), FREE);
            assertEquals(Ground.OVERSIZED, decision.ground(), object.substring(0, 60));
            assertEquals(Action.REPORT, decision.action());
            assertTrue(decision.notes().get(0).startsWith("client limit: "));
            assertTrue(decision.notes().get(0).length() < 200);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, -1, 0, 1, 253_402_300_799_999L, 9_007_199_254_740_993L, Long.MAX_VALUE})
    void aClockThatIsFarOffIsNoReasonToFail(long now) {
        for (String object : List.of(RETRYABLE, retryable("1796083200000"), retryable("-5"), retryable("1e308"))) {
            Decision decision = Dispatch.decide(error(object), at(now));
            assertTrue(decision.action() == Action.RETRY ? decision.notBefore() >= now : decision.action() == Action.TRY_LATER, decision.toString());
        }
    }

    @Test
    void theKeyCountsInItsPlaceAndOnErrorsOnly() {
        String key = "\"io.modelcontextprotocol/toolFailure\":" + RETRYABLE;
        assertEquals(Ground.KEY_ON_SUCCESS, Dispatch.decide(result("{\"content\":[],\"_meta\":{" + key + "}}"), FREE).ground());
        assertEquals(Action.ACCEPT, Dispatch.decide(result("{\"content\":[],\"isError\":false,\"_meta\":{" + key + "}}"), FREE).action());
        for (String misplaced : List.of(key, "\"structuredContent\":{" + key + "}", "\"content\":[{\"type\":\"text\",\"text\":\"\",\"_meta\":{" + key + "}}]",
                "\"content\":[{" + key + "}]")) {
            Decision decision = Dispatch.decide(result("{\"isError\":true," + misplaced + "}"), FREE);
            assertEquals(Ground.MISPLACED, decision.ground(), misplaced);
            assertEquals(Action.REPORT, decision.action());
        }
        assertEquals(Ground.NO_KEY, Dispatch.decide(result("{\"isError\":true,\"content\":[]}"), FREE).ground());
        assertEquals(Ground.PROTOCOL_ERROR, Dispatch.decide(new Answer.ProtocolError(ExactJson.parse("{\"code\":-32000,\"data\":{" + key + "}}").orElseThrow()), FREE).ground());
        assertEquals(Ground.IS_ERROR_TYPE, Dispatch.decide(result("{\"isError\":\"true\",\"_meta\":{" + key + "}}"), FREE).ground());
        assertEquals(Ground.INPUT_REQUIRED, Dispatch.decide(result("{\"resultType\":\"input_required\",\"isError\":true,\"_meta\":{" + key + "}}"), FREE).ground());
        assertEquals(Ground.NO_ANSWER, Dispatch.decide(new Answer.Missing("no answer within 10 s"), FREE).ground());
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "[]", "7", "\"x\"", "{}", "{\"_meta\":null,\"isError\":true}", "{\"_meta\":[1],\"isError\":true}", "{\"isError\":true,\"content\":null}"})
    void anyResultCanBeDecidedOn(String json) {
        assertFalse(Dispatch.decide(result(json), FREE).action() == Action.RETRY);
    }

    @Test
    void aClientThatDoesNotKnowTheExtensionDecidesAsIfTheKeyWereNotThere() {
        Situation unaware = new Situation(false, IDEMPOTENT, true, ProtocolRevision.V2025_11_25, NOW, 1, LIMITS);
        String bare = "{\"content\":[],\"isError\":true}";
        Decision without = Dispatch.decide(result(bare), unaware);
        for (String object : List.of(RETRYABLE, retryable("-1"), "[]", "{}", RETRYABLE.replace("reliability", "governance"))) {
            assertEquals(without, Dispatch.decide(error(object), unaware));
        }
        assertEquals(Dispatch.decide(result("{\"content\":[]}"), unaware),
                Dispatch.decide(result("{\"content\":[],\"_meta\":{\"io.modelcontextprotocol/toolFailure\":" + RETRYABLE + "}}"), unaware));
    }
}
