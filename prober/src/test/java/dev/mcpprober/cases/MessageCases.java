package dev.mcpprober.cases;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.session.ScriptedServer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Legacy servers with one fault in what they write, when they write it, or how they end. */
final class MessageCases {
    private MessageCases() {}

    private static CaseSpec legacy(String name) {
        return CaseSpec.of(name, 'D').keep("legacy");
    }

    static List<CaseSpec> all() {
        List<CaseSpec> out = new ArrayList<>();
        envelope(out);
        stdout(out);
        traffic(out);
        negative(out);
        return out;
    }

    private static void envelope(List<CaseSpec> out) {
        out.add(legacy("ping-refused").refuses("ping", -32601));
        out.add(legacy("initialize-without-version").result("initialize", result -> result.remove("protocolVersion")));
        out.add(legacy("initialize-answers-no-known-version").result("initialize", result -> result.put("protocolVersion", "2031-04-01")));
        out.add(legacy("ids-turned-into-text").polish((message, reply) -> reply.put("id", reply.get("id").asText())));
        out.add(legacy("result-and-error").polish((message, reply) -> {
            if (message.path("method").asText().equals("ping")) {
                reply.putObject("error").put("code", 0).put("message", "none");
            }
        }));
        out.add(legacy("error-code-as-text").polish((message, reply) -> {
            if (reply.path("error").isObject()) {
                ((ObjectNode) reply.get("error")).put("code", reply.path("error").path("code").asText());
            }
        }));
        out.add(legacy("an-answer-to-nothing").on("ping", (message, server) -> {
            server.reply(message.get("id"), "{}");
            server.put("{\"jsonrpc\":\"2.0\",\"id\":4711,\"result\":{}}\n");
        }));
        out.add(legacy("every-ping-answered-twice").on("ping", (message, server) -> {
            server.reply(message.get("id"), "{}");
            server.reply(message.get("id"), "{}");
        }));
        out.add(legacy("no-jsonrpc-member").polish((message, reply) -> reply.remove("jsonrpc")));
        out.add(CaseSpec.of("unknown-methods-served", 'D').keep("legacy-negative").twist((message, server) -> {
            boolean unknown = message.path("method").asText().startsWith("mcp-prober/") && message.has("id");
            if (unknown) {
                server.reply(message.get("id"), "{}");
            }
            return unknown;
        }));
        out.add(CaseSpec.of("notifications-answered", 'D').keep("legacy", "legacy-negative").twist((message, server) -> {
            boolean notification = message.path("method").isTextual() && !message.has("id");
            if (notification) {
                server.put("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32601,\"message\":\"no\"}}\n");
            }
            return notification;
        }));
        out.add(CaseSpec.of("bogus-versions-echoed", 'D').on("initialize", (message, server) -> {
            String offered = message.path("params").path("protocolVersion").asText();
            server.reply(message.get("id"), "{\"protocolVersion\":\"" + offered + "\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}");
        }));
        out.add(CaseSpec.of("takes-a-version-it-was-not-offered", 'D').on("initialize", (message, server) -> {
            String offered = message.path("params").path("protocolVersion").asText();
            String answered = offered.equals("2024-11-05") ? "2025-06-18" : offered.equals("2025-06-18") ? "2024-11-05" : "2025-11-25";
            server.reply(message.get("id"), "{\"protocolVersion\":\"" + answered + "\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}");
        }));
        out.add(CaseSpec.of("every-legacy-revision", 'D').allRevisions());
    }

    private static void stdout(List<CaseSpec> out) {
        out.add(legacy("banner-on-stdout").start(server -> server.put("Server is listening\n")));
        out.add(legacy("replies-over-several-lines").on("ping", (message, server) -> server.put("{\n  \"jsonrpc\": \"2.0\",\n  \"id\": " + message.get("id") + ",\n  \"result\": {}\n}\n")));
        for (char letter : "AD".toCharArray()) {
            out.add(CaseSpec.of("stdout-not-utf8-" + CaseTools.date(letter), letter).keep("legacy").on("ping", (message, server) ->
                    server.put(("{\"jsonrpc\":\"2.0\",\"id\":" + message.get("id") + ",\"result\":{\"_meta\":{\"x\":\"caf\u00e9\"}}}\n").getBytes(StandardCharsets.ISO_8859_1))));
            out.add(CaseSpec.of("stdout-past-our-limit-" + CaseTools.date(letter), letter).keep("legacy").on("ping", (message, server) -> {
                server.put("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\",\"params\":{\"a\":\"" + "x".repeat(9_000) + "\"}}\n");
                server.reply(message.get("id"), "{}");
            }));
        }
        out.add(legacy("lives-on-after-eof").start(server -> server.exitsOnEof = false));
        out.add(CaseSpec.of("lives-on-after-eof-modern", 'E').keep("modern").start(server -> server.exitsOnEof = false));
    }

