package dev.mcpprober.dataset.report;

import dev.mcpprober.observation.Consequence;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Failures that are not marked as such, and what the marked ones would be called. */
final class FailuresPart implements Part {
    @Override
    public Optional<Section> section(Material material) throws IOException {
        List<Figure> figures = new ArrayList<>();
        List<ShareRow> rows = BehaviourPart.largest(material.shares("consequence", null, Consequence.IN_BAND_ERROR, Material.ALL));
        String none = "";
        if (rows.isEmpty()) {
            none = Section.paragraph("No server reported a failure in the text of a result that is not marked as an error.");
        } else {
            String title = "Share of servers whose failure is only in the text of a result, by check";
            Sheet sheet = Sheet.shares(List.of(Sheet.text("check", "check")), rows, row -> List.of(row.check()));
            figures.add(new Figure("unflagged", title, sheet, Charts.bars("unflagged", title, rows.stream().map(VerdictsPart::bar).toList()), Vega.bars(title, sheet, "check")));
        }
        shapes(material, figures);
        return Optional.of(new Section("failures", "Unflagged failures and shapes of failures", Section.paragraph("A failure is unflagged where the result of a call "
                + "lacks isError and its text reports one: a client takes it for a success. Failures that are marked say little to a program, too; the second figure "
                + "counts what each failed call would be called in the baseline vocabulary of SEP-3313. cannot-tell: its words do not decide. none-fits: its kind has no code there.")
                + none, figures));
    }

    /** Counts of calls, and of the servers that made them. */
    private static void shapes(Material material, List<Figure> figures) throws IOException {
        Map<List<String>, Integer> calls = new TreeMap<>(Comparator.comparing((List<String> key) -> key.get(0)).thenComparing(key -> key.get(1)));
        Map<List<String>, Set<String>> servers = new TreeMap<>(Comparator.comparing((List<String> key) -> key.get(0)).thenComparing(key -> key.get(1)));
        try (TableFile table = material.tables().open("failure-shapes")) {
            for (Cells row = table.next(); row != null; row = table.next()) {
                List<String> key = List.of(row.get("shape"), row.get("channel"));
                calls.merge(key, 1, Integer::sum);
                servers.computeIfAbsent(key, k -> new HashSet<>()).add(row.get("target_id"));
            }
        }
        if (calls.isEmpty()) {
            return;
        }
        List<Map.Entry<List<String>, Integer>> order = calls.entrySet().stream().sorted(Map.Entry.<List<String>, Integer>comparingByValue().reversed()).toList();
        List<List<Object>> rows = new ArrayList<>();
        order.forEach(entry -> rows.add(Sheet.row(entry.getKey().get(0), entry.getKey().get(1), entry.getValue(), servers.get(entry.getKey()).size())));
        String title = "Failed calls by shape and channel";
        Sheet sheet = new Sheet(List.of(Sheet.text("shape", "shape"), Sheet.text("channel", "channel"), Sheet.count("calls", "calls"), Sheet.count("servers", "servers")), rows);
        figures.add(new Figure("failure-shapes", title, sheet, Charts.counts("failure-shapes", title,
                order.stream().map(entry -> entry.getKey().get(0) + ", " + entry.getKey().get(1)).toList(), order.stream().map(Map.Entry::getValue).toList()),
                Vega.counts(title, sheet, "shape", "calls")));
    }
}
