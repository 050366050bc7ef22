package dev.mcpprober.stats;

import org.apache.commons.statistics.inference.AlternativeHypothesis;
import org.apache.commons.statistics.inference.BinomialTest;

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

    /** Two-sided; 1 where no pair disagrees, which says nothing. */
    public double pValue() {
        return first + second == 0 ? 1 : BinomialTest.withDefaults().with(AlternativeHypothesis.TWO_SIDED)
                .test(first + second, first, 0.5).getPValue();
    }
}
