package dev.mcpprober.observation;

import static dev.mcpprober.transcript.StepOutcome.DEADLINE;
import static dev.mcpprober.transcript.StepOutcome.EXITED;
import static dev.mcpprober.transcript.StepOutcome.REPLIED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Requests and answers are paired by id alone, exactly; what else comes is kept apart. */
class MatchingTest {
    private static Tape ping() {
        return Tape.open("2025-11-25").step("ping", "ping").ask("ping");
    }

    @Test
    void aPlainAnswerConforms() {
        Seen seen = ping().result("{}").end(REPLIED).seen();
        assertEquals("result", seen.observed(Check.PING));
        assertEquals("conforms", seen.observed(Check.ID_ECHO));
        assertEquals("conforms", seen.observed(Check.RESPONSE_EXCLUSIVE));
        assertEquals("conforms", seen.observed(Check.RESPONSE_ORPHAN));
        assertEquals("conforms", seen.observed(Check.RESPONSE_DUPLICATE));
        assertEquals("no error was received", seen.reason(Check.ERROR_OBJECT));
        assertEquals("conforms", seen.observed(Check.WIRE_SCHEMA));
    }

    @Test
    void oneAndOnePointZeroAreTheSameId() {
        Seen seen = ping().resultFor("2.0", "{}").end(REPLIED).seen();
        assertEquals("result", seen.observed(Check.PING));
        assertEquals("conforms", seen.observed(Check.ID_ECHO));
    }

    @Test
    void anIdOfAnotherTypeIsNoAnswer() {
        Seen seen = ping().resultFor("\"2\"", "{}").end(REPLIED).seen();
        assertEquals("invalid-response", seen.observed(Check.PING));
        assertEquals(Set.of(Flag.ID_OTHER), seen.flags(Check.PING));
        assertEquals("violates", seen.observed(Check.ID_ECHO));
        assertEquals("conforms", seen.observed(Check.RESPONSE_ORPHAN));
    }

    @Test
    void trueIsNotOne() {
        Seen seen = ping().resultFor("true", "{}").end(DEADLINE).alive("ping").seen();
        assertEquals("invalid-response", seen.observed(Check.PING));
        assertEquals("violates", seen.observed(Check.ID_ECHO));
    }

    @Test
    void anErrorWithNullIdToAReadableRequestIsNoAnswer() {
        Seen seen = ping().errorFor("null", -32601, "x").end(DEADLINE).alive("ping").seen();
        assertEquals("invalid-response", seen.observed(Check.PING));
        assertEquals(Set.of(Flag.ID_NULL), seen.flags(Check.PING));
        assertEquals("violates", seen.observed(Check.ID_ECHO));
        assertEquals(Set.of(Flag.ID_NULL), seen.flags(Check.ID_ECHO));
    }

    @Test
    void aNullIdErrorBesideTheRealAnswerIsAnOrphan() {
        Seen seen = ping().result("{}").end(REPLIED).step("again", "id-echo").ask("ping").errorFor("null", -32600, "x").result("{}").end(REPLIED).seen();
        assertEquals("result", seen.observed(Check.PING));
        assertEquals("conforms", seen.observed(Check.ID_ECHO));
        assertEquals("violates", seen.observed(Check.RESPONSE_ORPHAN));
    }

    @Test
    void aNullIdErrorRightAfterANotificationIsTheAnswerToThat() {
        Seen seen = ping().errorFor("null", -32601, "x").result("{}").end(REPLIED).seen();
        assertEquals("result", seen.observed(Check.PING));
        assertEquals("response-to-notification", seen.observed(Check.NOTIFICATION_NO_RESPONSE));
        assertEquals("conforms", seen.observed(Check.RESPONSE_ORPHAN), "one cause, one finding");
        assertEquals("conforms", seen.observed(Check.ID_ECHO));
    }

    @Test
    void aForeignIdIsAWrongEchoOfWhatIsPending() {
        Seen seen = ping().resultFor("77", "{}").end(DEADLINE).alive("ping").seen();
        assertEquals("invalid-response", seen.observed(Check.PING));
        assertEquals("violates", seen.observed(Check.ID_ECHO));
    }

    @Test
    void aForeignIdWithNothingPendingIsAnOrphan() {
        Seen seen = ping().result("{}").resultFor("77", "{}").end(REPLIED).seen();
        assertEquals("conforms", seen.observed(Check.ID_ECHO));
        assertEquals("violates", seen.observed(Check.RESPONSE_ORPHAN));
        assertEquals(Set.of(Flag.ID_OTHER), seen.flags(Check.RESPONSE_ORPHAN));
    }

