package dev.mcpprober.observation;

import static dev.mcpprober.transcript.StepOutcome.CLOSED;
import static dev.mcpprober.transcript.StepOutcome.DEADLINE;
import static dev.mcpprober.transcript.StepOutcome.EXITED;
import static dev.mcpprober.transcript.StepOutcome.QUIET;
import static dev.mcpprober.transcript.StepOutcome.REPLIED;
import static dev.mcpprober.transcript.StepOutcome.SKIPPED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Notifications, arrays, null ids and bytes that are no UTF-8. */
class OddFrameObservationTest {
    private static final String UNKNOWN = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/mcp-prober/unknown\"}";
    private static final String LIST = "{\"jsonrpc\":\"2.0\",\"method\":\"tools/list\"}";
    private static final String CANCEL = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":987654321}}";

    private static Tape negative() {
        return Tape.open("legacy-negative", "legacy-negative@2", "2025-11-25");
    }

    private static Tape notified(String step, String probe, String line) {
        return negative().step(step, probe).send(line);
    }

    private static Tape unknown() {
        return notified("notification-unknown", "notification-no-response", UNKNOWN);
    }

    @Test
    void aNotificationThatNobodyAnswers() {
        Seen seen = unknown().end(QUIET).alive("notification-unknown").step("notification-request", "notification-no-response").send(LIST).end(QUIET)
                .alive("notification-request").seen();
        assertEquals("silence", seen.observed(Check.NOTIFICATION_NO_RESPONSE));
        assertEquals("answered", seen.observed(Check.LIVENESS));
    }

    @Test
    void responsesToNotificationsAreThatAndNothingElse() {
        for (String response : List.of("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32601,\"message\":\"x\"}}", "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"x\"}}",
                "{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":{}}", "{\"jsonrpc\":\"2.0\",\"id\":\"unknown\",\"error\":{\"code\":-32600,\"message\":\"x\"}}")) {
            Seen seen = unknown().get(response).end(REPLIED).alive("notification-unknown").seen();
            assertEquals("response-to-notification", seen.observed(Check.NOTIFICATION_NO_RESPONSE), response);
            assertEquals("conforms", seen.observed(Check.RESPONSE_ORPHAN), response);
            assertEquals("conforms", seen.observed(Check.ID_ECHO), response);
        }
        Seen listed = notified("notification-request", "notification-no-response", LIST).get("{\"jsonrpc\":\"2.0\",\"id\":null,\"result\":{\"tools\":[]}}").end(REPLIED)
                .alive("notification-request").seen();
        assertEquals("response-to-notification", listed.observed(Check.NOTIFICATION_NO_RESPONSE));
    }

    @Test
    void logsAndProgressAreNoAnswers() {
        Seen seen = unknown().get("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"warning\",\"data\":\"unknown notification\"}}").end(QUIET)
                .alive("notification-unknown").seen();
        assertEquals("silence", seen.observed(Check.NOTIFICATION_NO_RESPONSE));
    }

    @Test
    void anAnswerToInitializedIsOneToo() {
        Tape tape = Tape.open("2025-11-25").errorFor("null", -32601, "Method not found: notifications/initialized");
        Seen seen = tape.step("ping", "ping").ask("ping").result("{}").end(REPLIED).seen(unknown().end(QUIET).alive("notification-unknown"));
        assertEquals("response-to-notification", seen.observed(Check.NOTIFICATION_NO_RESPONSE));
        assertEquals("legacy", seen.row(Check.NOTIFICATION_NO_RESPONSE).subject().session());
        assertEquals("conforms", seen.observed(Check.RESPONSE_ORPHAN));
        assertEquals("result", seen.observed(Check.PING));
    }

    @Test
    void aServerThatEndsOnANotification() {
        Seen seen = unknown().exits(1).end(EXITED).seen();
        assertEquals("exited", seen.observed(Check.NOTIFICATION_NO_RESPONSE));
        assertEquals("server ended at step notification-unknown (see notification-no-response)", seen.reason(Check.CANCELLED_UNKNOWN));
        Seen jammed = unknown().end(QUIET).step("alive-after-notification-unknown", "liveness", "after", "notification-unknown").ask("ping").end(DEADLINE).seen();
        assertEquals("unresponsive", jammed.observed(Check.NOTIFICATION_NO_RESPONSE));
        assertEquals("closed", unknown().closesStdout().end(CLOSED).seen().observed(Check.NOTIFICATION_NO_RESPONSE));
    }

