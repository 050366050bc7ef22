package dev.mcpprober.cases;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.Era;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Servers of the modern era with one fault, and legacy ones that meet the probe for it oddly. */
final class ModernCases {
    private static final String META = "io.modelcontextprotocol/";

    private ModernCases() {}

    private static CaseSpec modern(String name) {
        return CaseSpec.of(name, 'E').keep("modern");
    }

    static List<CaseSpec> all() {
        List<CaseSpec> out = new ArrayList<>();
        discovery(out);
        results(out);
        traffic(out);
        return out;
    }

    private static void discovery(List<CaseSpec> out) {
        out.add(modern("discover-without-capabilities").result("server/discover", result -> result.remove("capabilities")));
        out.add(modern("discover-ttl-negative").result("server/discover", result -> result.put("ttlMs", -1)));
        AtomicInteger asked = new AtomicInteger();
        out.add(modern("serves-what-it-does-not-list-any-more").result("server/discover", result -> {
            if (asked.getAndIncrement() > 0) {
                result.putArray("supportedVersions").add("2026-09-01");
            }
        }));
        out.add(CaseSpec.of("refuses-discover-with-a-draft-code", 'D').keep("discover").on("server/discover", (message, server) ->
                server.put("{\"jsonrpc\":\"2.0\",\"id\":" + message.get("id") + ",\"error\":{\"code\":-32004,\"message\":\"no\",\"data\":{\"supported\":[\"2026-01-01\"]}}}\n")));
        out.add(CaseSpec.of("legacy-claims-modern", 'D').keep("discover").on("server/discover", (message, server) ->
                server.reply(message.get("id"), "{\"protocolVersion\":\"2026-07-28\",\"capabilities\":{}}")));
        out.add(CaseSpec.of("initialize-not-answered-by-modern", 'E').keep("discover", "legacy", "modern").on("initialize", (message, server) -> { }));
        out.add(CaseSpec.of("every-version-served", 'E').keep("modern", "modern-version").polish((message, reply) -> {
            if (reply.path("error").path("code").asInt() == -32022) {
                reply.remove("error");
                reply.set("result", CaseServer.result(message.get("id"), "{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{},\"ttlMs\":0,\"cacheScope\":\"private\"}", Era.MODERN).get("result"));
            }
        }));
        out.add(CaseSpec.of("meta-not-looked-at", 'E').polish((message, reply) -> {
            if (reply.path("error").path("message").asText().endsWith("_meta")) {
                reply.remove("error");
                reply.set("result", CaseServer.result(message.get("id"), "{\"supportedVersions\":[\"2026-07-28\"],\"tools\":[],\"capabilities\":{},\"ttlMs\":0,\"cacheScope\":\"private\"}", Era.MODERN).get("result"));
            }
        }));
        out.add(CaseSpec.of("client-info-demanded", 'E').polish((message, reply) -> {
            if (message.path("params").path("_meta").has(META + "protocolVersion") && !message.path("params").path("_meta").has(META + "clientInfo")) {
                reply.remove("result");
                reply.putObject("error").put("code", -32602).put("message", "clientInfo is missing");
            }
        }));
        out.add(CaseSpec.of("removed-methods-not-answered", 'E').on("ping", (message, server) -> { }));
    }

    private static void results(List<CaseSpec> out) {
        out.add(modern("results-without-a-type").polish((message, reply) -> remove(reply, "resultType")));
        out.add(modern("results-without-server-info").polish((message, reply) -> remove(reply, "_meta")));
        out.add(modern("list-without-caching").result("tools/list", result -> result.remove("ttlMs")));
        out.add(modern("list-asks-for-input").result("tools/list", result -> {
            result.remove(List.of("tools", "ttlMs", "cacheScope"));
            result.put("resultType", "input_required").put("requestState", "x");
        }));
        out.add(modern("forbidden-error-code").polish((message, reply) -> {
            if (reply.path("error").path("code").asInt() == -32602) {
                ((ObjectNode) reply.get("error")).put("code", -32050);
            }
        }));
        AtomicInteger turn = new AtomicInteger();
        out.add(CaseSpec.of("tools-in-another-order-each-time", 'E').result("tools/list", result -> {
            JsonNode tools = result.get("tools");
            if (turn.getAndIncrement() % 2 == 1) {
                List<JsonNode> turned = new ArrayList<>();
                tools.forEach(tool -> turned.add(0, tool));
                result.putArray("tools").addAll(turned);
            }
        }));
        boolean[] called = new boolean[1];
        out.add(CaseSpec.of("tools-change-with-a-call", 'E').keep("modern", "modern-lists", "modern-meta").twist((message, server) -> {
            called[0] = message.path("method").asText().equals("tools/call") || called[0] && !message.path("method").asText().equals("server/discover");
            return false;
        }).result("tools/list", result -> {
            if (called[0]) {
                ((com.fasterxml.jackson.databind.node.ArrayNode) result.get("tools")).remove(0);
            }
        }));
        out.add(modern("subscriptions-good").capabilities("{\"tools\":{\"listChanged\":true}}").on("subscriptions/listen", (message, server) -> server.put(
                "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"_meta\":{\"" + META + "subscriptionId\":"
                        + Json.write(message.get("id")) + "},\"notifications\":{\"toolsListChanged\":true}}}\n")));
        out.add(modern("subscriptions-not-acknowledged").capabilities("{\"tools\":{\"listChanged\":true}}").on("subscriptions/listen", (message, server) ->
                server.put("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\",\"params\":{\"_meta\":{\"" + META + "subscriptionId\":"
                        + Json.write(message.get("id")) + "}}}\n")));
    }

    private static void remove(ObjectNode reply, String member) {
        if (reply.path("result").isObject()) {
            ((ObjectNode) reply.get("result")).remove(member);
        }
    }

    private static void traffic(List<CaseSpec> out) {
        String[][] sent = {{"modern-sends-a-request", "\"id\":\"r-1\",\"method\":\"sampling/createMessage\",\"params\":{\"messages\":[],\"maxTokens\":5}"},
            {"modern-logs-unasked", "\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":\"x\"}"},
            {"modern-list-changed-unasked", "\"method\":\"notifications/tools/list_changed\""},
            {"modern-cancels", "\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":1}"}};
        for (String[] one : sent) {
            out.add(modern(one[0]).capabilities("{\"tools\":{},\"logging\":{}}").twist((message, server) -> {
                if (message.path("method").asText().equals("tools/list")) {
                    server.put("{\"jsonrpc\":\"2.0\"," + one[1] + "}\n");
                }
                return false;
            }));
        }
    }
}
