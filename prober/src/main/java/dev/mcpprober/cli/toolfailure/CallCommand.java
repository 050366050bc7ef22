package dev.mcpprober.cli.toolfailure;

import dev.mcpprober.cli.ExitCode;
import dev.mcpprober.cli.ProberVersion;
import dev.mcpprober.cli.UserError;
import dev.mcpprober.model.Era;
import dev.mcpprober.model.Printable;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.toolfailure.ExactJson;
import dev.mcpprober.toolfailure.client.ClientClock;
import dev.mcpprober.toolfailure.client.ClientSession;
import dev.mcpprober.toolfailure.client.ReferenceClient;
import dev.mcpprober.toolfailure.client.RetryLimits;
import dev.mcpprober.toolfailure.client.SessionFailure;
import dev.mcpprober.toolfailure.client.Trail;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code prober toolfailure call}: one call of one tool, as a client makes it that dispatches on class. */
@Command(name = "call", mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true,
        description = "Call a tool as the reference client, and say which statement led to what.",
        footer = {"", "Exit codes: 0 the call succeeded; 1 it failed, or there was no session; 2 usage; 3 engine fault."})
final class CallCommand implements Callable<Integer> {
    private static final int MOST_SECONDS = 86_400;

    /** Whose frames to send. */
    enum WantedEra { auto, legacy, modern }

    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Mixin ServerOptions server;

    @Option(names = "--tool", required = true, paramLabel = "NAME", description = "Tool to call.")
    String tool;

    @Option(names = "--args", paramLabel = "JSON", description = "Its arguments, a JSON object; numbers go out as written.", defaultValue = "{}")
    String arguments;

    @Option(names = "--understand-tool-failure", description = "Dispatch on the toolFailure object. Without it the client does not know the extension.")
    boolean understands;

    @Option(names = "--trust-annotations", description = "Trust this server's tool annotations: without it nothing is retried.")
    boolean trusts;

    @Option(names = "--max-attempts", paramLabel = "N", description = "Tries of the call, the first included.", defaultValue = "3")
    int maxAttempts;

    @Option(names = "--backoff", paramLabel = "SECONDS", description = "Least time before the second try; doubles with each further one.", defaultValue = "0.5")
    double backoff;

    @Option(names = "--max-wait", paramLabel = "SECONDS", description = "Longest wait for a retryNotBefore.", defaultValue = "60")
    double maxWait;

    @Option(names = "--era", description = "One of: ${COMPLETION-CANDIDATES}.", defaultValue = "auto")
    WantedEra era;

    @Option(names = "--request-timeout", paramLabel = "SECONDS", description = "For each answer.", defaultValue = "10")
    double request;

    @Option(names = "--start-timeout", paramLabel = "SECONDS", description = "From the start of the process to its first answer.", defaultValue = "30")
    double start;

    @Override
    public Integer call() throws UserError, EngineException, IOException, InterruptedException {
        ExactJson.Obj given = arguments();
        if (maxAttempts < 1 || maxAttempts > 100) {
            throw new UserError("--max-attempts: " + maxAttempts + " is not between 1 and 100");
        }
        RetryLimits limits = new RetryLimits(maxAttempts, seconds("--backoff", backoff), RetryLimits.DEFAULT.maxBackoff(), seconds("--max-wait", maxWait));
        ReferenceClient.Stance stance = new ReferenceClient.Stance(understands, trusts, limits);
        ClientSession.Settings settings = new ClientSession.Settings(seconds("--start-timeout", start), seconds("--request-timeout", request), ProberVersion.get());
        Optional<Era> wanted = era == WantedEra.auto ? Optional.empty() : Optional.of(Era.of(era.name()));
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        return server.use(line -> err.println("prober: " + Printable.text(line, 2000)), line -> err.println("server: " + Printable.text(line, 2000)), opener -> {
            try (ClientSession session = ClientSession.open(opener, wanted, settings, ClientClock.SYSTEM)) {
                TrailText text = new TrailText(out, stance);
                text.session(session, tool);
                Trail trail = new ReferenceClient(session, stance, ClientClock.SYSTEM).call(tool, given);
                text.trail(trail);
                return trail.succeeded() ? ExitCode.DONE : ExitCode.FAILED;
            } catch (SessionFailure e) {
                err.println("prober: no session: " + Printable.text(e.getMessage(), 2000));
                return ExitCode.FAILED;
            }
        });
    }

    private ExactJson.Obj arguments() throws UserError {
        if (ExactJson.parse(arguments).orElse(null) instanceof ExactJson.Obj object) {
            return object;
        }
        throw new UserError("--args: \"" + Printable.text(arguments, 200) + "\" is no JSON object");
    }

    private static Duration seconds(String name, double value) throws UserError {
        if (!(value > 0 && value <= MOST_SECONDS)) {
            throw new UserError(name + ": " + value + " is not a number of seconds between 0 and " + MOST_SECONDS);
        }
        return Duration.ofMillis(Math.max(1, Math.round(value * 1000)));
    }
}
