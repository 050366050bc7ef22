package dev.mcpprober.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.Era;
import java.nio.charset.StandardCharsets;

/** Builds the frames that we send; modern ones carry {@code _meta} with version, client and capabilities. */
final class Frames {
    private static final String PREFIX = "io.modelcontextprotocol/";
    /** Key in {@code _meta} of an error result, by proposal SEP-3313. */
    static final String TOOL_FAILURE = PREFIX + "toolFailure";
    private final Era era;
    private final String revision;
    private final String version;

    /** @param version of this program, as named to servers */
    Frames(Era era, String revision, String version) {
        this.era = era;
        this.revision = revision;
        this.version = version;
    }

    ObjectNode initializeParams(String offered) {
        ObjectNode params = Json.object().put("protocolVersion", offered);
        params.putObject("capabilities");
        params.set("clientInfo", clientInfo());
        return params;
    }

    private ObjectNode clientInfo() {
        return Json.object().put("name", "mcp-prober").put("version", version);
    }

    /** @param params may be null for none; modern requests get them all the same, for {@code _meta} */
    byte[] request(JsonNode id, String method, ObjectNode params) {
        return request(id, method, params, revision);
    }

    byte[] request(JsonNode id, String method, ObjectNode params, String namedRevision) {
        ObjectNode frame = Json.object().put("jsonrpc", "2.0");
        frame.set("id", id);
        frame.put("method", method);
        ObjectNode all = params;
        if (era == Era.MODERN) {
            all = params == null ? Json.object() : params.deepCopy();
            ObjectNode meta = all.putObject("_meta");
            meta.put(PREFIX + "protocolVersion", namedRevision);
            meta.set(PREFIX + "clientInfo", clientInfo());
            meta.putObject(PREFIX + "clientCapabilities");
        }
        if (all != null) {
            frame.set("params", all);
        }
        return line(frame);
    }

    byte[] notification(String method) {
        return line(Json.object().put("jsonrpc", "2.0").put("method", method));
    }

    static byte[] line(JsonNode frame) {
        return (Json.write(frame) + "\n").getBytes(StandardCharsets.UTF_8);
    }
}