    @Test
    void cancellationsOfNothing() {
        Tape quiet = notified("cancelled-unknown", "cancelled-unknown", CANCEL).end(QUIET).alive("cancelled-unknown");
        assertEquals("silence", quiet.seen().observed(Check.CANCELLED_UNKNOWN));
        Seen answered = notified("cancelled-unknown", "cancelled-unknown", CANCEL).errorFor("987654321", -32602, "no such request").end(REPLIED).alive("cancelled-unknown").seen();
        assertEquals("response-to-notification", answered.observed(Check.CANCELLED_UNKNOWN));
        assertEquals("conforms", answered.observed(Check.RESPONSE_ORPHAN));
        Seen complains = notified("cancelled-unknown", "cancelled-unknown", CANCEL)
                .get("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"error\",\"data\":\"x\"}}").end(QUIET).alive("cancelled-unknown").seen();
        assertEquals("other", complains.observed(Check.CANCELLED_UNKNOWN));
        assertEquals("exited", notified("cancelled-unknown", "cancelled-unknown", CANCEL).exits(1).end(EXITED).seen().observed(Check.CANCELLED_UNKNOWN));
    }

    private static Tape nullId() {
        return negative().step("id-null-request", "id-null-request").send("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"ping\"}");
    }

    @Test
    void requestsWithANullId() {
        Seen refused = nullId().errorFor("null", -32600, "x").end(REPLIED).alive("id-null-request").seen();
        assertEquals("unmatched-error", refused.observed(Check.ID_NULL_REQUEST));
        assertEquals(-32600L, refused.code(Check.ID_NULL_REQUEST));
        assertEquals("conforms", refused.observed(Check.ID_ECHO));
        Seen served = nullId().resultFor("null", "{}").end(REPLIED).alive("id-null-request").seen();
        assertEquals("result-null-id", served.observed(Check.ID_NULL_REQUEST));
        assertEquals("conforms", served.observed(Check.ID_ECHO), "the reaction to a frame that no client may send breaches nothing");
        assertEquals("conforms", served.observed(Check.RESPONSE_ORPHAN));
        assertEquals("silence", nullId().end(QUIET).alive("id-null-request").seen().observed(Check.ID_NULL_REQUEST));
        assertEquals("exited", nullId().exits(1).end(EXITED).seen().observed(Check.ID_NULL_REQUEST));
    }

    private static Tape badUtf8() {
        byte[] line = "{\"jsonrpc\":\"2.0\",\"id\":77,\"method\":\"ping\",\"params\":{\"_meta\":{\"note\":\"caf\u00ff\"}}}\n".getBytes(StandardCharsets.ISO_8859_1);
        return negative().step("invalid-utf8", "invalid-utf8").send(line);
    }

    @Test
    void bytesThatAreNoUtf8() {
        Seen served = badUtf8().resultFor("77", "{}").end(REPLIED).alive("invalid-utf8").seen();
        assertEquals("result", served.observed(Check.INVALID_UTF8));
        assertEquals("conforms", served.observed(Check.RESPONSE_ORPHAN));
        Seen refused = badUtf8().errorFor("77", -32602, "x").end(REPLIED).alive("invalid-utf8").seen();
        assertEquals("protocol-error", refused.observed(Check.INVALID_UTF8));
        assertEquals(-32602L, refused.code(Check.INVALID_UTF8));
        Seen unreadable = badUtf8().errorFor("null", -32700, "x").end(REPLIED).alive("invalid-utf8").seen();
        assertEquals("unmatched-error", unreadable.observed(Check.INVALID_UTF8));
        assertEquals("silence", badUtf8().end(QUIET).alive("invalid-utf8").seen().observed(Check.INVALID_UTF8));
        Seen dead = badUtf8().exits(1).end(EXITED).seen();
        assertEquals("exited", dead.observed(Check.INVALID_UTF8));
        assertEquals(1L, dead.code(Check.INVALID_UTF8));
    }

