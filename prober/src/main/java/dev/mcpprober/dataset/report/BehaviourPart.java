package dev.mcpprober.dataset.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What servers do at the questions that the findings are about, without right or wrong. */
final class BehaviourPart implements Part {
    private static final List<String> CHECKS = List.of("tools-call-unknown", "tools-call-wrong-type", "malformed-json");

    @Override
    public Optional<Section> section(Material material) {
        List<Figure> figures = new ArrayList<>();
        for (String check : CHECKS) {
            List<ShareRow> rows = largest(material.shares("observed", check, null, Material.ALL));
            if (!rows.isEmpty()) {
                String title = "What servers do at " + check;
                Sheet sheet = Sheet.shares(List.of(Sheet.text("observed", "observed")), rows, row -> List.of(row.value()));
                figures.add(new Figure("observed-" + check, title, sheet,
                        Charts.bars("observed-" + check, title, rows.stream().map(row -> VerdictsPart.bar(row, row.value())).toList()), Vega.bars(title, sheet, "observed")));
            }
        }
        return figures.isEmpty() ? Optional.empty() : Optional.of(new Section("behaviour", "What servers do when a call goes wrong", Section.paragraph(
                "What was observed, before any rule is applied. tool-error: a result with isError; protocol-error: a JSON-RPC error; success: a result without isError."), figures));
    }

    static List<ShareRow> largest(List<ShareRow> rows) {
        return rows.stream().sorted(Comparator.comparingInt((ShareRow row) -> -row.k()).thenComparing(ShareRow::value)).toList();
    }
}
