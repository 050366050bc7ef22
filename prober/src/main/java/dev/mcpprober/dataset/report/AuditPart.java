package dev.mcpprober.dataset.report;

import java.util.List;
import java.util.Optional;

/** How often the decisions behind the figures are wrong, as far as people looked. */
final class AuditPart implements Part {
    @Override
    public Optional<Section> section(Material material) {
        return Optional.of(new Section("audit", "Audit of the decisions", Section.paragraph("Not audited: nobody has labelled a sample of these decisions by hand, "
                + "so their error rates are unknown and no figure is corrected for them."), List.of()));
    }
}
