package dev.mcpprober.dataset.report;

import dev.mcpprober.model.Era;
import dev.mcpprober.model.ProtocolRevision;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** Which version a server answers to each that is offered. */
final class OffersPart implements Part {
    @Override
    public Optional<Section> section(Material material) {
        List<ShareRow> rows = material.shares("answered", null, null, Material.ALL);
        TreeSet<String> offered = new TreeSet<>();
        TreeSet<String> answered = new TreeSet<>();
        Map<List<String>, Charts.Cell> cells = new HashMap<>();
        for (ShareRow row : rows) {
            offered.add(row.check());
            answered.add(row.value());
            if (row.k() > 0) {
                cells.put(List.of(row.check(), row.value()), new Charts.Cell(row.share(), row.n()));
            }
        }
        boolean all = offered.containsAll(Arrays.stream(ProtocolRevision.values()).filter(revision -> revision.era() == Era.LEGACY).map(ProtocolRevision::date).toList());
        String note = all ? "" : Section.paragraph("Not every revision was offered: this run was not made with --versions, and shows only what a handshake needs.");
        String text = Section.paragraph("Of servers that were offered a version in initialize: the version that they answered, or how the request was met where the answer "
                + "names none. other is a version that no rule set knows.") + note;
        if (rows.isEmpty()) {
            return Optional.of(new Section("offers", "Offered and answered versions", Section.paragraph("No server was offered a version."), List.of()));
        }
        String title = "Version offered (rows) and answered (columns)";
        Sheet sheet = Sheet.shares(List.of(Sheet.text("offered", "offered"), Sheet.text("answered", "answered")), rows, row -> List.of(row.check(), row.value()));
        return Optional.of(new Section("offers", "Offered and answered versions", text, List.of(new Figure("offers", title, sheet,
                Charts.grid("offers", title, List.copyOf(offered), List.copyOf(answered), cells), Vega.grid(title, sheet, "offered", "answered")))));
    }
}
