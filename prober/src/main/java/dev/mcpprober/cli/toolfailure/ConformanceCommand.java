package dev.mcpprober.cli.toolfailure;

import dev.mcpprober.cli.ExitCode;
import dev.mcpprober.cli.Rules;
import dev.mcpprober.cli.UserError;
import dev.mcpprober.toolfailure.conformance.Example;
import dev.mcpprober.toolfailure.conformance.Traceability;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code prober toolfailure conformance}: every statement of the proposal, its check, and the examples that show the check at work. */
@Command(name = "conformance", mixinStandardHelpOptions = true, sortOptions = false,
        description = "List the statements of SEP-3313 with their checks, and run the examples of each.",
        footer = {"", "Exit codes: 0 every example comes out as it says; 1 one does not."})
final class ConformanceCommand implements Callable<Integer> {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Option(names = "--examples", description = "List the examples too.")
    boolean list;

    @Override
    public Integer call() throws UserError, IOException {
        PrintWriter out = spec.commandLine().getOut();
        ExampleRunner runner = new ExampleRunner(Rules.load(List.of("tool-failure")).get(0));
        List<Example> all = Example.readAll();
        int wrong = 0;
        for (Traceability.Statement statement : Traceability.read().statements()) {
            out.printf(Locale.ROOT, "%-9s %-7s %s%n", statement.level(), statement.role(), statement.check().orElse("(not tested)"));
            out.println("    " + statement.text());
            statement.excluded().ifPresent(reason -> out.println("    not tested: " + reason));
            List<Example> examples = all.stream().filter(example -> statement.check().filter(example.check()::equals).isPresent()).toList();
            for (Example example : examples) {
                String verdict = runner.verdict(example);
                boolean as = verdict.equals(example.verdict());
                wrong += as ? 0 : 1;
                if (list || !as) {
                    out.println("      " + verdict + (as ? "" : " INSTEAD OF " + example.verdict()) + ": " + example.about());
                }
            }
            if (!examples.isEmpty()) {
                long good = examples.stream().filter(example -> example.verdict().equals("pass")).count();
                out.println("    examples: " + good + " good, " + (examples.size() - good) + " bad");
            }
            out.println();
        }
        out.println(all.size() + " examples, " + (wrong == 0 ? "all as they should be" : wrong + " NOT as they should be"));
        return wrong == 0 ? ExitCode.DONE : ExitCode.FAILED;
    }
}
