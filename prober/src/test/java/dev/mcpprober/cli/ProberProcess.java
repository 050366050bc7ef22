package dev.mcpprober.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** {@code prober/bin/prober} as a process of its own, to be signalled; its output goes to files. */
final class ProberProcess implements AutoCloseable {
    static final Path HOME = Path.of(System.getProperty("prober.home", ".")).toAbsolutePath();
    /** No statement on speed: a machine busy with other things is slow. */
    private static final long LIMIT_MINUTES = 20;

    private final Process process;
    private final Path out;
    private final Path err;

    /** What a run of the program came to. */
    record Ended(int status, String out, String err) {
        @Override
        public String toString() {
            return "exit status " + status + "\n" + err + out;
        }
    }

    /** @param folder for its output; {@code environment} is added to this process's own */
    ProberProcess(Path folder, Map<String, String> environment, String... arguments) throws IOException {
        Path files = Files.createTempDirectory(folder, "prober-");
        out = files.resolve("out");
        err = files.resolve("err");
        // Whoever runs the tests in the background of a script has Ctrl-C ignored, and every process below inherits that.
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT", HOME.resolve("bin/prober").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile())
                .redirectInput(Path.of("/dev/null").toFile());
        builder.environment().putAll(environment);
        process = builder.start();
    }

    static Ended run(Path folder, Map<String, String> environment, String... arguments) throws Exception {
        try (ProberProcess prober = new ProberProcess(folder, environment, arguments)) {
            return prober.await();
        }
    }

    /** The launcher replaces itself by the Java program, so this is the id that owns its containers. */
    long pid() {
        return process.pid();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    void signal(String name) throws Exception {
        new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor();
    }

    Ended await() throws Exception {
        if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
            process.destroy();
            process.waitFor(1, TimeUnit.MINUTES);
            throw new AssertionError("no end within " + LIMIT_MINUTES + " minutes\n" + soFar());
        }
        return new Ended(process.exitValue(), read(out), read(err));
    }

    String soFar() throws IOException {
        return read(err) + read(out);
    }

    private static String read(Path file) throws IOException {
        return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    }

    /** By SIGTERM, so that a failed test leaves no containers. */
    @Override
    public void close() throws Exception {
        if (process.isAlive()) {
            process.destroy();
            if (!process.waitFor(1, TimeUnit.MINUTES)) {
                process.destroyForcibly();
            }
        }
    }
}
