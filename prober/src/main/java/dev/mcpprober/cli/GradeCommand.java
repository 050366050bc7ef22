package dev.mcpprober.cli;

import dev.mcpprober.dataset.Analysis;
import dev.mcpprober.dataset.ChangesText;
import dev.mcpprober.dataset.Regrade;
import dev.mcpprober.model.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code prober grade DIR --rules ID}. */
@Command(name = "grade", mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true,
        description = "Derive observations and verdicts of a run anew from its transcripts, and say what came out otherwise; needs no engine.")
final class GradeCommand implements Callable<Integer> {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "Run folder.")
    Path folder;

    @Option(names = "--rules", split = ",", paramLabel = "ID|FILE", description = Rules.HELP)
    List<String> rules = Rules.DEFAULT;

    @Override
    public Integer call() throws UserError, IOException {
        Regrade.Result result = Regrade.run(RunArgument.open(folder), Analysis.by(Rules.load(rules)));
        PrintWriter out = spec.commandLine().getOut();
        out.println(result.targets() + " targets with sessions");
        result.verdicts().forEach((set, counts) -> out.println(set + ": " + (counts.isEmpty() ? "no verdict, nothing that it judges was seen" : counts.entrySet().stream()
                .map(e -> e.getValue() + " " + e.getKey()).collect(Collectors.joining(", ")))));
        out.print(ChangesText.render(result.changes()));
        result.files().forEach(file -> out.println(Printable.text(file.toString())));
        out.print(tables(folder, rules));
        return ExitCode.DONE;
    }

    /** Verdicts in tables are by the rule sets that they were made with, until somebody asks for others. */
    static String tables(Path folder, List<String> rules) {
        return Files.isDirectory(folder.resolve("dataset")) ? "the other tables in dataset/ are as they were; prober dataset build "
                + Printable.text(folder + " --rules " + String.join(",", rules)) + " makes them anew\n" : "";
    }
}
