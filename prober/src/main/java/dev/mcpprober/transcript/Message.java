package dev.mcpprober.transcript;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A JSON object that is recognisably a JSON-RPC message. Recognition is lenient where a verdict is to be given later: a missing
 * {@code jsonrpc} member, a null {@code error} beside a result or an id of the wrong type do not make a message unreadable.
 */
public sealed interface Message {
    JsonNode node();

    /** {@code method} is a string and {@code id} is there (null included: the sender wrote one). */
    record Request(JsonNode node, String method, JsonNode id) implements Message {}

    /** {@code method} is a string and there is no {@code id}. */
    record Notification(JsonNode node, String method) implements Message {}

    /**
     * No {@code method}; a {@code result} or an {@code error} is there, or at least the envelope of an answer: an undefined result
     * leaves no trace in what JavaScript writes. {@code id} is null where the member is absent.
     */
    record Response(JsonNode node, JsonNode id) implements Message {
        /** An {@code error} member that says something, i.e. is not null. */
        public boolean hasError() {
            return node.hasNonNull("error");
        }

        /** A {@code result} member that is not null, or is null with no error beside it. */
        public boolean hasResult() {
            return node.has("result") && (!node.get("result").isNull() || !hasError());
        }
    }

    /** The message in a JSON value, or null when the value is none. */
    static Message of(JsonNode node) {
        if (!node.isObject()) {
            return null;
        }
        JsonNode method = node.get("method");
        if (method != null && method.isTextual()) {
            JsonNode id = node.get("id");
            return id == null ? new Notification(node, method.textValue()) : new Request(node, method.textValue(), id);
        }
        boolean answer = node.has("result") || node.has("error") || node.has("jsonrpc") && node.has("id");
        return (method == null || method.isNull()) && answer ? new Response(node, node.get("id")) : null;
    }
}
