package dev.mcpprober.cli;

import dev.mcpprober.census.Durations;
import dev.mcpprober.corpus.Frame;
import dev.mcpprober.run.RunInfo;
import dev.mcpprober.sandbox.EngineException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code prober census retry DIR}: with the settings of the run. */
@Command(name = "retry", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Try again what faulted in a run, with the run's own settings; results are left alone.")
final class CensusRetryCommand implements Callable<Integer> {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "Run folder.")
    Path folder;

    @Mixin CensusOptions census = new CensusOptions();

    @Option(names = "--rules", split = ",", paramLabel = "ID|FILE", description = Rules.HELP)
    List<String> rules = Rules.DEFAULT;

    @Mixin RedactionOptions redaction;

    @Override
    public Integer call() throws UserError, EngineException, IOException, InterruptedException {
        RunInfo info = RunArgument.open(folder).readInfo();
        Frame frame = CensusRunCommand.read(Path.of(info.frameFile()));
        RunPlan plan = RunPlan.of(info, frame);
        redaction.require(plan.redactRules());
        return new CensusJob(plan, census, Durations.UNKNOWN, Rules.load(rules), redaction.redactor(), spec.commandLine().getOut(), spec.commandLine().getErr()).retry(folder);
    }
}
