package dev.mcpprober.observation;

import static dev.mcpprober.transcript.StepOutcome.DEADLINE;
import static dev.mcpprober.transcript.StepOutcome.REPLIED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** Resources that do not exist, and the first message of a stream. */
class OptionalFeatureObservationTest {
    private static final String SUBSCRIPTION = "\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":%s}";

    private static Tape listening() {
        return Tape.openModern().step("subscriptions-ack", "subscriptions-ack").ask("subscriptions/listen", "{\"notifications\":{\"toolsListChanged\":true}," + Tape.META + "}");
    }

    private static String notification(String method, String id, String more) {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\",\"params\":{" + (id.isEmpty() ? "\"a\":1" : String.format(SUBSCRIPTION, id)) + more + "}}";
    }

    private static String acknowledged(String id) {
        return notification("notifications/subscriptions/acknowledged", id, ",\"notifications\":{}");
    }

    @Test
    void aResourceThatIsNotThere() {
        Tape asked = Tape.open("2025-11-25").step("resource-not-found", "resource-not-found").ask("resources/read", "{\"uri\":\"x:y\"}");
        Seen seen = asked.error(-32002, "no").end(REPLIED).seen();
        assertEquals("protocol-error", seen.observed(Check.RESOURCE_NOT_FOUND));
        assertEquals(-32002L, seen.code(Check.RESOURCE_NOT_FOUND));
        assertEquals("resources capability not declared",
                Tape.open("2025-11-25").skip("resource-not-found", "resource-not-found", "resources capability not declared").seen().reason(Check.RESOURCE_NOT_FOUND));
    }

    @Test
    void theAcknowledgementComesFirstAndNamesTheStream() {
        Tape tape = listening();
        int asked = tape.at();
        Seen seen = tape.get(acknowledged("2")).end(REPLIED).seen();
        assertEquals("present", seen.observed(Check.SUBSCRIPTIONS_ACK));
        assertEquals(asked, seen.witness(Check.SUBSCRIPTIONS_ACK).get(0));
        for (String id : new String[] {"", "3", "\"2\""}) {
            Seen wrong = listening().get(acknowledged(id)).end(REPLIED).seen();
            assertEquals("absent", wrong.observed(Check.SUBSCRIPTIONS_ACK), id);
            assertTrue(wrong.detail(Check.SUBSCRIPTIONS_ACK).startsWith("the acknowledgement does not name"), id);
        }
        Seen late = listening().get(notification("notifications/tools/list_changed", "2", "")).get(acknowledged("2")).end(REPLIED).seen();
        assertTrue(late.detail(Check.SUBSCRIPTIONS_ACK).startsWith("first came notifications/tools/list_changed"));
    }

    @Test
    void refusedAnsweredOrPassedOver() {
        Seen refused = listening().error(-32601, "no").end(REPLIED).seen();
        assertEquals("protocol-error", refused.observed(Check.SUBSCRIPTIONS_ACK));
        assertEquals(Set.of(Flag.UNDECLARED), refused.flags(Check.SUBSCRIPTIONS_ACK));
        assertEquals("result", listening().result("{\"resultType\":\"complete\"," + String.format(SUBSCRIPTION, "2") + "}").get(acknowledged("2")).end(REPLIED).seen().observed(Check.SUBSCRIPTIONS_ACK));
        assertEquals("no-response", listening().end(DEADLINE).seen().observed(Check.SUBSCRIPTIONS_ACK));
    }

    @Test
    void whatCameOnAStreamOfOursDidNotComeUnasked() {
        Seen asked = listening().get(acknowledged("2")).get(notification("notifications/tools/list_changed", "2", ""))
                .get("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2}}").end(REPLIED).seen();
        assertEquals("absent", asked.observed(Check.LIST_CHANGED_UNSOLICITED));
        assertEquals("absent", asked.observed(Check.SERVER_CANCELLED));
        Seen other = listening().get(acknowledged("2")).get(notification("notifications/tools/list_changed", "5", ""))
                .get("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}}").end(REPLIED).seen();
        assertEquals("present", other.observed(Check.LIST_CHANGED_UNSOLICITED));
        assertEquals("present", other.observed(Check.SERVER_CANCELLED));
    }
}
