package dev.mcpprober.dataset.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** How often the decisions behind the figures are wrong, as far as people looked: shares raw and corrected. */
final class AuditPart implements Part {
    private static final String NOT_AUDITED = "not-audited";

    @Override
    public Optional<Section> section(Material material) throws IOException {
        List<Cells> audit = material.tables().has("audit") ? material.tables().all("audit") : List.of();
        List<Cells> looked = audit.stream().filter(row -> !row.get("status").equals(NOT_AUDITED)).toList();
        if (looked.isEmpty()) {
            return Optional.of(new Section("audit", "Audit of the decisions", Section.paragraph("Not audited: nobody has labelled a sample of these decisions by hand, "
                    + "so their error rates are unknown and no figure is corrected for them."), List.of()));
        }
        List<List<String>> rows = new ArrayList<>();
        // Those of the report's own rules, and what no rule set is behind.
        for (Cells row : audit) {
            if (row.get("rule_set").equals(Material.NONE) || row.get("rule_set").equals(material.ruleSet())) {
                rows.add(List.of(Html.text(row.get("rule")), Html.text(row.get("decided")), row.get("right") + " of " + row.get("labelled"), rate(row, "false_positive"),
                        rate(row, "false_negative"), share(row, "share", "ci"), corrected(row)));
            }
        }
        int decisions = looked.stream().mapToInt(row -> row.count("labelled") + row.count("cannot_tell") + row.count("open")).sum();
        String text = Section.paragraph("People decided a stratified random sample of " + decisions + " decisions anew, without knowing what the program had decided. False positive: of "
                + "what they decide to be another word, how much the program decides to be this one; false negative: of what they decide to be this word, how much the program decides "
                + "to be another. Every decision is weighted by how many it stands for. Corrected: the share that these errors leave. All figures above are raw.");
        return Optional.of(new Section("audit", "Audit of the decisions", text + Html.table("Shares raw and corrected; table audit has all of it",
                List.of("rule", "word", "right", "false positive#", "false negative#", "raw#", "corrected#"), rows), List.of()));
    }

    private static String rate(Cells row, String name) {
        return row.get(name).isEmpty() ? "" : share(row, name, name);
    }

    private static String share(Cells row, String name, String interval) {
        return Html.percent(row.number(name)) + " <span class=\"dim\">" + Html.percent(row.number(interval + "_low")) + " to " + Html.percent(row.number(interval + "_high")) + "</span>";
    }

    private static String corrected(Cells row) {
        return switch (row.get("status")) {
            case NOT_AUDITED -> "not audited";
            case "partial" -> "audited in part";
            default -> row.get("corrected").isEmpty() ? "cannot be corrected" : share(row, "corrected", "corrected");
        };
    }
}
