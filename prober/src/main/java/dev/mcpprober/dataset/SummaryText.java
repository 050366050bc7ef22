package dev.mcpprober.dataset;

import dev.mcpprober.model.Printable;
import dev.mcpprober.run.Coverage;
import dev.mcpprober.run.TargetState;
import dev.mcpprober.stats.Interval;
import dev.mcpprober.stats.Proportion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A summary as plain text for a terminal or a log; nothing in it can move a cursor. */
public final class SummaryText {
    private static final List<String> SHOWN = List.of("pass", "fail", "warn", "divergent");

    private SummaryText() {}

    public static String render(Summary summary) {
        StringBuilder out = new StringBuilder();
        funnel(out, summary);
        if (!summary.families().isEmpty()) {
            families(out, summary);
            checks(out, summary);
        }
        repeats(out, summary.repeated());
        if (!summary.checks().isEmpty()) {
            out.append("Not audited: how often these verdicts are wrong is unknown until people label a sample of them (prober audit sample DIR --to AUDIT).\n");
        }
        troubled(out, summary);
        return out.toString();
    }

    private static void funnel(StringBuilder out, Summary summary) {
        Coverage coverage = summary.coverage();
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("frame", number(coverage.frame()), ""));
        rows.add(List.of("  excluded", number(coverage.excluded()), reasons(summary, TargetState.EXCLUDED)));
        rows.add(List.of("  unmeasured", number(coverage.unmeasured()), reasons(summary, TargetState.UNMEASURED)));
        rows.add(List.of("  measured", number(coverage.measured()), ""));
        rows.add(List.of("    not installed", number(coverage.notInstalled()), reasons(summary, TargetState.NOT_INSTALLED)));
        rows.add(List.of("    start failed", number(coverage.startFailed()), reasons(summary, TargetState.START_FAILED)));
        rows.add(List.of("    started", number(coverage.started()), ""));
        out.append("Where the rows of the frame ended (excluded: by the frame itself; unmeasured: for a fault of ours, to be retried; start failed: no session)\n");
        TextTable.append(out, rows, "lrl");
    }

    private static String reasons(Summary summary, TargetState state) {
        return summary.reasons().getOrDefault(state.id(), Map.of()).entrySet().stream()
                .sorted(Map.Entry.<String, Integer>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .map(entry -> entry.getKey() + " " + entry.getValue()).collect(Collectors.joining(", "));
    }

    private static void families(StringBuilder out, Summary summary) {
        out.append("\nServers that started, by SDK family and negotiated revision; verdicts of ").append(Printable.text(summary.ruleSet()))
                .append(".\nNo fail: servers without a check that fails under that revision, their share and its 95 % Wilson interval in percent.\nVerdicts: sums over checks, with what showed under another revision (a batch under 2025-03-26).\n");
        List<List<String>> rows = new ArrayList<>();
        rows.add(heading(List.of("SDK family", "revision", "servers", "no fail", "share", "interval")));
        for (Summary.Family family : summary.families()) {
            List<String> row = new ArrayList<>(List.of(family.family(), family.revision(), number(family.servers())));
            row.addAll(share(family.faultless(), family.interval()));
            row.addAll(counts(family.verdicts()));
            rows.add(row);
        }
        TextTable.append(out, rows, "llrrrrrrrrr");
    }

    private static void checks(StringBuilder out, Summary summary) {
        List<Summary.CheckLine> told = summary.checks().stream().filter(line -> line.passed().k() < line.graded()).toList();
        long clean = summary.checks().stream().filter(line -> line.graded() > 0 && line.passed().k() == line.graded()).count();
        out.append("\nBy check: servers with a verdict that decides, the share of pass among them and its interval. Verdicts: servers.\n");
        List<List<String>> rows = new ArrayList<>();
        rows.add(heading(List.of("check", "servers", "pass of", "share", "interval")));
        for (Summary.CheckLine line : told) {
            List<String> row = new ArrayList<>(List.of(line.check(), number(line.graded())));
            row.addAll(share(line.passed(), line.interval()));
            row.addAll(counts(line.verdicts()));
            rows.add(row);
        }
        if (!told.isEmpty()) {
            TextTable.append(out, rows, "lrrrrrrrrr");
        }
        out.append(clean).append(clean == 1 ? " other check is" : " other checks are").append(" passed by every server that it decides on.\n");
    }

    private static void repeats(StringBuilder out, Summary.Repeated repeated) {
        if (repeated.servers() > 0) {
            out.append("\nRepeats: the sessions of ").append(repeated.servers()).append(repeated.servers() == 1 ? " server " : " servers ").append(repeated.times())
                    .append(" times. ").append(sentence(repeated)).append("\nOther figures count the first time alone; flaky.csv has both witnesses of every such verdict.\n");
        }
    }

    /** How many servers are flaky, and on what. */
    public static String sentence(Summary.Repeated repeated) {
        String checks = repeated.checks().entrySet().stream().sorted(Map.Entry.<String, Integer>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .map(entry -> entry.getKey() + " " + entry.getValue()).collect(Collectors.joining(", "));
        return "Flaky, with a verdict that another repeat does not share: " + repeated.flaky() + (checks.isEmpty() ? "" : " (" + checks + ")")
                + ". Not starting alike each time: " + repeated.starts() + ".";
    }

    /** Whoever runs a census asks first which ones they are. */
    private static void troubled(StringBuilder out, Summary summary) {
        if (summary.troubled().isEmpty()) {
            return;
        }
        out.append("\nServers to look at").append(summary.troubledInAll() > summary.troubled().size()
                ? " (the first " + summary.troubled().size() + " of " + summary.troubledInAll() + "; targets.csv has all)" : "").append("\n");
        TextTable.append(out, summary.troubled().stream().map(t -> List.of("  " + Printable.text(t.target(), 80), Printable.text(t.what(), 200))).toList(), "ll");
    }

    private static List<String> heading(List<String> first) {
        List<String> row = new ArrayList<>(first);
        row.addAll(SHOWN);
        row.add("other");
        return row;
    }

    private static List<String> share(Proportion proportion, Interval interval) {
        String share = proportion.share().isPresent() ? percent(proportion.share().getAsDouble()) : "-";
        String range = proportion.n() == 0 ? "-" : percent(interval.low()) + " to " + percent(interval.high());
        return List.of(proportion.k() + "/" + proportion.n(), share, range);
    }

    private static List<String> counts(Map<String, Integer> verdicts) {
        List<String> cells = new ArrayList<>();
        int rest = verdicts.values().stream().mapToInt(Integer::intValue).sum();
        for (String word : SHOWN) {
            int count = verdicts.getOrDefault(word, 0);
            rest -= count;
            cells.add(number(count));
        }
        cells.add(number(rest));
        return cells;
    }

    private static String number(int value) {
        return Integer.toString(value);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f", share * 100);
    }
}
