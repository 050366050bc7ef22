package dev.mcpprober.dataset.report;

import dev.mcpprober.dataset.Analysis;
import dev.mcpprober.dataset.DataPackage;
import dev.mcpprober.dataset.Judge;
import dev.mcpprober.dataset.ReleaseData;
import dev.mcpprober.dataset.TableSchema;
import dev.mcpprober.dataset.audit.AuditException;
import dev.mcpprober.dataset.audit.AuditTables;
import dev.mcpprober.dataset.audit.Audited;
import dev.mcpprober.dataset.declared.DeclaredShares;
import dev.mcpprober.dataset.shares.ShareTable;
import dev.mcpprober.dataset.shares.Shares;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.RunInfo;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** The tables of a run, as a release would have them, for as long as a report is made. */
final class RunTables {
    private RunTables() {}

    /** @throws AuditException where the labels are of decisions that are not made here */
    static Tables write(RunFolder run, Analysis analysis, Audited people, Path folder) throws IOException, AuditException {
        List<String> labels = analysis.judges().stream().map(Judge::label).toList();
        Shares shares = new Shares();
        DeclaredShares declared = new DeclaredShares();
        Audited.Count audited = people.begin();
        ReleaseData data = ReleaseData.write(run, analysis, Map.of(), folder.resolve("data"), null, server -> {
            shares.add(server);
            declared.add(server);
        }, audited::add);
        audited.write(folder.resolve("data"), UnaryOperator.identity());
        ShareTable.write(shares.finish(labels), folder.resolve("data"));
        DeclaredShares.write(declared.finish(), folder.resolve("data"));
        List<TableSchema> tables = new ArrayList<>(data.tables());
        tables.add(ShareTable.SCHEMA);
        tables.add(DeclaredShares.SCHEMA);
        tables.addAll(AuditTables.ALL);
        RunInfo info = data.info();
        Map<String, String> facts = new TreeMap<>(Map.of("prober", info.proberVersion(), "extractor", analysis.extractor(), "rule_sets", String.join(" ", labels),
                "profile", info.profile(), "run_created_at", info.createdAt(), "as_of", info.settings().getOrDefault("as of", "")));
        DataPackage.write(folder, "data/", new DataPackage.Head("mcp-prober-report", "Tables of a report", "", "", "", facts), tables);
        return new Tables(folder);
    }
}
