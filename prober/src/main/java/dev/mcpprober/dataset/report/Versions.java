package dev.mcpprober.dataset.report;

import java.math.BigInteger;
import java.util.Comparator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The order of releases: numbers by their size, and what comes before a release before it. Any text has its place. */
final class Versions {
    static final Comparator<String> ORDER = Versions::compare;
    private static final Pattern BUILD = Pattern.compile("\\+.*");
    private static final Pattern PART = Pattern.compile("[0-9]+|[^0-9.-]+");

    private static final int NUMBER = 3;

    private Versions() {}

    private static int compare(String a, String b) {
        List<String> left = parts(a);
        List<String> right = parts(b);
        for (int i = 0; i < Math.max(left.size(), right.size()); i++) {
            int order = part(i < left.size() ? left.get(i) : "", i < right.size() ? right.get(i) : "");
            if (order != 0) {
                return order;
            }
        }
        return a.compareTo(b);
    }

    private static List<String> parts(String version) {
        return PART.matcher(BUILD.matcher(version).replaceFirst("")).results().map(MatchResult::group).toList();
    }

    /** Words (alpha, rc) come before the end, and the end before a post-release and numbers. */
    private static int part(String a, String b) {
        int kind = Integer.compare(kind(a), kind(b));
        return kind != 0 ? kind : kind(a) == NUMBER ? new BigInteger(a).compareTo(new BigInteger(b)) : a.compareTo(b);
    }

    private static int kind(String part) {
        return part.isEmpty() ? 1 : part.equals("post") ? 2 : part.chars().allMatch(c -> c >= '0' && c <= '9') ? NUMBER : 0;
    }
}
