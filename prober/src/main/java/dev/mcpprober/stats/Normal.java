package dev.mcpprober.stats;

import org.apache.commons.statistics.distribution.NormalDistribution;
import org.apache.commons.statistics.distribution.TDistribution;

/** The quantiles behind 95 % intervals. */
final class Normal {
    private static final double UPPER = 0.975;
    static final double Z = NormalDistribution.of(0, 1).inverseCumulativeProbability(UPPER);

    private Normal() {}

    /** Of Student's t. */
    static double t(int degreesOfFreedom) {
        return TDistribution.of(degreesOfFreedom).inverseCumulativeProbability(UPPER);
    }

    /** Wilson's score interval for a share seen in {@code n} independent draws; {@code n} need not be whole. */
    static Interval wilson(double share, double n) {
        double z2 = Z * Z;
        double middle = (share + z2 / (2 * n)) / (1 + z2 / n);
        double half = Z / (1 + z2 / n) * Math.sqrt(share * (1 - share) / n + z2 / (4 * n * n));
        return within(share == 0 ? 0 : middle - half, share == 1 ? 1 : middle + half);
    }

    /** Cut to shares. */
    static Interval within(double low, double high) {
        double floor = Math.min(1, Math.max(0, low));
        return new Interval(floor, Math.min(1, Math.max(floor, high)));
    }
}
