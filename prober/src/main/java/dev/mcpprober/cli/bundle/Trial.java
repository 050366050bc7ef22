package dev.mcpprober.cli.bundle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs a script of a bundle where it was made, so that the bundle can say what it came to. */
final class Trial {
    private static final long LIMIT_SECONDS = 180;
    private static final long END_SECONDS = 15;

    private Trial() {}

    /** What a script came to: its exit status says which. */
    enum Outcome {
        REPRODUCED("reproduced"), NOT_REPRODUCED("not-reproduced"), NOT_TRIED("not-tried");

        private final String id;

        Outcome(String id) {
            this.id = id;
        }

        String id() {
            return id;
        }
    }

    /** What it prints goes to {@code log}. {@code environment} is what the server is given. */
    static Outcome run(Path script, Path log, Map<String, String> environment) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("sh", script.toString()).redirectErrorStream(true).redirectOutput(log.toFile())
                .redirectInput(Path.of("/dev/null").toFile());
        builder.environment().putAll(environment);
        builder.environment().remove("SERVER");
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            Files.writeString(log, "no shell here\n");
            return Outcome.NOT_TRIED;
        }
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                return Outcome.NOT_REPRODUCED;
            }
            return process.exitValue() == 0 ? Outcome.REPRODUCED : process.exitValue() == 1 ? Outcome.NOT_REPRODUCED : Outcome.NOT_TRIED;
        } finally {
            // The script clears up after itself when it is told to end.
            process.destroy();
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        }
    }
}
