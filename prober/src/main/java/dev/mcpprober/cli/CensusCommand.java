package dev.mcpprober.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code prober census}: a whole frame. */
@Command(name = "census", mixinStandardHelpOptions = true, sortOptions = false,
        subcommands = {CensusRunCommand.class, CensusStatusCommand.class, CensusRetryCommand.class, CensusVerifyCommand.class,
                CensusMergeCommand.class, CensusWorkerCommand.class},
        description = "Measure every server of a frame; resumable.")
final class CensusCommand implements Runnable {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "a command is missing");
    }
}
