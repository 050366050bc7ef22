package dev.mcpprober.cli.toolfailure;

import dev.mcpprober.cli.Before;
import dev.mcpprober.cli.CommandLineWords;
import dev.mcpprober.cli.ExitCode;
import dev.mcpprober.cli.Main;
import dev.mcpprober.cli.ProberVersion;
import dev.mcpprober.cli.UserError;
import dev.mcpprober.model.Era;
import dev.mcpprober.model.Printable;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.local.LocalEngine;
import dev.mcpprober.toolfailure.client.ClientClock;
import dev.mcpprober.toolfailure.client.ClientSession;
import dev.mcpprober.toolfailure.relay.Loss;
import dev.mcpprober.toolfailure.relay.RelayCase;
import dev.mcpprober.toolfailure.relay.RelayCheck;
import dev.mcpprober.toolfailure.wire.Lines;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code prober toolfailure check-relay}: a relay between this program and a server of its own. */
@Command(name = "check-relay", mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true,
        description = "Test an intermediary: does the toolFailure object come through unchanged?",
        footer = {"", "The relay runs on this host WITHOUT isolation. {server} in its command stands for the command of the server that it has to start; put it",
                "in quotes where the relay takes that as one argument:  --relay 'node relay.js {server}'   --relay 'my-relay --cmd \"{server}\"'",
                "Exit codes: 0 preserved in every era that it relays; 1 not; 2 usage; 3 engine fault."})
final class CheckRelayCommand implements Callable<Integer> {
    private static final String SERVER = "{server}";
    private static final int QUOTE = 300;

    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Option(names = "--relay", required = true, paramLabel = "COMMAND", description = "Command of the relay, with {server} in it.")
    String relay;

    @Option(names = "--era", split = ",", paramLabel = "legacy|modern", description = "Eras to test; both also tests whether the relay translates between them.",
            defaultValue = "legacy,modern")
    List<String> eras;

    @Option(names = "--request-timeout", paramLabel = "SECONDS", description = "For each answer.", defaultValue = "5")
    double request;

    @Option(names = "--start-timeout", paramLabel = "SECONDS", description = "From the start of the relay to its first answer.", defaultValue = "20")
    double start;

    @Override
    public Integer call() throws UserError, EngineException, IOException, InterruptedException {
        if (!relay.contains(SERVER)) {
            throw new UserError("--relay: the command has no " + SERVER + " in it, where the command of the server goes");
        }
        String program = CommandLineWords.split(relay).get(0);
        if (!program.contains(SERVER)) {
            Before.canBeRun("--relay", program);
        }
        List<RelayCheck.Pass> passes = passes();
        // A relay starts slowly in either era; the probe for the modern one has no other limit than that of a request.
        ClientSession.Settings settings = new ClientSession.Settings(seconds(start), seconds(request), ProberVersion.get());
        PrintWriter err = spec.commandLine().getErr();
        err.println("prober: the relay runs on this host without isolation");
        Path folder = Files.createTempDirectory("mcp-prober-relay");
        try (LocalEngine engine = new LocalEngine()) {
            LocalBench bench = new LocalBench(engine, folder.resolve("calls"), line -> err.println("relay: " + Printable.text(line, 1000)));
            List<RelayCheck.Outcome> outcomes = new ArrayList<>();
            for (RelayCheck.Pass pass : passes) {
                RelayCheck.Outcome outcome = new RelayCheck(bench, settings, ClientClock.SYSTEM).run(pass);
                print(outcome);
                outcomes.add(outcome);
            }
            return verdict(outcomes);
        } finally {
            Files.deleteIfExists(folder.resolve("calls"));
            Files.deleteIfExists(folder);
        }
    }

    private List<RelayCheck.Pass> passes() throws UserError {
        for (String era : eras) {
            if (Arrays.stream(Era.values()).noneMatch(known -> known.id().equals(era))) {
                throw new UserError("--era: \"" + Printable.text(era, 40) + "\" is no era (legacy, modern)");
            }
        }
        return RelayCheck.Pass.ALL.stream().filter(pass -> eras.contains(pass.client().id()) && eras.contains(pass.server().id())).toList();
    }

