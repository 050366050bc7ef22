package dev.mcpprober.observation;

import static dev.mcpprober.transcript.StepOutcome.CLOSED;
import static dev.mcpprober.transcript.StepOutcome.DEADLINE;
import static dev.mcpprober.transcript.StepOutcome.EXITED;
import static dev.mcpprober.transcript.StepOutcome.QUIET;
import static dev.mcpprober.transcript.StepOutcome.REPLIED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Frames that a client must not send or a server need not know, each judged by what a living server does next. */
class NegativeObservationTest {
    private static Tape unknownMethod() {
        return Tape.open("legacy-negative", "legacy-negative", "2025-11-25").step("method-not-found", "method-not-found").ask("mcp-prober/no-such-method");
    }

    private static Tape badLine() {
        return Tape.open("legacy-malformed", "legacy-malformed", "2025-11-25").step("alive-before", "handshake").ask("ping").result("{}").end(REPLIED)
                .step("malformed-json", "malformed-json").send("{\"jsonrpc\": \"2.0\", \"id\": 7001, \"method\": ping}");
    }

    private static Tape liveness(Tape tape) {
        return tape.step("alive-after-malformed-json", "liveness", "after", "malformed-json").ask("ping");
    }

    private static Tape alive(Tape tape) {
        return liveness(tape).result("{}").end(REPLIED);
    }

    @Test
    void unknownMethods() {
        Seen right = unknownMethod().error(-32601, "no").end(REPLIED).alive("method-not-found").seen();
        assertEquals("protocol-error", right.observed(Check.METHOD_NOT_FOUND));
        assertEquals(-32601L, right.code(Check.METHOD_NOT_FOUND));
        assertEquals("answered", right.observed(Check.LIVENESS));
        assertEquals("result", unknownMethod().result("{}").end(REPLIED).seen().observed(Check.METHOD_NOT_FOUND));
        assertEquals("no-response", unknownMethod().end(DEADLINE).alive("method-not-found").seen().observed(Check.METHOD_NOT_FOUND));
        Seen dead = unknownMethod().exits(1).end(EXITED).seen();
        assertEquals("exited", dead.observed(Check.METHOD_NOT_FOUND));
        assertEquals(1L, dead.code(Check.METHOD_NOT_FOUND));
    }

    @Test
    void anErrorWithNullIdIsTheReactionToALineWithoutAReadableId() {
        Seen seen = alive(badLine().errorFor("null", -32700, "Parse error").end(REPLIED)).seen();
        assertEquals("unmatched-error", seen.observed(Check.MALFORMED_JSON));
        assertEquals(-32700L, seen.code(Check.MALFORMED_JSON));
        assertEquals(Set.of(Flag.ID_NULL), seen.flags(Check.MALFORMED_JSON));
        assertEquals("conforms", seen.observed(Check.RESPONSE_ORPHAN));
        assertEquals("conforms", seen.observed(Check.ID_ECHO), "it is not the answer to the ping after it");
        Seen absent = alive(badLine().get("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"x\"}}").end(REPLIED)).seen();
        assertEquals(Set.of(Flag.ID_ABSENT), absent.flags(Check.MALFORMED_JSON));
    }

    @Test
    void aSlowErrorStillBelongsToTheBadLine() {
        Seen seen = liveness(badLine().end(QUIET)).errorFor("null", -32700, "Parse error").result("{}").end(REPLIED).seen();
        assertEquals("unmatched-error", seen.observed(Check.MALFORMED_JSON));
        assertEquals("conforms", seen.observed(Check.RESPONSE_ORPHAN));
    }

    @Test
    void silenceAndOtherReactions() {
        assertEquals("silence", alive(badLine().end(QUIET)).seen().observed(Check.MALFORMED_JSON));
        Seen log = alive(badLine().get("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"error\",\"data\":\"x\"}}").end(QUIET)).seen();
        assertEquals("other", log.observed(Check.MALFORMED_JSON));
        assertEquals(Set.of(Flag.NOTIFICATION), log.flags(Check.MALFORMED_JSON));
        String chatter = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"tick\"}}";
        assertEquals("silence", alive(badLine().get(chatter).end(QUIET)).seen().observed(Check.MALFORMED_JSON));
        Seen text = alive(badLine().get("SyntaxError: unexpected token").end(QUIET)).seen();
        assertEquals(Set.of(Flag.TEXT), text.flags(Check.MALFORMED_JSON));
        Seen invented = alive(badLine().errorFor("7001", -32700, "x").end(REPLIED)).seen();
        assertEquals("other", invented.observed(Check.MALFORMED_JSON));
        assertEquals(Set.of(Flag.ID_OTHER), invented.flags(Check.MALFORMED_JSON));
        Seen result = alive(badLine().resultFor("null", "{}").end(REPLIED)).seen();
        assertEquals("other", result.observed(Check.MALFORMED_JSON));
    }

