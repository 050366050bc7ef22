package dev.mcpprober.dataset.compare;

import dev.mcpprober.dataset.Stand;
import dev.mcpprober.rules.VerdictWord;
import dev.mcpprober.stats.McNemar;
import java.util.Map;
import java.util.TreeMap;

/**
 * One check over all pairs of verdicts. A breach is {@code fail}; {@code pass}, {@code warn} and {@code divergent} keep to the demand;
 * the others decide nothing, and a pair with one of them is not comparable.
 */
public final class CheckTally {
    /** Where a pair of verdicts belongs. */
    public enum Kind {
        TO_FAIL("to-fail"), TO_PASS("to-pass"), OTHER("other"), UNCHANGED("unchanged");

        private final String id;

        Kind(String id) {
            this.id = id;
        }

        String id() {
            return id;
        }
    }

    static final String NO_VERDICT = "no-verdict";

    private int bothPass;
    private int bothFail;
    private int toFail;
    private int toPass;
    private int failOnlyA;
    private int failOnlyB;
    private final Map<String, Integer> notComparable = new TreeMap<>();
    private final Map<String, Map<String, Integer>> transitions = new TreeMap<>();

    /** Null is a server without a verdict on the check. */
    public Kind add(Stand a, Stand b) {
        String before = word(a);
        String after = word(b);
        transitions.computeIfAbsent(before, key -> new TreeMap<>()).merge(after, 1, Integer::sum);
        boolean failA = before.equals(VerdictWord.FAIL.id());
        boolean failB = after.equals(VerdictWord.FAIL.id());
        failOnlyA += failA && !failB ? 1 : 0;
        failOnlyB += failB && !failA ? 1 : 0;
        if (!decides(a) || !decides(b)) {
            notComparable.merge(reason(a, b, before, after), 1, Integer::sum);
            return before.equals(after) ? Kind.UNCHANGED : Kind.OTHER;
        }
        return count(failA, failB, before.equals(after));
    }

    private static String reason(Stand a, Stand b, String before, String after) {
        if (decides(a)) {
            return "B " + after;
        }
        if (decides(b)) {
            return "A " + before;
        }
        return before.equals(after) ? "both " + before : "A " + before + " B " + after;
    }

    private Kind count(boolean failA, boolean failB, boolean same) {
        if (failA && failB) {
            bothFail++;
            return Kind.UNCHANGED;
        } else if (failB) {
            toFail++;
            return Kind.TO_FAIL;
        } else if (failA) {
            toPass++;
            return Kind.TO_PASS;
        }
        bothPass++;
        return same ? Kind.UNCHANGED : Kind.OTHER;
    }

    /**
     * Whole servers over all compared checks: a server fails where one of the checks that both decide fails.
     *
     * @param anyFailA fails in A, whether or not B decides
     */
    public void addWhole(int comparable, boolean failA, boolean failB, boolean anyFailA, boolean anyFailB) {
        failOnlyA += anyFailA && !anyFailB ? 1 : 0;
        failOnlyB += anyFailB && !anyFailA ? 1 : 0;
        if (comparable == 0) {
            notComparable.merge("no check decided on both sides", 1, Integer::sum);
        } else {
            count(failA, failB, true);
        }
    }

    public static boolean decides(Stand stand) {
        return stand != null && switch (stand.word()) {
            case PASS, FAIL, WARN, DIVERGENT -> true;
            default -> false;
        };
    }

    private static String word(Stand stand) {
        return stand == null ? NO_VERDICT : stand.word().id();
    }

    /** The counts so far. */
    public Comparison.Line line(String check, int n) {
        return new Comparison.Line(check, n, bothPass, toFail, toPass, bothFail, notComparable, new McNemar(toPass, toFail).pValue(), Double.NaN,
                failOnlyA, failOnlyB, new McNemar(failOnlyA, failOnlyB).pValue(), transitions);
    }
}
