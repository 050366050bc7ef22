package dev.mcpprober.traits;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What a failure already carries for programs to read, under whatever key: retry hints, codes, ids to look up, guidance. */
final class LookAlikes {
    static final String STRUCTURED = "structured";
    static final String JSON_TEXT = "json-text";
    static final String META = "meta";
    static final String ERROR_DATA = "error-data";
    /** Beside the members that the protocol names. */
    static final String BESIDE = "beside";
    /** In running text, without a key. */
    static final String PROSE = "prose";
    static final List<String> PLACES = List.of(STRUCTURED, JSON_TEXT, META, ERROR_DATA, BESIDE, PROSE);
    private static final int MAX_DEPTH = 4;
    private static final int MAX_MEMBERS = 500;
    private static final int MAX_FOUND = 20;

    /** Kind to the names of keys that mean it, whole names in lower case without {@code _} and {@code -}. */
    private final Map<String, Pattern> kinds;
    private final Map<String, Pattern> prose;

    /** @param prose kind to what says it in running text */
    LookAlikes(Map<String, Pattern> kinds, Map<String, Pattern> prose) {
        this.kinds = new LinkedHashMap<>(kinds);
        this.prose = new LinkedHashMap<>(prose);
    }

    /**
     * @param kind  of the closed list of the rule file
     * @param place one of {@link #PLACES}
     * @param key   the key as written, raw; empty where there is none
     */
    record Found(String kind, String place, String key) {}

    List<Found> in(FailedCall call) {
        List<Found> out = new ArrayList<>();
        for (FailedCall.Placed placed : call.places()) {
            look(placed.value(), placed.place(), 0, new int[1], out);
        }
        if (call.places().stream().noneMatch(placed -> placed.place().equals(JSON_TEXT))) {
            prose.forEach((kind, pattern) -> {
                if (pattern.matcher(call.text()).find()) {
                    out.add(new Found(kind, PROSE, ""));
                }
            });
        }
        return out;
    }

    private void look(JsonNode node, String place, int depth, int[] seen, List<Found> out) {
        node.fields().forEachRemaining(member -> {
            if (++seen[0] > MAX_MEMBERS || out.size() >= MAX_FOUND) {
                return;
            }
            String name = member.getKey().toLowerCase(java.util.Locale.ROOT).replaceAll("[_-]", "");
            if (member.getValue().isValueNode() && !member.getValue().isNull()) {
                kinds.forEach((kind, names) -> {
                    if (names.matcher(name).matches()) {
                        out.add(new Found(kind, place, member.getKey()));
                    }
                });
            }
        });
        for (JsonNode child : node) {
            if (child.isContainerNode() && depth < MAX_DEPTH) {
                look(child, place, depth + 1, seen, out);
            }
        }
    }
}
