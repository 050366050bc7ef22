package dev.mcpprober.bench;

import java.util.Arrays;
import java.util.Locale;

/** Measured times in seconds, in the order of their rounds. */
record Samples(double[] seconds) {
    Samples {
        seconds = seconds.clone();
    }

    double median() {
        double[] sorted = sorted();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    double least() {
        return sorted()[0];
    }

    private double[] sorted() {
        double[] sorted = seconds.clone();
        Arrays.sort(sorted);
        return sorted;
    }

    /** Round by round: what other load of the machine does to one round it does to both. */
    Samples over(Samples other) {
        double[] ratios = new double[seconds.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = seconds[i] / other.seconds[i];
        }
        return new Samples(ratios);
    }

    /** Median, least and greatest. */
    String text() {
        double[] sorted = sorted();
        return String.format(Locale.ROOT, "%7.3f s  [%.3f .. %.3f]", median(), sorted[0], sorted[sorted.length - 1]);
    }
}
