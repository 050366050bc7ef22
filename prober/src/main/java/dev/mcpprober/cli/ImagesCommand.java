package dev.mcpprober.cli;

import dev.mcpprober.model.Printable;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.docker.ImageStore;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** {@code prober images build}. */
@Command(name = "images", mixinStandardHelpOptions = true, subcommands = ImagesCommand.Build.class, description = "Sandbox images.")
final class ImagesCommand implements Runnable {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "a command is missing");
    }

    /** {@code prober images build}. */
    @Command(name = "build", mixinStandardHelpOptions = true, description = "Build the sandbox images that are missing; prints tag, id and what each is built on.")
    static final class Build implements Callable<Integer> {
        @CommandLine.Spec CommandLine.Model.CommandSpec spec;

        @Override
        public Integer call() throws EngineException {
            PrintWriter out = spec.commandLine().getOut();
            PrintWriter err = spec.commandLine().getErr();
            try (EngineStack stack = EngineStack.open(line -> err.println("prober: " + Printable.text(line, 2000)))) {
                for (String name : ImageStore.names()) {
                    var image = stack.images().require(name);
                    out.println(image.tag() + "  " + image.id() + "  " + image.origin().name().toLowerCase(java.util.Locale.ROOT) + " " + image.baseId());
                }
            }
            return ExitCode.DONE;
        }
    }
}
