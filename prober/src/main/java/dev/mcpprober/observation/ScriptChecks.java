package dev.mcpprober.observation;

import dev.mcpprober.model.ProtocolRevision;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which checks a script is there for, so that one that was never reached still has its row. A test holds this against the
 * scripts themselves, which this package does not see.
 */
final class ScriptChecks {
    private static final List<Check> CALLS = List.of(Check.TOOLS_CALL_WRONG_TYPE, Check.TOOLS_CALL_MISSING_REQUIRED, Check.TOOLS_CALL_UNKNOWN);
    private static final Map<String, List<Since>> BY_SCRIPT = new LinkedHashMap<>();

    /** Checks that a script is there for from this version on. */
    private record Since(int version, List<Check> checks) {}

    static {
        List<Check> quick = List.of(Check.TOOLS_CALL_NO_NAME, Check.METHOD_NOT_FOUND, Check.TOOLS_CAPABILITY);
        List<Check> negative = List.of(Check.METHOD_NOT_FOUND, Check.TOOLS_CALL_NO_NAME, Check.TOOLS_CALL_BAD_ARGUMENTS);
        List<Check> notices = List.of(Check.TOOLS_LIST_INVALID_CURSOR, Check.NOTIFICATION_NO_RESPONSE, Check.CANCELLED_UNKNOWN, Check.ID_NULL_REQUEST,
                Check.INVALID_UTF8, Check.BATCH_REJECT);
        List<Check> full = List.of(Check.TOOLS_CAPABILITY, Check.STDIN_EOF);
        List<Check> legacyOpening = List.of(Check.SERVER_INITIALIZE, Check.PING);
        List<Check> malformed = List.of(Check.MALFORMED_JSON);
        put("discover", 1, List.of(Check.ERA_DETECT));
        put("legacy-quick", 1, join(legacyOpening, ToolListObserver.CHECKS, CALLS, quick));
        put("legacy-full", 1, join(legacyOpening, ToolListObserver.CHECKS, CALLS, full));
        put("legacy-full", 3, List.of(Check.RESOURCE_NOT_FOUND));
        put("modern-full", 3, List.of(Check.RESOURCE_NOT_FOUND, Check.SUBSCRIPTIONS_ACK));
        put("modern-quick", 1, join(List.of(Check.DISCOVER), ToolListObserver.CHECKS, CALLS, quick));
        put("modern-full", 1, join(List.of(Check.DISCOVER), ToolListObserver.CHECKS, CALLS, full));
        for (String era : List.of("legacy", "modern")) {
            put(era + "-negative", 1, negative);
            put(era + "-negative", 2, notices);
            put(era + "-malformed", 1, malformed);
            put(era + "-malformed-cut", 1, malformed);
            put(era + "-malformed-foreign", 1, malformed);
        }
        put("legacy-batch", 1, List.of(Check.INITIALIZE_VERSION_KNOWN, Check.BATCH_RECEIVE));
        put("modern-version", 1, List.of(Check.UNSUPPORTED_VERSION));
        List<Check> lists = List.of(Check.TOOLS_LIST_ORDER, Check.TOOLS_LIST_SET);
        put("modern-lists", 1, lists);
        put("modern-meta", 1, join(lists, List.of(Check.META_CLIENT_INFO_OPTIONAL, Check.META_MISSING_META, Check.META_MISSING_PROTOCOL_VERSION,
                Check.META_MISSING_CLIENT_CAPABILITIES, Check.UNSUPPORTED_VERSION, Check.REMOVED_METHODS)));
    }

    private static void put(String script, int version, List<Check> checks) {
        BY_SCRIPT.computeIfAbsent(script, key -> new ArrayList<>()).add(new Since(version, checks));
    }

    private ScriptChecks() {}

    @SafeVarargs
    private static List<Check> join(List<Check>... parts) {
        return List.of(parts).stream().flatMap(List::stream).toList();
    }

    /** @param label script id and version, e.g. {@code legacy-full@1}; empty for a script that is not known here */
    static List<Check> of(String label) {
        String[] parts = label.split("@", 2);
        int version = parts.length == 2 && parts[1].matches("\\d{1,6}") ? Integer.parseInt(parts[1]) : 0;
        List<Check> out = new ArrayList<>();
        if (parts[0].startsWith("versions-")) {
            boolean date = parts[0].matches("versions-\\d{4}-\\d\\d-\\d\\d");
            boolean known = date && ProtocolRevision.of(parts[0].substring("versions-".length())).isPresent();
            return date ? List.of(known ? Check.INITIALIZE_VERSION_KNOWN : Check.INITIALIZE_VERSION_UNKNOWN) : out;
        }
        BY_SCRIPT.getOrDefault(parts[0], List.of()).stream().filter(since -> since.version() <= version).forEach(since -> out.addAll(since.checks()));
        return out;
    }
}
