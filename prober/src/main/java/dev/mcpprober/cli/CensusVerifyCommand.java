package dev.mcpprober.cli;

import dev.mcpprober.census.Verification;
import dev.mcpprober.model.Printable;
import dev.mcpprober.run.UnusableRunException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code prober census verify DIR}. */
@Command(name = "verify", mixinStandardHelpOptions = true,
        description = "Check that a run adds up: one end for each target, every transcript there and whole, nothing twice. Exit code 1 where it does not.")
final class CensusVerifyCommand implements Callable<Integer> {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "Run folder.")
    Path folder;

    @Override
    public Integer call() throws UserError, IOException {
        PrintWriter out = spec.commandLine().getOut();
        Verification verification;
        try {
            verification = Verification.of(RunArgument.open(folder));
        } catch (UnusableRunException e) {
            // What this command looks for, and so an answer; what is behind it cannot be looked at.
            out.println("problem: " + Printable.text(e.getMessage(), 600));
            return ExitCode.FAILED;
        }
        verification.problems().forEach(problem -> out.println("problem: " + Printable.text(problem, 600)));
        out.println(verification.coverage().frame() + " targets = " + verification.coverage().excluded() + " excluded + "
                + verification.coverage().unmeasured() + " unmeasured + " + verification.coverage().measured() + " measured; "
                + verification.transcripts() + " transcripts; " + (verification.sound() ? "sound" : verification.problems().size() + " problems"));
        return verification.sound() ? ExitCode.DONE : ExitCode.FAILED;
    }
}
