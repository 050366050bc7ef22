package dev.mcpprober.stats;

import java.util.List;

/**
 * Agreement of two judges, or of one at two times, over things each put into one of several categories (Cohen 1960). Chance-corrected
 * agreement depends on how common the categories are, so the raw agreement belongs beside it.
 *
 * @param table square; row: the first's category, column: the second's, cell: how many things
 */
public record Kappa(List<List<Integer>> table) {
    public Kappa {
        table = table.stream().map(List::copyOf).toList();
        int size = table.size();
        if (table.stream().anyMatch(row -> row.size() != size || row.stream().anyMatch(cell -> cell < 0))) {
            throw new IllegalArgumentException("no square table of counts");
        }
    }

    /** Things that both put into the same category, of all: with its own interval the test-retest agreement. */
    public Proportion agreement() {
        int same = 0;
        int all = 0;
        for (int i = 0; i < table.size(); i++) {
            same += table.get(i).get(i);
            all += table.get(i).stream().mapToInt(Integer::intValue).sum();
        }
        return new Proportion(same, all);
    }

    /** 1 perfect, 0 as by chance; NaN where nothing was judged or only one category was ever used, when chance explains everything. */
    public double value() {
        double chance = chance();
        return (agreement().share().orElse(Double.NaN) - chance) / (1 - chance);
    }

    private double chance() {
        double sum = 0;
        for (int i = 0; i < table.size(); i++) {
            sum += row(i) * column(i);
        }
        return sum;
    }

    private double cell(int i, int j) {
        return (double) table.get(i).get(j) / agreement().n();
    }

    private double row(int i) {
        return table.get(i).stream().mapToInt(Integer::intValue).sum() / (double) agreement().n();
    }

    private double column(int j) {
        return table.stream().mapToInt(row -> row.get(j)).sum() / (double) agreement().n();
    }

    /** Large-sample standard error (Fleiss, Cohen and Everitt 1969). */
    public double standardError() {
        double kappa = value();
        double chance = chance();
        double a = 0;
        double b = 0;
        for (int i = 0; i < table.size(); i++) {
            a += cell(i, i) * Math.pow(1 - (row(i) + column(i)) * (1 - kappa), 2);
            for (int j = 0; j < table.size(); j++) {
                b += i == j ? 0 : cell(i, j) * Math.pow(column(i) + row(j), 2);
            }
        }
        double c = Math.pow(kappa - chance * (1 - kappa), 2);
        return Math.sqrt(Math.max(0, a + Math.pow(1 - kappa, 2) * b - c) / agreement().n()) / (1 - chance);
    }

    /** Lower end of the 95 % interval, not below -1. */
    public double low() {
        return Math.max(-1, value() - Normal.Z * standardError());
    }

    /** Upper end, not above 1. */
    public double high() {
        return Math.min(1, value() + Normal.Z * standardError());
    }
}
