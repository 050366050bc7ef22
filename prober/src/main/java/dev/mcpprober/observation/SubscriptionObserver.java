package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.transcript.Message;
import java.util.List;
import java.util.Set;

/** The stream that {@code subscriptions/listen} opens (modern era): what came first on it, and what belongs to it. */
final class SubscriptionObserver {
    private static final String LISTEN = "subscriptions/listen";
    private static final String ACKNOWLEDGED = "notifications/subscriptions/acknowledged";
    private static final String SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

    private SubscriptionObserver() {}

    static Observation acknowledged(SessionLog log, StepView step) {
        Subject subject = Subjects.of(Check.SUBSCRIPTIONS_ACK, log);
        List<Exchange> exchanges = log.exchanges(step).stream().filter(exchange -> exchange.method().equals(LISTEN)).toList();
        if (exchanges.isEmpty()) {
            return new Observation.NotRun(subject, step.skipped() ? step.detail() : "not sent", "", List.of());
        }
        Exchange exchange = exchanges.get(0);
        int answered = exchange.reacted() ? exchange.reactedAt() : Integer.MAX_VALUE;
        for (Matching.Seen<Message.Notification> seen : log.matching().notifications()) {
            if (seen.event() > exchange.sentAt() && seen.event() < Math.min(answered, step.until()) && (tagged(seen, exchange) || acknowledges(seen))) {
                boolean right = acknowledges(seen) && tagged(seen, exchange);
                String words = right ? "" : acknowledges(seen) ? "the acknowledgement does not name the subscription: " : "first came " + seen.message().method() + ": ";
                return new Observation.Finding(subject, right ? Observed.PRESENT : Observed.ABSENT, Set.of(),
                        Phrase.detail(words + Phrase.quote(seen.message().node())), List.of(exchange.sentAt(), seen.event()));
            }
        }
        Reading reading = Reactions.toRequest(log, step, exchange);
        return (declared(log) ? reading : reading.plus(Set.of(Flag.UNDECLARED))).observation(subject, null);
    }

    /** The server declares a list that may change, or resources that can be subscribed to. */
    private static boolean declared(SessionLog log) {
        JsonNode capabilities = log.handshake().result().path("capabilities");
        return List.of("tools", "prompts", "resources").stream().anyMatch(kind -> capabilities.path(kind).path("listChanged").asBoolean(false))
                || capabilities.path("resources").path("subscribe").asBoolean(false);
    }

    private static boolean acknowledges(Matching.Seen<Message.Notification> seen) {
        return seen.message().method().equals(ACKNOWLEDGED);
    }

    private static boolean tagged(Matching.Seen<Message.Notification> seen, Exchange exchange) {
        JsonNode tag = seen.message().node().path("params").path("_meta").path(SUBSCRIPTION);
        return !tag.isMissingNode() && Ids.same(tag, exchange.id());
    }

    /** The notification is tagged with a stream that we had opened by then, or cancels one. */
    static boolean ofStream(SessionLog log, Matching.Seen<Message.Notification> seen) {
        JsonNode cancelled = seen.message().method().equals("notifications/cancelled") ? seen.message().node().path("params").path("requestId") : null;
        return log.exchanges().stream().anyMatch(exchange -> exchange.method().equals(LISTEN) && exchange.sentAt() < seen.event()
                && (tagged(seen, exchange) || cancelled != null && !cancelled.isMissingNode() && Ids.same(cancelled, exchange.id())));
    }
}
