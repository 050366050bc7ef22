package dev.mcpprober.stats;

import org.apache.commons.statistics.distribution.BinomialDistribution;

/**
 * Exact McNemar test of paired yes-or-no answers: given that a pair disagrees, both directions are as likely (McNemar 1947; exact
 * form as in Fagerland, Lydersen and Laake 2013).
 *
 * @param first  pairs that only the first says yes to
 * @param second pairs that only the second says yes to
 */
public record McNemar(int first, int second) {
    public McNemar {
        if (first < 0 || second < 0) {
            throw new IllegalArgumentException("no counts of pairs: " + first + ", " + second);
        }
    }

    /**
     * Two-sided; 1 where no pair disagrees, which says nothing. Twice the smaller tail: the distribution is symmetric, and a test that looks
     * for outcomes as unlikely as the one seen misses its mirror image where rounding makes that a little likelier.
     */
    public double pValue() {
        return first == second ? 1 : 2 * BinomialDistribution.of(first + second, 0.5).cumulativeProbability(Math.min(first, second));
    }
}
