package dev.mcpprober.observation;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which checks a script is there for, so that one that was never reached still has its row. A test holds this against the
 * scripts themselves, which this package does not see.
 */
final class ScriptChecks {
    private static final List<Check> CALLS = List.of(Check.TOOLS_CALL_WRONG_TYPE, Check.TOOLS_CALL_MISSING_REQUIRED, Check.TOOLS_CALL_UNKNOWN);
    private static final Map<String, List<Check>> BY_SCRIPT = new LinkedHashMap<>();

    static {
        List<Check> quick = List.of(Check.TOOLS_CALL_NO_NAME, Check.METHOD_NOT_FOUND, Check.TOOLS_CAPABILITY);
        List<Check> negative = List.of(Check.METHOD_NOT_FOUND, Check.TOOLS_CALL_NO_NAME, Check.TOOLS_CALL_BAD_ARGUMENTS);
        List<Check> full = List.of(Check.TOOLS_CAPABILITY, Check.STDIN_EOF);
        List<Check> legacyOpening = List.of(Check.SERVER_INITIALIZE, Check.PING);
        BY_SCRIPT.put("discover", List.of(Check.ERA_DETECT));
        BY_SCRIPT.put("legacy-quick", join(legacyOpening, ToolListObserver.CHECKS, CALLS, quick));
        BY_SCRIPT.put("legacy-full", join(legacyOpening, ToolListObserver.CHECKS, CALLS, full));
        BY_SCRIPT.put("legacy-negative", negative);
        BY_SCRIPT.put("legacy-malformed", List.of(Check.MALFORMED_JSON));
        BY_SCRIPT.put("modern-quick", join(List.of(Check.DISCOVER), ToolListObserver.CHECKS, CALLS, quick));
        BY_SCRIPT.put("modern-full", join(List.of(Check.DISCOVER), ToolListObserver.CHECKS, CALLS, full));
        BY_SCRIPT.put("modern-negative", negative);
        BY_SCRIPT.put("modern-malformed", List.of(Check.MALFORMED_JSON));
        BY_SCRIPT.put("modern-version", List.of(Check.UNSUPPORTED_VERSION));
    }

    private ScriptChecks() {}

    @SafeVarargs
    private static List<Check> join(List<Check>... parts) {
        return List.of(parts).stream().flatMap(List::stream).toList();
    }

    /** @param label script id and version, e.g. {@code legacy-full@1}; empty for a script that is not known here */
    static List<Check> of(String label) {
        return BY_SCRIPT.getOrDefault(label.replaceFirst("@.*$", ""), List.of());
    }
}
