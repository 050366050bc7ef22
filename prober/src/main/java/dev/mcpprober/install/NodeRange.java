package dev.mcpprober.install;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Does a Node version satisfy a range of {@code engines.node}? Releases only; a range that cannot be read excludes nothing, as for npm. */
final class NodeRange {
    private static final Pattern PART = Pattern.compile("^(\\^|~>?|>=|<=|>|<|=)?\\s*v?(\\d+|[xX*])(?:\\.(\\d+|[xX*]))?(?:\\.(\\d+|[xX*]))?(?:[-+][0-9A-Za-z.+-]*)?$");
    private static final Pattern HYPHEN = Pattern.compile("^\\s*(\\S+)\\s+-\\s+(\\S+)\\s*$");

    private static final int MAX_LENGTH = 1_000;

    private NodeRange() {}

    /** @param version {@code major.minor.patch} */
    static boolean allows(String range, String version) {
        Optional<long[]> parsed = numbers(version);
        if (parsed.isEmpty() || range.isBlank() || range.length() > MAX_LENGTH) {
            return true;
        }
        for (String alternative : range.split("\\|\\|")) {
            if (all(alternative, parsed.get())) {
                return true;
            }
        }
        return false;
    }

    private static boolean all(String alternative, long[] version) {
        Matcher hyphen = HYPHEN.matcher(alternative);
        String list = hyphen.matches() ? ">=" + hyphen.group(1) + " <=" + hyphen.group(2) : alternative;
        String joined = list.strip().replaceAll("(\\^|~>?|>=|<=|>|<|=)\\s+", "$1");
        for (String part : joined.isEmpty() ? new String[0] : joined.split("[\\s,]+")) {
            if (!one(part, version)) {
                return false;
            }
        }
        return true;
    }

    private static boolean one(String part, long[] version) {
        Matcher matcher = PART.matcher(part);
        if (!matcher.matches()) {
            return true;
        }
        String operator = matcher.group(1) == null ? "=" : matcher.group(1);
        int given = 0;
        long[] low = new long[3];
        while (given < 3 && matcher.group(given + 2) != null && matcher.group(given + 2).matches("\\d{1,9}")) {
            low[given] = Long.parseLong(matcher.group(given + 2));
            given++;
        }
        if (given == 0) {
            return !operator.equals("<") && !operator.equals(">");
        }
        return switch (operator) {
            case ">=" -> compare(version, low) >= 0;
            case "<" -> compare(version, low) < 0;
            case ">" -> given == 3 ? compare(version, low) > 0 : compare(version, next(low, given - 1)) >= 0;
            case "<=" -> given == 3 ? compare(version, low) <= 0 : compare(version, next(low, given - 1)) < 0;
            case "^" -> compare(version, low) >= 0 && compare(version, next(low, caret(low, given))) < 0;
            case "=" -> given == 3 ? compare(version, low) == 0 : compare(version, low) >= 0 && compare(version, next(low, given - 1)) < 0;
            default -> compare(version, low) >= 0 && compare(version, next(low, Math.min(given - 1, 1))) < 0; // tilde
        };
    }

    /** The place that must not change: the first that is not zero. */
    private static int caret(long[] low, int given) {
        int place = 0;
        while (place < given - 1 && low[place] == 0) {
            place++;
        }
        return place;
    }

    private static long[] next(long[] version, int place) {
        long[] next = new long[3];
        System.arraycopy(version, 0, next, 0, place + 1);
        next[place]++;
        return next;
    }

    private static int compare(long[] a, long[] b) {
        for (int i = 0; i < 3; i++) {
            if (a[i] != b[i]) {
                return Long.compare(a[i], b[i]);
            }
        }
        return 0;
    }

    private static Optional<long[]> numbers(String version) {
        Matcher matcher = Pattern.compile("v?(\\d{1,9})\\.(\\d{1,9})\\.(\\d{1,9}).*").matcher(version);
        return matcher.matches() ? Optional.of(new long[] {Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)), Long.parseLong(matcher.group(3))})
                : Optional.empty();
    }
}
