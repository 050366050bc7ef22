package dev.mcpprober.dataset.report;

import dev.mcpprober.dataset.compare.Comparison;
import dev.mcpprober.dataset.drift.Drift;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What changed since an earlier run, and what beneath. Absent where there is none. */
final class DriftPart implements Part {
    @Override
    public Optional<Section> section(Material material) {
        return material.against().map(against -> {
            Drift drift = against.drift();
            Comparison comparison = against.comparison();
            List<Comparison.Line> lines = new ArrayList<>(List.of(comparison.whole()));
            lines.addAll(comparison.lines());
            String text = Section.paragraph("A is the earlier run, " + comparison.a().run() + " of " + comparison.a().info().createdAt() + ", packages as of "
                    + comparison.a().info().settings().getOrDefault("as of", "now") + "; B is this one, of " + comparison.b().info().createdAt() + ", packages as of "
                    + comparison.b().info().settings().getOrDefault("as of", "now") + ". Where both runs did not ask the same, the one-sided verdicts are no change and are counted apart.");
            return new Section("drift", "What changed since an earlier run", text, List.of(pairs(drift), causes(drift),
                    RulesPart.figure("drift-verdicts", "Verdicts in the earlier run (A) and in this one (B)", lines), changes(drift), releases(drift)));
        });
    }

    private static Figure pairs(Drift drift) {
        int changed = (int) drift.pairs().stream().filter(Drift.Pair::flipped).count();
        return Figure.table("drift-servers", "Servers of both runs", new Sheet(List.of(Sheet.text("what", "what"), Sheet.count("count", "number")), List.of(
                Sheet.row("measured in both runs, unchanged", drift.pairs().size() - changed), Sheet.row("measured in both runs, changed", changed),
                Sheet.row("rows in one run only, or unmeasured in one", drift.cut()), Sheet.row("verdicts that only one run asked for", drift.oneSided()))));
    }

    private static Figure causes(Drift drift) {
        List<List<Object>> rows = new ArrayList<>();
        drift.flippedByCause().forEach((cause, count) -> rows.add(Sheet.row(cause.id(), count.intValue(), cause.meaning())));
        String title = "Changed servers by what changed beneath them";
        Sheet sheet = new Sheet(List.of(Sheet.text("cause", "cause"), Sheet.count("servers", "servers"), Sheet.text("meaning", "meaning")), rows);
        return new Figure("drift-causes", title, sheet, Charts.counts("drift-causes", title, rows.stream().map(row -> row.get(0).toString()).toList(),
                rows.stream().map(row -> (Integer) row.get(1)).toList()), Vega.counts(title, sheet, "cause", "servers"));
    }

    private static Figure changes(Drift drift) {
        List<List<Object>> rows = new ArrayList<>();
        for (Drift.Pair pair : drift.pairs()) {
            pair.flips().forEach(flip -> rows.add(Sheet.row(pair.target(), flip.what(), flip.before(), flip.after(), pair.cause().id())));
        }
        return Figure.table("drift-changes", "Every change", new Sheet(List.of(Sheet.text("target_id", "server"), Sheet.text("what", "what"), Sheet.text("before", "before"),
                Sheet.text("after", "after"), Sheet.text("cause", "cause")), rows));
    }

    private static Figure releases(Drift drift) {
        List<List<Object>> rows = new ArrayList<>();
        drift.releases().forEach(release -> rows.add(Sheet.row(release.name(), release.to().isEmpty() ? "gone" : release.to(), release.servers(), release.flipped(),
                release.stopped())));
        return Figure.table("drift-releases", "Releases that came into dependency trees", new Sheet(List.of(Sheet.text("name", "package"), Sheet.text("to", "release"),
                Sheet.count("servers", "servers with it"), Sheet.count("flipped", "of them changed"), Sheet.count("stopped", "of them stopped")), rows));
    }
}
