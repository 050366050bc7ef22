package dev.mcpprober.cli;

import dev.mcpprober.census.CensusStatus;
import dev.mcpprober.model.Printable;
import dev.mcpprober.run.Coverage;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code prober census status DIR}. */
@Command(name = "status", mixinStandardHelpOptions = true, description = "Say where a run stands; it may be going on.")
final class CensusStatusCommand implements Callable<Integer> {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "Run folder.")
    Path folder;

    @Override
    public Integer call() throws UserError, IOException {
        CensusStatus status = CensusStatus.of(RunArgument.open(folder));
        PrintWriter out = spec.commandLine().getOut();
        Coverage coverage = status.coverage();
        out.println("frame        " + coverage.frame() + " targets (" + Printable.text(status.info().frameFile()) + "), profile " + status.info().profile());
        out.println("excluded     " + coverage.excluded());
        out.println("unmeasured   " + coverage.unmeasured());
        out.println("measured     " + coverage.measured() + " (" + coverage.started() + " started, " + coverage.startFailed() + " did not start, "
                + coverage.notInstalled() + " were not installed)");
        status.outcomes().forEach((outcome, count) -> out.println("  install " + outcome + ": " + count));
        status.faults().forEach((kind, count) -> out.println("  fault " + kind + ": " + count));
        status.unmeasured().stream().filter(u -> !u.kind().isEmpty()).forEach(u -> out.println("  " + Printable.text(u.target(), 120) + ": "
                + u.kind() + ": " + Printable.text(u.detail(), 300)));
        out.println(status.ended().isEmpty() ? status.openAttempts() + " attempts under way, or broken off" : "ended: " + Printable.text(status.ended(), 300)
                + (coverage.unmeasured() == 0 ? "" : ", " + coverage.unmeasured() + " unmeasured: prober census retry tries again"));
        return ExitCode.DONE;
    }
}
