package dev.mcpprober.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.attribution.SdkAttribution;
import dev.mcpprober.census.Installation;
import dev.mcpprober.census.TargetInstaller;
import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.install.EntryPoint;
import dev.mcpprober.install.InstallDocument;
import dev.mcpprober.install.InstallOutcome;
import dev.mcpprober.install.InstallRecord;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.Registry;
import dev.mcpprober.model.SdkFamily;
import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.redaction.Secrets;
import dev.mcpprober.sandbox.Sandbox;
import dev.mcpprober.sandbox.SandboxEngine;
import dev.mcpprober.sandbox.SandboxSpec;
import dev.mcpprober.sandbox.StdioChannel;
import dev.mcpprober.sandbox.Termination;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Packages and servers without an engine: {@code good} answers as revision 2025-06-18 asks, {@code bad} answers an unknown tool with a
 * success, {@code moody} does so at every other start, {@code silent} ends at once, {@code sleepy} does so at every start but its first,
 * {@code gone} is not there, {@code leaky} gives away its secrets.
 */
final class MemoryServers implements TargetInstaller, SandboxEngine {
    private final Redactor redactor;
    private final Map<String, AtomicInteger> starts = new ConcurrentHashMap<>();

    MemoryServers() {
        this(Redactor.NONE);
    }

    MemoryServers(Redactor redactor) {
        this.redactor = redactor;
    }

    @Override
    public Installation install(FrameEntry entry) {
        boolean there = !entry.label().contains("gone");
        InstallRecord record = new InstallRecord(new InstallRecord.Artefact(entry.label(), Registry.NPM, there ? entry.id() : "", "n", there ? "1.0.0" : "",
                there ? "sha512-x" : "", ""), there ? new InstallOutcome.Installed("") : new InstallOutcome.NotFound("no such package"),
                there ? Optional.of(new InstallRecord.Program(entry.label(), new EntryPoint(List.of(entry.label()), "the only one", List.of()), "/tmp",
                        new SdkAttribution(SdkFamily.HAND_ROLLED, "", "", "", "no SDK found"), "node:22", "sha256:b", "bootstrapped", "t", false, Optional.empty()))
                        : Optional.empty(),
                new InstallRecord.Scripts(List.of(), "", ""), new InstallRecord.Lock("", "", ""), List.of(),
                new InstallRecord.Traffic(List.of(), 0, List.of(), List.of(), true), 0.5, entry.label().contains("leaky") ? "npm warn " + leaked() : "");
        return new Installation(record.outcome().kind(), there, entry.label(), "sha512-x", there ? entry.label() : "",
                there ? Stream.concat(Stream.of(entry.label()), entry.args().stream()).toList() : List.of(), "/tmp", InstallDocument.write(record.redacted(redactor)));
    }

    @Override
    public Optional<Installation> restore(FrameEntry entry, byte[] document) {
        return Optional.of(install(entry));
    }

    @Override
    public Sandbox create(SandboxSpec spec) {
        return new Server(spec.image(), spec.env().getOrDefault("API_KEY", "") + " " + String.join(" ", spec.argv().subList(1, spec.argv().size())));
    }

    @Override public String describe() { return "memory"; }

    @Override public void close() {}

    /** What {@code leaky} says wherever it can, besides the value of its variable API_KEY and its arguments. */
    static final List<String> SECRETS = List.of(Secrets.GITHUB, Secrets.SLACK, Secrets.KEY_BODY);

    private static String leaked() {
        return String.join(" ", Secrets.GITHUB, Secrets.SLACK, Secrets.KEY);
    }

    private final class Server implements Sandbox, StdioChannel {
        private final String name;
        private final LinkedBlockingQueue<Happening> queue = new LinkedBlockingQueue<>();
        private volatile boolean ended;
        private final String key;
        private int before;

        Server(String name, String key) {
            this.name = name;
            this.key = key;
        }

        @Override public String id() { return name; }

        @Override
        public StdioChannel start() {
            before = starts.computeIfAbsent(name, key -> new AtomicInteger()).getAndIncrement();
            if (name.contains("silent") || name.contains("sleepy") && before > 0) {
                end();
            }
            if (name.contains("leaky")) {
                String text = "started with " + key + " " + leaked() + "\n";
                // In pieces, through the middle of everything.
                for (int at = 0; at < text.length(); at += 7) {
                    queue.add(new Happening.Stderr(System.nanoTime(), text.substring(at, Math.min(text.length(), at + 7)).getBytes(StandardCharsets.UTF_8)));
                }
                put(leaked() + "\n" + key + "\n");
            }
            return this;
        }

        @Override
        public void send(byte[] bytes) {
            if (!ended && Json.parse(new String(bytes, StandardCharsets.UTF_8)) instanceof Json.Parsed.Value value && value.node().has("id")) {
                answer(value.node());
            }
        }

        private void answer(JsonNode request) {
            String tool = request.at("/params/name").asText();
            switch (request.path("method").asText()) {
                case "initialize" -> result(request, "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"=evil\",\"version\":\"1\"}}");
                case "ping" -> result(request, "{}");
                case "tools/list" -> result(request, "{\"tools\":[{\"name\":\"add\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"]}}]}");
                case "tools/call" -> {
                    boolean bad = name.contains("bad") || name.contains("leaky") || name.contains("moody") && before % 2 == 1;
                    if (tool.equals("add") && (request.at("/params/arguments/n").isInt() || name.contains("leaky")) || bad && !tool.equals("add")) {
                        result(request, "{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}");
                    } else {
                        error(request, -32602);
                    }
                }
                default -> error(request, -32601);
            }
        }

        private void result(JsonNode request, String result) {
            put("{\"jsonrpc\":\"2.0\",\"id\":" + Json.write(request.get("id")) + ",\"result\":" + result + "}\n");
        }

        private void error(JsonNode request, int code) {
            put("{\"jsonrpc\":\"2.0\",\"id\":" + Json.write(request.get("id")) + ",\"error\":{\"code\":" + code + ",\"message\":\"no\"}}\n");
        }

        private void put(String line) {
            String said = line;
            if (name.contains("leaky") && line.startsWith("{")) {
                String quoted = Json.write(Json.mapper().valueToTree(key + " " + leaked() + " "));
                said = line.replaceAll("\"(text|message|name|description)\":\"(?!add)", "\"$1\":" + java.util.regex.Matcher.quoteReplacement(quoted.substring(0, quoted.length() - 1)));
            }
            queue.add(new Happening.Stdout(System.nanoTime(), said.getBytes(StandardCharsets.UTF_8)));
        }

        private void end() {
            ended = true;
            queue.add(new Happening.StdoutEnd(System.nanoTime()));
            queue.add(new Happening.StderrEnd(System.nanoTime()));
        }

        @Override public void closeStdin() { end(); }

        @Override
        public Optional<Happening> poll(Duration limit) throws InterruptedException {
            return Optional.ofNullable(queue.poll(limit.toNanos(), TimeUnit.NANOSECONDS));
        }

        @Override public void signal(Signal signal) { end(); }

        @Override
        public Optional<Termination> awaitExit(Duration limit) {
            return ended ? Optional.of(new Termination.Exited(0)) : Optional.empty();
        }

        @Override public void close() {}
    }
}
