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
    private static final String BAD_BYTE = "mcp-prober-bad-byte";
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
        return line(message(id, method, params, namedRevision));
    }

    /** A request as it goes into an array of several. */
    ObjectNode message(JsonNode id, String method) {
        return message(id, method, null, revision);
    }

    private ObjectNode message(JsonNode id, String method, ObjectNode params, String namedRevision) {
        ObjectNode frame = Json.object().put("jsonrpc", "2.0");
        frame.set("id", id);
        frame.put("method", method);
        ObjectNode all = params;
        if (era == Era.MODERN) {
            all = params == null ? Json.object() : params.deepCopy();
            ObjectNode meta = all.withObject("/_meta");
            meta.put(PREFIX + "protocolVersion", namedRevision);
            meta.set(PREFIX + "clientInfo", clientInfo());
            meta.putObject(PREFIX + "clientCapabilities");
        }
        if (all != null) {
            frame.set("params", all);
        }
        return frame;
    }

    /** A modern request whose {@code _meta} is not as usual. */
    byte[] withMeta(JsonNode id, String method, Step.MetaKind kind) {
        ObjectNode frame = message(id, method, null, kind == Step.MetaKind.UNKNOWN_VERSION ? Scripts.UNKNOWN_VERSION : revision);
        ObjectNode meta = (ObjectNode) frame.path("params").path("_meta");
        switch (kind) {
            case NONE -> ((ObjectNode) frame.path("params")).remove("_meta");
            case NO_VERSION -> meta.remove(PREFIX + "protocolVersion");
            case NO_CAPABILITIES -> meta.remove(PREFIX + "clientCapabilities");
            case NO_CLIENT_INFO -> meta.remove(PREFIX + "clientInfo");
            default -> { }
        }
        return line(frame);
    }

    /** A request that is right but for the byte FF in a member that the server need not look at. */
    byte[] badUtf8(JsonNode id, String method) {
        ObjectNode params = Json.object();
        params.putObject("_meta").put("mcp-prober/note", BAD_BYTE);
        byte[] line = request(id, method, params);
        String text = new String(line, StandardCharsets.ISO_8859_1).replace(BAD_BYTE, "caf\u00ff");
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    ObjectNode notice(String method) {
        return Json.object().put("jsonrpc", "2.0").put("method", method);
    }

    byte[] notification(String method) {
        return line(notice(method));
    }

    static byte[] line(JsonNode frame) {
        return (Json.write(frame) + "\n").getBytes(StandardCharsets.UTF_8);
    }
}
