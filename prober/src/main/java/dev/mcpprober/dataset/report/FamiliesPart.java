package dev.mcpprober.dataset.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** SDK family by negotiated revision, as grids. */
final class FamiliesPart implements Part {
    private static final String BY = "sdk_family_revision";

    @Override
    public Optional<Section> section(Material material) {
        List<Figure> figures = new ArrayList<>();
        grid(figures, "families-no-fail", "Share of servers without a failing check, by SDK family and revision", material.shares("no-fail", null, null, BY));
        grid(figures, "families-unknown-tool", "Share of servers that answer a call of an unknown tool with a tool error, by SDK family and revision",
                material.shares("observed", "tools-call-unknown", "tool-error", BY));
        grid(figures, "families-wrong-type", "Share of servers that fail at an argument of the wrong type, by SDK family and revision",
                material.shares("verdict", "tools-call-wrong-type", "fail", BY));
        return figures.isEmpty() ? Optional.empty() : Optional.of(new Section("families", "SDK family and protocol revision", Section.paragraph(
                "The darker, the larger the share; an asterisk marks less than 30 servers. The revision is the one that server and prober agreed on; none where they did not."), figures));
    }

    private static void grid(List<Figure> figures, String id, String title, List<ShareRow> rows) {
        if (rows.isEmpty()) {
            return;
        }
        TreeSet<String> families = new TreeSet<>();
        TreeSet<String> revisions = new TreeSet<>();
        Map<List<String>, Charts.Cell> cells = new HashMap<>();
        for (ShareRow row : rows) {
            families.add(family(row));
            revisions.add(revision(row));
            cells.put(List.of(family(row), revision(row)), new Charts.Cell(row.share(), row.n()));
        }
        Sheet sheet = Sheet.shares(List.of(Sheet.text("sdk_family", "SDK family"), Sheet.text("revision", "revision")), rows, row -> List.of(family(row), revision(row)));
        figures.add(new Figure(id, title, sheet, Charts.grid(id, title, List.copyOf(families), List.copyOf(revisions), cells), Vega.grid(title, sheet, "sdk_family", "revision")));
    }

    private static String family(ShareRow row) {
        return row.group().substring(0, row.group().indexOf(' '));
    }

    private static String revision(ShareRow row) {
        return row.group().substring(row.group().indexOf(' ') + 1);
    }
}
