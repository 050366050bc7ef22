package dev.mcpprober.cli;

import dev.mcpprober.cli.explain.RuleJson;
import dev.mcpprober.cli.explain.RuleText;
import dev.mcpprober.rules.RuleSet;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code prober rules list} and {@code prober rules show ID|FILE}. */
@Command(name = "rules", mixinStandardHelpOptions = true, subcommands = {RulesCommand.ListAll.class, RulesCommand.Show.class},
        description = "The rule sets that servers are graded by.")
final class RulesCommand implements Runnable {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    /** As people or programs read it. */
    enum Format { text, json }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "a command is missing (list or show)");
    }

    /** {@code prober rules list}. */
    @Command(name = "list", mixinStandardHelpOptions = true, showDefaultValues = true, description = "Print the bundled rule sets.")
    static final class ListAll implements Callable<Integer> {
        @CommandLine.Spec CommandLine.Model.CommandSpec spec;

        @Option(names = "--format", description = "One of: ${COMPLETION-CANDIDATES}.")
        Format format = Format.text;

        @Override
        public Integer call() throws UserError, IOException {
            PrintWriter out = spec.commandLine().getOut();
            List<RuleSet> sets = Rules.load(Rules.BUNDLED);
            if (format == Format.json) {
                out.println(RuleJson.list(sets, Rules.DEFAULT));
            } else {
                for (RuleSet set : sets) {
                    out.println(String.format(Locale.ROOT, "%-18s %3d rules  %s%s", set.label(), set.rules().size(), set.title(),
                            Rules.DEFAULT.contains(set.id()) ? " (used by default)" : ""));
                }
            }
            return ExitCode.DONE;
        }
    }

    /** {@code prober rules show}. */
    @Command(name = "show", mixinStandardHelpOptions = true, showDefaultValues = true,
            description = "Print every rule of a bundled rule set, or of a file of yours, which is validated by that.")
    static final class Show implements Callable<Integer> {
        @CommandLine.Spec CommandLine.Model.CommandSpec spec;

        @Parameters(paramLabel = "ID|FILE", description = "A bundled rule set (see prober rules list) or a file ending in .yaml.")
        String name;

        @Option(names = "--format", description = "One of: ${COMPLETION-CANDIDATES}.")
        Format format = Format.text;

        @Override
        public Integer call() throws UserError, IOException {
            PrintWriter out = spec.commandLine().getOut();
            RuleSet set = Rules.load(List.of(name)).get(0);
            if (format == Format.json) {
                out.println(RuleJson.set(set));
            } else {
                RuleText.set(set).forEach(out::println);
            }
            return ExitCode.DONE;
        }
    }
}
