package dev.mcpprober.sandbox.docker;

import dev.mcpprober.model.Fault;
import dev.mcpprober.model.Printable;
import dev.mcpprober.sandbox.EngineException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Runs one of the project's own scripts on this host. */
final class HostScript {
    private static final int MAX_OUTPUT = 1 << 20;
    private static final int MAX_LINE = 400;

    private HostScript() {}

    /** @param lastError the last line that the script wrote to standard error, printable */
    record Result(int exit, String output, String lastError) {}

    /** Lines of standard error go to {@code progress}, made printable; standard output is kept, up to 1 MiB. */
    static Result run(Path script, List<String> arguments, Map<String, String> environment, Duration limit, Consumer<String> progress)
            throws EngineException {
        List<String> command = new ArrayList<>(List.of(script.toString()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command).redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")));
        builder.environment().putAll(environment);
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new EngineException(new Fault.ProberDefect("cannot run " + script + ": " + e.getMessage()), e);
        }
        String[] lastError = {""};
        Thread talk = new Thread(() -> pass(process.getErrorStream(), line -> {
            lastError[0] = line;
            progress.accept(line);
        }), "script-stderr");
        StringBuilder output = new StringBuilder();
        Thread data = new Thread(() -> keep(process.getInputStream(), output), "script-stdout");
        talk.setDaemon(true);
        data.setDaemon(true);
        talk.start();
        data.start();
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new EngineException(new Fault.EngineError("run " + script.getFileName(), "no end within " + limit.toSeconds() + " s"));
            }
            talk.join();
            data.join();
            return new Result(process.exitValue(), output.toString(), lastError[0]);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EngineException(new Fault.Interrupted("while " + script.getFileName() + " ran"), e);
        } finally {
            if (process.isAlive()) {
                process.descendants().forEach(ProcessHandle::destroy);
                process.destroy();
            }
        }
    }

    private static void pass(InputStream stream, Consumer<String> lines) {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.accept(Printable.text(line, MAX_LINE));
            }
        } catch (IOException e) {
            // The script ended while its output was read; its exit status says what there is to say.
        }
    }

    private static void keep(InputStream stream, StringBuilder output) {
        try (InputStream in = stream) {
            output.append(new String(in.readNBytes(MAX_OUTPUT), StandardCharsets.UTF_8));
            in.skip(Long.MAX_VALUE);
        } catch (IOException e) {
            // As above.
        }
    }
}
