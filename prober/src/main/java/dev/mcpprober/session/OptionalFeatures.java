package dev.mcpprober.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.transcript.Capabilities;
import dev.mcpprober.transcript.Message;
import dev.mcpprober.transcript.StepOutcome;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Steps for what only some servers have: resources, and streams of changes. */
final class OptionalFeatures {
    /** Of a scheme that no server has. */
    private static final String NO_RESOURCE = "mcp-prober:no-such-resource";
    private static final String SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";

    private final Conversation talk;
    private JsonNode capabilities = MissingNode.getInstance();

    OptionalFeatures(Conversation talk) {
        this.talk = talk;
    }

    /** As the server declared them in the handshake. */
    void declare(JsonNode declared) {
        capabilities = declared;
    }

    boolean declared(String capability) {
        return Capabilities.declare(capabilities, capability);
    }

    static ObjectNode noResource() {
        return Json.object().put("uri", NO_RESOURCE);
    }

    /** False when nothing came of it. */
    boolean listen(Step.Listen step) throws EngineException, IOException, InterruptedException {
        ObjectNode params = Json.object();
        ObjectNode wanted = params.putObject("notifications");
        for (String kind : List.of("tools", "prompts", "resources")) {
            if (capabilities.path(kind).path("listChanged").asBoolean(false)) {
                wanted.put(kind + "ListChanged", true);
            }
        }
        if (wanted.isEmpty()) {
            return talk.skip(step, "listChanged capability not declared");
        }
        JsonNode id = talk.freshId();
        talk.begin(step, Map.of("id", Json.write(id)));
        talk.wire.send(step.id(), talk.frames.request(id, "subscriptions/listen", params));
        if (!talk.listen(message -> opens(message, id), talk.time().fairly(talk.limits.request()))) {
            talk.endWithoutReply(step);
            return false;
        }
        talk.end(step, StepOutcome.REPLIED, "");
        ObjectNode cancelled = Json.object().put("jsonrpc", "2.0").put("method", "notifications/cancelled");
        cancelled.putObject("params").set("requestId", id);
        talk.wire.send(step.id(), Frames.line(cancelled));
        return true;
    }

    /** The stream's first message, be it the right one or not. */
    private static boolean opens(Message message, JsonNode id) {
        JsonNode tag = message.node().path("params").path("_meta").path(SUBSCRIPTION);
        return message instanceof Message.Response response && id.equals(response.id())
                || message instanceof Message.Notification notification
                        && (notification.method().equals("notifications/subscriptions/acknowledged") || tag.asText().equals(id.asText()));
    }
}
