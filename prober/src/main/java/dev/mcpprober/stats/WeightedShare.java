package dev.mcpprober.stats;

/**
 * A share over things that were drawn with unequal chances, each weighted by how many it stands for. Its effective size is Kish's: the number
 * of draws with equal chances that would tell as much.
 *
 * @param share in [0, 1]; NaN where nothing was drawn
 * @param size  effective, need not be whole
 */
public record WeightedShare(double share, double size) {
    public static final WeightedShare NOTHING = new WeightedShare(Double.NaN, 0);

    public static WeightedShare of(Proportion proportion) {
        return proportion.n() == 0 ? NOTHING : new WeightedShare(proportion.share().getAsDouble(), proportion.n());
    }

    public boolean empty() {
        return size == 0;
    }

    /** 95 %, Wilson at the effective size; everything where nothing was drawn. */
    public Interval wilson() {
        return empty() ? Interval.UNKNOWN : Normal.wilson(share, size);
    }

    /** Adds up weighted things one by one. */
    public static final class Sum {
        private double hits;
        private double weights;
        private double squares;

        public void add(double weight, boolean hit) {
            hits += hit ? weight : 0;
            weights += weight;
            squares += weight * weight;
        }

        public WeightedShare share() {
            return weights == 0 ? NOTHING : new WeightedShare(Math.min(1, hits / weights), weights * weights / squares);
        }
    }
}
