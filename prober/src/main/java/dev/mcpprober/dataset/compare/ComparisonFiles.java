package dev.mcpprober.dataset.compare;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.dataset.CsvTable;
import dev.mcpprober.dataset.DataPackage;
import dev.mcpprober.dataset.Decimal;
import dev.mcpprober.dataset.Row;
import dev.mcpprober.dataset.ServerVerdicts;
import dev.mcpprober.dataset.Stand;
import dev.mcpprober.dataset.TableSchema;
import dev.mcpprober.io.AtomicFiles;
import dev.mcpprober.io.Json;
import dev.mcpprober.observation.Extractor;
import dev.mcpprober.stats.ClusteredShare;
import dev.mcpprober.stats.Kappa;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A comparison as files: four tables with their description, and the counts as {@code comparison.json}. Nothing holds a time of writing. */
public final class ComparisonFiles {
    private final Comparison comparison;
    private final Path folder;

    private ComparisonFiles(Comparison comparison, Path folder) {
        this.comparison = comparison;
        this.folder = folder;
    }

    /** Writes into {@code folder}, which is made where it is missing. Returns the files. */
    public static List<Path> write(Comparison comparison, Path folder) throws IOException {
        Files.createDirectories(folder);
        return new ComparisonFiles(comparison, folder).write();
    }

    private List<Path> write() throws IOException {
        List<Row> checks = new ArrayList<>();
        List<Row> transitions = new ArrayList<>();
        checks.add(check(comparison.whole()));
        for (Comparison.Line line : comparison.lines()) {
            checks.add(check(line));
            line.transitions().forEach((a, row) -> row.forEach((b, count) -> transitions.add(new Row(ComparisonTables.TRANSITIONS)
                    .set("check", line.check()).set("a", a).set("b", b).set("count", count))));
        }
        List<Path> files = new ArrayList<>();
        files.add(table(ComparisonTables.CHECKS, checks));
        files.add(table(ComparisonTables.TRANSITIONS, transitions));
        files.add(table(ComparisonTables.FLIPS, comparison.changes().stream().map(ComparisonFiles::flip).toList()));
        files.add(table(ComparisonTables.TARGETS, comparison.pairs().stream().map(ComparisonFiles::target).toList()));
        files.add(DataPackage.write(folder, "mcp-prober-comparison", "Verdicts compared: " + comparison.a().rules() + " and " + comparison.b().rules(),
                provenance(), ComparisonTables.ALL));
        Path json = folder.resolve("comparison.json");
        byte[] text = (Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(json()) + "\n").getBytes(StandardCharsets.UTF_8);
        AtomicFiles.write(json, text);
        files.add(json);
        return files;
    }

    private Path table(TableSchema schema, List<Row> rows) throws IOException {
        try (CsvTable table = new CsvTable(folder, schema)) {
            table.add(rows);
            return table.finish();
        }
    }

    private static Row check(Comparison.Line line) {
        Kappa kappa = line.kappa();
        return new Row(ComparisonTables.CHECKS).set("check", line.check()).set("n", line.n()).set("both_pass", line.bothPass()).set("to_fail", line.toFail())
                .set("to_pass", line.toPass()).set("both_fail", line.bothFail()).set("not_comparable", line.incomparable())
                .set("same", line.transitions().isEmpty() ? line.n() - line.toFail() - line.toPass() - line.incomparable() : kappa.agreement().k())
                .set("kappa", Decimal.text(kappa.value())).set("kappa_low", Decimal.text(kappa.low())).set("kappa_high", Decimal.text(kappa.high()))
                .set("p", Decimal.text(line.p())).set("p_holm", Decimal.text(line.pHolm())).set("fail_only_a", line.failOnlyA())
                .set("fail_only_b", line.failOnlyB()).set("p_fail", Decimal.text(line.pFail()));
    }

    private static Row flip(Comparison.Change change) {
        Row row = new Row(ComparisonTables.FLIPS).set("check", change.check()).set("target_id", change.target()).set("kind", change.kind())
                .set("version_changed", change.versionChanged());
        side(row, "a", change.a());
        side(row, "b", change.b());
        return row;
    }

