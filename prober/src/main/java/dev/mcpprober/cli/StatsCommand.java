package dev.mcpprober.cli;

import dev.mcpprober.dataset.Analysis;
import dev.mcpprober.dataset.Decisions;
import dev.mcpprober.dataset.audit.AuditException;
import dev.mcpprober.dataset.audit.Audited;
import dev.mcpprober.dataset.declared.DeclaredShares;
import dev.mcpprober.dataset.declared.DeclaredText;
import dev.mcpprober.dataset.shares.Agreement;
import dev.mcpprober.dataset.shares.ShareLine;
import dev.mcpprober.dataset.shares.ShareTable;
import dev.mcpprober.dataset.shares.ShareText;
import dev.mcpprober.dataset.shares.Shares;
import dev.mcpprober.model.Printable;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.TargetState;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code prober stats DIR}. */
@Command(name = "stats", mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true,
        description = "Every share of a run with its denominator and an interval that respects publishers; needs no engine.")
final class StatsCommand implements Callable<Integer> {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "Run folder.")
    Path folder;

    @Option(names = "--rules", split = ",", paramLabel = "ID|FILE", description = Rules.HELP)
    List<String> rules = Rules.DEFAULT;

    @Option(names = "--by", paramLabel = "GROUP", description = "What is shown: all, registry, revision, sdk_family, sdk_family_revision or sdk_version. The file has every one.")
    String by = "all";

    @Option(names = "--audit", paramLabel = "AUDIT", description = "Labels of a sample of the run, as audit score left them.")
    Path audit;

    @Option(names = "--to", paramLabel = "OUT", description = "Folder for shares.csv and declared-shares.csv, and agreement.csv where sessions were repeated. Default: stats/ in the run folder.")
    Path to;

    @Override
    public Integer call() throws UserError, IOException {
        if (!Shares.groupings().contains(by)) {
            throw new UserError("--by: no grouping \"" + Printable.text(by, 40) + "\"; there are " + String.join(", ", Shares.groupings()));
        }
        RunFolder run = RunArgument.open(folder);
        Path folderOfTables = to != null ? to : run.path().resolve("stats");
        Before.tablesCanBeWritten(to != null ? "--to" : "DIR", folderOfTables);
        Analysis analysis = Analysis.by(Rules.load(rules));
        String audited = audited(run, analysis);
        DeclaredShares declared = new DeclaredShares();
        Agreement agreement = new Agreement();
        int[] rows = new int[2];
        List<ShareLine> lines = Shares.of(run, analysis, server -> {
            rows[0] += server.state() == TargetState.UNMEASURED ? 1 : 0;
            rows[1]++;
            declared.add(server);
            agreement.add(server);
        });
        Path file = ShareTable.write(lines, folderOfTables);
        List<DeclaredShares.Line> declaredLines = declared.finish();
        Path declaredFile = DeclaredShares.write(declaredLines, folderOfTables);
        PrintWriter out = spec.commandLine().getOut();
        if (rows[0] > 0) {
            out.println("INCOMPLETE: " + rows[0] + " of " + rows[1] + " rows of the frame are unmeasured, for a fault of this machine or because the run is not done; no share counts them");
        }
        out.print(ShareText.render(lines, by));
        out.print(by.equals("all") ? DeclaredText.render(declaredLines) : "");
        if (!agreement.isEmpty()) {
            out.println();
            out.print(agreement.text());
            out.println(Printable.text(agreement.write(folderOfTables).toString()));
        }
        out.println(audited);
        out.println(Printable.text(file.toString()));
        out.println(Printable.text(declaredFile.toString()));
        return ExitCode.DONE;
    }

    /** What people found who looked at a sample, or that nobody did. */
    private String audited(RunFolder run, Analysis analysis) throws UserError, IOException {
        try {
            if (audit == null) {
                return Audited.none().begin().text();
            }
            Audited.Count count = Audited.read(audit, Decisions.runId(run)).begin();
            Decisions.each(run, analysis, count::add);
            return count.text();
        } catch (AuditException e) {
            throw new UserError(e.getMessage().lines().map(line -> Printable.text(line, 600)).collect(Collectors.joining("\n")));
        }
    }
}
