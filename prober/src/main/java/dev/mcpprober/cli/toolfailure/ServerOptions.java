package dev.mcpprober.cli.toolfailure;

import dev.mcpprober.cli.Before;
import dev.mcpprober.cli.CheckTarget;
import dev.mcpprober.cli.CommandLineWords;
import dev.mcpprober.cli.EngineStack;
import dev.mcpprober.cli.InstallOptions;
import dev.mcpprober.cli.UserError;
import dev.mcpprober.install.InstallRecord;
import dev.mcpprober.install.InstallRequest;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.SandboxEngine;
import dev.mcpprober.sandbox.SandboxPolicy;
import dev.mcpprober.sandbox.SandboxSpec;
import dev.mcpprober.sandbox.local.LocalEngine;
import dev.mcpprober.toolfailure.wire.Lines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The server that a command talks to: a package in the sandbox, or a command on this host. */
final class ServerOptions {
    @Parameters(arity = "0..1", paramLabel = "TARGET",
            description = "npm:NAME[@VERSION], pypi:NAME[==VERSION], a package URL, or a local folder, tarball or wheel.")
    String target;

    @Option(names = "--cmd", paramLabel = "COMMAND",
            description = "Instead of TARGET: a command run on this host WITHOUT isolation. Only for code that you trust.")
    String command;

    @Option(names = "--arg", paramLabel = "ARG", description = "Extra argument for the server's entry point; may be repeated.")
    List<String> extraArguments = new ArrayList<>();

    @Option(names = "--env", paramLabel = "NAME=VALUE", description = "Environment variable for the server; may be repeated.")
    Map<String, String> environment = Map.of();

    @Mixin InstallOptions install;

    /** What to do with a server once it can be started. */
    interface Use<T> {
        T with(Lines.Opener opener) throws UserError, EngineException, IOException, InterruptedException;
    }

    /**
     * Installs what has to be installed, and ends all that was started when {@code use} is done.
     *
     * @param say    gets lines for the user
     * @param stderr gets the server's stderr, line by line, raw
     */
    <T> T use(Consumer<String> say, Consumer<String> stderr, Use<T> use) throws UserError, EngineException, IOException, InterruptedException {
        if ((target == null) == (command == null)) {
            throw new UserError("name either a TARGET or --cmd \"COMMAND\"");
        }
        if (environment.containsKey("")) {
            throw new UserError("--env: a name is missing before \"=\"");
        }
        return command != null ? onHost(say, stderr, use) : inSandbox(say, stderr, use);
    }

    private <T> T onHost(Consumer<String> say, Consumer<String> stderr, Use<T> use) throws UserError, EngineException, IOException, InterruptedException {
        List<String> argv = new ArrayList<>(CommandLineWords.split(command));
        argv.addAll(extraArguments);
        Before.canBeRun("--cmd", argv.get(0));
        say.accept("--cmd runs on this host without isolation; what the server does, it does for real");
        Map<String, String> all = new HashMap<>(System.getenv());
        all.putAll(environment);
        try (LocalEngine engine = new LocalEngine()) {
            return use.with(opener(engine, onHost(argv, all), stderr));
        }
    }

    static SandboxSpec onHost(List<String> argv, Map<String, String> environment) {
        return new SandboxSpec("", argv, environment, Path.of("").toAbsolutePath().toString(), SandboxPolicy.probe(), Map.of());
    }

    private <T> T inSandbox(Consumer<String> say, Consumer<String> stderr, Use<T> use) throws UserError, EngineException, IOException, InterruptedException {
        install.requireUsable();
        InstallRequest request = new InstallRequest(CheckTarget.parse(target), extraArguments, install.asOf());
        try (EngineStack stack = EngineStack.open(say)) {
            InstallRecord record = stack.installer(install.limits()).install(request);
            InstallRecord.Program program = record.program().orElseThrow(() -> new UserError("there is nothing to start: "
                    + record.outcome().kind() + (record.outcome().detail().isEmpty() ? "" : ", " + record.outcome().detail())));
            return use.with(opener(stack.engine(),
                    new SandboxSpec(program.image(), program.entry().argv(), environment, program.workdir(), SandboxPolicy.probe(), Map.of()), stderr));
        }
    }

    /** A fresh process for each start; what goes wrong with the engine is no act of the server. */
    static Lines.Opener opener(SandboxEngine engine, SandboxSpec spec, Consumer<String> stderr) {
        return () -> {
            try {
                return new StdioLines(engine.create(spec), stderr);
            } catch (EngineException e) {
                throw new IOException(e.fault().kind() + ": " + e.fault().detail(), e);
            }
        };
    }
}