    private static void side(Row row, String side, Stand stand) {
        if (stand == null) {
            row.set(side, CheckTally.NO_VERDICT);
            return;
        }
        row.set(side, stand.word().id()).set(side + "_observation", stand.observation()).set(side + "_seen", stand.seen())
                .set(side + "_session", stand.session()).set(side + "_transcript", stand.transcript()).set(side + "_witness", stand.witness())
                .set(side + "_tool_text", stand.tool()).set(side + "_note_text", stand.note());
    }

    private static Row target(Paired pair) {
        Row row = new Row(ComparisonTables.TARGETS).set("target_id", pair.target()).set("match", pair.match().id())
                .set("side", pair.both() ? "both" : pair.a() != null ? "a" : "b");
        if (pair.both()) {
            row.set("b_target_id", pair.b().row().target());
        }
        side(row, "a", pair.a());
        side(row, "b", pair.b());
        return row;
    }

    private static void side(Row row, String side, ServerVerdicts server) {
        if (server != null) {
            row.set(side + "_state", server.state().id()).set(side + "_reason", server.reason()).set(side + "_version", server.version());
        }
    }

    private Map<String, String> provenance() {
        Map<String, String> facts = new TreeMap<>();
        facts.put("extractor", Extractor.ID);
        for (var side : Map.of("a", comparison.a(), "b", comparison.b()).entrySet()) {
            facts.put(side.getKey() + " rule_set", side.getValue().rules());
            facts.put(side.getKey() + " prober", side.getValue().info().proberVersion());
            facts.put(side.getKey() + " frame_sha256", side.getValue().info().frameHash());
            facts.put(side.getKey() + " run_created_at", side.getValue().info().createdAt());
        }
        return facts;
    }

    private ObjectNode json() {
        ObjectNode root = Json.object().put("schemaVersion", 1);
        side(root.putObject("a"), comparison.a());
        side(root.putObject("b"), comparison.b());
        root.put("sameFrame", comparison.a().info().frameHash().equals(comparison.b().info().frameHash()));
        root.put("extractor", Extractor.ID).put("servers", comparison.servers());
        share(root.putObject("sameWord"), comparison.same());
        share(root.putObject("cost"), comparison.cost());
        root.set("rows", Json.mapper().valueToTree(comparison.rows()));
        root.set("states", Json.mapper().valueToTree(comparison.states()));
        line(root.putObject("any"), comparison.whole());
        ArrayNode checks = root.putArray("checks");
        comparison.lines().forEach(line -> line(checks.addObject().put("check", line.check()), line));
        root.set("onlyInA", Json.mapper().valueToTree(comparison.onlyA()));
        root.set("onlyInB", Json.mapper().valueToTree(comparison.onlyB()));
        return root;
    }

    private static void share(ObjectNode node, ClusteredShare share) {
        node.put("k", share.all().k()).put("n", share.all().n()).put("clusters", share.publishers()).put("low", share.wilson().low())
                .put("high", share.wilson().high());
    }

    private static void side(ObjectNode node, Comparison.Side side) {
        node.put("run", side.run()).put("rules", side.rules()).put("prober", side.info().proberVersion()).put("profile", side.info().profile())
                .put("frameSha256", side.info().frameHash()).put("frameRows", side.info().frameRows()).put("createdAt", side.info().createdAt());
    }

    private static void line(ObjectNode node, Comparison.Line line) {
        node.put("n", line.n()).put("bothPass", line.bothPass()).put("toFail", line.toFail()).put("toPass", line.toPass()).put("bothFail", line.bothFail());
        node.set("notComparable", Json.mapper().valueToTree(line.notComparable()));
        node.put("p", line.p());
        if (!Double.isNaN(line.pHolm())) {
            node.put("pHolm", line.pHolm());
        }
        node.put("failOnlyA", line.failOnlyA()).put("failOnlyB", line.failOnlyB()).put("pFail", line.pFail());
        if (!line.transitions().isEmpty()) {
            node.set("transitions", Json.mapper().valueToTree(line.transitions()));
        }
    }
}
