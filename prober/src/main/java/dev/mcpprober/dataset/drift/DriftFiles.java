package dev.mcpprober.dataset.drift;

import static dev.mcpprober.dataset.Column.flag;
import static dev.mcpprober.dataset.Column.integer;
import static dev.mcpprober.dataset.Column.oneOf;
import static dev.mcpprober.dataset.Column.plain;
import static dev.mcpprober.dataset.Column.text;

import dev.mcpprober.dataset.CsvTable;
import dev.mcpprober.dataset.DataPackage;
import dev.mcpprober.dataset.Row;
import dev.mcpprober.dataset.TableSchema;
import dev.mcpprober.dataset.TextTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A drift as tables and as text. */
public final class DriftFiles {
    private static final int SHOWN = 20;

    private static final TableSchema SERVERS = new TableSchema("servers", "Every server that both runs measured.", List.of(
            plain("target_id", "The target, as in the first run.").always(),
            plain("version_before", "Installed release in the first run."),
            plain("version_after", "The same in the second."),
            flag("flipped", "A verdict or the start is not what it was.").always(),
            oneOf("cause", Arrays.stream(Drift.Cause.values()).map(c -> c.id() + ": " + c.meaning()).collect(Collectors.joining("; ")) + ". The first that applies.",
                    Arrays.stream(Drift.Cause.values()).map(Drift.Cause::id).toList()).always(),
            text("changes_text", "Packages of its dependency tree whose releases differ.")),
            List.of("target_id"), List.of());

    private static final TableSchema FLIPS = new TableSchema("flips", "Every verdict, and every start, that is not what it was.", List.of(
            plain("target_id", "Server.").always(),
            plain("what", "A check, or start.").always(),
            plain("before", "Verdict word; for start the state and its reason.").always(),
            plain("after", "The same in the second run.").always()),
            List.of("target_id", "what"), List.of(new TableSchema.ForeignKey(List.of("target_id"), "servers", List.of("target_id"))));

    private static final TableSchema RELEASES = new TableSchema("releases", "Releases that came into dependency trees of servers whose own release is the same.", List.of(
            plain("name", "Package.").always(),
            plain("to", "Releases that only the second run has; gone: none.").always(),
            oneOf("step", Arrays.stream(TreeChange.Step.values()).map(c -> c.id() + ": " + c.meaning()).collect(Collectors.joining("; ")) + ".",
                    Arrays.stream(TreeChange.Step.values()).map(TreeChange.Step::id).toList()).always(),
            integer("servers", "Servers with this change.").always(),
            integer("flipped", "Of them, those with a verdict into or out of fail, or another start.").always(),
            integer("stopped", "Of them, those that started before and do not now.").always()),
            List.of("name", "to"), List.of());

    private DriftFiles() {}

    /** @return the files, in {@code folder} */
    public static List<Path> write(Drift drift, Path folder, Map<String, String> provenance) throws IOException {
        Files.createDirectories(folder);
        List<Row> servers = new ArrayList<>();
        List<Row> flips = new ArrayList<>();
        for (Drift.Pair pair : drift.pairs()) {
            servers.add(new Row(SERVERS).set("target_id", pair.target()).set("version_before", pair.versionBefore()).set("version_after", pair.versionAfter())
                    .set("flipped", pair.flipped()).set("cause", pair.cause().id())
                    .set("changes_text", pair.changes().stream().map(TreeChange::toString).collect(Collectors.joining("; "))));
            pair.flips().forEach(flip -> flips.add(new Row(FLIPS).set("target_id", pair.target()).set("what", flip.what()).set("before", flip.before())
                    .set("after", flip.after())));
        }
        List<Row> releases = drift.releases().stream().map(r -> new Row(RELEASES).set("name", r.name()).set("to", r.to().isEmpty() ? "gone" : r.to())
                .set("step", r.step().id()).set("servers", r.servers()).set("flipped", r.flipped()).set("stopped", r.stopped())).toList();
        List<Path> files = new ArrayList<>(List.of(table(folder, SERVERS, servers), table(folder, FLIPS, flips), table(folder, RELEASES, releases)));
        files.add(DataPackage.write(folder, "mcp-prober-drift", "What changed between two runs, and beneath it", provenance, List.of(SERVERS, FLIPS, RELEASES)));
        return files;
    }

    private static Path table(Path folder, TableSchema schema, List<Row> rows) throws IOException {
        try (CsvTable table = new CsvTable(folder, schema)) {
            table.add(rows);
            return table.finish();
        }
    }

    /** For a terminal; bounded. */
    public static String render(Drift drift) {
        StringBuilder out = new StringBuilder();
        long flipped = drift.pairs().stream().filter(Drift.Pair::flipped).count();
        out.append(drift.pairs().size()).append(" servers measured in both runs, ").append(flipped).append(" of them changed; ").append(drift.cut())
                .append(" rows are in one run only or unmeasured\n");
        if (drift.oneSided() > 0) {
            out.append(drift.oneSided()).append(" verdicts are in one run only, which did not ask the same in both; they are no change of a server\n");
        }
        List<List<String>> causes = new ArrayList<>();
        drift.flippedByCause().forEach((cause, count) -> causes.add(List.of("  " + cause.id(), Long.toString(count), cause.meaning())));
        TextTable.append(out, causes, "lrl");
        List<Drift.Release> releases = drift.releases().stream().filter(r -> r.flipped() > 0).limit(SHOWN).toList();
        if (!releases.isEmpty()) {
            out.append("\nreleases beneath changed servers (servers changed / servers with the release; stopped starting)\n");
            TextTable.append(out, releases.stream().map(r -> List.of("  " + r.name(), r.to().isEmpty() ? "(gone)" : r.to(), r.step().id(), r.flipped() + "/" + r.servers(),
                    Integer.toString(r.stopped()))).toList(), "lllrr");
        }
        List<List<String>> rows = new ArrayList<>();
        for (Drift.Pair pair : drift.pairs()) {
            pair.flips().forEach(flip -> rows.add(List.of("  " + pair.target(), flip.what(), flip.before() + " -> " + flip.after(), pair.cause().id())));
        }
        if (!rows.isEmpty()) {
            out.append("\nchanges\n");
            TextTable.append(out, rows.subList(0, Math.min(SHOWN, rows.size())), "llll");
            if (rows.size() > SHOWN) {
                out.append("  … and ").append(rows.size() - SHOWN).append(" more in flips.csv\n");
            }
        }
        return out.toString();
    }
}
