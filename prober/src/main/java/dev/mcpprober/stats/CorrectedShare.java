package dev.mcpprober.stats;

/**
 * A share corrected for the errors of the classifier that counted it (Rogan and Gladen 1978), with an interval that carries the
 * uncertainty of all three figures (Lang and Reiczigel 2014).
 *
 * <p>Shares may be weighted: a share of effective size n counts as n · share of n.
 *
 * @param seen        what the classifier counted
 * @param sensitivity of those that have the property, how many it found
 * @param specificity of those that have it not, how many it left alone
 */
public record CorrectedShare(WeightedShare seen, WeightedShare sensitivity, WeightedShare specificity) {
    /** From plain counts, as the papers have it. */
    public CorrectedShare(Proportion seen, Proportion sensitivity, Proportion specificity) {
        this(WeightedShare.of(seen), WeightedShare.of(sensitivity), WeightedShare.of(specificity));
    }

    /** True where a classifier no better than chance, or no audit, leaves nothing to correct by. */
    public boolean undefined() {
        return seen.empty() || sensitivity.empty() || specificity.empty() || youden() <= 0;
    }

    private double youden() {
        return sensitivity.share() + specificity.share() - 1;
    }

    /** Cut to [0, 1]; NaN where it is undefined. */
    public double share() {
        return undefined() ? Double.NaN
                : Math.min(1, Math.max(0, (seen.share() + specificity.share() - 1) / youden()));
    }

    /** 95 %; everything where it is undefined. */
    public Interval interval() {
        // One success and one failure are added to each audit figure, z²/2 of each to the count itself.
        double z2 = Normal.Z * Normal.Z;
        double n = seen.size() + z2;
        double ns = sensitivity.size() + 2;
        double nc = specificity.size() + 2;
        double p = (seen.share() * seen.size() + z2 / 2) / n;
        double s = (sensitivity.share() * sensitivity.size() + 1) / ns;
        double c = (specificity.share() * specificity.size() + 1) / nc;
        double youden = s + c - 1;
        if (undefined() || youden <= 0) {
            return Interval.UNKNOWN;
        }
        double middle = (p + c - 1) / youden;
        double errorS = s * (1 - s) / ns;
        double errorC = c * (1 - c) / nc;
        double shift = 2 * z2 * (middle * errorS - (1 - middle) * errorC);
        double variance = (p * (1 - p) / n + middle * middle * errorS + (1 - middle) * (1 - middle) * errorC) / (youden * youden);
        double half = Normal.Z * Math.sqrt(variance);
        return Normal.within(middle + shift - half, middle + shift + half);
    }
}
