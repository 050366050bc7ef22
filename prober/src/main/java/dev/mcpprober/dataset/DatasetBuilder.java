package dev.mcpprober.dataset;

import dev.mcpprober.model.Printable;
import dev.mcpprober.run.Coverage;
import dev.mcpprober.run.FrameRow;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.TargetState;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Makes the data set of a run: observations and verdicts derived anew from the transcripts, the tables, and their description. The same
 * run folder and analysis give the same bytes.
 */
public final class DatasetBuilder {
    private DatasetBuilder() {}

    /**
     * @param files what was written, in a fixed order
     */
    public record Result(List<Path> files, Summary summary) {
        public Result {
            files = List.copyOf(files);
        }
    }

    /** Sees what follows of each row, in the order of the tables. */
    interface Sink {
        void accept(Derived derived) throws IOException;
    }

    /** @throws IOException naming the file, when something cannot be read or written, or is not what the ledger says */
    public static Result build(RunFolder folder, Analysis analysis) throws IOException {
        try (RunReader reader = new RunReader(folder, analysis.redactor()); DerivedFiles derivedFiles = new DerivedFiles(folder, analysis, null)) {
            Result tables = write(reader, folder.dataset(), analysis, Map.of(), Veil.NONE, derivedFiles::add);
            List<Path> files = new ArrayList<>(derivedFiles.finish());
            files.addAll(tables.files());
            files.add(DataPackage.write(folder.dataset(), "mcp-prober-" + reader.info().frameHash().substring(0, 12), DataPackage.TITLE,
                    provenance(reader, analysis), Tables.ALL));
            return new Result(files, tables.summary());
        }
    }

    /**
     * Writes the tables into {@code dir}.
     *
     * @param ruleDigests see {@link RunRow}
     */
    static Result write(RunReader reader, Path dir, Analysis analysis, Map<String, String> ruleDigests, Veil veil, Sink also) throws IOException {
        SummaryCollector summary = new SummaryCollector(analysis.judges().get(0).label());
        Map<List<String>, Integer> coverage = new TreeMap<>(CsvTable.KEY_ORDER);
        try (Outputs out = new Outputs(dir, analysis, RunRow.id(reader.info()))) {
            for (FrameRow row : reader.rows()) {
                Derived derived = derive(reader, row, analysis);
                out.add(derived, veil);
                also.accept(derived);
                summary.add(derived, veil.told(row.target()));
                coverage.merge(List.of(derived.state().id(), derived.reason().isEmpty() ? "none" : derived.reason()), 1, Integer::sum);
            }
            out.runs.add(RunRow.of(reader.info(), analysis, ruleDigests));
            out.rules(analysis.judges());
            out.coverage(coverage, reader.rows().size());
            Coverage total = summary.coverage();
            if (!total.addsUp() || total.frame() != reader.info().frameRows()) {
                throw new IllegalStateException("the numbers do not add up: " + total + ", frame of " + reader.info().frameRows());
            }
            return new Result(out.finish(), summary.summary());
        }
    }

    private static Derived derive(RunReader reader, FrameRow row, Analysis analysis) throws IOException {
        try {
            return Derived.of(reader, reader.history(row), analysis);
        } catch (RuntimeException e) {
            throw new IllegalStateException("target " + Printable.text(row.target()) + ": " + e, e);
        }
    }

    private static Map<String, String> provenance(RunReader reader, Analysis analysis) {
        Map<String, String> facts = new TreeMap<>();
        facts.put("prober", reader.info().proberVersion());
        facts.put("frame_sha256", reader.info().frameHash());
        facts.put("frame_rows", Integer.toString(reader.info().frameRows()));
        facts.put("profile", reader.info().profile());
        facts.put("seed", Long.toString(reader.info().seed()));
        facts.put("run_created_at", reader.info().createdAt());
        facts.put("extractor", analysis.extractor());
        facts.put("rule_sets", String.join(" ", analysis.judges().stream().map(Judge::label).toList()));
        RunRow.settings(reader.info()).forEach((name, value) -> facts.put("setting " + name, value));
        reader.info().images().forEach((name, value) -> facts.put("image " + name, value));
        return facts;
    }