    private static final String BATCH = "[{\"jsonrpc\":\"2.0\",\"id\":91,\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"id\":92,\"method\":\"ping\"}," + UNKNOWN + "]";
    private static final String BOTH = "[{\"jsonrpc\":\"2.0\",\"id\":91,\"result\":{}},{\"jsonrpc\":\"2.0\",\"id\":92,\"result\":{}}]";

    private static Tape reject() {
        return negative().step("batch-reject", "batch-reject", "kind", "requests").send(BATCH);
    }

    @Test
    void arraysWhereThereAreNone() {
        Seen refused = reject().errorFor("null", -32600, "x").end(REPLIED).alive("batch-reject").seen();
        assertEquals("unmatched-error", refused.observed(Check.BATCH_REJECT));
        assertEquals(-32600L, refused.code(Check.BATCH_REJECT));
        assertEquals("batch-response", reject().get(BOTH).end(REPLIED).alive("batch-reject").seen().observed(Check.BATCH_REJECT));
        Seen split = reject().resultFor("91", "{}").resultFor("92", "{}").end(REPLIED).alive("batch-reject").seen();
        assertEquals("split-response", split.observed(Check.BATCH_REJECT));
        assertEquals("conforms", split.observed(Check.RESPONSE_ORPHAN));
        assertEquals("silence", reject().end(QUIET).alive("batch-reject").seen().observed(Check.BATCH_REJECT));
        assertEquals("protocol-error", reject().errorFor("91", -32600, "x").end(REPLIED).alive("batch-reject").seen().observed(Check.BATCH_REJECT));
        assertEquals("exited", reject().exits(1).end(EXITED).seen().observed(Check.BATCH_REJECT));
    }

    private static Tape batches() {
        return Tape.legacy("legacy-batch", "legacy-batch", "2025-03-26").handshake("initialize-version-known", "2025-03-26", "{}")
                .step("alive-before", "handshake", "after", "initialized").ask("ping").result("{}").end(REPLIED)
                .step("batch-requests", "batch-receive", "kind", "requests").send(BATCH);
    }

    private static Tape others(Tape tape, String toNotifications, String toEmpty) {
        tape.step("batch-notifications", "batch-receive", "kind", "notifications").send("[" + UNKNOWN + "," + UNKNOWN + "]");
        if (!toNotifications.isEmpty()) {
            tape.get(toNotifications);
        }
        tape.end(QUIET).alive("batch-notifications").step("batch-empty", "batch-receive", "kind", "empty").send("[]");
        if (!toEmpty.isEmpty()) {
            tape.get(toEmpty);
        }
        return tape.end(QUIET).alive("batch-empty");
    }

    private static final String INVALID = "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600,\"message\":\"x\"}}";

    @Test
    void arraysInTheRevisionThatHasThem() {
        Seen right = others(batches().get(BOTH).end(REPLIED).alive("batch-requests"), "", INVALID).seen();
        assertEquals("batch-response", right.observed(Check.BATCH_RECEIVE));
        assertEquals(Set.of(), right.flags(Check.BATCH_RECEIVE));
        assertEquals("conforms", right.observed(Check.STDOUT_PURITY));
        assertEquals("conforms", right.observed(Check.RESPONSE_ORPHAN));
        Seen split = others(batches().resultFor("92", "{}").resultFor("91", "{}").end(REPLIED).alive("batch-requests"), "", INVALID).seen();
        assertEquals("split-response", split.observed(Check.BATCH_RECEIVE));
        Seen talkative = others(batches().get(BOTH).end(REPLIED).alive("batch-requests"), INVALID, "").seen();
        assertEquals(Set.of(Flag.ANSWERED_NOTIFICATION, Flag.EMPTY_BATCH), talkative.flags(Check.BATCH_RECEIVE));
        Seen empty = others(batches().get(BOTH).end(REPLIED).alive("batch-requests"), "[ ]", INVALID).seen();
        assertEquals(Set.of(Flag.ANSWERED_NOTIFICATION), empty.flags(Check.BATCH_RECEIVE), "an array of notifications is met with nothing, an empty array is something");
        Seen partly = batches().resultFor("91", "{}").end(DEADLINE).alive("batch-requests").seen();
        assertEquals("no-response", partly.observed(Check.BATCH_RECEIVE));
        assertEquals("no-response", batches().end(DEADLINE).alive("batch-requests").seen().observed(Check.BATCH_RECEIVE));
        assertEquals("unmatched-error", batches().get(INVALID).end(REPLIED).alive("batch-requests").seen().observed(Check.BATCH_RECEIVE));
        assertEquals("exited", batches().exits(1).end(EXITED).seen().observed(Check.BATCH_RECEIVE));
        Seen killedByEmpty = batches().get(BOTH).end(REPLIED).alive("batch-requests").step("batch-empty", "batch-receive", "kind", "empty").send("[]").exits(1).end(EXITED).seen();
        assertEquals("exited", killedByEmpty.observed(Check.BATCH_RECEIVE));
    }

