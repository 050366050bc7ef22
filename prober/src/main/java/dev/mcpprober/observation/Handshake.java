package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.mcpprober.model.Era;
import dev.mcpprober.model.ProtocolRevision;
import dev.mcpprober.transcript.Capabilities;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the opening request of a session gave: {@code initialize} in the legacy era, {@code server/discover} in the modern one.
 *
 * @param exchange the request with its answer, or null where none was sent
 * @param result   the result, or a missing node
 * @param revision what the session runs under by the server's own word (raw text), or empty
 * @param done     a revision of the right era that we know was agreed on
 */
record Handshake(Exchange exchange, JsonNode result, String revision, boolean done) {
    static final String SERVER_INFO = "io.modelcontextprotocol/serverInfo";

    static Handshake of(SessionLog log) {
        boolean legacy = log.era() == Era.LEGACY;
        String method = legacy ? "initialize" : "server/discover";
        Exchange exchange = log.exchanges().stream().filter(x -> x.method().equals(method)).findFirst().orElse(null);
        JsonNode result = MissingNode.getInstance();
        Exchange.Reply reply = exchange == null ? null : exchange.readable();
        if (reply != null && reply.response().hasResult() && !reply.response().hasError()) {
            result = reply.response().node().get("result");
        }
        if (legacy) {
            String revision = result.path("protocolVersion").isTextual() ? result.get("protocolVersion").textValue() : "";
            return new Handshake(exchange, result, revision, known(revision, Era.LEGACY));
        }
        String offered = log.header().offeredRevision();
        boolean listed = strings(result.path("supportedVersions")).contains(offered);
        return new Handshake(exchange, result, listed ? offered : "", listed && known(offered, Era.MODERN));
    }

    private static boolean known(String revision, Era era) {
        return ProtocolRevision.of(revision).map(r -> r.era() == era).orElse(false);
    }

    static List<String> strings(JsonNode array) {
        List<String> out = new ArrayList<>();
        if (array.isArray()) {
            array.forEach(element -> out.add(element.isTextual() ? element.textValue() : ""));
        }
        return out;
    }

    /** Event of the reply that {@code result} is from. */
    int event() {
        return exchange.readable().event();
    }

    /** The revision, where it is one that we know. */
    Optional<ProtocolRevision> known() {
        return ProtocolRevision.of(revision);
    }

    /** The declared {@code tools} capability. */
    boolean tools() {
        return declares("tools");
    }

    boolean declares(String capability) {
        return Capabilities.declare(result.path("capabilities"), capability);
    }

    /** Name, version and more of the server, as it says; a missing node where it does not. */
    JsonNode serverInfo() {
        JsonNode inMeta = result.path("_meta").path(SERVER_INFO);
        return inMeta.isObject() ? inMeta : result.path("serverInfo");
    }
}
