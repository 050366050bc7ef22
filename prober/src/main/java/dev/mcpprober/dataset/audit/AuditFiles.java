package dev.mcpprober.dataset.audit;

import static dev.mcpprober.dataset.Column.integer;
import static dev.mcpprober.dataset.Column.number;
import static dev.mcpprober.dataset.Column.oneOf;
import static dev.mcpprober.dataset.Column.plain;
import static dev.mcpprober.dataset.Column.text;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.dataset.Analysis;
import dev.mcpprober.dataset.CsvTable;
import dev.mcpprober.dataset.Decimal;
import dev.mcpprober.dataset.Decisions;
import dev.mcpprober.dataset.Judge;
import dev.mcpprober.dataset.Row;
import dev.mcpprober.dataset.TableSchema;
import dev.mcpprober.dataset.audit.Decision.Stratum;
import dev.mcpprober.io.AtomicFiles;
import dev.mcpprober.io.Digests;
import dev.mcpprober.io.Json;
import dev.mcpprober.run.RunFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code audit sample}: a folder with a blind sheet, a page to label with, and the key. The same run, rules and options give the same bytes. */
public final class AuditFiles {
    static final String FACTS = "audit.json";
    static final String PAGE = "index.html";
    static final TableSchema SHEET = new TableSchema("sample", "What is to be decided anew, one row each. Fill in label (one of answers) and labeller; leave the rest.", List.of(
            plain("sample", "Id of the sample.").always(),
            oneOf("kind", "Kind of decision.", Decision.KINDS).always(),
            plain("rule_set", "Rule set; none where none is behind it.").always(),
            plain("rule", "Check, or the kind where nothing divides it.").always(),
            plain("decision", "Id of the decision.").always(),
            plain("target_id", "The target.").always(),
            plain("revision", "In force."),
            plain("session", "Session that shows it."),
            text("tool_text", "Tool that was called."),
            plain("question", "What is asked.").always(),
            plain("answers", "Words to answer with, parted by semicolons.").always(),
            plain("labeller", "Who answers: to be filled in."),
            plain("label", "The answer: to be filled in."),
            text("note", "Anything else.")),
            List.of("kind", "rule_set", "rule", "decision"), List.of());
    static final TableSchema KEY = new TableSchema("key", "What the program decided. Not for labellers.", List.of(
            plain("decision", "Id of the decision.").always(),
            oneOf("kind", "Kind of decision.", Decision.KINDS).always(),
            plain("rule_set", "Rule set; none where none is behind it.").always(),
            plain("rule", "Check, or the kind.").always(),
            plain("decided", "The program's word.").always(),
            plain("target_id", "The target.").always(),
            plain("row", "Observation or failure of the data set; empty for others.")),
            List.of("decision"), List.of());
    static final TableSchema STRATA = new TableSchema("strata", "What the sample was drawn from. Not for labellers.", List.of(
            oneOf("kind", "Kind of decision.", Decision.KINDS).always(),
            plain("rule_set", "Rule set; none where none is behind it.").always(),
            plain("rule", "Check, or the kind.").always(),
            plain("decided", "The program's word.").always(),
            integer("population", "Decisions of the run with this word.").always(),
            integer("sampled", "Drawn of them.").always(),
            integer("of", "Decisions that the share of this word is of.").always(),
            number("n_eff", "The same as independent ones, with publishers as clusters.").always()),
            List.of("kind", "rule_set", "rule", "decided"), List.of());

    /** @param kinds that are drawn from; {@code maker} names the program */
    public record Options(long seed, int perStratum, List<String> kinds, String maker) {}

    /**
     * @param sample     its id
     * @param unmeasured rows of the run of which nothing is decided yet: once they are, the sample is no longer one of the run
     */
    public record Result(String sample, int decisions, int strata, int unmeasured, List<Path> files) {}

    private AuditFiles() {}