    @Test
    void anotherRevisionHasNoSuchQuestion() {
        Seen seen = Tape.legacy("legacy-batch", "legacy-batch", "2025-03-26").handshake("initialize-version-known", "2025-11-25", "{}")
                .skip("batch-requests", "batch-receive", "another revision was agreed on").seen();
        assertEquals("another revision was agreed on", seen.reason(Check.BATCH_RECEIVE));
        assertEquals("2025-11-25", seen.row(Check.BATCH_RECEIVE).subject().revision());
    }

    /** A server that makes up an id for a frame without one may hit that of a request that was answered long ago: the handshake's. */
    @Test
    void anInventedIdIsNoSecondAnswer() {
        String error = "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32600,\"message\":\"missing method\"}}";
        Seen seen = negative().step("malformed-json", "malformed-json").send("{\"greeting\": 1}").get(error).end(REPLIED).alive("malformed-json").seen();
        assertEquals("conforms", seen.observed(Check.RESPONSE_DUPLICATE));
        assertEquals("id-invented", seen.observed(Check.ERROR_ID_UNREADABLE));
        // The same after the sign of life is asked for is a second answer.
        Seen twice = negative().step("ping", "ping").ask("ping").result("{}").end(REPLIED).get(error).seen();
        assertEquals("violates", twice.observed(Check.RESPONSE_DUPLICATE));
    }

    @Test
    void idsOfErrorsAboutUnreadableFrames() {
        assertEquals("id-null", bad().errorFor("null", -32700, "x").end(REPLIED).alive("malformed-json").seen().observed(Check.ERROR_ID_UNREADABLE));
        assertEquals("id-absent", bad().get("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"x\"}}").end(REPLIED).alive("malformed-json").seen()
                .observed(Check.ERROR_ID_UNREADABLE));
        Seen invented = bad().errorFor("0", -32700, "x").end(REPLIED).alive("malformed-json").seen();
        assertEquals("id-invented", invented.observed(Check.ERROR_ID_UNREADABLE));
        assertEquals("conforms", invented.observed(Check.RESPONSE_ORPHAN), "one cause, one finding");
        assertTrue(bad().end(QUIET).alive("malformed-json").seen().row(Check.ERROR_ID_UNREADABLE) instanceof Observation.NotRun);
    }

    private static Tape bad() {
        return Tape.open("legacy-malformed", "legacy-malformed@2", "2025-11-25").step("malformed-json", "malformed-json").send("{bad");
    }

    private static Tape living(Tape tape) {
        return tape.step("alive-after-malformed-json", "liveness", "after", "malformed-json").ask("ping").result("{}").end(REPLIED);
    }

    @Test
    void aServerThatDiesSecondsLater() {
        Seen seen = living(bad().errorFor("null", -32700, "x").end(REPLIED)).step("alive-after-malformed-json-late", "autopsy", "after", "malformed-json").exits(7).end(EXITED).seen();
        assertEquals("exited", seen.observed(Check.MALFORMED_JSON));
        assertEquals(7L, seen.code(Check.MALFORMED_JSON));
        assertEquals(Set.of(Flag.THEN_EXITED, Flag.UNMATCHED_ERROR, Flag.ID_NULL, Flag.DELAYED), seen.flags(Check.MALFORMED_JSON));
        assertTrue(seen.detail(Check.MALFORMED_JSON).startsWith("it died with status 7, 0 ms after the frame"), seen.detail(Check.MALFORMED_JSON));
        Seen calm = living(bad().end(QUIET)).step("alive-after-malformed-json-late", "autopsy", "after", "malformed-json").end(QUIET)
                .step("alive-after-malformed-json-again", "autopsy", "after", "malformed-json").ask("ping").result("{}").end(REPLIED).seen();
        assertEquals("silence", calm.observed(Check.MALFORMED_JSON));
    }

