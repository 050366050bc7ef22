package dev.mcpprober.cli;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code prober corpus}: sampling frames. */
@Command(name = "corpus", mixinStandardHelpOptions = true, sortOptions = false,
        subcommands = {CorpusImportCommand.class, CorpusStatsCommand.class, CorpusFilterCommand.class, CorpusSampleCommand.class},
        description = "Make sampling frames from registries and lists; needs no engine.")
final class CorpusCommand implements Runnable {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "a command is missing");
    }
}
