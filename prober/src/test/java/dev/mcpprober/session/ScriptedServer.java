package dev.mcpprober.session;

import dev.mcpprober.io.Json;
import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.sandbox.Sandbox;
import dev.mcpprober.sandbox.StdioChannel;
import dev.mcpprober.sandbox.Termination;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A server in memory: a function from each line it is sent to what it does. No process, no clock of its own. */
public class ScriptedServer implements Sandbox, StdioChannel {
    /** What the server does with a line. */
    public interface Behaviour {
        void line(String line, ScriptedServer server);
    }

    private final Behaviour behaviour;
    private final LinkedBlockingQueue<Happening> queue = new LinkedBlockingQueue<>();
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
    private volatile Termination end;
    final List<String> sent = new ArrayList<>();
    final List<String> signals = new ArrayList<>();
    public boolean exitsOnEof = true;
    boolean eof;
    Duration heldUp = Duration.ZERO;

    public ScriptedServer(Behaviour behaviour) {
        this.behaviour = behaviour;
    }

    public void put(String text) {
        put(text.getBytes(StandardCharsets.UTF_8));
    }

    public void put(byte[] bytes) {
        queue.add(new Happening.Stdout(System.nanoTime(), bytes));
    }

    public void exit(int status) {
        end = new Termination.Exited(status);
        queue.add(new Happening.StdoutEnd(System.nanoTime()));
        queue.add(new Happening.StderrEnd(System.nanoTime()));
    }

    public void closeStdout() {
        queue.add(new Happening.StdoutEnd(System.nanoTime()));
    }

    void lose(String reason) {
        queue.add(new Happening.Lost(System.nanoTime(), reason));
    }

    public void stderr(byte[] bytes) {
        queue.add(new Happening.Stderr(System.nanoTime(), bytes));
    }

    /** Replies to a request with a result given as JSON text. */
    public void reply(JsonNode id, String result) {
        put("{\"jsonrpc\":\"2.0\",\"id\":" + Json.write(id) + ",\"result\":" + result + "}\n");
    }

    public void fail(JsonNode id, int code) {
        put("{\"jsonrpc\":\"2.0\",\"id\":" + Json.write(id) + ",\"error\":{\"code\":" + code + ",\"message\":\"no\"}}\n");
    }

    public static JsonNode parse(String line) {
        return Json.parse(line) instanceof Json.Parsed.Value value ? value.node() : Json.object();
    }

    @Override public String id() { return "scripted"; }

    @Override public StdioChannel start() { return this; }

    @Override public void signal(Signal signal) {
        signals.add(signal.name());
        if (signal == Signal.SIGKILL) {
            end = new Termination.Stopped();
        }
    }

    @Override public Duration heldUp(long since) { return heldUp; }

    @Override public Optional<Termination> awaitExit(Duration limit) { return Optional.ofNullable(end); }

    @Override public void send(byte[] bytes) {
        if (end != null) {
            queue.add(new Happening.SendFailed(System.nanoTime(), "broken pipe"));
            return;
        }
        pending.writeBytes(bytes);
        String all = pending.toString(StandardCharsets.UTF_8);
        pending.reset();
        for (String line : all.split("\n")) {
            sent.add(line);
            behaviour.line(line, this);
        }
    }

    @Override public void closeStdin() {
        eof = true;
        if (exitsOnEof) {
            exit(0);
        }
    }

    @Override public Optional<Happening> poll(Duration limit) throws InterruptedException {
        return Optional.ofNullable(queue.poll(limit.toNanos(), TimeUnit.NANOSECONDS));
    }

    @Override public void close() {}
}
