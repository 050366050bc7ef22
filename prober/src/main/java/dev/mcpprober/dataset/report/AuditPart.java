package dev.mcpprober.dataset.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How often the decisions behind the figures are wrong, as far as people looked: shares raw and corrected. */
final class AuditPart implements Part {
    private static final String TITLE = "Shares raw and corrected";

    @Override
    public Optional<Section> section(Material material) {
        List<Cells> looked = material.audit().stream().filter(row -> !row.get("status").equals(Material.NOT_AUDITED)).toList();
        if (looked.isEmpty()) {
            return Optional.of(new Section("audit", "Audit of the decisions", Section.paragraph("Not audited: nobody has labelled a sample of these decisions by hand, "
                    + "so their error rates are unknown and no figure is corrected for them."), List.of()));
        }
        List<Sheet.Col> columns = new ArrayList<>(List.of(Sheet.text("rule", "rule"), Sheet.text("decided", "word"), Sheet.text("status", "audit"), Sheet.count("labelled", "labelled"),
                Sheet.count("right", "right")));
        columns.addAll(Sheet.interval("false_positive", "false_positive", "false positive"));
        columns.addAll(Sheet.interval("false_negative", "false_negative", "false negative"));
        columns.addAll(Sheet.interval("share", "ci", "raw"));
        columns.addAll(Sheet.interval("corrected", "corrected", "corrected"));
        List<List<Object>> rows = new ArrayList<>();
        for (Cells row : material.audit()) {
            List<Object> cells = new ArrayList<>();
            columns.forEach(column -> cells.add(switch (column.kind()) {
                case COUNT -> (Object) row.count(column.name());
                case TEXT -> row.get(column.name());
                default -> row.number(column.name());
            }));
            rows.add(cells);
        }
        int decisions = looked.stream().mapToInt(row -> row.count("labelled") + row.count("cannot_tell") + row.count("open")).sum();
        return Optional.of(new Section("audit", "Audit of the decisions", Section.paragraph("People decided a stratified random sample of " + decisions + " decisions anew (those under "
                + material.ruleSet() + " and those that no rule set is behind), without knowing what the program had decided. False positive: of what they decide to be another word, how much the program decides to be this one; false negative: of what they decide "
                + "to be this word, how much the program decides to be another. Every decision is weighted by how many it stands for. Corrected: the share that these errors leave; empty "
                + "where not every word of the rule was looked at, or the errors give nothing to correct by. All figures above are raw."),
                List.of(Figure.table("audit", TITLE, new Sheet(columns, rows)))));
    }
}
