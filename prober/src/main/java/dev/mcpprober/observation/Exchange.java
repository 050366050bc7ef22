package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.transcript.Message;
import java.util.ArrayList;
import java.util.List;

/** A request of ours and what came for it. Filled by {@link Matching}, read-only afterwards. */
final class Exchange {
    /**
     * A response with its place.
     *
     * @param late it came after its step had ended
     */
    record Reply(int event, Message.Response response, boolean late) {}

    /** A response that was surely meant for the request, but that a correct client cannot take for its answer; {@code flag} says why. */
    record NearMiss(int event, Message.Response response, String flag) {}

    private static final int MAX_MORE = 100;

    private final int sentAt;
    private final String step;
    private final JsonNode request;
    private final List<Reply> more = new ArrayList<>();
    private Reply answer;
    private NearMiss nearMiss;
    private Reply afterEof;

    Exchange(int sentAt, String step, JsonNode request) {
        this.sentAt = sentAt;
        this.step = step;
        this.request = request;
    }

    int sentAt() {
        return sentAt;
    }

    String step() {
        return step;
    }

    JsonNode request() {
        return request;
    }

    JsonNode id() {
        return request.get("id");
    }

    String method() {
        return request.path("method").asText();
    }

    JsonNode params() {
        return request.path("params");
    }

    /** The answer, or null. */
    Reply answer() {
        return answer;
    }

    /** Further answers with the same id. */
    List<Reply> more() {
        return List.copyOf(more);
    }

    /** Only where there is no answer; else null. */
    NearMiss nearMiss() {
        return answer == null ? nearMiss : null;
    }

    /** What came with its id only after we had closed stdin; else null. */
    Reply afterEof() {
        return afterEof;
    }

    /** What a lenient client reads as the answer: the answer, else one whose id differs only in JSON type; or null. */
    Reply readable() {
        if (answer != null || nearMiss == null || !nearMiss.flag().equals(Flag.ID_OTHER) || !Ids.alike(id(), nearMiss.response().id())) {
            return answer;
        }
        return new Reply(nearMiss.event(), nearMiss.response(), false);
    }

    /** Something came for it, good or bad. */
    boolean reacted() {
        return answer != null || nearMiss != null;
    }

    /** Event of what came first for it; only where something did. */
    int reactedAt() {
        return answer != null ? answer.event() : nearMiss.event();
    }

    void take(Reply reply) {
        if (answer == null) {
            answer = reply;
        } else if (more.size() < MAX_MORE) {
            more.add(reply);
        }
    }

    /** False when something came close before. */
    boolean takeNearMiss(NearMiss miss) {
        if (nearMiss != null) {
            return false;
        }
        nearMiss = miss;
        return true;
    }

    /** The near miss that turned out to belong to nothing because the answer came after all; else null. */
    NearMiss leftover() {
        return answer != null ? nearMiss : null;
    }

    void takeAfterEof(Reply reply) {
        if (afterEof == null) {
            afterEof = reply;
        }
    }
}
