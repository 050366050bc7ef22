package dev.mcpprober.cases;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.Era;
import dev.mcpprober.session.ScriptedServer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Servers with one fault in what they list, or in how they take a call. */
final class ToolCases {
    private static final String RESULT = "{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}";

    private ToolCases() {}

    private static CaseSpec legacy(String name) {
        return CaseSpec.of(name, 'D').keep("legacy");
    }

    /** A list with one tool that {@code change} made worse. */
    private static String listed(Consumer<ObjectNode> change) {
        ObjectNode tool = (ObjectNode) ScriptedServer.parse("{\"name\":\"repeat\",\"inputSchema\":{\"type\":\"object\",\"properties\":"
                + "{\"text\":{\"type\":\"string\"}},\"required\":[\"text\"]},\"annotations\":{\"readOnlyHint\":true}}");
        change.accept(tool);
        return "[" + Json.write(tool) + "]";
    }

    private static ObjectNode schema(ObjectNode tool) {
        return (ObjectNode) tool.get("inputSchema");
    }

    static List<CaseSpec> all() {
        List<CaseSpec> out = new ArrayList<>();
        lists(out);
        calls(out);
        results(out);
        resources(out);
        return out;
    }

    private static void lists(List<CaseSpec> out) {
        out.add(legacy("tools-listed-but-undeclared").capabilities("{}").on("tools/list", (message, server) ->
                server.reply(message.get("id"), "{\"tools\":" + CaseTools.ALL + "}")));
        out.add(CaseSpec.of("tools-listed-but-denied", 'D').keep("legacy", "legacy-negative").capabilities("{\"tools\":false}"));
        out.add(legacy("tool-without-a-name").tools(listed(tool -> tool.remove("name"))));
        out.add(legacy("cursor-that-is-a-number").result("tools/list", result -> result.put("nextCursor", 7)));
        out.add(legacy("cursor-that-is-null").result("tools/list", result -> result.putNull("nextCursor")));
        out.add(legacy("cursor-for-ever").polish((message, reply) -> {
            if (message.path("method").asText().equals("tools/list")) {
                reply.remove("error");
                reply.putObject("result").put("nextCursor", "again").set("tools", ((Json.Parsed.Value) Json.parse(CaseTools.ALL)).node());
            }
        }));
        for (char letter : "AD".toCharArray()) {
            String date = CaseTools.date(letter);
            out.add(CaseSpec.of("tool-name-empty-" + date, letter).keep("legacy").tools(listed(tool -> tool.put("name", ""))));
            out.add(CaseSpec.of("tool-listed-twice-" + date, letter).keep("legacy").tools("[" + listed(tool -> { }).replaceAll("^\\[|\\]$", "") + "," + listed(tool -> { }).replaceAll("^\\[", "")));
            out.add(CaseSpec.of("schema-of-type-any-" + date, letter).keep("legacy")
                    .tools(listed(tool -> ((ObjectNode) schema(tool).get("properties")).putObject("x").put("type", "any"))));
        }
        out.add(legacy("schema-without-a-type").tools(listed(tool -> schema(tool).remove("type"))));
        out.add(legacy("output-schema-is-an-array").tools(listed(tool -> tool.putObject("outputSchema").put("type", "array"))));
        out.add(CaseSpec.of("schema-refers-to-a-host", 'E').keep("modern")
                .tools(listed(tool -> ((ObjectNode) schema(tool).get("properties")).putObject("x").put("$ref", "https://schemas.example/x.json"))));
        out.add(legacy("annotations-are-null").tools(listed(tool -> tool.putNull("annotations"))));
        out.add(CaseSpec.of("invalid-cursor-ends-the-server", 'D').keep("legacy", "legacy-negative").twist((message, server) -> {
            boolean cursor = message.path("method").asText().equals("tools/list") && message.path("params").has("cursor");
            if (cursor) {
                server.exit(1);
            }
            return cursor;
        }));
    }

