package dev.mcpprober.toolfailure.client;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.ProtocolRevision;

/** Requests as text, so that an argument's numbers go out as the user wrote them. Modern ones say in {@code _meta} who asks. */
final class ClientFrames {
    private static final String PREFIX = "io.modelcontextprotocol/";
    private final String clientInfo;

    /** @param version of this program */
    ClientFrames(String version) {
        this.clientInfo = "{\"name\":\"mcp-prober-tool-failure-client\",\"version\":" + quote(version) + "}";
    }

    String initialize(int id, ProtocolRevision revision) {
        return request(id, "initialize", "\"protocolVersion\":" + quote(revision.date()) + ",\"capabilities\":{},\"clientInfo\":" + clientInfo);
    }

    String initialized() {
        return "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";
    }

    /** @param members of params, without braces; may be empty */
    String request(ProtocolRevision revision, int id, String method, String members) {
        if (revision.atLeast(ProtocolRevision.V2026_07_28)) {
            String meta = "\"_meta\":{\"" + PREFIX + "protocolVersion\":" + quote(revision.date()) + ",\"" + PREFIX + "clientInfo\":" + clientInfo
                    + ",\"" + PREFIX + "clientCapabilities\":{}}";
            return request(id, method, members.isEmpty() ? meta : members + "," + meta);
        }
        return request(id, method, members);
    }

    private static String request(int id, String method, String members) {
        return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":" + quote(method) + (members.isEmpty() ? "" : ",\"params\":{" + members + "}") + "}";
    }

    static String quote(String text) {
        return Json.write(TextNode.valueOf(text));
    }
}
