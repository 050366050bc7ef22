package dev.mcpprober.cli;

import dev.mcpprober.cli.gate.Baseline;
import dev.mcpprober.cli.gate.FailOn;
import dev.mcpprober.cli.gate.Gate;
import dev.mcpprober.cli.report.CheckResult;
import dev.mcpprober.cli.report.Format;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of {@code check} on how it reports and when it fails. */
final class ReportOptions {
    @Option(names = "--format", description = "One of: ${COMPLETION-CANDIDATES}.")
    Format format = Format.text;

    @Option(names = "--all", description = "Explain passed checks too (text format).")
    boolean explainAll;

    @Option(names = "--fail-on", paramLabel = "VERDICT", description = "Exit status 1 from this verdict on: ${COMPLETION-CANDIDATES}.")
    FailOn failOn = FailOn.fail;

    @Option(names = "--baseline", paramLabel = "FILE", showDefaultValue = picocli.CommandLine.Help.Visibility.NEVER,
            description = "Known findings: shown as baselined, no reason to fail. One that is gone is.")
    Path baselineFile;

    @Option(names = "--write-baseline", paramLabel = "FILE", showDefaultValue = picocli.CommandLine.Help.Visibility.NEVER,
            description = "Write all findings into a baseline; they are no reason to fail any more.")
    Path newBaseline;

    private Optional<Baseline> baseline = Optional.empty();

    /** To be called before anything is run: a baseline that cannot be read is found at once. */
    void readBaseline() throws UserError, IOException {
        if (baselineFile != null) {
            baseline = Optional.of(Baseline.read(baselineFile));
        }
    }

    /** To be called before anything is run, too. */
    void canBeKept() throws UserError {
        if (newBaseline != null) {
            Before.fileCanBeWritten("--write-baseline", newBaseline);
        }
    }

    /** Writes the report, and the new baseline where one is asked for. Returns the exit code. */
    int write(CheckResult result, PrintWriter out) throws IOException {
        if (newBaseline != null) {
            Baseline.write(newBaseline, Gate.found(result.graded(), result.startupFailure()));
        }
        Gate gate = gate(result);
        format.write(result, gate, ProberVersion.get(), Clock.systemUTC().instant().toString(), explainAll, out);
        return gate.failed(result.graded(), result.startupFailure()) ? ExitCode.FAILED : ExitCode.DONE;
    }

    Gate gate(CheckResult result) {
        if (baseline.isPresent()) {
            return Gate.against(baseline.get(), failOn, result.graded(), result.startupFailure());
        }
        return newBaseline == null ? Gate.of(failOn) : Gate.accepting(failOn, Gate.found(result.graded(), result.startupFailure()));
    }
}
