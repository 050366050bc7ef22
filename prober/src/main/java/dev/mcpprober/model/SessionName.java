package dev.mcpprober.model;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Name of a session within its target, as transcripts and tables have it: that of the plan, and for a repeat of the whole plan its
 * number, e.g. {@code legacy}, {@code legacy.2} (the continuation of a lost one), {@code legacy.2~1} (the same in repeat 1).
 *
 * @param plan   name in the session plan
 * @param repeat 0 for the one that stands for the server
 */
public record SessionName(String plan, int repeat) {
    /** Repeats that a run may ask for. */
    public static final int MAX_REPEATS = 100;
    private static final Pattern REPEATED = Pattern.compile("(.+)~([1-9]\\d{0,2})");

    public static SessionName of(String label) {
        Matcher repeated = REPEATED.matcher(label);
        return repeated.matches() ? new SessionName(repeated.group(1), Integer.parseInt(repeated.group(2))) : new SessionName(label, 0);
    }

    public String label() {
        return repeat == 0 ? plan : plan + "~" + repeat;
    }

    /** Name of the session that this one continues, e.g. {@code legacy} for {@code legacy.2}. */
    public String base() {
        return plan.replaceFirst("\\.\\d+$", "");
    }
}