    @Test
    void aSecondAnswerIsADuplicateAndShiftsNothing() {
        Tape tape = ping().result("{}").result("{}").end(REPLIED);
        int second = tape.at() - 1;
        Seen seen = tape.tools(Tape.TOOL).seen();
        assertEquals("violates", seen.observed(Check.RESPONSE_DUPLICATE));
        assertTrue(seen.witness(Check.RESPONSE_DUPLICATE).contains(second));
        assertEquals("result", seen.observed(Check.TOOLS_LIST));
    }

    @Test
    void aLateAnswerIsMatchedToItsOwnRequest() {
        Seen seen = ping().end(DEADLINE).step("alive-after-ping", "liveness", "after", "ping").ask("ping")
                .resultFor("2", "{}").result("{}").end(REPLIED).seen();
        assertEquals("result", seen.observed(Check.PING));
        assertEquals(Set.of(Flag.LATE), seen.flags(Check.PING));
        assertEquals("conforms", seen.observed(Check.RESPONSE_ORPHAN));
        assertEquals(Set.of(Flag.LATE), seen.flags(Check.RESPONSE_ORPHAN));
        assertEquals(seen.witness(Check.PING).get(0), seen.witness(Check.RESPONSE_ORPHAN).get(0), "the request that was answered late");
    }

    @Test
    void aServerRequestWithOurIdIsNoAnswer() {
        Seen seen = ping().get("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}").answer("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}")
                .result("{}").end(REPLIED).seen();
        assertEquals("result", seen.observed(Check.PING));
        assertEquals("conforms", seen.observed(Check.RESPONSE_DUPLICATE));
        assertEquals("absent", seen.observed(Check.SERVER_REQUEST_UNDECLARED));
    }

    @Test
    void aNotificationWithAnIdInItsDataIsNoAnswer() {
        Seen seen = ping().get("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"data\":{\"id\":2,\"result\":1}}}").end(DEADLINE)
                .alive("ping").seen();
        assertEquals("no-response", seen.observed(Check.PING));
    }

    @Test
    void unusualIdsAreEchoedWithTypeAndValue() {
        Tape tape = ping().result("{}").end(REPLIED);
        for (String id : List.of("\"s-1\"", "\"1\"", "0", "9007199254740991")) {
            tape.step("id" + id, "id-echo").askAs(id, "ping", null).resultFor(id, "{}").end(REPLIED);
        }
        Seen seen = tape.seen();
        assertEquals("conforms", seen.observed(Check.ID_ECHO));
        assertEquals(8, seen.witness(Check.ID_ECHO).size());
    }

    @Test
    void aNumberForADigitTextIsAWrongIdNotASecondAnswer() {
        Seen seen = ping().result("{}").end(REPLIED).step("id-digits", "id-echo").askAs("\"1\"", "ping", null).resultFor("1", "{}").end(REPLIED).seen();
        assertEquals("violates", seen.observed(Check.ID_ECHO));
        assertEquals("conforms", seen.observed(Check.RESPONSE_DUPLICATE));
    }

    @Test
    void aTextIdThatIsNeverAnsweredIsChargedToTheIdOnlyIfNumbersAre() {
        Seen minded = ping().result("{}").end(REPLIED).step("id-text", "id-echo").askAs("\"s-1\"", "ping", null).end(DEADLINE).alive("id-text").seen();
        assertEquals("violates", minded.observed(Check.ID_ECHO));
        assertEquals(Set.of("no-response"), minded.flags(Check.ID_ECHO));
        Seen gone = ping().exits(0).end(EXITED).step("id-text", "id-echo").askAs("\"s-1\"", "ping", null).end(EXITED).seen();
        assertEquals("conforms", gone.observed(Check.ID_ECHO), "a server that had gone minds no id");
    }

    @Test
    void bothMembersAndNeitherAndNullOnes() {
        Seen both = ping().get("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{},\"error\":{\"code\":1,\"message\":\"x\"}}").end(REPLIED).seen();
        assertEquals("invalid-response", both.observed(Check.PING));
        assertEquals(Set.of(Flag.BOTH_MEMBERS), both.flags(Check.PING));
        assertEquals(Set.of(Flag.BOTH_MEMBERS), both.flags(Check.RESPONSE_EXCLUSIVE));
        Seen nulls = ping().get("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{},\"error\":null}").end(REPLIED).seen();
        assertEquals("result", nulls.observed(Check.PING));
        assertEquals("violates", nulls.observed(Check.RESPONSE_EXCLUSIVE));
        assertEquals(Set.of(Flag.NULL_MEMBER), nulls.flags(Check.RESPONSE_EXCLUSIVE));
        Seen neither = ping().get("{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":null}").end(REPLIED).seen();
        assertEquals("invalid-response", neither.observed(Check.PING));
        assertEquals(Set.of(Flag.NO_MEMBERS), neither.flags(Check.RESPONSE_EXCLUSIVE));
    }

