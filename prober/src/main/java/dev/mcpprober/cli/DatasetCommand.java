package dev.mcpprober.cli;

import dev.mcpprober.dataset.Analysis;
import dev.mcpprober.dataset.DatasetBuilder;
import dev.mcpprober.dataset.SummaryText;
import dev.mcpprober.model.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code prober dataset build DIR}. */
@Command(name = "dataset", mixinStandardHelpOptions = true, subcommands = DatasetCommand.Build.class, description = "Data sets of runs.")
final class DatasetCommand implements Runnable {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "a command is missing");
    }

    /** {@code prober dataset build DIR}. */
    @Command(name = "build", mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true,
            description = "Write the tables of a run as CSV with a datapackage.json; the same run gives the same bytes.")
    static final class Build implements Callable<Integer> {
        @CommandLine.Spec CommandLine.Model.CommandSpec spec;

        @Parameters(paramLabel = "DIR", description = "Run folder.")
        Path folder;

        @Option(names = "--rules", split = ",", paramLabel = "ID|FILE", description = Rules.HELP + " The first one is that of the summary.")
        List<String> rules = Rules.DEFAULT;

        @Override
        public Integer call() throws UserError, IOException {
            DatasetBuilder.Result result = DatasetBuilder.build(RunArgument.open(folder), Analysis.by(Rules.load(rules)));
            PrintWriter out = spec.commandLine().getOut();
            out.println(SummaryText.render(result.summary()));
            result.files().forEach(file -> out.println(Printable.text(file.toString())));
            return ExitCode.DONE;
        }
    }
}
