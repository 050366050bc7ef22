package dev.mcpprober.cli.toolfailure;

import dev.mcpprober.cli.ExitCode;
import dev.mcpprober.model.Era;
import dev.mcpprober.toolfailure.relay.ScriptedServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What {@code check-relay} puts behind the relay under test. */
@Command(name = "scripted-server", hidden = true, mixinStandardHelpOptions = true, description = "A server that answers as the cases of check-relay say.")
final class ScriptedServerCommand implements Callable<Integer> {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Option(names = "--era", required = true, paramLabel = "legacy|modern", description = "The era that it serves.")
    String era;

    @Option(names = "--log", required = true, paramLabel = "FILE", description = "Gets the name of the tool at each call.")
    Path log;

    @Override
    public Integer call() throws IOException {
        ScriptedServer server = new ScriptedServer(Set.of(Era.of(era)), this::note);
        PrintWriter out = spec.commandLine().getOut();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            for (String answer : server.answers(line)) {
                out.print(answer + "\n");
                out.flush();
            }
        }
        return ExitCode.DONE;
    }

    private void note(String tool) {
        try {
            Files.writeString(log, tool + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(log + " cannot be written", e);
        }
    }
}