    private static void calls(List<CaseSpec> out) {
        out.add(CaseSpec.of("every-call-succeeds", 'D').keep("legacy", "legacy-negative").on("tools/call", (message, server) -> server.reply(message.get("id"), RESULT)));
        out.add(CaseSpec.of("every-fault-is-isError", 'D').keep("legacy", "legacy-negative").polish((message, reply) -> {
            if (message.path("method").asText().equals("tools/call") && reply.has("error")) {
                String text = reply.path("error").path("message").asText();
                reply.remove("error");
                reply.set("result", CaseTools.says(message.get("id"), Era.LEGACY, text, true, null).get("result"));
            }
        }));
        out.add(CaseSpec.of("every-fault-is-a-protocol-error", 'D').keep("legacy", "legacy-tools", "legacy-negative").polish((message, reply) -> {
            JsonNode result = reply.path("result");
            if (message.path("method").asText().equals("tools/call") && result.path("isError").asBoolean()) {
                reply.remove("result");
                reply.putObject("error").put("code", -32602).put("message", result.path("content").path(0).path("text").asText());
            }
        }));
        out.add(tools("a-tool-fails").polish(failing(true, "Error: getaddrinfo ENOTFOUND api.example", 0)));
        out.add(tools("a-tool-fails-by-protocol-error").polish(failing(false, "getaddrinfo ENOTFOUND api.example", -32603)));
        out.add(tools("a-tool-ends-the-server").twist((message, server) -> {
            boolean valid = message.path("method").asText().equals("tools/call") && message.path("params").path("arguments").path("word").isTextual();
            if (valid) {
                server.exit(1);
            }
            return valid;
        }));
        out.add(tools("further-arguments-end-the-server").twist((message, server) -> {
            JsonNode arguments = message.path("params").path("arguments");
            boolean further = message.path("method").asText().equals("tools/call") && arguments.size() > 1 && !arguments.has("count") || arguments.size() > 2;
            if (further) {
                server.exit(1);
            }
            return further;
        }));
        out.add(CaseSpec.of("relay-without-its-network", 'D').keep("legacy", "legacy-negative").capabilities("{\"tools\":{},\"resources\":{}}").polish((message, reply) -> {
            if (message.path("method").asText().startsWith("tools/") || message.path("method").asText().startsWith("resources/")) {
                reply.remove("result");
                reply.putObject("error").put("code", -32603).put("message", "remote error: getaddrinfo EAI_AGAIN tools.example");
            }
        }));
        out.add(CaseSpec.of("calls-are-not-answered", 'D').keep("legacy", "legacy-negative").on("tools/call", (message, server) -> { }));
    }

    /** Valid calls of one tool fail. */
    private static BiConsumer<JsonNode, ObjectNode> failing(boolean byResult, String text, int code) {
        return (message, reply) -> {
            if (message.path("params").path("name").asText().equals("closed") && reply.has("result") && !reply.path("result").path("isError").asBoolean()) {
                reply.remove("result");
                if (byResult) {
                    reply.set("result", CaseTools.says(message.get("id"), Era.LEGACY, text, true, null).get("result"));
                } else {
                    reply.putObject("error").put("code", code).put("message", text);
                }
            }
        };
    }

    private static CaseSpec tools(String name) {
        return CaseSpec.of(name, 'D').keep("legacy-tools");
    }

    private static void results(List<CaseSpec> out) {
        out.add(legacy("content-is-text").result("tools/call", result -> result.put("content", "done")));
        out.add(legacy("content-of-a-type-unknown").result("tools/call", result -> ((ObjectNode) result.path("content").path(0)).put("type", "markdown")));
        out.add(CaseSpec.of("resource-links-too-early", 'B').keep("legacy").result("tools/call", result ->
                result.putArray("content").addObject().put("type", "resource_link").put("uri", "case:x").put("name", "x")));
        out.add(legacy("errors-without-content").result("tools/call", result -> {
            if (result.path("isError").asBoolean()) {
                result.putArray("content");
            }
        }));
        out.add(tools("structured-content-missing").result("tools/call", result -> result.remove("structuredContent")));
        out.add(tools("structured-content-refused-by-the-server").polish((message, reply) -> {
            if (reply.path("result").has("structuredContent")) {
                reply.set("result", CaseTools.says(message.get("id"), Era.LEGACY, "Output validation error: 'length' is a required property", true, null).get("result"));
            }
        }));
        for (boolean fits : new boolean[] {true, false}) {
            out.add(tools("error-schema-" + (fits ? "met" : "not-met")).polish((message, reply) -> {
                JsonNode result = reply.path("result");
                if (result.has("tools")) {
                    ((ObjectNode) result).putObject("errorSchema").put("type", "object").putArray("required").add("reason");
                } else if (result.path("isError").asBoolean()) {
                    ((ObjectNode) result).putObject("structuredContent").put(fits ? "reason" : "cause", "bad argument");
                }
            }));
        }
        out.add(tools("structured-content-without-text").result("tools/call", result -> {
            if (result.has("structuredContent")) {
                result.putArray("content");
            }
        }));
    }

    private static void resources(List<CaseSpec> out) {
        String both = "{\"tools\":{},\"resources\":{}}";
        out.add(CaseSpec.of("resources-good", 'D').capabilities(both).keep("legacy"));
        out.add(CaseSpec.of("resources-good-modern", 'E').capabilities(both).keep("modern"));
        out.add(CaseSpec.of("resources-not-answered", 'D').capabilities(both).keep("legacy").on("resources/read", (message, server) -> { }));
        out.add(CaseSpec.of("resources-refused-as-tools", 'D').capabilities(both).keep("legacy").refuses("resources/read", -32602));
        out.add(CaseSpec.of("resources-empty-contents-modern", 'E').capabilities(both).keep("modern").polish((message, reply) -> {
            if (message.path("method").asText().equals("resources/read")) {
                reply.setAll(CaseServer.result(message.get("id"), "{\"contents\":[],\"ttlMs\":0,\"cacheScope\":\"private\"}", Era.MODERN));
                reply.remove("error");
            }
        }));
    }
}
