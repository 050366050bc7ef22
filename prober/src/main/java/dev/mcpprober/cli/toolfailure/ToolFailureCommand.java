package dev.mcpprober.cli.toolfailure;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code prober toolfailure}: the prototype of the proposal SEP-3313, piece by piece. */
@Command(name = "toolfailure", mixinStandardHelpOptions = true, sortOptions = false,
        description = "The toolFailure proposal (SEP-3313) to try out: client, relay, conformance.",
        subcommands = {DemoCommand.class, CallCommand.class, RelayCommand.class, CheckRelayCommand.class, ConformanceCommand.class,
            ScriptedServerCommand.class})
public final class ToolFailureCommand implements Runnable {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "a command is missing");
    }
}
