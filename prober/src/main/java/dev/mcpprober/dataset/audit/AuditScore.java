package dev.mcpprober.dataset.audit;

import static dev.mcpprober.dataset.Column.oneOf;
import static dev.mcpprober.dataset.Column.plain;
import static dev.mcpprober.dataset.Column.text;

import dev.mcpprober.dataset.CsvTable;
import dev.mcpprober.dataset.Row;
import dev.mcpprober.dataset.TableSchema;
import dev.mcpprober.io.AtomicFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** {@code audit score}: rates, agreement, and what labellers have to settle. */
public final class AuditScore {
    static final TableSchema DISAGREEMENTS = new TableSchema("disagreements", "What labellers answer differently. Settle each in column label, together or by a third person, and give "
            + "the file to audit score as --adjudicated.", List.of(
            plain("sample", "Id of the sample.").always(),
            oneOf("kind", "Kind of decision.", Decision.KINDS).always(),
            plain("rule_set", "Rule set; none where none is behind it.").always(),
            plain("rule", "Check or kind.").always(),
            plain("decision", "Id of the decision.").always(),
            plain("target_id", "The target.").always(),
            plain("given", "What was answered.").always(),
            plain("answers", "Words to answer with, parted by semicolons.").always(),
            plain("labeller", "Stands for those who settled it.").always(),
            plain("label", "The answer: to be filled in."),
            text("note", "Anything else.")),
            List.of("kind", "rule_set", "rule", "decision"), List.of());

    private final AuditFolder audit;
    private final Labels labels;
    private final List<Rates.Line> rates;
    private final List<Agreement.Line> agreement;
    private final List<String> open;

    private AuditScore(AuditFolder audit, Labels labels) {
        this.audit = audit;
        this.labels = labels;
        this.rates = new Rates(audit.strata(), audit.key(), labels).lines();
        this.agreement = Agreement.of(labels, audit.key());
        this.open = labels.given().keySet().stream().filter(decision -> labels.truth(decision).isEmpty()).toList();
    }

    /**
     * @param text  for a terminal
     * @param files what was written
     * @param open  decisions that labellers have to settle
     */
    public record Result(String text, List<Path> files, int open) {}

    /**
     * @param out         folder for what comes of it; null for one within {@code folder}
     * @param adjudicated what was settled; null for nothing
     * @throws AuditException with every problem of the labels; then nothing is written
     */
    public static Result run(Path folder, List<Path> files, Path adjudicated, Path out) throws IOException, AuditException {
        AuditFolder audit = AuditFolder.read(folder);
        Path target = out == null ? Audited.scored(folder) : out;
        List<Path> inputs = new ArrayList<>(files);
        if (adjudicated != null) {
            inputs.add(adjudicated);
        }
        for (Path file : inputs) {
            if (file.toAbsolutePath().normalize().startsWith(target.toAbsolutePath().normalize()) && !file.equals(adjudicated)) {
                throw new AuditException(file + " lies where the results go and might be lost; keep labels elsewhere, or name another folder with --to");
            }
        }
        if (adjudicated != null && adjudicated.toAbsolutePath().normalize().equals(target.resolve(DISAGREEMENTS.fileName()).toAbsolutePath().normalize())) {
            throw new AuditException(adjudicated + " would be written over; copy it to another name before you fill it in");
        }
        AuditScore score = new AuditScore(audit, Labels.read(audit, files, adjudicated));
        return new Result(AuditText.render(score.labels, score.rates, score.agreement, audit.key().size()), score.write(folder, target), score.open.size());
    }

    private List<Path> write(Path folder, Path out) throws IOException {
        Files.createDirectories(out);
        List<Path> files = new ArrayList<>();
        files.add(AuditTables.audit(rates, out));
        files.add(AuditTables.labels(labels, audit.key(), audit.strata(), UnaryOperator.identity(), out));
        files.add(Agreement.write(agreement, out));
        files.add(disagreements(out));
        for (String name : List.of(AuditFiles.FACTS, AuditFiles.KEY.fileName(), AuditFiles.STRATA.fileName())) {
            if (!Files.exists(out.resolve(name)) || !Files.isSameFile(folder.resolve(name), out.resolve(name))) {
                AtomicFiles.write(out.resolve(name), Files.readAllBytes(folder.resolve(name)));
            }
            files.add(out.resolve(name));
        }
        return files;
    }

    private Path disagreements(Path out) throws IOException {
        try (CsvTable table = new CsvTable(out, DISAGREEMENTS)) {
            List<Row> rows = new ArrayList<>();
            for (String decision : open) {
                AuditFolder.Keyed keyed = audit.key().get(decision);
                rows.add(table.row().set("sample", audit.sample()).set("kind", keyed.stratum().kind()).set("rule_set", keyed.stratum().ruleSet())
                        .set("rule", keyed.stratum().rule()).set("decision", decision).set("target_id", keyed.target())
                        .set("given", labels.given().get(decision).entrySet().stream().map(e -> e.getKey() + " " + e.getValue()).collect(Collectors.joining(";")))
                        .set("answers", new ArrayList<>(Question.of(keyed.stratum().kind()).answers().keySet())).set("labeller", Labels.ADJUDICATED));
            }
            table.add(rows);
            return table.finish();
        }
    }
}
