package dev.mcpprober.dataset.report;

import java.util.List;
import java.util.Optional;

/** Why measured servers gave no session. */
final class StartsPart implements Part {
    @Override
    public Optional<Section> section(Material material) {
        List<ShareRow> rows = BehaviourPart.largest(material.shares("startup-failure", null, null, Material.ALL));
        if (rows.isEmpty()) {
            return Optional.of(new Section("starts", "Startup failures", Section.paragraph(material.shares("state", null, null, Material.ALL).isEmpty() ? "No server was measured." : "Every measured server gave a session."), List.of()));
        }
        String title = "Why measured servers gave no session";
        Sheet sheet = Sheet.shares(List.of(Sheet.text("startup_failure", "why")), rows, row -> List.of(row.value()));
        return Optional.of(new Section("starts", "Startup failures", Section.paragraph("Of all measured servers. They ran without configuration, without network and not as root: "
                + "needs-config is no fault of theirs. What begins with install- could not be installed."), List.of(new Figure("startup-failures", title, sheet,
                Charts.bars("startup-failures", title, rows.stream().map(row -> VerdictsPart.bar(row, row.value())).toList()), Vega.bars(title, sheet, "startup_failure")))));
    }
}
