package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;

/** JSON-RPC ids as values: {@code 1} and {@code 1.0} are the same number, {@code "1"} is another id. */
final class Ids {
    private Ids() {}

    static boolean missing(JsonNode id) {
        return id == null || id.isNull();
    }

    /** Same JSON type and value. */
    static boolean same(JsonNode a, JsonNode b) {
        if (a.isTextual() && b.isTextual()) {
            return a.textValue().equals(b.textValue());
        }
        if (!a.isNumber() || !b.isNumber() || infinite(a) || infinite(b)) {
            return false;
        }
        return a.decimalValue().compareTo(b.decimalValue()) == 0;
    }

    /** Same text but another JSON type, e.g. {@code "3"} for {@code 3}: what a sloppy client would take for the answer. */
    static boolean alike(JsonNode a, JsonNode b) {
        return a.isTextual() != b.isTextual() && a.isValueNode() && b.isValueNode() && a.asText().equals(b.asText());
    }

    /** A number that a double cannot hold, e.g. {@code 1e400}, has no decimal value here. */
    private static boolean infinite(JsonNode number) {
        return number.isFloatingPointNumber() && Double.isInfinite(number.doubleValue());
    }
}