    /** Who speaks after everything speaks after a bad line too, and not because of it. */
    @Test
    void whatAServerSaysAtAnyTimeIsNoReaction() {
        String line = "12:00 INFO handled a request";
        String log = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"warning\",\"data\":\"slow\"}}";
        for (String noise : List.of(line, log)) {
            Tape tape = Tape.open("legacy-malformed", "legacy-malformed", "2025-11-25").step("alive-before", "handshake").ask("ping").result("{}").end(REPLIED)
                    .get(noise).step("malformed-json", "malformed-json").send("{bad").get(noise).end(QUIET);
            assertEquals("silence", alive(tape).seen().observed(Check.MALFORMED_JSON), noise);
            Tape afterwards = liveness(badLine().get(noise).end(QUIET)).result("{}").get(noise).end(REPLIED);
            assertEquals("other", afterwards.seen().observed(Check.MALFORMED_JSON), "what comes in the wake of the frame may be its doing: " + noise);
        }
        Tape banner = Tape.legacy("legacy-malformed", "legacy-malformed").get("=== banner ===").handshake("handshake", "2025-11-25", "{}")
                .step("alive-before", "handshake").ask("ping").result("{}").end(REPLIED).step("malformed-json", "malformed-json").send("{bad").get("SyntaxError").end(QUIET);
        assertEquals("other", alive(banner).seen().observed(Check.MALFORMED_JSON), "a banner is said once");
    }

    @Test
    void thatTheServerWentOnServingIsPartOfTheProof() {
        Tape tape = badLine();
        int bad = tape.at();
        Tape asked = liveness(tape.end(QUIET));
        int question = asked.at();
        Seen seen = asked.result("{}").end(REPLIED).seen();
        assertEquals(List.of(bad, question, question + 1), seen.witness(Check.MALFORMED_JSON));
        assertEquals("nothing was asked after it", badLine().end(QUIET).seen().reason(Check.MALFORMED_JSON));
    }

    @Test
    void aJammedParserIsNeitherDeathNorSurvival() {
        Seen seen = liveness(badLine().end(QUIET)).end(DEADLINE).terminated("stopped", 0).seen();
        assertEquals("unresponsive", seen.observed(Check.MALFORMED_JSON));
        assertEquals(Set.of(Flag.THEN_UNRESPONSIVE, Flag.SILENCE), seen.flags(Check.MALFORMED_JSON));
        assertEquals("server did not serve any more (see malformed-json)", seen.reason(Check.LIVENESS), "one cause, one finding");
    }

    @Test
    void deathAtTheBadLine() {
        Seen seen = badLine().exits(1).end(EXITED).seen();
        assertEquals("exited", seen.observed(Check.MALFORMED_JSON));
        assertEquals(1L, seen.code(Check.MALFORMED_JSON));
        Seen later = liveness(badLine().errorFor("null", -32700, "x").end(REPLIED)).exits(2).end(EXITED).seen();
        assertEquals("exited", later.observed(Check.MALFORMED_JSON));
        assertEquals(Set.of(Flag.THEN_EXITED, Flag.UNMATCHED_ERROR, Flag.ID_NULL), later.flags(Check.MALFORMED_JSON));
        assertEquals("server did not serve any more (see malformed-json)", later.reason(Check.LIVENESS));
        assertEquals("closed", liveness(badLine().end(QUIET)).closesStdout().end(CLOSED).seen().observed(Check.MALFORMED_JSON));
    }

    @Test
    void aServerThatHadGoneBeforeIsNotCharged() {
        Seen seen = Tape.open("legacy-malformed", "legacy-malformed", "2025-11-25").step("alive-before", "handshake").ask("ping").end(DEADLINE)
                .step("malformed-json", "malformed-json").send("{bad").exits(0).end(EXITED).seen();
        assertEquals("server did not serve any more before it", seen.reason(Check.MALFORMED_JSON));
        Seen never = Tape.open("legacy-malformed", "legacy-malformed", "2025-11-25").step("alive-before", "handshake").ask("ping").exits(0).end(EXITED).seen();
        assertEquals("server ended at step alive-before", never.reason(Check.MALFORMED_JSON));
    }

    @Test
    void anErrorIsASignOfLifeToo() {
        Seen seen = liveness(badLine().end(QUIET)).error(-32601, "Method not found: ping").end(REPLIED).seen();
        assertEquals("silence", seen.observed(Check.MALFORMED_JSON));
        assertEquals("answered", seen.observed(Check.LIVENESS));
    }

    @Test
    void livenessNamesWhatItFollowsAndFailsAlone() {
        Seen seen = unknownMethod().error(-32601, "no").end(REPLIED).alive("method-not-found")
                .step("tools-call-no-name", "tools-call-no-name").ask("tools/call", "{}").error(-32602, "x").end(REPLIED)
                .step("alive-after-no-name", "liveness", "after", "tools-call-no-name").ask("ping").end(DEADLINE).seen();
        assertEquals(2, seen.rows(Check.LIVENESS).size());
        assertEquals("after method-not-found", seen.rows(Check.LIVENESS).get(0).detail());
        assertTrue(seen.rows(Check.LIVENESS).get(1).detail().startsWith("after tools-call-no-name"));
    }

    @Test
    void aLivenessStepInAnotherProcessProvesNothingForTheFirst() {
        Tape second = Tape.open("legacy-negative.2", "legacy-negative", "2025-11-25").alive("method-not-found");
        Seen seen = unknownMethod().exits(1).end(EXITED).seen(second);
        assertTrue(seen.rows(Check.LIVENESS).isEmpty() || seen.observed(Check.LIVENESS).equals("exited"));
    }

    @Test
    void sessionsOfTheScriptAlwaysHaveTheirRows() {
        Seen seen = Tape.open("legacy-negative", "legacy-negative", "2025-11-25").step("method-not-found", "method-not-found").ask("x").error(-32601, "x")
                .end(REPLIED, "session timeout").seen();
        assertEquals("session timeout", seen.reason(Check.TOOLS_CALL_NO_NAME));
        assertEquals("session timeout", seen.reason(Check.TOOLS_CALL_BAD_ARGUMENTS));
    }
}
