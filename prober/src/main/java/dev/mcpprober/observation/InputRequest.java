package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Whether a result that asks for input may do so: for this method, in this form, of this client (modern era, multi round-trip requests). */
final class InputRequest {
    private static final Set<String> METHODS = Set.of("tools/call", "prompts/get", "resources/read");
    private static final Map<String, String> CAPABILITY = Map.of("elicitation/create", "elicitation", "sampling/createMessage", "sampling", "roots/list", "roots");

    /** @param flag what kind of fault */
    record Fault(String flag, String words) {}

    private InputRequest() {}

    /** What is wrong with {@code result}, which asks for input, as the answer to {@code exchange}; empty when nothing is. */
    static List<Fault> faults(Exchange exchange, JsonNode result) {
        List<Fault> out = new ArrayList<>();
        if (!METHODS.contains(exchange.method())) {
            out.add(new Fault(Flag.WRONG_METHOD, "input is asked for in answer to " + exchange.method()));
        }
        JsonNode requests = result.path("inputRequests");
        if (requests.isMissingNode() && result.path("requestState").isMissingNode()) {
            out.add(new Fault(Flag.NOTHING_ASKED, "neither inputRequests nor requestState"));
        }
        JsonNode declared = exchange.params().path("_meta").path("io.modelcontextprotocol/clientCapabilities");
        for (JsonNode request : requests) {
            String capability = CAPABILITY.get(request.path("method").asText());
            if (capability != null && !declared.has(capability)) {
                out.add(new Fault(Flag.UNDECLARED, "asks for " + capability + ", which the client did not declare"));
            }
        }
        return out;
    }
}
