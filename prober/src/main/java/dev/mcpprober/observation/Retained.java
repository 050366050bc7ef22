package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.JsonSchemas;

/**
 * What may be kept of the messages of one target, over all its sessions. A value costs far more memory than it has bytes on the
 * wire, and a server may fill every reply with them.
 */
final class Retained {
    /** Of one JSON value with its name, about. */
    private static final long VALUE = 60;
    private long left = 64L << 20;

    /** What a text takes up: one character that is not Latin-1 makes all of them cost two bytes. */
    static int bytes(String text) {
        return text.chars().allMatch(c -> c < 256) ? text.length() : 2 * text.length();
    }

    /** False when it is not to be kept: there is too much already. */
    boolean fits(JsonNode message, int lineBytes) {
        long cost = VALUE * JsonSchemas.size(message) + lineBytes;
        if (cost > left) {
            return false;
        }
        left -= cost;
        return true;
    }
}