    @Test
    void errorObjectsNeedAnIntegerCodeAndAText() {
        assertEquals("conforms", ping().error(0, "zero is an integer").end(REPLIED).seen().observed(Check.ERROR_OBJECT));
        assertEquals(0L, ping().error(0, "zero is an integer").end(REPLIED).seen().code(Check.PING));
        Seen text = ping().get("{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":\"E1\",\"message\":\"x\"}}").end(REPLIED).seen();
        assertEquals("protocol-error", text.observed(Check.PING));
        assertEquals(Set.of(Flag.NO_CODE), text.flags(Check.PING));
        assertEquals(Set.of(Flag.NO_CODE), text.flags(Check.ERROR_OBJECT));
        assertEquals(Set.of(Flag.NO_MESSAGE), ping().get("{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":1}}").end(REPLIED).seen().flags(Check.ERROR_OBJECT));
        assertEquals(Set.of(Flag.NO_OBJECT), ping().get("{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":\"x\"}").end(REPLIED).seen().flags(Check.ERROR_OBJECT));
        assertEquals(Set.of(Flag.NO_CODE), ping().get("{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":1.5,\"message\":\"x\"}}").end(REPLIED).seen().flags(Check.ERROR_OBJECT));
    }

    @Test
    void aMissingVersionMemberProvesThatAMessageDoesNotValidate() {
        Seen seen = ping().get("{\"id\":2,\"result\":{}}").end(REPLIED).seen();
        assertEquals("result", seen.observed(Check.PING));
        assertEquals("violates", seen.observed(Check.WIRE_SCHEMA));
        assertEquals(Set.of("jsonrpc"), seen.flags(Check.WIRE_SCHEMA));
    }

    @Test
    void pingMayCarryMetaButOtherMembersAreNoted() {
        assertEquals(Set.of(), ping().result("{\"_meta\":{}}").end(REPLIED).seen().flags(Check.PING));
        assertEquals(Set.of(Flag.EXTRA_MEMBERS), ping().result("{\"pong\":true}").end(REPLIED).seen().flags(Check.PING));
        Seen bare = ping().result("true").end(REPLIED).seen();
        assertEquals("invalid-response", bare.observed(Check.PING));
        assertEquals(Set.of(Flag.SCHEMA), bare.flags(Check.PING));
    }

    @Test
    void aReplyThatWeCutOffIsNoEvidenceEitherWay() {
        Seen seen = ping().truncated("{\"jsonrpc\":\"2.0\",\"id\":2,\"resu", 99_000_000).end(DEADLINE).alive("ping").seen();
        assertEquals(Reactions.OVER_LIMIT, seen.reason(Check.PING));
        assertEquals("conforms", seen.observed(Check.STDOUT_PURITY));
        assertEquals(Set.of(Flag.PARTLY_UNREAD), seen.flags(Check.STDOUT_PURITY));
        Seen capped = ping().capped().end(DEADLINE).seen();
        assertEquals(Reactions.OVER_LIMIT, capped.reason(Check.PING));
    }

    @Test
    void responsesInABatchAreMatchedToo() {
        Seen seen = ping().get("[{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}]").end(REPLIED).seen();
        assertEquals("result", seen.observed(Check.PING));
        assertEquals(Set.of(Flag.BATCH), seen.flags(Check.STDOUT_PURITY));
    }

    @Test
    void aFloodOfOrphansIsOneObservation() {
        Tape tape = ping().result("{}").end(REPLIED);
        for (int i = 0; i < 5_000; i++) {
            tape.resultFor("\"x" + i + "\"", "{}");
        }
        Seen seen = tape.seen();
        assertTrue(seen.detail(Check.RESPONSE_ORPHAN).contains("5000 cases in 1 session"));
        assertEquals(12, seen.witness(Check.RESPONSE_ORPHAN).size());
    }

    @Test
    void repliesThatWouldNotFitInMemoryAreNotKeptAndNotHeldAgainstTheServer() {
        String many = "{\"x\":[" + "{},".repeat(200_000) + "{}]}";
        Tape tape = Tape.open("2025-11-25");
        for (int i = 0; i < 8; i++) {
            tape.step("ping" + i, "ping").ask("ping").result(many).end(REPLIED);
        }
        List<Observation> pings = tape.seen().rows(Check.PING);
        assertEquals("result", pings.get(0).observed());
        assertEquals("reply past a limit of ours", ((Observation.NotRun) pings.get(7)).reason());
    }
}
