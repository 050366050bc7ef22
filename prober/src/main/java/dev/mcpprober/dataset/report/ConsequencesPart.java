package dev.mcpprober.dataset.report;

import dev.mcpprober.observation.Consequence;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What came of bad arguments. */
final class ConsequencesPart implements Part {
    private static final String REFUSED = "not accepted";

    @Override
    public Optional<Section> section(Material material) {
        Map<String, Map<String, ShareRow>> checks = new TreeMap<>();
        List<ShareRow> rows = material.shares("consequence", null, null, Material.ALL);
        rows.forEach(row -> checks.computeIfAbsent(row.check(), key -> new LinkedHashMap<>()).put(row.value(), row));
        if (rows.isEmpty()) {
            return Optional.of(new Section("consequences", "Consequences of bad arguments", Section.paragraph("No server accepted bad arguments in this data set."), List.of()));
        }
        List<String> values = new ArrayList<>(List.of(Material.NONE));
        values.addAll(Consequence.ALL);
        List<Palette.Fill> fills = List.of(new Palette.Fill(REFUSED, "#009E73", ""), new Palette.Fill(Consequence.SILENT_EXECUTION, "#D55E00", "rising"),
                new Palette.Fill(Consequence.IN_BAND_ERROR, "#E69F00", "dots"), new Palette.Fill(Consequence.EMPTY_RESULT, "#56B4E9", "lines"),
                new Palette.Fill(Consequence.UNDETERMINED, "#999999", ""));
        List<Charts.Stack> stacks = new ArrayList<>();
        checks.forEach((check, byValue) -> stacks.add(new Charts.Stack(check, "n " + Charts.servers(byValue.values().iterator().next().n()),
                values.stream().map(value -> byValue.containsKey(value) ? byValue.get(value).k() : 0).toList())));
        String title = "What came of bad arguments, by check";
        Sheet sheet = Sheet.shares(List.of(Sheet.text("check", "check"), Sheet.text("consequence", "consequence")), rows,
                row -> List.of(row.check(), row.value().equals(Material.NONE) ? REFUSED : row.value()));
        return Optional.of(new Section("consequences", "Consequences of bad arguments", Section.paragraph("Of servers that a call with bad arguments was made to. "
                + "silent-execution: the tool ran on them. in-band-error: the result is not marked as an error, and its text reports one. empty-result: it holds nothing. "
                + "undetermined: it cannot be told which. not accepted: refused by an error, or no usable answer."),
                List.of(new Figure("consequences", title, sheet, Charts.stacks("consequences", title, fills, stacks),
                        Vega.stacks(title, sheet, "check", "consequence", fills, true)))));
    }
}