    @Test
    void aServerOutOfStepAndTheFrameThatRevivesIt() {
        Tape jammed = bad().end(QUIET).step("alive-after-malformed-json", "liveness", "after", "malformed-json").ask("ping").end(DEADLINE)
                .step("r1", "autopsy", "after", "malformed-json").ask("ping").end(DEADLINE);
        Seen never = jammed.seen();
        assertEquals("unresponsive", never.observed(Check.MALFORMED_JSON));
        assertEquals(Set.of(Flag.THEN_UNRESPONSIVE, Flag.SILENCE), never.flags(Check.MALFORMED_JSON));
        Seen back = jammed.step("r2", "autopsy", "after", "malformed-json").ask("ping").result("{}").end(REPLIED).seen();
        assertEquals("unresponsive", back.observed(Check.MALFORMED_JSON), "the next valid request was not answered");
        assertTrue(back.flags(Check.MALFORMED_JSON).contains(Flag.REVIVED));
        assertTrue(back.detail(Check.MALFORMED_JSON).contains("request 3 after it was answered"), back.detail(Check.MALFORMED_JSON));
    }

    @Test
    void threeBadFramesEachWithItsKind() {
        Tape cut = Tape.open("legacy-malformed-cut", "legacy-malformed-cut", "2025-11-25").step("malformed-json", "malformed-json").send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi");
        Tape foreign = Tape.open("legacy-malformed-foreign", "legacy-malformed-foreign", "2025-11-25").step("malformed-json", "malformed-json").send("{\"greeting\":\"x\"}");
        Seen seen = living(bad().end(QUIET)).seen(living(cut.end(QUIET)), living(foreign.errorFor("null", -32600, "x").end(REPLIED)));
        List<Observation> rows = seen.rows(Check.MALFORMED_JSON);
        assertEquals(List.of(true, false, false), rows.stream().map(row -> row.subject().primary()).toList());
        assertEquals(Set.of(Flag.CUT_SHORT), ((Observation.Reaction) rows.get(1)).flags());
        assertEquals(Set.of(Flag.FOREIGN, Flag.ID_NULL), ((Observation.Reaction) rows.get(2)).flags());
    }

    @Test
    void aSkippedStepSaysWhy() {
        Seen seen = negative().step("tools-list-invalid-cursor", "tools-list-invalid-cursor").end(SKIPPED, "tools capability not declared").seen();
        assertEquals("tools capability not declared", seen.reason(Check.TOOLS_LIST_INVALID_CURSOR));
        Seen asked = negative().step("tools-list-invalid-cursor", "tools-list-invalid-cursor").ask("tools/list", "{\"cursor\":\"x\"}").error(-32602, "x").end(REPLIED).seen();
        assertEquals("protocol-error", asked.observed(Check.TOOLS_LIST_INVALID_CURSOR));
    }

    @Test
    void anErrorForWantOfANetworkIsToldApart() {
        for (Check check : List.of(Check.METHOD_NOT_FOUND, Check.TOOLS_LIST_INVALID_CURSOR, Check.RESOURCE_NOT_FOUND)) {
            for (String message : List.of("remote error: getaddrinfo EAI_AGAIN tools.example", "dns error: failed to lookup address information", "no route to host")) {
                Seen relay = negative().step("asked", check.id()).ask("any/method", "{}").error(-32603, message).end(REPLIED).seen();
                assertEquals(Set.of(Flag.NO_NETWORK), relay.flags(check), message);
            }
            Seen own = negative().step("asked", check.id()).ask("any/method", "{}").error(-32603, "failed to resolve mcp-prober:no-such-resource").end(REPLIED).seen();
            assertEquals(Set.of(), own.flags(check), "a name of ours, no host");
        }
    }
}
