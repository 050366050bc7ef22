package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Frames as bad servers write them: messages of every kind spoilt in every way, bytes that are none, and what is legal but never expected. */
final class FrameSoup {
    static final String[] REVISIONS = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"};
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final String[] GOOD = {
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[" + Tape.TOOL + "],\"nextCursor\":\"a\"}}",
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"Error: it failed\"}],\"isError\":true,\"_meta\":{\"io.modelcontextprotocol/toolFailure\":"
            + "{\"class\":\"reliability\",\"code\":\"retryable_transient_error\",\"retryable\":true,\"retryNotBefore\":1796083200000,\"correlationId\":\"c-1\"}}}}",
        "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{},\"logging\":{}},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}",
        "{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":" + Tape.DISCOVERED + "}",
        "{\"jsonrpc\":\"2.0\",\"id\":6,\"error\":{\"code\":-32602,\"message\":\"Unknown tool\",\"data\":{\"supported\":[\"2026-07-28\"],\"requested\":\"x\"}}}",
        "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32700,\"message\":\"Parse error\"}}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":{\"a\":[1,2]}}}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":1,\"progress\":0.5}}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}",
        "{\"jsonrpc\":\"2.0\",\"id\":\"r\",\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"x\"}}],\"maxTokens\":5}}",
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"resultType\":\"input_required\",\"inputRequests\":{\"a\":{\"method\":\"elicitation/create\",\"params\":{\"message\":\"m\","
            + "\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"x\":{\"type\":\"string\"}}}}}}}}",
        "{\"jsonrpc\":\"2.0\",\"id\":8,\"result\":{\"content\":[],\"structuredContent\":{\"length\":3},\"isError\":false}}",
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"_meta\":{\"io.modelcontextprotocol/subscriptionId\":1},\"notifications\":{}}}",
        "[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}},{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32601,\"message\":\"no\"}}]"};
    private static final String[] ODD = {"", " ", "\r", "[]", "{}", "42", "null", "true", "\"text\"", "NaN", "{\"a\":NaN}", "{\"a\":1e400}", "{\"id\":1e99999999}",
        "Server listening on stdio", "Content-Length: 52", "\u001b[31mred\u001b[0m", "{\"level\":\"info\",\"msg\":\"x\"}", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}} trailing",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"result\":{},\"result\":[]}", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\"\\ud800\"}}", "\uFEFF{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\"\u2028\u0085\"}}", "{", "}", "{\"jsonrpc\":\"2.0\",", "\"id\":1}", "{\"jsonrpc\":\"2.0\",\"id\":1.0,\"result\":{}}",
        "{\"jsonrpc\":\"2.0\",\"id\":-0,\"result\":{}}", "{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{}}", "{\"jsonrpc\":\"2.0\",\"method\":7,\"id\":1}"};

    private final Random random;

    FrameSoup(Random random) {
        this.random = random;
    }

    /** JSON text of an id for a request of ours. */
    String id() {
        return new String[] {"1", "2", "3", "7", "\"s-1\"", "\"1\"", "0", "9007199254740991", "null", "1.5", "-3"}[random.nextInt(11)];
    }

    String text() {
        return ODD[random.nextInt(ODD.length)];
    }

    byte[] frame() {
        int kind = random.nextInt(100);
        if (kind < 12) {
            return ODD[random.nextInt(ODD.length)].getBytes(StandardCharsets.UTF_8);
        }
        if (kind < 15) {
            byte[] noise = new byte[random.nextInt(60)];
            random.nextBytes(noise);
            return noise;
        }
        if (kind == 15) {
            return huge().getBytes(StandardCharsets.UTF_8);
        }
        JsonNode frame = ((Json.Parsed.Value) Json.parse(GOOD[random.nextInt(GOOD.length)])).node();
        for (int i = random.nextInt(4); i > 0; i--) {
            spoil(frame);
        }
        byte[] bytes = Json.write(frame).getBytes(StandardCharsets.UTF_8);
        return kind < 85 ? bytes : bytesSpoilt(bytes);
    }

    /** Deep, long or many, in what fits a frame. */
    private String huge() {
        return switch (random.nextInt(5)) {
            case 0 -> "[".repeat(3_000) + "]".repeat(3_000);
            case 1 -> "{\"jsonrpc\":\"2.0\",\"id\":" + "9".repeat(5_000) + ",\"result\":{}}";
            case 2 -> "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + "{\"a\":".repeat(900) + "1" + "}".repeat(900) + "}";
            case 3 -> "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"content\":[" + "{\"type\":\"text\"},".repeat(300) + "7]}}";
            default -> "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":" + "1".repeat(40) + ",\"message\":\"" + "m".repeat(4_000) + "\"}}";
        };
    }

    private static byte[] bytesSpoiltAt(byte[] bytes, int at, byte value) {
        byte[] out = bytes.clone();
        out[at] = value;
        return out;
    }

    private byte[] bytesSpoilt(byte[] bytes) {
        int at = random.nextInt(bytes.length);
        return switch (random.nextInt(4)) {
            case 0 -> Arrays.copyOf(bytes, at);
            case 1 -> bytesSpoiltAt(bytes, at, (byte) random.nextInt(256));
            case 2 -> {
                byte[] twice = Arrays.copyOf(bytes, bytes.length + at);
                System.arraycopy(bytes, 0, twice, bytes.length, at);
                yield twice;
            }
            default -> Arrays.copyOfRange(bytes, at, bytes.length);
        };
    }

    private void spoil(JsonNode frame) {
        List<JsonNode> containers = new ArrayList<>();
        collect(frame, containers);
        JsonNode one = containers.get(random.nextInt(containers.size()));
        if (one instanceof ArrayNode array) {
            if (array.isEmpty() || random.nextBoolean()) {
                array.add(any());
            } else {
                array.set(random.nextInt(array.size()), any());
            }
            return;
        }
        ObjectNode object = (ObjectNode) one;
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        String name = names.isEmpty() || random.nextInt(4) == 0
                ? new String[] {"result", "error", "id", "method", "isError", "content", "nextCursor", "jsonrpc", "x", "$ref", "resultType", "params"}[random.nextInt(12)]
                : names.get(random.nextInt(names.size()));
        if (random.nextInt(4) == 0) {
            object.remove(name);
        } else {
            object.set(name, any());
        }
    }

    private static void collect(JsonNode node, List<JsonNode> out) {
        if (node.isContainerNode()) {
            out.add(node);
            node.forEach(child -> collect(child, out));
        }
    }

    private JsonNode any() {
        return switch (random.nextInt(14)) {
            case 0 -> NODES.nullNode();
            case 1 -> NODES.booleanNode(random.nextBoolean());
            case 2 -> NODES.numberNode(random.nextInt(12));
            case 3 -> NODES.numberNode(random.nextDouble());
            case 4 -> NODES.numberNode(new java.math.BigInteger(200, random));
            case 5 -> NODES.arrayNode().add(1).add("x");
            case 6 -> NODES.arrayNode();
            case 7 -> Json.object();
            case 8 -> Json.object().put("type", "object").put("a", 1);
            case 9 -> NODES.textNode("\ud800");
            case 10 -> NODES.textNode("2026-07-28");
            case 11 -> NODES.textNode("$".repeat(random.nextInt(50)));
            case 12 -> Json.object().put("$ref", "#");
            default -> NODES.textNode("Error: \u001b]0;x\u0007 not found");
        };
    }
}
