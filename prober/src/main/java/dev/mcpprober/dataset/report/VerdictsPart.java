package dev.mcpprober.dataset.report;

import dev.mcpprober.rules.VerdictWord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The verdicts of each check, those that most servers fail first. */
final class VerdictsPart implements Part {
    private static final List<VerdictWord> WORDS = List.of(VerdictWord.PASS, VerdictWord.DIVERGENT, VerdictWord.WARN, VerdictWord.FAIL);

    @Override
    public Optional<Section> section(Material material) {
        List<ShareRow> fails = material.shares("verdict", null, VerdictWord.FAIL.id(), Material.ALL).stream()
                .sorted(Comparator.comparingDouble((ShareRow row) -> -row.share()).thenComparing(ShareRow::check)).toList();
        if (fails.isEmpty()) {
            return Optional.of(new Section("verdicts", "Verdicts of each check", Section.paragraph("No server started, so there is no verdict."), List.of()));
        }
        List<ShareRow> failed = fails.stream().filter(row -> row.k() > 0).toList();
        String title = "Share of servers that fail, by check";
        Sheet sheet = failed(material, failed);
        Figure bars = new Figure("failed-checks", title, sheet, Charts.bars("failed-checks", title, failed.stream().map(VerdictsPart::bar).toList()),
                Vega.bars(title, sheet, "check"));
        String text = Section.paragraph("Each server counts once for a check. n are the servers whose verdict says something (pass, warn, divergent or fail) under "
                + material.ruleSet() + "; the others were not asked, or the text does not decide. divergent contradicts only a description or an example, and never "
                + "lowers a score. Checks that no server fails are in the second figure only. What a server does in a session that was made to agree on another "
                + "revision (batch-receive) counts here, and not against it among servers without a failing check.");
        return Optional.of(new Section("verdicts", "Verdicts of each check", text, List.of(bars, all(material, fails))));
    }

    /** Raw and corrected side by side. */
    private static Sheet failed(Material material, List<ShareRow> failed) {
        List<Sheet.Col> columns = new ArrayList<>(List.of(Sheet.text("check", "check")));
        columns.addAll(Sheet.SHARE);
        columns.add(Sheet.text("audit", "audit"));
        boolean looked = failed.stream().anyMatch(row -> material.audit(row.check(), VerdictWord.FAIL.id()).filter(found -> !found.get("status").equals(Material.NOT_AUDITED)).isPresent());
        // Where nobody looked, the word says all: the page has no empty columns, the CSV has the same ones always.
        Sheet.interval("corrected", "corrected", "corrected").forEach(column -> columns.add(looked ? column : new Sheet.Col(column.name(), column.head(), Sheet.Kind.FILE)));
        List<List<Object>> rows = new ArrayList<>();
        for (ShareRow row : failed) {
            Optional<Cells> audit = material.audit(row.check(), VerdictWord.FAIL.id());
            List<Object> cells = Sheet.row(row.check());
            cells.addAll(Sheet.of(row));
            cells.add(audit.map(found -> found.get("status")).orElse(Material.NOT_AUDITED));
            for (String name : List.of("corrected", "corrected_low", "corrected_high")) {
                cells.add(audit.map(found -> found.number(name)).orElse(Double.NaN));
            }
            rows.add(cells);
        }
        return new Sheet(columns, rows);
    }

    static Charts.Bar bar(ShareRow row) {
        return bar(row, row.check());
    }

    static Charts.Bar bar(ShareRow row, String label) {
        return new Charts.Bar(label, row.share(), row.low(), row.high(), Html.percent(row.share()) + " of " + Charts.servers(row.n()));
    }

    private static Figure all(Material material, List<ShareRow> order) {
        Map<String, Map<String, ShareRow>> words = new LinkedHashMap<>();
        order.forEach(row -> words.put(row.check(), new LinkedHashMap<>()));
        material.shares("verdict", null, null, Material.ALL).forEach(row -> words.get(row.check()).put(row.value(), row));
        List<ShareRow> rows = new ArrayList<>();
        List<Charts.Stack> stacks = new ArrayList<>();
        words.forEach((check, byWord) -> {
            WORDS.forEach(word -> rows.add(byWord.get(word.id())));
            stacks.add(new Charts.Stack(check, "n " + Charts.servers(byWord.get(VerdictWord.FAIL.id()).n()), WORDS.stream().map(word -> byWord.get(word.id()).k()).toList()));
        });
        String title = "Verdicts of servers, by check";
        List<Sheet.Col> labels = List.of(Sheet.text("check", "check"), new Sheet.Col("verdict", "verdict", Sheet.Kind.WORD));
        Sheet sheet = Sheet.shares(labels, rows, row -> List.of(row.check(), row.value()));
        List<Palette.Fill> fills = WORDS.stream().map(Palette::of).toList();
        return new Figure("verdicts-by-check", title, sheet, Charts.stacks("verdicts-by-check", title, fills, stacks), Vega.stacks(title, sheet, "check", "verdict", fills, true));
    }
}