    private static void traffic(List<CaseSpec> out) {
        for (char letter : "AD".toCharArray()) {
            out.add(CaseSpec.of("asks-for-sampling-" + CaseTools.date(letter), letter).keep("legacy").on("ping", (message, server) -> {
                server.put("{\"jsonrpc\":\"2.0\",\"id\":\"r-1\",\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],\"maxTokens\":5}}\n");
                server.reply(message.get("id"), "{}");
            }));
        }
        out.add(legacy("asks-for-roots-before-initialized").on("initialize", (message, server) -> {
            server.put("{\"jsonrpc\":\"2.0\",\"id\":\"r-1\",\"method\":\"roots/list\"}\n");
            server.reply(message.get("id"), "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}");
        }));
        out.add(legacy("logs-undeclared").on("ping", notifying("notifications/message", "{\"level\":\"info\",\"data\":\"hello\"}")));
        out.add(legacy("list-changed-undeclared").on("ping", notifying("notifications/tools/list_changed", "{}")));
        out.add(legacy("progress-nobody-asked-for").on("ping", notifying("notifications/progress", "{\"progressToken\":1,\"progress\":1}")));
        out.add(legacy("log-level-misspelt").capabilities("{\"tools\":{},\"logging\":{}}")
                .on("ping", notifying("notifications/message", "{\"level\":\"warn\",\"data\":\"hello\"}")));
    }

    /** Answers a ping, with a notification before. */
    private static java.util.function.BiConsumer<com.fasterxml.jackson.databind.JsonNode, ScriptedServer> notifying(String method, String params) {
        return (message, server) -> {
            server.put(Json.write(Json.object().put("jsonrpc", "2.0").put("method", method).set("params", ScriptedServer.parse(params))) + "\n");
            server.reply(message.get("id"), "{}");
        };
    }

    private static void negative(List<CaseSpec> out) {
        out.add(CaseSpec.of("a-bad-line-ends-the-server", 'D').keep("legacy-malformed").twist((message, server) -> {
            if (message.isMissingNode()) {
                server.exit(1);
            }
            return message.isMissingNode();
        }));
        for (char letter : "AD".toCharArray()) {
            String id = letter == 'A' ? "" : "\"id\":0,";
            out.add(CaseSpec.of("a-bad-line-answered-" + (letter == 'A' ? "without-an-id-" : "with-an-id-of-its-own-") + CaseTools.date(letter), letter).keep("legacy-malformed").twist((message, server) -> {
                if (message.isMissingNode()) {
                    server.put("{\"jsonrpc\":\"2.0\"," + id + "\"error\":{\"code\":-32700,\"message\":\"Parse error\"}}\n");
                }
                return message.isMissingNode();
            }));
        }
        out.add(negative("an-unknown-method-ends-the-server").on("mcp-prober/no-such-method", (message, server) -> server.exit(1)));
        out.add(negative("a-batch-ends-the-server").twist((message, server) -> exits(message.isArray(), server)));
        out.add(negative("bytes-that-are-not-utf8-end-the-server").twist((message, server) -> exits(message.isMissingNode(), server)));
        out.add(negative("an-id-that-is-null-ends-the-server").twist((message, server) -> exits(message.path("id").isNull(), server)));
        out.add(CaseSpec.of("talks-after-a-bad-line-as-at-any-time", 'D').keep("legacy-malformed").twist((message, server) -> {
            server.put("INFO read a line\n");
            return message.isMissingNode();
        }));
        out.add(CaseSpec.of("a-batch-of-notifications-answered-with-an-empty-array", 'B').keep("legacy-batch").twist((message, server) -> {
            boolean notifications = message.isArray() && !message.isEmpty() && !message.get(0).has("id");
            if (notifications) {
                server.put("[]\n");
            }
            return notifications;
        }));
        boolean[] silent = new boolean[1];
        out.add(negative("an-unknown-method-is-refused-and-nothing-after-it").twist((message, server) -> {
            boolean unknown = message.path("method").asText().equals("mcp-prober/no-such-method");
            if (unknown) {
                server.fail(message.get("id"), -32601);
            }
            silent[0] = unknown || silent[0] && !message.path("method").asText().equals("initialize");
            return silent[0];
        }));
        boolean[] jammed = new boolean[1];
        out.add(negative("an-unknown-method-jams-the-server").twist((message, server) -> {
            jammed[0] = message.path("method").asText().equals("mcp-prober/no-such-method") || jammed[0] && !message.path("method").asText().equals("initialize");
            return jammed[0];
        }));
    }

    private static CaseSpec negative(String name) {
        return CaseSpec.of(name, 'D').keep("legacy-negative");
    }

    private static boolean exits(boolean when, ScriptedServer server) {
        if (when) {
            server.exit(1);
        }
        return when;
    }
}
