package dev.mcpprober.cli;

import dev.mcpprober.dataset.Analysis;
import dev.mcpprober.dataset.drift.Drift;
import dev.mcpprober.dataset.drift.DriftFiles;
import dev.mcpprober.dataset.drift.DriftReader;
import dev.mcpprober.model.Printable;
import dev.mcpprober.rules.RuleSet;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.RunInfo;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code prober drift A B}. */
@Command(name = "drift", mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true,
        description = "Show how servers changed between two runs, and whether their own release, a dependency's or the image did.")
final class DriftCommand implements Callable<Integer> {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(index = "0", paramLabel = "A", description = "Run folder, the earlier one.")
    Path before;

    @Parameters(index = "1", paramLabel = "B", description = "Run folder, the later one.")
    Path after;

    @Option(names = "--rules", paramLabel = "ID|FILE", defaultValue = "spec", description = "Rule set that both are graded by.")
    String rules;

    @Option(names = "--to", paramLabel = "OUT", description = "Where the tables go. Default: drift/ in the later run folder.")
    Path to;

    @Override
    public Integer call() throws UserError, IOException {
        List<RuleSet> sets = Rules.load(List.of(rules));
        RunFolder a = RunArgument.open("A", before);
        RunFolder b = RunArgument.open("B", after);
        Path folder = to != null ? to : after.resolve("drift");
        Before.tablesCanBeWritten(to != null ? "--to" : "B", folder);
        Drift drift = DriftReader.between(a, b, Analysis.by(sets));
        RunInfo first = a.readInfo();
        RunInfo second = b.readInfo();
        Map<String, String> provenance = Map.of("rule set", sets.get(0).label(), "before created at", first.createdAt(), "before as of",
                first.settings().getOrDefault("as of", "now"), "after created at", second.createdAt(), "after as of", second.settings().getOrDefault("as of", "now"));
        PrintWriter out = spec.commandLine().getOut();
        out.println(DriftFiles.render(drift));
        DriftFiles.write(drift, folder, provenance).forEach(file -> out.println(Printable.text(file.toString())));
        return ExitCode.DONE;
    }
}
