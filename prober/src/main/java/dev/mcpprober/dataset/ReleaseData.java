package dev.mcpprober.dataset;

import dev.mcpprober.dataset.audit.Decision;
import dev.mcpprober.install.InstallRecord;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.RunInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The tables of a release, in one pass over a run.
 *
 * @param tables    in the order of the description
 * @param lockfiles target to SHA-256 of the lockfile that its install left
 */
public record ReleaseData(RunInfo info, Summary summary, List<TableSchema> tables, Map<String, String> lockfiles) {
    public ReleaseData {
        tables = List.copyOf(tables);
        lockfiles = new TreeMap<>(lockfiles);
    }

    /** Settings of the run, without paths of the machine. */
    public Map<String, String> settings() {
        return RunRow.settings(info);
    }

    /**
     * Writes every table but shares and the audit into {@code data}.
     *
     * @param ruleDigests rule set to SHA-256 of its file, where it is known
     * @param transcripts where the transcripts go, under the names that table sessions gives; null for nowhere
     * @param also        sees each server
     * @param decided     sees everything that was decided
     */
    public static ReleaseData write(RunFolder run, Analysis analysis, Map<String, String> ruleDigests, Path data, Path transcripts, Consumer<ServerVerdicts> also,
                                    Consumer<Decision> decided) throws IOException {
        return write(run, analysis, ruleDigests, data, transcripts, Veil.NONE, also, decided);
    }

    /** @param veil servers that are published under a pseudonym */
    public static ReleaseData write(RunFolder run, Analysis analysis, Map<String, String> ruleDigests, Path data, Path transcripts, Veil veil, Consumer<ServerVerdicts> also,
                                    Consumer<Decision> decided) throws IOException {
        Judge first = analysis.judges().get(0);
        TableSchema wide = ReleaseTables.wide(first);
        Map<String, String> lockfiles = new TreeMap<>();
        Files.createDirectories(data);
        try (RunReader reader = new RunReader(run, analysis.redactor()); CsvTable witnesses = new CsvTable(data, ReleaseTables.WITNESSES);
                CsvTable servers = new CsvTable(data, wide); CsvTable codes = new CsvTable(data, ReleaseTables.CODES)) {
            Decisions decisions = Decisions.of(reader, analysis);
            reader.publish(transcripts, veil);
            DatasetBuilder.Result result = DatasetBuilder.write(reader, data, analysis, ruleDigests, veil, derived -> {
                String target = derived.history().row().target();
                witnesses.add(veil.covers(target) ? List.of() : WitnessRows.of(reader, derived));
                ServerVerdicts server = ServerVerdicts.of(derived);
                servers.add(List.of(veil.view(ReleaseTables.wideRow(wide, server, first.label()), target)));
                derived.install().map(InstallRecord::lock).filter(lock -> !lock.sha256().isEmpty() && !veil.covers(target))
                        .ifPresent(lock -> lockfiles.put(target, lock.sha256()));
                also.accept(server);
                decisions.of(derived).forEach(decided);
            });
            codes.add(ReleaseTables.codes());
            witnesses.finish();
            servers.finish();
            codes.finish();
            List<TableSchema> tables = new ArrayList<>(Tables.ALL);
            tables.add(ReleaseTables.WITNESSES);
            tables.add(ReleaseTables.CODES);
            tables.add(wide);
            return new ReleaseData(reader.info(), result.summary(), tables, lockfiles);
        }
    }
}
