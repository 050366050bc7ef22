package dev.mcpprober.stats;

/**
 * A closed interval of shares, both bounds in [0, 1].
 *
 * @param low  lower bound
 * @param high upper bound, not below {@code low}
 */
public record Interval(double low, double high) {
    /** What is known of a share when nothing was counted. */
    public static final Interval UNKNOWN = new Interval(0, 1);

    /** Wilson's, of 95 %, for a share seen in {@code n} independent draws, which need not be whole; unknown where these are no share and no number of draws. */
    public static Interval wilson(double share, double n) {
        return 0 <= share && share <= 1 && n > 0 && n < Double.POSITIVE_INFINITY ? Normal.wilson(share, n) : UNKNOWN;
    }

    public Interval {
        if (!(0 <= low && low <= high && high <= 1)) {
            throw new IllegalArgumentException("no interval of shares: " + low + " to " + high);
        }
    }
}
