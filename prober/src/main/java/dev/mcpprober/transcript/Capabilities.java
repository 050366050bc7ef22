package dev.mcpprober.transcript;

import com.fasterxml.jackson.databind.JsonNode;

/** What a handshake declares. The session asks by it and the extractor judges by it, so that neither takes for declared what the other does not. */
public final class Capabilities {
    private Capabilities() {}

    /**
     * Null and false say that there is none.
     *
     * @param capabilities as they stand in the result; may be missing
     */
    public static boolean declare(JsonNode capabilities, String name) {
        JsonNode value = capabilities.path(name);
        return !value.isMissingNode() && !value.isNull() && !(value.isBoolean() && !value.booleanValue());
    }
}