    private static Duration seconds(double value) throws UserError {
        if (!(value > 0 && value <= 3600)) {
            throw new UserError(value + " is not a number of seconds between 0 and 3600");
        }
        return Duration.ofMillis(Math.max(1, Math.round(value * 1000)));
    }

    private void print(RelayCheck.Outcome outcome) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(outcome.pass().words());
        outcome.noSession().ifPresent(why -> out.println("  not run   " + (outcome.pass().client() == outcome.pass().server() ? "no session through the relay: "
                : "the relay does not translate between eras: ") + quote(why)));
        for (RelayCheck.Row row : outcome.rows()) {
            out.println("  " + (row.losses().isEmpty() ? "pass" : "fail") + "  " + row.asked().name() + ": " + row.asked().about());
            for (Loss loss : row.losses()) {
                out.println("        " + loss.kind().id() + ": " + quote(loss.words()));
            }
        }
        if (outcome.unasked() > 0) {
            out.println("  not asked " + outcome.unasked() + " more cases, since the relay does not answer");
        }
        outcome.noise().ifPresent(noise -> out.println("  note      " + quote(noise)));
        out.flush();
    }

    private int verdict(List<RelayCheck.Outcome> outcomes) {
        PrintWriter out = spec.commandLine().getOut();
        List<RelayCheck.Outcome> ran = outcomes.stream().filter(outcome -> outcome.noSession().isEmpty()).toList();
        boolean pass = !ran.isEmpty() && ran.stream().allMatch(RelayCheck.Outcome::preserved);
        String kinds = ran.stream().flatMap(outcome -> outcome.rows().stream()).flatMap(row -> row.losses().stream()).map(loss -> loss.kind().id()).distinct().sorted()
                .collect(Collectors.joining(", "));
        String where = ran.stream().map(outcome -> outcome.pass().words()).collect(Collectors.joining("; "));
        out.println();
        out.println("sep-3313-relay-preserves: " + (ran.isEmpty() ? "not run, there was no session in any era"
                : (pass ? "pass" : "fail") + " over " + (RelayCase.ALL.size() + 1) + " cases each in: " + where + (kinds.isEmpty() ? "" : "; " + kinds)));
        return pass ? ExitCode.DONE : ExitCode.FAILED;
    }

    private static String quote(String hostile) {
        return Printable.text(hostile, QUOTE).replace("<", "\\u003c");
    }

    /** Relays as processes of this host, each with a server of its own behind it. */
    private final class LocalBench implements RelayCheck.Bench {
        private final LocalEngine engine;
        private final Path calls;
        private final java.util.function.Consumer<String> stderr;

        LocalBench(LocalEngine engine, Path calls, java.util.function.Consumer<String> stderr) {
            this.engine = engine;
            this.calls = calls;
            this.stderr = stderr;
        }

        @Override
        public Lines relay(RelayCheck.Pass pass) throws IOException {
            Files.deleteIfExists(calls);
            try {
                String line = relay.replace(SERVER, serverCommand(pass.server(), calls));
                return new StdioLines(engine.create(ServerOptions.onHost(CommandLineWords.split(line), System.getenv())), stderr);
            } catch (EngineException e) {
                throw new IOException("the relay cannot be started: " + e.fault().detail(), e);
            } catch (UserError e) {
                throw new IOException("--relay: " + e.getMessage(), e);
            }
        }

        @Override
        public List<String> called() throws IOException {
            return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
        }
    }

    /** This program again, as the server. Words are quoted only where they need it, so that the whole fits into quotes of the user's. */
    private static String serverCommand(Era era, Path calls) {
        String java = ProcessHandle.current().info().command().orElse(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        String classPath = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator)).map(part -> Path.of(part).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
        return List.of(java, "-Xmx64m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", classPath, Main.class.getName(), "toolfailure", "scripted-server",
                "--era", era.id(), "--log", calls.toString()).stream().map(CheckRelayCommand::quoted).collect(Collectors.joining(" "));
    }

    private static String quoted(String word) {
        return word.matches("[\\w./:=+,@%-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
