package dev.mcpprober.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Commands of this host, trusted and short. */
final class Commands {
    private static final int LIMIT_SECONDS = 120;

    private Commands() {}

    /** Standard output without its last line feed. @throws IOException when there is no such command or it fails */
    static String output(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null"))).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + output);
        }
        return output;
    }

    static boolean isThere(String... command) throws InterruptedException {
        try {
            output(command);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Seconds that a command takes; what it says is thrown away. @throws IOException when its exit status is none of {@code statuses} */
    static double seconds(ProcessBuilder command, List<Integer> statuses) throws IOException, InterruptedException {
        command.redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.DISCARD);
        long begin = System.nanoTime();
        Process process = command.start();
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(String.join(" ", command.command()) + " took more than " + LIMIT_SECONDS + " s");
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        if (!statuses.contains(process.exitValue())) {
            throw new IOException(String.join(" ", command.command()) + " ended with status " + process.exitValue());
        }
        return seconds;
    }
}
