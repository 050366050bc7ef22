package dev.mcpprober.dataset.report;

import dev.mcpprober.dataset.compare.Comparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Rule sets against each other, on the same observations: what a proposal would cost. */
final class RulesPart implements Part {
    private static final List<Palette.Fill> FILLS = List.of(new Palette.Fill("both keep", "#009E73", ""), new Palette.Fill("to fail", "#D55E00", "rising"),
            new Palette.Fill("to pass", "#56B4E9", "lines"), new Palette.Fill("both fail", "#E69F00", "cross"), new Palette.Fill("not comparable", "#999999", ""));

    @Override
    public Optional<Section> section(Material material) {
        List<Figure> figures = new ArrayList<>();
        StringBuilder text = new StringBuilder(Section.paragraph("The same observations under two rule sets, A and B. both keep: pass, warn or divergent under both. to fail: kept under A, "
                + "fail under B; to pass: the other way. not comparable: one of them does not decide. p is McNemar's exact test of the two directions, p (Holm) the same adjusted "
                + "for the number of checks. any is a server over all checks of both, whatever revision each session agreed on."));
        for (RulePair pair : material.rules()) {
            if (pair.empty()) {
                text.append(Section.paragraph(material.ruleSet() + " and " + pair.other() + " have no check in common: nothing to compare."));
            } else {
                figures.add(figure("rules-" + pair.other().replaceAll("[^A-Za-z0-9]+", "-"), "A " + material.ruleSet() + ", B " + pair.other(), pair.lines()));
            }
        }
        if (material.rules().isEmpty()) {
            text.append(Section.paragraph("Only " + material.ruleSet() + " was applied; report --rules spec,sep-2145 compares two."));
        }
        return Optional.of(new Section("rules", "Rule sets compared", text.toString(), figures));
    }

    /** Of a comparison, whatever its sides are. Checks on which all pairs are undecided are in the table only. */
    static Figure figure(String id, String title, List<Comparison.Line> lines) {
        List<List<Object>> rows = new ArrayList<>();
        List<Charts.Stack> stacks = new ArrayList<>();
        for (Comparison.Line line : lines) {
            rows.add(Sheet.row(line.check(), line.n(), line.bothPass(), line.toFail(), line.toPass(), line.bothFail(), line.incomparable(), line.p(), line.pHolm()));
            if (line.comparable() > 0) {
                stacks.add(new Charts.Stack(line.check(), "n " + Charts.servers(line.n()), List.of(line.bothPass(), line.toFail(), line.toPass(), line.bothFail(),
                        line.incomparable())));
            }
        }
        Sheet sheet = new Sheet(List.of(Sheet.text("check", "check"), Sheet.count("n", "n"), Sheet.count("both_pass", "both keep"), Sheet.count("to_fail", "to fail"),
                Sheet.count("to_pass", "to pass"), Sheet.count("both_fail", "both fail"), Sheet.count("not_comparable", "not comparable"),
                new Sheet.Col("p", "p", Sheet.Kind.NUMBER), new Sheet.Col("p_holm", "p (Holm)", Sheet.Kind.NUMBER)), rows);
        return new Figure(id, title, sheet, Charts.stacks(id, title, FILLS, stacks), Vega.folded(title, sheet, "check",
                List.of("both_pass", "to_fail", "to_pass", "both_fail", "not_comparable"), FILLS));
    }
}
