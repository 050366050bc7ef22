package dev.mcpprober.session;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.Era;
import dev.mcpprober.transcript.Message;
import java.util.Optional;

/**
 * How requests of the server are met. Legacy servers may ask and then wait for an answer: {@code ping} gets an empty result,
 * anything else "method not found", since no capability was offered. In the modern era a client must not write responses.
 */
final class ServerRequestPolicy {
    private final Era era;

    ServerRequestPolicy(Era era) {
        this.era = era;
    }

    Optional<ObjectNode> answer(Message.Request request) {
        if (era == Era.MODERN || request.id().isNull()) {
            return Optional.empty();
        }
        ObjectNode answer = Json.object().put("jsonrpc", "2.0");
        answer.set("id", request.id());
        if (request.method().equals("ping")) {
            answer.putObject("result");
        } else {
            answer.putObject("error").put("code", -32601).put("message", "Method not found: this client offers no capabilities");
        }
        return Optional.of(answer);
    }
}
