package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.io.Utf8;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.Message;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Something we sent that is not one plain request: a notification, an array, or what no client may send. Responses that can only be
 * meant for it are its own and count for nothing else. Filled by {@link Matching}, read-only afterwards.
 */
final class OddFrame {
    private static final int MAX_REACTIONS = 100;

    private final int sentAt;
    private final StepView step;
    private final boolean notification;
    private final List<JsonNode> ids;
    private final List<Matching.Seen<Message.Response>> reactions = new ArrayList<>();
    private boolean over;

    private OddFrame(int sentAt, StepView step, boolean notification, List<JsonNode> ids) {
        this.sentAt = sentAt;
        this.step = step;
        this.notification = notification;
        this.ids = ids;
    }

    /** Null where what was sent is a plain request. */
    static OddFrame of(Event.Sent sent, StepView step) {
        byte[] bytes = sent.bytes();
        boolean utf8 = Utf8.firstFault(bytes, 0, bytes.length) < 0;
        if (!(Json.parse(new String(bytes, StandardCharsets.UTF_8)) instanceof Json.Parsed.Value value)) {
            return new OddFrame(sent.index(), step, false, List.of());
        }
        JsonNode node = value.node();
        List<JsonNode> ids = new ArrayList<>();
        for (JsonNode message : node.isArray() ? node : List.of(node)) {
            if (message.path("method").isTextual() && message.hasNonNull("id")) {
                ids.add(message.get("id"));
            }
        }
        boolean request = node.isObject() && !ids.isEmpty();
        return request && utf8 ? null : new OddFrame(sent.index(), step, node.path("method").isTextual() && !node.has("id"), ids);
    }

    int sentAt() {
        return sentAt;
    }

    StepView step() {
        return step;
    }

    boolean notification() {
        return notification;
    }

    List<JsonNode> ids() {
        return ids;
    }

    List<Matching.Seen<Message.Response>> reactions() {
        return reactions;
    }

    boolean asks(JsonNode id) {
        return ids.stream().anyMatch(own -> Ids.same(own, id));
    }

    /** A response without an id may still be meant for it. */
    boolean open() {
        return !over && reactions.size() < Math.max(1, ids.size());
    }

    /** A later request was answered: what comes without an id from here on is for another. */
    void close() {
        over = true;
    }

    /** A response whose id says nothing can be meant for it, where nothing else was asked since. */
    boolean ownsStrays() {
        return !notification || !step.probe().equals(Probe.HANDSHAKE);
    }

    void take(Matching.Seen<Message.Response> reaction) {
        if (reactions.size() < MAX_REACTIONS) {
            reactions.add(reaction);
        }
    }
}
