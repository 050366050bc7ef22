package dev.mcpprober.cli;

import dev.mcpprober.dataset.Analysis;
import dev.mcpprober.dataset.report.Report;
import dev.mcpprober.model.Printable;
import dev.mcpprober.run.RunFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code prober report DIR}. */
@Command(name = "report", mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true,
        description = "Write a run as static HTML pages, without scripts, that open from a folder or a zip.")
final class ReportCommand implements Callable<Integer> {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "Run folder.")
    Path folder;

    @Option(names = "--rules", paramLabel = "ID|FILE", defaultValue = "spec", description = "Rule set whose verdicts are shown.")
    String rules;

    @Option(names = "--to", paramLabel = "OUT", description = "Where the pages go. Default: report/ in the run folder.")
    Path to;

    @Override
    public Integer call() throws UserError, IOException {
        RunFolder run = RunArgument.open(folder);
        Path index = Report.write(run, Analysis.by(Rules.load(List.of(rules))), to != null ? to : run.path().resolve("report"));
        spec.commandLine().getOut().println(Printable.text(index.toString()));
        return ExitCode.DONE;
    }
}
