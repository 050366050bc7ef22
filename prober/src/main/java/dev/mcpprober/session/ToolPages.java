package dev.mcpprober.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import java.util.HashSet;
import java.util.Set;

/** Follows {@code nextCursor} from page to page: a present cursor means more, the empty text included; a repeated one never ends. */
final class ToolPages {
    private static final int MAX_PAGES = 200;
    /** Characters of all cursors, each of which is sent back. */
    private static final int MAX_CURSORS = 1 << 20;
    private final Set<String> seen = new HashSet<>();
    private String cursor;
    private boolean more = true;
    private int pages;
    private long cursors;

    boolean more() {
        return more;
    }

    /** Params for the next page; null for the first. */
    ObjectNode params() {
        return cursor == null ? null : Json.object().put("cursor", cursor);
    }

    /** Takes a page's result; returns what to note at the end, {@code pages:N} and why it stopped. */
    String turn(JsonNode result) {
        pages++;
        JsonNode next = result.path("nextCursor");
        more = next.isTextual();
        String note = "pages:" + pages;
        if (more && !seen.add(next.textValue())) {
            more = false;
            note += " cursor repeated";
        } else if (more && (pages >= MAX_PAGES || (cursors += next.textValue().length()) > MAX_CURSORS)) {
            more = false;
            note += " page limit";
        }
        cursor = more ? next.textValue() : null;
        return note;
    }
}
