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

    public Interval {
        if (!(0 <= low && low <= high && high <= 1)) {
            throw new IllegalArgumentException("no interval of shares: " + low + " to " + high);
        }
    }
}
