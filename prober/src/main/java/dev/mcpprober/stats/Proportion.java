package dev.mcpprober.stats;

import java.util.OptionalDouble;
import org.apache.commons.statistics.interval.BinomialConfidenceInterval;

/**
 * {@code k} of {@code n}. Its intervals take the {@code n} as independent draws; where publishers own many servers each, they
 * are too narrow and the design effect has to be put in elsewhere.
 *
 * @param k how many had the property, 0 to {@code n}
 * @param n how many were looked at; 0 is allowed and says nothing
 */
public record Proportion(int k, int n) {
    private static final double ERROR_RATE = 0.05;

    public Proportion {
        if (k < 0 || k > n) {
            throw new IllegalArgumentException("no proportion: " + k + " of " + n);
        }
    }

    /** {@code k / n}, empty when {@code n} is 0. */
    public OptionalDouble share() {
        return n == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) k / n);
    }

    /** Wilson score interval, 95 %, without continuity correction: the one for tables. */
    public Interval wilson() {
        return of(BinomialConfidenceInterval.WILSON_SCORE);
    }

    /** Clopper-Pearson interval, 95 %: covers at least that much whatever the share, at the price of width. */
    public Interval clopperPearson() {
        return of(BinomialConfidenceInterval.CLOPPER_PEARSON);
    }

    private Interval of(BinomialConfidenceInterval method) {
        if (n == 0) {
            return Interval.UNKNOWN;
        }
        var bounds = method.fromErrorRate(n, k, ERROR_RATE);
        // Exact at the ends, where rounding would leave 0 of n a bound of 1e-17 that shuts the share itself out.
        return new Interval(k == 0 ? 0 : bounds.getLowerBound(), k == n ? 1 : bounds.getUpperBound());
    }
}
