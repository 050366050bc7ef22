package dev.mcpprober.stats;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Holm's step-down adjustment of several p-values (Holm 1979): any number below 0.05 after it, and at most 5 % risk of one false claim. */
public final class Holm {
    private Holm() {}

    /** Adjusted values in the order of {@code values}. */
    public static List<Double> adjust(List<Double> values) {
        int m = values.size();
        int[] ascending = IntStream.range(0, m).boxed().sorted(Comparator.comparing(values::get)).mapToInt(i -> i).toArray();
        Double[] adjusted = new Double[m];
        double highest = 0;
        for (int rank = 0; rank < m; rank++) {
            highest = Math.max(highest, Math.min(1, (m - rank) * values.get(ascending[rank])));
            adjusted[ascending[rank]] = highest;
        }
        return Arrays.asList(adjusted);
    }
}
