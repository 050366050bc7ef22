package dev.mcpprober.cases;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.Era;
import dev.mcpprober.model.ProtocolRevision;
import dev.mcpprober.session.ScriptedServer;
import java.util.ArrayList;
import java.util.List;

/**
 * A server that does everything right in the revisions it speaks, written to the letter of the requirements; a twist may take a message
 * before it does, or change what it is about to write.
 */
final class CaseServer implements ScriptedServer.Behaviour {
    /** Takes a message instead of the server: true when it did. {@code message} is a missing node where the line is no JSON. */
    interface Twist {
        boolean takes(JsonNode message, ScriptedServer server);
    }

    private static final String META = "io.modelcontextprotocol/";

    private final CaseSpec spec;
    private final List<ObjectNode> batch = new ArrayList<>();
    private boolean batching;
    /** Revision that initialize came to in this process; empty before. */
    private String agreed = "";

    CaseServer(CaseSpec spec) {
        this.spec = spec;
    }

    @Override
    public void line(String line, ScriptedServer server) {
        JsonNode message = line.contains("\uFFFD") || !(Json.parse(line) instanceof Json.Parsed.Value value) ? Json.mapper().missingNode() : value.node();
        if (spec.twist().takes(message, server)) {
            return;
        }
        if (message.isMissingNode()) {
            write(server, error(null, -32700, "Parse error", null));
        } else if (message.isArray() && !message.isEmpty() && agreed.equals(ProtocolRevision.V2025_03_26.date())) {
            batching = true;
            message.forEach(one -> answer(one, server));
            batching = false;
            if (!batch.isEmpty()) {
                ArrayNode all = Json.mapper().createArrayNode();
                all.addAll(batch);
                server.put(Json.write(all) + "\n");
                batch.clear();
            }
        } else {
            answer(message, server);
        }
    }

    private void answer(JsonNode message, ScriptedServer server) {
        JsonNode id = message.get("id");
        boolean request = message.path("method").isTextual() && id != null;
        if (request && (id.isTextual() || id.isIntegralNumber())) {
            ObjectNode reply = reply(message, id);
            spec.polish().accept(message, reply);
            write(server, reply);
        } else if (request || !message.path("method").isTextual() && !message.has("result") && !message.has("error")) {
            write(server, error(null, -32600, "Invalid Request", null));
        }
    }

    private void write(ScriptedServer server, ObjectNode reply) {
        if (batching) {
            batch.add(reply);
        } else {
            server.put(Json.write(reply) + "\n");
        }
    }

    private ObjectNode reply(JsonNode message, JsonNode id) {
        String method = message.path("method").asText();
        boolean legacy = spec.revision() != null;
        JsonNode meta = message.path("params").path("_meta");
        boolean modernForm = meta.has(META + "protocolVersion") || meta.has(META + "clientCapabilities");
        if (spec.modern() && (modernForm || !legacy || agreed.isEmpty() && !method.equals("initialize"))) {
            if (method.equals("initialize")) {
                return error(id, -32601, "initialize is not known here; this server speaks 2026-07-28", null);
            }
            if (!meta.path(META + "protocolVersion").isTextual() || !meta.path(META + "clientCapabilities").isObject()) {
                return error(id, -32602, "Invalid params: _meta", null);
            }
            String asked = meta.get(META + "protocolVersion").textValue();
            if (!asked.equals(ProtocolRevision.NEWEST_MODERN.date())) {
                ObjectNode data = Json.object().put("requested", asked);
                data.putArray("supported").add(ProtocolRevision.NEWEST_MODERN.date());
                return error(id, -32022, "Unsupported protocol version", data);
            }
            return method.equals("ping") || method.equals("initialize") ? unknown(id) : common(method, message.path("params"), id, Era.MODERN);
        }
        if (!legacy) {
            return unknown(id);
        }
        if (method.equals("initialize")) {
            String offered = message.path("params").path("protocolVersion").asText();
            boolean known = ProtocolRevision.of(offered).map(r -> r.era() == Era.LEGACY && spec.takesOffer()).orElse(false);
            agreed = known ? offered : spec.revision().date();
            return result(id, "{\"protocolVersion\":\"" + agreed + "\",\"capabilities\":" + spec.capabilities()
                    + ",\"serverInfo\":{\"name\":\"case-server\",\"version\":\"1.0\"}}", Era.LEGACY);
        }
        return method.equals("ping") ? result(id, "{}", Era.LEGACY) : common(method, message.path("params"), id, Era.LEGACY);
    }

    private ObjectNode common(String method, JsonNode params, JsonNode id, Era era) {
        boolean tools = spec.capabilities().contains("\"tools\"");
        return switch (method) {
            case "server/discover" -> era == Era.LEGACY ? unknown(id)
                    : result(id, "{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":" + spec.capabilities() + ",\"ttlMs\":60000,\"cacheScope\":\"private\"}", era);
            case "tools/list" -> !tools ? unknown(id) : params.has("cursor") ? error(id, -32602, "Invalid cursor", null)
                    : result(id, "{\"tools\":" + spec.tools() + (era == Era.MODERN ? ",\"ttlMs\":60000,\"cacheScope\":\"private\"" : "") + "}", era);
            case "tools/call" -> tools ? CaseTools.call(params, id, era, spec) : unknown(id);
            case "resources/list" -> !spec.capabilities().contains("\"resources\"") ? unknown(id)
                    : result(id, "{\"resources\":[]" + (era == Era.MODERN ? ",\"ttlMs\":0,\"cacheScope\":\"private\"" : "") + "}", era);
            case "resources/read" -> !spec.capabilities().contains("\"resources\"") ? unknown(id)
                    : error(id, era == Era.MODERN ? -32602 : -32002, "Resource not found", null);
            default -> unknown(id);
        };
    }

    static ObjectNode unknown(JsonNode id) {
        return error(id, -32601, "Method not found", null);
    }

    static ObjectNode result(JsonNode id, String json, Era era) {
        ObjectNode result = (ObjectNode) ((Json.Parsed.Value) Json.parse(json)).node();
        if (era == Era.MODERN) {
            result.put("resultType", "complete");
            result.putObject("_meta").putObject(META + "serverInfo").put("name", "case-server").put("version", "1.0");
        }
        ObjectNode reply = Json.object().put("jsonrpc", "2.0");
        reply.set("id", id);
        reply.set("result", result);
        return reply;
    }

    static ObjectNode error(JsonNode id, int code, String message, JsonNode data) {
        ObjectNode reply = Json.object().put("jsonrpc", "2.0");
        reply.set("id", id == null ? Json.mapper().nullNode() : id);
        ObjectNode error = reply.putObject("error").put("code", code).put("message", message);
        if (data != null) {
            error.set("data", data);
        }
        return reply;
    }
}
