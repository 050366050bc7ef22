package dev.mcpprober.dataset.audit;

import dev.mcpprober.dataset.TextTable;
import dev.mcpprober.stats.CorrectedShare;
import dev.mcpprober.stats.Interval;
import dev.mcpprober.stats.WeightedShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What came of an audit, as plain text for a terminal. */
final class AuditText {
    private AuditText() {}

    static String render(Labels labels, List<Rates.Line> rates, List<Agreement.Line> agreement, int decisions) {
        long open = labels.given().keySet().stream().filter(decision -> labels.truth(decision).isEmpty()).count();
        StringBuilder out = new StringBuilder();
        out.append(labels.given().size()).append(" of ").append(decisions).append(" decisions answered by ").append(labels.labellers().size()).append(labels.labellers().size() == 1
                ? " labeller; without a second one nobody knows how far people agree\n" : " labellers\n");
        if (labels.blank() > 0) {
            out.append(labels.blank()).append(" rows without an answer\n");
        }
        agreement(out, agreement);
        out.append(rates(rates));
        if (open > 0) {
            out.append('\n').append(open).append(" decisions are answered differently and count in no rate: settle them in a copy of disagreements.csv and score again with --adjudicated\n");
        }
        return out.toString();
    }

    private static void agreement(StringBuilder out, List<Agreement.Line> lines) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("labellers", "kind", "both", "agree", "95 % interval", "kappa", "95 % interval", "most common"));
        for (Agreement.Line line : lines) {
            if (line.group().get(2).equals(Agreement.ALL)) {
                boolean known = !Double.isNaN(line.kappa().value());
                rows.add(List.of(line.first() + ", " + line.second(), line.group().get(0), Integer.toString(line.agreement().n()), percent(line.agreement().share().orElse(0)),
                        range(line.agreement().wilson()), known ? number(line.kappa().value()) : "-", known ? number(line.kappa().low()) + " to " + number(line.kappa().high()) : "-",
                        line.mostCommon() + " " + percent(line.prevalence())));
            }
        }
        if (rows.size() > 1) {
            out.append("\nAgreement of labellers, in percent; kappa is low where one answer is nearly all there is\n");
            TextTable.append(out, rows, "llrrrrrl");
        }
    }

    /** Lines of words that people looked at, of those that the program used or people gave. */
    static String rates(List<Rates.Line> lines) {
        StringBuilder out = new StringBuilder();
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("kind", "rule", "word", "labelled", "right", "false positive", "false negative", "raw", "corrected", "95 % interval"));
        int silent = 0;
        int unused = 0;
        for (Rates.Line line : lines) {
            if (line.status().equals("not-audited")) {
                silent++;
                continue;
            }
            if (line.drawn().population() == 0 && line.falseNegative().empty()) {
                unused++;
                continue;
            }
            CorrectedShare corrected = line.corrected().orElse(null);
            rows.add(List.of(line.stratum().kind(), line.stratum().rule(), line.stratum().decided(), Integer.toString(line.labelled()), Integer.toString(line.right()),
                    rate(line.falsePositive()), rate(line.falseNegative()), percent(line.raw().share()), corrected == null ? line.status().equals("partial") ? "partial" : "-"
                            : percent(corrected.share()), corrected == null ? "" : range(corrected.interval())));
        }
        out.append("\nErrors by word, in percent, weighted by what each decision stands for; raw and corrected are shares of the word\n");
        TextTable.append(out, rows, "lllrrrrrrr");
        if (silent > 0) {
            out.append(silent).append(silent == 1 ? " word is not audited\n" : " words are not audited\n");
        }
        if (unused > 0) {
            out.append(unused).append(" more that neither the program nor people used: in audit.csv\n");
        }
        return out.toString();
    }

    private static String rate(WeightedShare share) {
        return share.empty() ? "-" : percent(share.share()) + " (" + range(share.wilson()) + ")";
    }

    private static String range(Interval interval) {
        return percent(interval.low()) + " to " + percent(interval.high());
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f", share * 100);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }
}