    /** @throws AuditException where the folder holds something already, or nothing is there to draw from */
    public static Result sample(RunFolder run, Analysis analysis, Path out, Options options) throws IOException, AuditException {
        if (Files.exists(out) && (!Files.isDirectory(out) || notEmpty(out))) {
            throw new AuditException(out + " is there already and not an empty folder; labels belong to one sample, so name a new folder");
        }
        Sampler sampler = new Sampler(options.seed(), options.perStratum(), options.kinds());
        int unmeasured = sampler.draw(run, analysis);
        List<Decision> decisions = sampler.sample();
        if (decisions.isEmpty()) {
            throw new AuditException("the run has no decision of kind " + String.join(", ", options.kinds()));
        }
        Files.createDirectories(out);
        List<Path> files = new ArrayList<>();
        Path key = key(decisions, out);
        Path strata = strata(sampler, out);
        String id = Digests.sha256(Digests.sha256(key) + Digests.sha256(strata) + options.seed()).substring(0, 16);
        files.add(sheet(id, decisions, out));
        files.add(AuditPage.write(run, id, decisions, out.resolve(PAGE)));
        files.add(key);
        files.add(strata);
        files.add(facts(id, Decisions.runId(run), analysis, options, decisions.size(), out.resolve(FACTS)));
        return new Result(id, decisions.size(), (int) decisions.stream().map(Decision::stratum).distinct().count(), unmeasured, files);
    }

    private static boolean notEmpty(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.findAny().isPresent();
        }
    }

    private static Path sheet(String sample, List<Decision> decisions, Path out) throws IOException {
        try (CsvTable table = new CsvTable(out, SHEET)) {
            List<Row> rows = new ArrayList<>();
            for (Decision decision : decisions) {
                Stratum stratum = decision.stratum();
                Question question = Question.of(stratum.kind());
                rows.add(table.row().set("sample", sample).set("kind", stratum.kind()).set("rule_set", stratum.ruleSet()).set("rule", stratum.rule()).set("decision", decision.id())
                        .set("target_id", decision.target()).set("revision", decision.revision()).set("session", decision.session()).set("tool_text", decision.tool())
                        .set("question", question.text()).set("answers", new ArrayList<>(question.answers().keySet())));
            }
            table.add(rows);
            return table.finish();
        }
    }

    private static Path key(List<Decision> decisions, Path out) throws IOException {
        try (CsvTable table = new CsvTable(out, KEY)) {
            table.add(decisions.stream().map(decision -> table.row().set("decision", decision.id()).set("kind", decision.stratum().kind())
                    .set("rule_set", decision.stratum().ruleSet()).set("rule", decision.stratum().rule()).set("decided", decision.stratum().decided())
                    .set("target_id", decision.target()).set("row", decision.row())).toList());
            return table.finish();
        }
    }

    private static Path strata(Sampler sampler, Path out) throws IOException {
        try (CsvTable table = new CsvTable(out, STRATA)) {
            for (Map.Entry<Stratum, Integer> entry : sampler.population().sizes().entrySet()) {
                Stratum stratum = entry.getKey();
                var share = sampler.population().share(stratum);
                table.add(table.row().set("kind", stratum.kind()).set("rule_set", stratum.ruleSet()).set("rule", stratum.rule()).set("decided", stratum.decided())
                        .set("population", entry.getValue()).set("sampled", sampler.sampled(stratum)).set("of", share.all().n()).set("n_eff", Decimal.text(share.effectiveSize())));
            }
            return table.finish();
        }
    }

    private static Path facts(String sample, String run, Analysis analysis, Options options, int decisions, Path file) throws IOException {
        ObjectNode root = Json.object().put("schemaVersion", 1).put("sample", sample).put("run", run).put("seed", options.seed()).put("perStratum", options.perStratum())
                .put("decisions", decisions).put("extractor", analysis.extractor()).put("prober", options.maker());
        root.set("ruleSets", Json.mapper().valueToTree(analysis.judges().stream().map(Judge::label).toList()));
        root.set("kinds", Json.mapper().valueToTree(options.kinds()));
        AtomicFiles.write(file, (Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n").getBytes(StandardCharsets.UTF_8));
        return file;
    }
}
