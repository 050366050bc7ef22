package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.Json;
import java.util.List;
import java.util.stream.Collectors;

/** Short raw quotations for the detail of an observation. */
final class Phrase {
    /** Characters kept of one quotation. */
    static final int QUOTE = 200;
    /** Characters kept of a whole detail. */
    static final int DETAIL = 300;

    private Phrase() {}

    static String cut(String text, int limit) {
        if (text.length() <= limit) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(limit - 1)) ? limit - 1 : limit;
        return text.substring(0, end) + "…";
    }

    static String quote(String text) {
        return cut(text, QUOTE);
    }

    static String quote(JsonNode node) {
        return node == null || node.isMissingNode() ? "nothing" : quote(Json.write(node));
    }

    static String detail(String text) {
        return cut(text, DETAIL);
    }

    /** What was looked through where nothing was found: the sessions, so that a reader can do it again. */
    static String sessions(List<SessionLog> logs) {
        return detail("looked through " + logs.stream().map(SessionLog::name).collect(Collectors.joining(", ")));
    }

    /** {@code 1 line}, {@code 3 lines}. */
    static String count(int number, String one) {
        return number + " " + one + (number == 1 ? "" : "s");
    }
}
