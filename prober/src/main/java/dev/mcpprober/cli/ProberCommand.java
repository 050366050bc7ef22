package dev.mcpprober.cli;

import dev.mcpprober.cli.toolfailure.ToolFailureCommand;
import dev.mcpprober.model.Printable;
import dev.mcpprober.run.UnusableRunException;
import dev.mcpprober.sandbox.EngineException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/** The top of the command line, and what failures of any command become. */
@Command(name = "prober", mixinStandardHelpOptions = true, versionProvider = ProberVersion.class, sortOptions = false,
        description = "Shows how MCP servers (stdio) behave when a call goes wrong.",
        footer = {"", "Exit codes: 0 done, nothing failed; 1 a check or gate failed; 2 usage; 3 engine fault, nothing recorded;",
                "4 stopped early, the same command goes on."})
final class ProberCommand implements Runnable {
    private static final List<Class<?>> COMMANDS = List.of(CheckCommand.class, CensusCommand.class, GradeCommand.class,
            CompareCommand.class, DriftCommand.class, BisectCommand.class, StatsCommand.class, ReportCommand.class, AuditCommand.class, DatasetCommand.class,
            CorpusCommand.class, ToolFailureCommand.class, RulesCommand.class, ImagesCommand.class, DoctorCommand.class);

    @CommandLine.Spec CommandSpec spec;

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "a command is missing");
    }

    static int run(String[] args, PrintWriter out, PrintWriter err) {
        return withCommands(new CommandLine(new ProberCommand()), List.of(args))
                .setOut(out).setErr(err)
                .setUsageHelpAutoWidth(false).setUsageHelpWidth(110)
                .setParameterExceptionHandler((e, arguments) -> misused(e))
                .setExecutionExceptionHandler((e, command, parsed) -> failed(e, command))
                .execute(args);
    }

    /** Reading the options of every command takes longer than all the rest of a start; those that are not called need only be named. */
    private static CommandLine withCommands(CommandLine line, List<String> args) {
        for (Class<?> type : COMMANDS) {
            Command declared = type.getAnnotation(Command.class);
            if (args.contains(declared.name())) {
                line.addSubcommand(type);
            } else {
                CommandSpec named = CommandSpec.create().name(declared.name());
                named.usageMessage().description(declared.description());
                line.addSubcommand(named);
            }
        }
        return line;
    }

    /** What is wrong and where to read on; the whole help would push the first out of sight. */
    private static int misused(CommandLine.ParameterException e) {
        CommandLine line = e.getCommandLine();
        PrintWriter err = line.getErr();
        err.println("prober: " + Printable.text(String.valueOf(e.getMessage()), 1000));
        CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
        if (line.getParent() == null) {
            line.usage(err);
        } else {
            err.println("try: " + line.getCommandSpec().qualifiedName(" ") + " --help");
        }
        return ExitCode.USAGE;
    }

    /** The JDK's file exceptions say which file, and leave what is wrong with it to their type. */
    static String reason(IOException problem) {
        String said = String.valueOf(problem.getMessage());
        if (problem instanceof AccessDeniedException) {
            return said + ": permission denied";
        } else if (problem instanceof NoSuchFileException) {
            return said + ": no such file or folder";
        } else if (problem instanceof NotDirectoryException) {
            return said + ": not a folder";
        } else if (problem instanceof FileAlreadyExistsException) {
            return said + ": already exists";
        } else if (problem instanceof DirectoryNotEmptyException) {
            return said + ": a folder that is not empty";
        }
        return said;
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
        if (e instanceof UnusableRunException) {
            err.println("prober: " + Printable.text(e.getMessage(), 2000));
            return ExitCode.USAGE;
        }
        if (e instanceof IOException problem) {
            err.println("prober: " + Printable.text(reason(problem), 2000));
            return ExitCode.ENGINE_FAULT;
        }
        err.println("prober: a defect of this program, please report it: " + Printable.text(e.toString(), 2000));
        for (StackTraceElement frame : e.getStackTrace()) {
            err.println("    at " + frame);
        }
        return ExitCode.ENGINE_FAULT;
    }
}
