package dev.mcpprober.cli;

import dev.mcpprober.dataset.Analysis;
import dev.mcpprober.dataset.compare.Comparer;
import dev.mcpprober.dataset.compare.Comparison;
import dev.mcpprober.dataset.compare.ComparisonFiles;
import dev.mcpprober.dataset.compare.ComparisonText;
import dev.mcpprober.model.Printable;
import dev.mcpprober.rules.RuleSet;
import dev.mcpprober.run.RunFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code prober compare DIR --rules A,B} and {@code prober compare DIR DIR2}. */
@Command(name = "compare", mixinStandardHelpOptions = true, sortOptions = false,
        description = {"Show which servers flip between two rule sets on one run, or between two runs under one rule set.",
                "  prober compare DIR --rules spec,sep-2145    what a proposal would cost",
                "  prober compare DIR DIR2                     what has changed since"})
final class CompareCommand implements Callable<Integer> {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(arity = "1..2", paramLabel = "DIR", description = "Run folder; a second one for two runs.")
    List<Path> folders;

    @Option(names = "--rules", split = ",", paramLabel = "ID|FILE",
            description = "With one run: two rule sets, A and B. With two runs: the one rule set that both are graded by. Default there: spec")
    List<String> rules = List.of();

    @Option(names = "--to", paramLabel = "OUT", description = "Where the tables go. Default: comparisons/ in the first run folder.")
    Path to;

    @Override
    public Integer call() throws UserError, IOException {
        if (folders.size() > 2) {
            throw new UserError("compare takes one run and two rule sets (--rules spec,sep-2145), or two runs; there are " + folders.size() + " runs");
        }
        boolean two = folders.size() == 2;
        List<String> names = two && rules.isEmpty() ? List.of("spec") : rules;
        if (!two && names.size() != 2) {
            throw new UserError("compare takes one run and two rule sets (--rules spec,sep-2145), or two runs; there is one run and "
                    + (names.isEmpty() ? "no --rules" : "--rules names " + names.size()));
        }
        if (two && names.size() != 1) {
            throw new UserError("--rules: two runs are compared under one rule set, and " + names.size() + " are named; for two rule sets, name one run");
        }
        List<RuleSet> ruleSets = Rules.load(names);
        if (!two && ruleSets.get(0).label().equals(ruleSets.get(1).label())) {
            throw new UserError("--rules: both are " + ruleSets.get(0).label() + "; give a changed copy another version");
        }
        RunFolder first = RunArgument.open(folders.get(0));
        RunFolder second = two ? RunArgument.open(folders.get(1)) : first;
        if (to != null) {
            Before.tablesCanBeWritten("--to", to);
        }
        Analysis analysis = Analysis.by(ruleSets);
        Comparison comparison = two ? Comparer.runs(first, second, analysis) : Comparer.ruleSets(first, analysis);
        List<Path> files = ComparisonFiles.write(comparison, to != null ? to : first.path().resolve("comparisons").resolve(name(comparison, two)));
        PrintWriter out = spec.commandLine().getOut();
        out.println(ComparisonText.render(comparison));
        files.forEach(file -> out.println(Printable.text(file.toString())));
        return ExitCode.DONE;
    }

    private static String name(Comparison comparison, boolean two) {
        return two ? comparison.a().rules() + "-and-run-" + comparison.b().run().replaceAll("[^A-Za-z0-9._-]", "-")
                : comparison.a().rules() + "-and-" + comparison.b().rules();
    }
}
