package dev.mcpprober.cli;

import dev.mcpprober.model.Printable;
import dev.mcpprober.sandbox.EngineException;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The top of the command line, and what failures of any command become. */
@Command(name = "prober", mixinStandardHelpOptions = true, versionProvider = ProberVersion.class, sortOptions = false,
        subcommands = {CheckCommand.class, CensusCommand.class, GradeCommand.class, DatasetCommand.class, ImagesCommand.class},
        description = "Shows how MCP servers (stdio) behave when a call goes wrong.",
        footer = {"", "Exit codes: 0 done, nothing failed; 1 a check or gate failed; 2 usage; 3 engine fault, nothing recorded;",
                "4 stopped early, the same command goes on."})
final class ProberCommand implements Runnable {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "a command is missing");
    }

    static int run(String[] args, PrintWriter out, PrintWriter err) {
        return new CommandLine(new ProberCommand())
                .setOut(out).setErr(err)
                .setUsageHelpAutoWidth(false).setUsageHelpWidth(110)
                .setExecutionExceptionHandler((e, command, parsed) -> failed(e, command))
                .execute(args);
    }

    private static int failed(Exception e, CommandLine command) {
        PrintWriter err = command.getErr();
        if (e instanceof UserError) {
            err.println("prober: " + e.getMessage());
            return ExitCode.USAGE;
        }
        if (e instanceof EngineException engine) {
            err.println("prober: " + engine.fault().kind() + ": " + Printable.text(engine.fault().detail(), 4000));
            return ExitCode.ENGINE_FAULT;
        }
        if (e instanceof IOException) {
            err.println("prober: " + Printable.text(String.valueOf(e.getMessage()), 2000) + " (" + e.getClass().getSimpleName() + ")");
            return ExitCode.ENGINE_FAULT;
        }
        err.println("prober: a defect of this program, please report it: " + Printable.text(e.toString(), 2000));
        for (StackTraceElement frame : e.getStackTrace()) {
            err.println("    at " + frame);
        }
        return ExitCode.ENGINE_FAULT;
    }
}
