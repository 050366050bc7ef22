package dev.mcpprober.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.Transcript;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The frames that a session sent, to be sent to the same server by plain pipes: each one after the answer to the one before it, as the
 * session did.
 */
record Dialogue(List<Turn> turns) {
    private static final int LIMIT_SECONDS = 120;

    Dialogue {
        turns = List.copyOf(turns);
    }

    /** @param id of the answer to wait for; null for none */
    record Turn(byte[] frame, JsonNode id) {}

    /** The program was started to be measured and did not do what it does elsewhere. */
    static final class BrokenException extends IOException {
        private static final long serialVersionUID = 1L;

        BrokenException(String message) {
            super(message);
        }
    }

    static Dialogue of(Transcript transcript) {
        List<Turn> turns = new ArrayList<>();
        for (Event event : transcript.events()) {
            if (event instanceof Event.Sent sent) {
                JsonNode frame = parsed(sent.bytes());
                turns.add(new Turn(sent.bytes(), frame != null && frame.has("method") ? frame.get("id") : null));
            }
        }
        return new Dialogue(turns);
    }

    /** Seconds from before the start of the command to its last answer, and to its end. */
    record Took(double answered, double ended) {}

    /** How the process is brought to its end after the last answer. */
    enum Ending { KILL, CLOSE_STDIN }

    Took run(ProcessBuilder command, Ending ending) throws IOException, InterruptedException {
        command.redirectError(ProcessBuilder.Redirect.DISCARD);
        long begin = System.nanoTime();
        Process process = command.start();
        Thread guard = guard(process);
        try (OutputStream in = process.getOutputStream(); InputStream out = new BufferedInputStream(process.getInputStream(), 1 << 16)) {
            for (Turn turn : turns) {
                in.write(turn.frame());
                in.flush();
                if (turn.id() != null) {
                    awaitAnswer(out, turn.id(), command);
                }
            }
            double answered = since(begin);
            if (ending == Ending.KILL) {
                process.destroyForcibly();
            } else {
                in.close();
            }
            process.waitFor();
            return new Took(answered, since(begin));
        } finally {
            guard.interrupt();
            process.destroyForcibly();
        }
    }

    private static double since(long begin) {
        return (System.nanoTime() - begin) / 1e9;
    }

    private static void awaitAnswer(InputStream out, JsonNode id, ProcessBuilder command) throws IOException {
        while (true) {
            JsonNode line = parsed(readLine(out, command));
            if (line != null && !line.has("method") && id.equals(line.get("id"))) {
                return;
            }
        }
    }

    private static byte[] readLine(InputStream out, ProcessBuilder command) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = out.read(); next != '\n'; next = out.read()) {
            if (next < 0) {
                throw new BrokenException(String.join(" ", command.command()) + " ended before it had answered everything, or gave no answer within "
                        + LIMIT_SECONDS + " s");
            }
            line.write(next);
        }
        return line.toByteArray();
    }

    private static JsonNode parsed(byte[] line) {
        return Json.parse(new String(line, StandardCharsets.UTF_8)) instanceof Json.Parsed.Value value ? value.node() : null;
    }

    /** Pipes have no timeout: a command that hangs is ended from outside. */
    private static Thread guard(Process process) {
        Thread guard = new Thread(() -> {
            try {
                if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // it was not needed
            }
        }, "bench-guard");
        guard.setDaemon(true);
        guard.start();
        return guard;
    }
}
