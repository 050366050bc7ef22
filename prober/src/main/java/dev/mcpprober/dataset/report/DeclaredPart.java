package dev.mcpprober.dataset.report;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What servers declare, without a call. */
final class DeclaredPart implements Part {
    private static final String TABLE = "declared-shares";

    @Override
    public Optional<Section> section(Material material) throws IOException {
        if (!material.tables().has(TABLE)) {
            return Optional.empty();
        }
        List<ShareRow> all = material.tables().all(TABLE).stream().map(ShareRow::of).filter(row -> row.by().equals(Material.ALL)).toList();
        List<Figure> figures = new ArrayList<>();
        figure(figures, all, "declared-deeds", "What tools do, by annotation (effect) and by the verb in their name", List.of("effect", "verb", "effect-of-read-verb", "effect-of-write-verb"));
        figure(figures, all, "declared-schemas", "Schemas that tools declare", List.of("schema", "schema-of-write-verb", "schema-of-write-annotation", "server-output-schema"));
        figure(figures, all, "declared-annotations", "Annotations", List.of("annotations", "read-only-hint", "destructive-hint", "idempotent-hint", "open-world-hint",
                "server-annotations"));
        figure(figures, all, "declared-names", "Form of tool names", List.of("name-form", "name-style"));
        figure(figures, all, "declared-dialects", "Dialects and features of schemas", List.of("input-dialect", "input-feature", "output-dialect", "output-feature"));
        figure(figures, all, "declared-third-state", "Words of a third state: taken on, not known to be done", List.of("third-state", "third-state-of-write-verb", "server-third-state"));
        return Optional.of(new Section("declared", "What servers declare", Section.paragraph(figures.isEmpty() ? "No server listed a tool."
                : "By the list of tools alone, nothing called. n are tools, or servers where the name says so. By annotation and by the verb in the name are two ways to tell what "
                + "a tool does, and they are kept apart. Words of a third state are candidates; table vocabulary has every one, those that mean something else marked with the reason."),
                figures));
    }

    private static void figure(List<Figure> figures, List<ShareRow> all, String id, String title, List<String> names) {
        List<ShareRow> rows = new ArrayList<>();
        names.forEach(name -> rows.addAll(BehaviourPart.largest(all.stream().filter(row -> row.figure().equals(name)).toList())));
        if (rows.isEmpty()) {
            return;
        }
        Sheet sheet = Sheet.shares(List.of(Sheet.text("figure", "figure"), Sheet.text("value", "value")), rows, row -> List.of(row.figure(), row.value()));
        figures.add(new Figure(id, title, sheet, Charts.bars(id, title, rows.stream().map(row -> VerdictsPart.bar(row, row.figure() + ": " + row.value())).toList()),
                Vega.barsByPanel(title, sheet, "figure", "value")));
    }
}
