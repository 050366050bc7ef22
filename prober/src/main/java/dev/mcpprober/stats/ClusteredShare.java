package dev.mcpprober.stats;

import java.util.List;

/**
 * A share over servers of publishers whose servers resemble each other. The variance is that of the linearised ratio estimator, with
 * whole publishers as what was drawn: SE² = G/(G−1) · Σ(kᵢ − p·mᵢ)² / n² (Cochran 1977, section 9; Korn and Graubard 1998 for the
 * effective size).
 *
 * @param clusters one for each publisher, none empty
 */
public record ClusteredShare(List<Proportion> clusters) {
    public ClusteredShare {
        clusters = List.copyOf(clusters);
        if (clusters.stream().anyMatch(cluster -> cluster.n() == 0)) {
            throw new IllegalArgumentException("a publisher without servers");
        }
    }

    /** All servers, as if they were independent. */
    public Proportion all() {
        return new Proportion(clusters.stream().mapToInt(Proportion::k).sum(), clusters.stream().mapToInt(Proportion::n).sum());
    }

    public int publishers() {
        return clusters.size();
    }

    /** Of the share; NaN where there are fewer than two publishers. */
    public double standardError() {
        double n = all().n();
        double share = all().share().orElse(0);
        double squares = clusters.stream().mapToDouble(cluster -> Math.pow(cluster.k() - share * cluster.n(), 2)).sum();
        int g = clusters.size();
        return g < 2 ? Double.NaN : Math.sqrt((double) g / (g - 1) * squares) / n;
    }

    /**
     * How many times the variance of independent draws; 1 where every publisher has one server, and never less. Where all servers are
     * the same it cannot be estimated and is as large as it can be: each publisher counts as one draw. NaN where there are no servers.
     */
    public double designEffect() {
        Proportion all = all();
        if (all.n() == 0 || all.n() == clusters.size()) {
            return all.n() == 0 ? Double.NaN : 1;
        }
        if (all.k() == 0 || all.k() == all.n() || clusters.size() < 2) {
            return (double) all.n() / clusters.size();
        }
        double share = all.share().getAsDouble();
        return Math.max(1, Math.pow(standardError(), 2) / (share * (1 - share) / all.n()));
    }

    /** Independent draws that would tell as much; 0 where there are no servers. */
    public double effectiveSize() {
        return all().n() == 0 ? 0 : all().n() / designEffect();
    }

    /** 95 %, Wilson at the effective size: the one for tables. */
    public Interval wilson() {
        return all().n() == 0 ? Interval.UNKNOWN : Normal.wilson(all().share().getAsDouble(), effectiveSize());
    }

    /** 95 %, Student's t with G − 1 degrees of freedom; everything where there are fewer than two publishers. */
    public Interval linearised() {
        if (clusters.size() < 2) {
            return Interval.UNKNOWN;
        }
        double half = Normal.t(clusters.size() - 1) * standardError();
        double share = all().share().getAsDouble();
        return Normal.within(share - half, share + half);
    }
}
