package dev.mcpprober.cases;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.session.ScriptedServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Servers whose failed calls carry a toolFailure object. */
final class FailureCases {
    private static final String KEY = "io.modelcontextprotocol/toolFailure";

    private FailureCases() {}

    private interface Change {
        void to(ObjectNode failure, JsonNode message, ObjectNode result);
    }

    static List<CaseSpec> all() {
        List<CaseSpec> out = new ArrayList<>();
        out.add(failing("good", (failure, message, result) -> { }));
        out.add(failing("class-in-capitals", (failure, message, result) -> failure.put("class", "Reliability")));
        out.add(failing("code-is-a-number", (failure, message, result) -> failure.put("code", 7)));
        out.add(failing("code-respelt", (failure, message, result) -> failure.put("code", "retryableTransientError")));
        out.add(failing("code-of-another-class", (failure, message, result) -> failure.put("code", "permission_denied")));
        out.add(failing("governance-retryable", (failure, message, result) -> failure.put("class", "governance").put("code", "policy_blocked")));
        out.add(failing("retry-time-alone", (failure, message, result) -> failure.put("retryable", false)));
        out.add(failing("retry-time-is-text", (failure, message, result) -> failure.put("retryNotBefore", "soon")));
        out.add(failing("no-correlation-id", (failure, message, result) -> failure.remove("correlationId")));
        out.add(failing("one-correlation-id", (failure, message, result) -> failure.put("correlationId", "always-the-same")));
        out.add(failing("correlation-id-names-the-client", (failure, message, result) -> failure.put("correlationId", "mcp-prober/" + failure.path("correlationId").asText())));
        out.add(failing("guidance-is-a-list", (failure, message, result) -> failure.putArray("agentGuidance").add("wait")));
        out.add(failing("key-beside-meta", (failure, message, result) -> result.set(KEY, failure.deepCopy())));
        out.add(failing("key-on-a-success", (failure, message, result) -> {
            result.remove("isError");
            ((ObjectNode) result.path("content").path(0)).put("text", "Error: could not do it");
        }));
        return out;
    }

    private static CaseSpec failing(String name, Change change) {
        AtomicInteger number = new AtomicInteger();
        return CaseSpec.of("failure-" + name, 'D').keep("legacy").polish((message, reply) -> {
            JsonNode result = reply.path("result");
            if (message.path("method").asText().equals("tools/call") && result.path("isError").asBoolean()) {
                ObjectNode failure = (ObjectNode) ScriptedServer.parse("{\"class\":\"reliability\",\"code\":\"retryable_transient_error\",\"retryable\":true,"
                        + "\"retryNotBefore\":1796083200000,\"agentGuidance\":\"Wait a minute.\"}");
                failure.put("correlationId", "c-" + number.incrementAndGet() + "-" + Integer.toHexString(0x5eed + 977 * number.get()));
                change.to(failure, message, (ObjectNode) result);
                ((ObjectNode) result).putObject("_meta").set(KEY, failure);
            }
        });
    }
}
