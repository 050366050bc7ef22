package dev.mcpprober.dataset.compare;

import dev.mcpprober.dataset.Stand;
import dev.mcpprober.dataset.TextTable;
import dev.mcpprober.run.TargetState;
import dev.mcpprober.stats.Interval;
import dev.mcpprober.stats.Proportion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** A comparison as plain text for a terminal; the lists are cut, the files hold them whole. */
public final class ComparisonText {
    /** Changes listed for each check. */
    private static final int LISTED = 12;

    private ComparisonText() {}

    public static String render(Comparison c) {
        StringBuilder out = new StringBuilder();
        head(out, c);
        if (c.servers() > 0) {
            lines(out, c);
            incomparable(out, c);
            changes(out, c);
        }
        return out.toString();
    }

    private static void head(StringBuilder out, Comparison c) {
        boolean oneRun = c.a().run().equals(c.b().run()) && c.a().info().equals(c.b().info()) && !c.a().rules().equals(c.b().rules());
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("A", c.a().rules(), "run " + c.a().run()));
        rows.add(List.of("B", c.b().rules(), "run " + c.b().run()));
        TextTable.append(out, rows, "lll");
        if (!c.a().info().frameHash().equals(c.b().info().frameHash())) {
            out.append("The frames differ: rows are paired by registry, name and arguments.\n");
        }
        out.append('\n').append(sum(c.rows())).append(" rows = ").append(plus(c.rows())).append("; ").append(c.servers())
                .append(oneRun ? " servers started\n" : " servers started on both sides\n");
        int unmeasured = c.states().getOrDefault(TargetState.UNMEASURED.id(), Map.of()).values().stream().mapToInt(Integer::intValue).sum();
        if (oneRun && unmeasured > 0) {
            out.append("INCOMPLETE: ").append(unmeasured).append(" rows are unmeasured, and nothing below counts them\n");
        }
        if (!oneRun) {
            c.states().forEach((a, row) -> row.forEach((b, count) -> out.append("  ").append(count).append("  ").append(a)
                    .append(a.equals(b) ? " in both\n" : " in A, " + b + " in B\n")));
        }
    }

    private static void lines(StringBuilder out, Comparison c) {
        out.append("\nFail is a breach; pass, warn and divergent keep to the demand; a pair with another verdict is not comparable. p: exact McNemar,\n"
                + "two-sided; Holm: adjusted for the checks with flips. The first line takes a server over all these checks.\n");
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("check", "n", "both keep", "to fail", "to pass", "both fail", "not comparable", "p", "Holm"));
        rows.add(line(c.whole(), "(a server)"));
        List<Comparison.Line> quiet = new ArrayList<>();
        for (Comparison.Line line : c.lines()) {
            if (c.changes().stream().anyMatch(change -> change.check().equals(line.check()))) {
                rows.add(line(line, line.check()));
            } else {
                quiet.add(line);
            }
        }
        TextTable.append(out, rows, "lrrrrrrrr");
        out.append(quiet.size()).append(quiet.size() == 1 ? " other check" : " other checks").append(" without any change");
        out.append(quiet.isEmpty() || quiet.size() > LISTED ? ".\n" : ": " + quiet.stream().map(Comparison.Line::check).collect(Collectors.joining(", ")) + ".\n");
        for (var only : List.of(Map.entry("A", c.onlyA()), Map.entry("B", c.onlyB()))) {
            if (!only.getValue().isEmpty()) {
                out.append("Not compared, since only ").append(only.getKey()).append(" has a rule: ").append(only.getValue().size())
                        .append(" checks (named in comparison.json).\n");
            }
        }
        Interval agreement = c.same().wilson();
        out.append(String.format(Locale.ROOT, "The same verdict word for %d of %d pairs of server and check: %.1f %%, 95 %% interval %.1f to %.1f (servers as clusters).%n",
                c.same().all().k(), c.same().all().n(), c.same().all().share().orElse(0) * 100, agreement.low() * 100, agreement.high() * 100));
        Proportion cost = c.cost().all();
        if (cost.n() > 0) {
            Interval interval = c.cost().wilson();
            out.append(String.format(Locale.ROOT, "%d of %d servers keep to A and breach B: %.1f %%, 95 %% interval %.1f to %.1f (publishers as clusters).%n",
                    cost.k(), cost.n(), cost.share().orElse(0) * 100, interval.low() * 100, interval.high() * 100));
        }
    }

    private static List<String> line(Comparison.Line line, String name) {
        boolean flips = line.toFail() + line.toPass() > 0;
        return List.of(name, text(line.n()), text(line.bothPass()), text(line.toFail()), text(line.toPass()), text(line.bothFail()),
                text(line.incomparable()), flips ? p(line.p()) : "-", Double.isNaN(line.pHolm()) ? "-" : p(line.pHolm()));
    }

    private static void incomparable(StringBuilder out, Comparison c) {
        List<List<String>> rows = new ArrayList<>();
        for (Comparison.Line line : c.lines()) {
            boolean shown = c.changes().stream().anyMatch(change -> change.check().equals(line.check()));
            if (shown && line.incomparable() > 0) {
                rows.add(List.of(line.check(), text(line.incomparable()), plus(line.notComparable())));
            }
        }
        if (!rows.isEmpty()) {
            out.append("\nNot comparable\n");
            TextTable.append(out, rows, "lrl");
        }
    }

    private static void changes(StringBuilder out, Comparison c) {
        for (Comparison.Line line : c.lines()) {
            List<Comparison.Change> here = c.changes().stream().filter(change -> change.check().equals(line.check())).toList();
            List<Comparison.Change> shown = new ArrayList<>(here.stream().filter(Comparison.Change::flip).toList());
            here.stream().filter(change -> !change.flip()).forEach(shown::add);
            if (here.isEmpty()) {
                continue;
            }
            out.append('\n').append(line.check()).append(": ").append(line.toFail() + line.toPass()).append(" flips, ")
                    .append(here.size() - line.toFail() - line.toPass()).append(" other changes\n");
            List<List<String>> rows = new ArrayList<>();
            for (Comparison.Change change : shown.subList(0, Math.min(LISTED, shown.size()))) {
                rows.add(List.of("  " + change.kind(), change.target() + (change.versionChanged() ? " (version changed)" : ""),
                        word(change.a()) + " → " + word(change.b()), seen(change)));
            }
            TextTable.append(out, rows, "llll");
            if (shown.size() > LISTED) {
                out.append("  and ").append(shown.size() - LISTED).append(" more in flips.csv\n");
            }
        }
    }

    private static String word(Stand stand) {
        return stand == null ? CheckTally.NO_VERDICT : stand.word().id();
    }

    private static String seen(Comparison.Change change) {
        String a = change.a() == null ? "nothing" : seen(change.a());
        String b = change.b() == null ? "nothing" : seen(change.b());
        return a.equals(b) ? a : a + " → " + b;
    }

    private static String seen(Stand stand) {
        return stand.seen() + (stand.witness().isEmpty() ? "" : " [" + stand.session() + "#"
                + stand.witness().stream().map(String::valueOf).collect(Collectors.joining(",")) + "]");
    }

    private static String p(double value) {
        return value < 0.0001 ? "<0.0001" : String.format(Locale.ROOT, "%.4f", value);
    }

    private static int sum(Map<String, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    private static String plus(Map<String, Integer> counts) {
        return counts.entrySet().stream().map(entry -> entry.getValue() + " " + entry.getKey()).collect(Collectors.joining(" + "));
    }

    private static String text(int value) {
        return Integer.toString(value);
    }
}