    /** Every file of a data set while it is written. */
    private static final class Outputs implements Closeable {
        private final String extractor;
        private final String run;
        private final List<Closeable> open = new ArrayList<>();
        private final CsvTable runs;
        private final CsvTable targets;
        private final CsvTable attempts;
        private final CsvTable sessions;
        private final CsvTable versions;
        private final CsvTable observations;
        private final CsvTable verdicts;
        private final CsvTable flaky;
        private final CsvTable rules;
        private final CsvTable attribution;
        private final CsvTable failureShapes;
        private final CsvTable declaredTools;
        private final CsvTable vocabulary;
        private final CsvTable coverage;

        Outputs(Path dir, Analysis analysis, String run) throws IOException {
            this.extractor = analysis.extractor();
            this.run = run;
            try {
                Files.createDirectories(dir);
                runs = table(dir, RunRow.SCHEMA);
                targets = table(dir, Tables.TARGETS);
                attempts = table(dir, Tables.ATTEMPTS);
                sessions = table(dir, Tables.SESSIONS);
                versions = table(dir, Tables.VERSIONS);
                observations = table(dir, Tables.OBSERVATIONS);
                verdicts = table(dir, Tables.VERDICTS);
                flaky = table(dir, Tables.FLAKY);
                rules = table(dir, Tables.RULES);
                attribution = table(dir, Tables.ATTRIBUTION);
                failureShapes = table(dir, Tables.FAILURE_SHAPES);
                declaredTools = table(dir, TraitTables.DECLARED_TOOLS);
                vocabulary = table(dir, TraitTables.VOCABULARY);
                coverage = table(dir, Tables.COVERAGE);
            } catch (IOException e) {
                close();
                throw new IOException("data set " + dir + ": cannot be written: " + e.getMessage(), e);
            }
        }

        private CsvTable table(Path dir, TableSchema schema) throws IOException {
            CsvTable table = new CsvTable(dir, schema);
            open.add(table);
            return table;
        }

        void add(Derived derived, Veil veil) throws IOException {
            TargetRows rows = new TargetRows(derived);
            List<Row> tools = new ArrayList<>();
            List<Row> hits = new ArrayList<>();
            TraitTables.rows(derived.history().row().target(), derived.tools(), tools, hits);
            Map<CsvTable, List<Row>> sheets = new LinkedHashMap<>();
            sheets.put(targets, List.of(rows.target().set("run_id", run)));
            sheets.put(attempts, rows.attempts());
            sheets.put(sessions, rows.sessions());
            sheets.put(versions, rows.versions());
            sheets.put(observations, rows.observations(extractor));
            sheets.put(verdicts, rows.verdicts());
            sheets.put(flaky, rows.flaky());
            sheets.put(attribution, rows.attribution());
            sheets.put(failureShapes, rows.failures());
            sheets.put(declaredTools, tools);
            sheets.put(vocabulary, hits);
            Veil.Sheet sheet = veil.sheet(derived.history().row().target());
            for (Map.Entry<CsvTable, List<Row>> table : sheets.entrySet()) {
                table.getKey().add(sheet.rows(table.getKey().schema(), table.getValue()));
            }
        }

        void rules(List<Judge> judges) throws IOException {
            List<Row> rows = new ArrayList<>();
            for (Judge judge : judges) {
                for (Judge.RuleText rule : judge.rules()) {
                    rows.add(new Row(Tables.RULES).set("rule_set", judge.label()).set("check", rule.check()).set("revision", rule.revision().date())
                            .set("level", rule.level()).set("requirement_text", rule.requirement()).set("citation_text", rule.citation())
                            .set("comment_text", rule.comment()));
                }
            }
            rules.add(rows);
        }

        void coverage(Map<List<String>, Integer> counts, int frame) throws IOException {
            for (Map.Entry<List<String>, Integer> entry : counts.entrySet()) {
                String state = entry.getKey().get(0);
                coverage.add(new Row(Tables.COVERAGE).set("state", state).set("reason", entry.getKey().get(1))
                        .set("measured", TargetState.of(state).measured()).set("count", entry.getValue()).set("frame", frame));
            }
        }

        List<Path> finish() throws IOException {
            List<Path> files = new ArrayList<>();
            for (CsvTable table : List.of(runs, targets, attempts, sessions, versions, observations, verdicts, flaky, rules, attribution, failureShapes, declaredTools, vocabulary, coverage)) {
                files.add(table.finish());
            }
            return files;
        }

        @Override
        public void close() throws IOException {
            IOException first = null;
            for (Closeable part : open) {
                try {
                    part.close();
                } catch (IOException e) {
                    first = first == null ? e : first;
                }
            }
            if (first != null) {
                throw first;
            }
        }
    }
}
