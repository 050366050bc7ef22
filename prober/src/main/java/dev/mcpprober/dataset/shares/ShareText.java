package dev.mcpprober.dataset.shares;

import dev.mcpprober.dataset.TextTable;
import dev.mcpprober.stats.Interval;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Shares as plain text for a terminal. */
public final class ShareText {
    private ShareText() {}

    /** Those by {@code grouping}; of verdicts only the pass of checks that some server does not pass. */
    public static String render(List<ShareLine> lines, String grouping) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("figure", "rules", "check", "value", grouping.equals("all") ? "" : grouping, "k/n", "%", "95 % interval", "publishers", "deff", "n_eff",
                "one per publisher", "%"));
        for (ShareLine line : lines) {
            if (line.group().by().equals(grouping) && told(line)) {
                rows.add(row(line, grouping));
            }
        }
        StringBuilder out = new StringBuilder("Servers; intervals are Wilson's at the effective size n_eff, since servers of one publisher are alike.\n");
        TextTable.append(out, rows, "lllllrrrrrrrr");
        return out.toString();
    }

    private static boolean told(ShareLine line) {
        return switch (line.of().figure()) {
            case "state", "startup-failure", "no-fail" -> true;
            case "verdict" -> line.of().value().equals("pass") && line.share().all().k() < line.share().all().n();
            default -> false;
        };
    }

    private static List<String> row(ShareLine line, String grouping) {
        Interval interval = line.share().wilson();
        return List.of(line.of().figure(), blank(line.of().ruleSet()), blank(line.of().check()), line.of().value(),
                grouping.equals("all") ? "" : line.group().value(), line.share().all().k() + "/" + line.share().all().n(),
                percent(line.share().all().share().orElse(Double.NaN)), percent(interval.low()) + " to " + percent(interval.high()),
                Integer.toString(line.share().publishers()), decimal(line.share().designEffect()), decimal(line.share().effectiveSize()),
                line.onePerPublisher().k() + "/" + line.onePerPublisher().n(), percent(line.onePerPublisher().share().orElse(Double.NaN)));
    }

    private static String blank(String text) {
        return text.equals(Shares.NONE) ? "" : text;
    }

    private static String percent(double share) {
        return Double.isNaN(share) ? "-" : decimal(share * 100);
    }

    private static String decimal(double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.1f", value);
    }
}
