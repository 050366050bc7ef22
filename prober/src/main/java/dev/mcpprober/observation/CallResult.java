package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.Era;
import dev.mcpprober.toolfailure.ToolFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The result of a tools/call, read as a client reads it: {@code isError} is a boolean or it says nothing. */
record CallResult(JsonNode node) {
    static CallResult of(JsonNode result) {
        return new CallResult(result);
    }

    boolean inputRequired() {
        return node.path("resultType").isTextual() && node.get("resultType").textValue().equals("input_required");
    }

    /** @param exchange the call that it answers */
    Reading reading(List<Integer> witness, Era era, Exchange exchange) {
        String quote = Phrase.quote(node);
        if (inputRequired() && era == Era.MODERN) {
            List<InputRequest.Fault> faults = InputRequest.faults(exchange, node);
            return faults.isEmpty() ? new Reading(Observed.INPUT_REQUIRED, null, Set.of(), quote, witness, node)
                    : new Reading(Observed.INVALID_RESPONSE, null, Set.of(Flag.INPUT_REQUIRED, faults.get(0).flag()), faults.get(0).words() + ": " + quote, witness, node);
        }
        JsonNode isError = node.path("isError");
        if (!isError.isMissingNode() && !isError.isBoolean()) {
            return new Reading(Observed.INVALID_RESPONSE, null, Set.of(Flag.IS_ERROR_TYPE), "isError is no boolean: " + quote, witness, node);
        }
        if (isError.isBoolean() && isError.booleanValue()) {
            return new Reading(Observed.TOOL_ERROR, null, content() ? Set.of() : Set.of(Flag.SCHEMA), quote, witness, node);
        }
        if (!content()) {
            return new Reading(Observed.INVALID_RESPONSE, null, Set.of(Flag.SCHEMA), "content is no list of content blocks: " + quote, witness, node);
        }
        return new Reading(Observed.SUCCESS, null, ErrorSigns.in(this, "").any() ? Set.of(Flag.ERROR_TEXT) : Set.of(), quote, witness, node);
    }

    /** {@code content} is a list of blocks that say what type they are. */
    private boolean content() {
        JsonNode content = node.path("content");
        if (!content.isArray()) {
            return false;
        }
        for (JsonNode block : content) {
            if (!block.path("type").isTextual()) {
                return false;
            }
        }
        return true;
    }

    /** It says that it is an error, be it in the wrong type. */
    boolean claimsError() {
        JsonNode isError = node.path("isError");
        return isError.isBoolean() ? isError.booleanValue() : isError.asText().equalsIgnoreCase("true") || isError.isNumber() && isError.asInt() != 0;
    }

    List<String> texts() {
        List<String> out = new ArrayList<>();
        JsonNode content = node.path("content");
        if (content.isTextual()) {
            out.add(content.textValue());
        }
        for (JsonNode block : content) {
            if (block.path("text").isTextual()) {
                out.add(block.get("text").textValue());
            }
        }
        return out;
    }

    String text() {
        return String.join("\n", texts());
    }

    JsonNode structured() {
        return node.path("structuredContent");
    }

    /** A block of type {@code error}, as old frameworks send instead of {@code isError}. */
    boolean errorBlock() {
        for (JsonNode block : node.path("content")) {
            if (block.path("type").asText().equals("error")) {
                return true;
            }
        }
        return false;
    }

    /** The key toolFailure, which only failures carry. */
    boolean failureKey() {
        return node.path("_meta").has(ToolFailure.KEY);
    }

    /** No text but white space, no other block, no structured content. */
    boolean empty() {
        if (!structured().isMissingNode() && !structured().isNull()) {
            return false;
        }
        for (JsonNode block : node.path("content")) {
            if (!block.path("type").asText().equals("text")) {
                return false;
            }
        }
        return text().isBlank();
    }

    /** The text as JSON, or the structured content; null when neither is an object or array. */
    JsonNode data() {
        if (Json.parse(text()) instanceof Json.Parsed.Value value && value.node().isContainerNode()) {
            return value.node();
        }
        return structured().isContainerNode() ? structured() : null;
    }
}
