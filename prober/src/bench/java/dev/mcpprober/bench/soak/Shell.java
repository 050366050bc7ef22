package dev.mcpprober.bench.soak;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Commands of this host, trusted and short. */
final class Shell {
    private Shell() {}

    /** What it says, without the last line feed. @throws IOException when there is no such command or it fails */
    static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectInput(new File("/dev/null")).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + ": " + said);
        }
        return said;
    }

    static boolean works(String... command) throws InterruptedException {
        try {
            run(command);
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
