package dev.mcpprober.traits;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.Message;
import dev.mcpprober.transcript.Transcript;
import dev.mcpprober.transcript.WireLine;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds the failed calls of a session. A failure is short: longer lines than a few hundred KiB are not looked into. */
public final class FailedCalls {
    private static final int MAX_LINE = 256 << 10;
    private static final int MAX_TEXT = 4_000;
    private static final Set<String> OF_RESULT = Set.of("content", "structuredContent", "isError", "_meta", "resultType");
    private static final Set<String> OF_ERROR = Set.of("code", "message", "data");

    private record Call(String probe, JsonNode request, int sentAt) {}

    private final Map<JsonNode, Call> open = new HashMap<>();
    private final List<FailedCall> found = new ArrayList<>();

    private FailedCalls() {}

    /** In the order of their answers. */
    public static List<FailedCall> of(Transcript transcript) {
        FailedCalls calls = new FailedCalls();
        String probe = "";
        for (Event event : transcript.events()) {
            if (event instanceof Event.StepBegan began) {
                probe = began.probe();
            } else if (event instanceof Event.Sent sent) {
                calls.sent(sent, probe);
            } else if (event instanceof Event.Received received && !calls.open.isEmpty() && received.bytes().length <= MAX_LINE) {
                calls.received(received);
            }
        }
        return calls.found;
    }

    private void sent(Event.Sent sent, String probe) {
        String line = new String(sent.bytes(), StandardCharsets.UTF_8);
        if (line.contains("tools/call") && Json.parse(line) instanceof Json.Parsed.Value value && value.node().path("method").asText().equals("tools/call")
                && value.node().hasNonNull("id")) {
            open.put(value.node().get("id"), new Call(probe, value.node(), sent.index()));
        }
    }

    private void received(Event.Received received) {
        for (Message message : WireLine.read(received.bytes()).messages()) {
            if (message instanceof Message.Response response && response.id() != null) {
                Call call = open.remove(response.id());
                if (call != null && response.hasError()) {
                    found.add(protocolError(call, response.node().get("error"), received.index()));
                } else if (call != null && response.node().path("result").path("isError").isBoolean() && response.node().path("result").get("isError").booleanValue()) {
                    found.add(toolError(call, response.node().get("result"), received.index()));
                }
            }
        }
    }

    private static FailedCall protocolError(Call call, JsonNode error, int event) {
        List<FailedCall.Placed> places = new ArrayList<>();
        String text = cut(error.path("message").asText());
        addJson(places, LookAlikes.JSON_TEXT, text);
        add(places, LookAlikes.ERROR_DATA, error.path("data"));
        add(places, LookAlikes.BESIDE, others(error, OF_ERROR));
        return new FailedCall(call.probe(), tool(call), FailedCall.PROTOCOL_ERROR, code(error.path("code")), text, places, call.sentAt(), event);
    }

    /** As observations have it: {@code -32601.0} is the integer, and what no long holds is none. */
    private static Long code(JsonNode code) {
        boolean whole = code.isIntegralNumber() || code.isNumber() && code.doubleValue() == Math.rint(code.doubleValue());
        return whole && code.canConvertToLong() ? Long.valueOf(code.longValue()) : null;
    }

    private static FailedCall toolError(Call call, JsonNode result, int event) {
        List<FailedCall.Placed> places = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        for (JsonNode block : result.path("content")) {
            if (block.path("text").isTextual()) {
                texts.add(block.get("text").textValue());
                addJson(places, LookAlikes.JSON_TEXT, block.get("text").textValue());
            }
        }
        add(places, LookAlikes.STRUCTURED, result.path("structuredContent"));
        add(places, LookAlikes.META, result.path("_meta"));
        add(places, LookAlikes.BESIDE, others(result, OF_RESULT));
        return new FailedCall(call.probe(), tool(call), FailedCall.TOOL_ERROR, null, cut(String.join("\n", texts)), places, call.sentAt(), event);
    }

    private static String tool(Call call) {
        return call.request().path("params").path("name").asText("");
    }

    private static void addJson(List<FailedCall.Placed> places, String place, String text) {
        String bare = text.strip();
        if ((bare.startsWith("{") || bare.startsWith("[")) && Json.parse(bare) instanceof Json.Parsed.Value value) {
            add(places, place, value.node());
        }
    }

    private static void add(List<FailedCall.Placed> places, String place, JsonNode value) {
        if (value.isContainerNode() && !value.isEmpty()) {
            places.add(new FailedCall.Placed(place, value));
        }
    }

    /** Members that the protocol does not name. */
    private static ObjectNode others(JsonNode object, Set<String> known) {
        ObjectNode out = Json.object();
        object.fields().forEachRemaining(member -> {
            if (!known.contains(member.getKey())) {
                out.set(member.getKey(), member.getValue());
            }
        });
        return out;
    }

    private static String cut(String text) {
        return text.length() <= MAX_TEXT ? text : text.substring(0, Character.isHighSurrogate(text.charAt(MAX_TEXT - 1)) ? MAX_TEXT - 1 : MAX_TEXT);
    }
}
