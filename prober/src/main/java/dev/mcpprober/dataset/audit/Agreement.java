package dev.mcpprober.dataset.audit;

import dev.mcpprober.dataset.Column;
import dev.mcpprober.dataset.CsvTable;
import dev.mcpprober.dataset.Decimal;
import dev.mcpprober.dataset.Row;
import dev.mcpprober.dataset.TableSchema;
import dev.mcpprober.stats.Interval;
import dev.mcpprober.stats.Kappa;
import dev.mcpprober.stats.Proportion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** How far two labellers agree, by kind and rule; cannot-tell is a word like others. */
final class Agreement {
    static final TableSchema SCHEMA = new TableSchema("agreement", "How far two labellers agree on what both have answered. Kappa is low where nearly everything is one word, "
            + "however well they agree: read it with the raw agreement and the prevalence.", List.of(
            Column.plain("first", "Labeller.").always(),
            Column.plain("second", "Labeller.").always(),
            Column.oneOf("kind", "Kind of decision.", Decision.KINDS).always(),
            Column.plain("rule_set", "Rule set; none where none is behind it; all for the whole kind.").always(),
            Column.plain("rule", "Check or kind; all for the whole kind.").always(),
            Column.integer("both", "Decisions that both answered.").always(),
            Column.integer("same", "Of them, those with the same answer.").always(),
            Column.number("agreement", "same / both.").always(),
            Column.number("agreement_low", "Lower bound of Wilson's interval.").always(),
            Column.number("agreement_high", "Upper bound.").always(),
            Column.plain("most_common", "The answer that the two gave most often.").always(),
            Column.number("prevalence", "Its share of their answers.").always(),
            Column.number("kappa", "Cohen's kappa; empty where only one answer was ever given."),
            Column.number("kappa_low", "Lower bound of its interval."),
            Column.number("kappa_high", "Upper bound.")),
            List.of("first", "second", "kind", "rule_set", "rule"), List.of());
    static final String ALL = "all";

    private Agreement() {}

    /** @param group kind, rule set, rule */
    record Line(String first, String second, List<String> group, Proportion agreement, String mostCommon, double prevalence, Kappa kappa) {}

    static List<Line> of(Labels labels, Map<String, AuditFolder.Keyed> key) {
        List<Line> out = new ArrayList<>();
        List<String> names = labels.labellers();
        for (int i = 0; i < names.size(); i++) {
            for (int j = i + 1; j < names.size(); j++) {
                String first = names.get(i);
                String second = names.get(j);
                Map<List<String>, List<List<String>>> pairs = new TreeMap<>(CsvTable.KEY_ORDER);
                labels.given().forEach((decision, given) -> {
                    if (given.containsKey(first) && given.containsKey(second)) {
                        List<String> pair = List.of(given.get(first), given.get(second));
                        Decision.Stratum stratum = key.get(decision).stratum();
                        pairs.computeIfAbsent(List.of(stratum.kind(), stratum.ruleSet(), stratum.rule()), k -> new ArrayList<>()).add(pair);
                        pairs.computeIfAbsent(List.of(stratum.kind(), ALL, ALL), k -> new ArrayList<>()).add(pair);
                    }
                });
                pairs.forEach((group, answers) -> out.add(line(first, second, group, answers)));
            }
        }
        return out;
    }

    private static Line line(String first, String second, List<String> group, List<List<String>> answers) {
        TreeMap<String, Integer> counts = new TreeMap<>();
        answers.forEach(pair -> pair.forEach(word -> counts.merge(word, 1, Integer::sum)));
        List<String> words = List.copyOf(new TreeSet<>(counts.keySet()));
        int[][] table = new int[words.size()][words.size()];
        answers.forEach(pair -> table[words.indexOf(pair.get(0))][words.indexOf(pair.get(1))]++);
        List<List<Integer>> square = new ArrayList<>();
        for (int[] row : table) {
            square.add(java.util.Arrays.stream(row).boxed().toList());
        }
        Kappa kappa = new Kappa(square);
        String common = counts.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
        return new Line(first, second, group, kappa.agreement(), common, counts.get(common) / (2.0 * answers.size()), kappa);
    }

    static Path write(List<Line> lines, Path folder) throws IOException {
        try (CsvTable table = new CsvTable(folder, SCHEMA)) {
            table.add(lines.stream().map(Agreement::row).toList());
            return table.finish();
        }
    }

    private static Row row(Line line) {
        Interval interval = line.agreement().wilson();
        Row row = new Row(SCHEMA).set("first", line.first()).set("second", line.second()).set("kind", line.group().get(0)).set("rule_set", line.group().get(1))
                .set("rule", line.group().get(2)).set("both", line.agreement().n()).set("same", line.agreement().k())
                .set("agreement", Decimal.text(line.agreement().share().orElseThrow())).set("agreement_low", Decimal.text(interval.low()))
                .set("agreement_high", Decimal.text(interval.high())).set("most_common", line.mostCommon()).set("prevalence", Decimal.text(line.prevalence()));
        if (!Double.isNaN(line.kappa().value())) {
            row.set("kappa", Decimal.text(line.kappa().value())).set("kappa_low", Decimal.text(line.kappa().low())).set("kappa_high", Decimal.text(line.kappa().high()));
        }
        return row;
    }
}
