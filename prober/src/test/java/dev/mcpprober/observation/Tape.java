package dev.mcpprober.observation;

import dev.mcpprober.model.Era;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.StepOutcome;
import dev.mcpprober.transcript.Transcript;
import dev.mcpprober.transcript.TranscriptHeader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A transcript made by hand, event by event. Methods that add an event return its index where a witness may be asked for. */
final class Tape {
    static final String META = "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}";
    static final String MODERN_RESULT = "\"resultType\":\"complete\",\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}";
    static final String DISCOVERED = "{" + MODERN_RESULT + ",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}},\"ttlMs\":0,\"cacheScope\":\"private\"}";
    static final String TOOL = "{\"name\":\"repeat\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"},\"count\":{\"type\":\"integer\"}},"
            + "\"required\":[\"text\",\"count\"]}}";

    private final String session;
    private final String script;
    private final Era era;
    private final String offered;
    private final List<Event> events = new ArrayList<>();
    private String step = "";
    private int id;

    private Tape(String session, String script, Era era, String offered) {
        this.session = session;
        this.script = script;
        this.era = era;
        this.offered = offered;
        events.add(new Event.Started(0, 0, List.of("server")));
    }

    static Tape legacy(String session, String script) {
        return legacy(session, script, "2025-11-25");
    }

    static Tape legacy(String session, String script, String offered) {
        return new Tape(session, script.contains("@") ? script : script + "@1", Era.LEGACY, offered);
    }

    static Tape modern(String session, String script) {
        return new Tape(session, script.contains("@") ? script : script + "@1", Era.MODERN, "2026-07-28");
    }

    /** A legacy session after the handshake, with tools. */
    static Tape open(String session, String script, String revision) {
        return legacy(session, script).handshake(session.equals("legacy") ? "server-initialize" : "handshake", revision, "{\"tools\":{}}");
    }

    static Tape open(String revision) {
        return open("legacy", "legacy-full", revision);
    }

    /** A modern session after its handshake. */
    static Tape openModern(String session, String script) {
        return modern(session, script).step("discover", session.equals("modern") ? "discover" : "handshake").ask("server/discover", "{" + META + "}")
                .result(DISCOVERED).end(StepOutcome.REPLIED);
    }

    static Tape openModern() {
        return openModern("modern", "modern-full");
    }

    Tape handshake(String probe, String revision, String capabilities) {
        return step("initialize", probe).ask("initialize", "{\"protocolVersion\":\"" + offered + "\",\"capabilities\":{}}")
                .result("{\"protocolVersion\":\"" + revision + "\",\"capabilities\":" + capabilities + ",\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}")
                .end(StepOutcome.REPLIED)
                .step("initialized", "handshake").send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}").end(StepOutcome.DONE);
    }

    private int next() {
        return events.size();
    }

    private Tape add(Event event) {
        events.add(event);
        return this;
    }

    /** Index of the event added last. */
    int at() {
        return events.size() - 1;
    }

    Tape step(String stepId, String probe, String... about) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < about.length; i += 2) {
            map.put(about[i], about[i + 1]);
        }
        step = stepId;
        return add(new Event.StepBegan(next(), next(), stepId, probe, map));
    }

    Tape end(StepOutcome outcome) {
        return end(outcome, "");
    }

    Tape end(StepOutcome outcome, String detail) {
        return add(new Event.StepEnded(next(), next(), step, outcome, detail));
    }

    Tape skip(String stepId, String probe, String reason) {
        return step(stepId, probe).end(StepOutcome.SKIPPED, reason);
    }

    Tape send(String line) {
        return add(new Event.Sent(next(), next(), step, (line + "\n").getBytes(StandardCharsets.UTF_8)));
    }

    Tape send(byte[] line) {
        return add(new Event.Sent(next(), next(), step, line));
    }

    Tape answer(String line) {
        return add(new Event.Sent(next(), next(), "answer", (line + "\n").getBytes(StandardCharsets.UTF_8)));
    }

    /** Sends a request with the next number as its id. */
    Tape ask(String method, String params) {
        return askAs(Integer.toString(++id), method, params);
    }

    Tape ask(String method) {
        return ask(method, null);
    }

    Tape askAs(String jsonId, String method, String params) {
        return send("{\"jsonrpc\":\"2.0\",\"id\":" + jsonId + ",\"method\":\"" + method + "\"" + (params == null ? "" : ",\"params\":" + params) + "}");
    }

    Tape get(String line) {
        return get(line.getBytes(StandardCharsets.UTF_8), true);
    }

    Tape get(byte[] bytes, boolean terminated) {
        return add(new Event.Received(next(), next(), bytes, terminated, bytes.length));
    }

    Tape rest(String text) {
        return get(text.getBytes(StandardCharsets.UTF_8), false);
    }

    Tape truncated(String kept, long length) {
        return add(new Event.Received(next(), next(), kept.getBytes(StandardCharsets.UTF_8), true, length));
    }

    /** A result for the request asked last. */
    Tape result(String result) {
        return resultFor(Integer.toString(id), result);
    }

    Tape resultFor(String jsonId, String result) {
        return get("{\"jsonrpc\":\"2.0\",\"id\":" + jsonId + ",\"result\":" + result + "}");
    }

    Tape error(long code, String message) {
        return errorFor(Integer.toString(id), code, message);
    }

    Tape errorFor(String jsonId, long code, String message) {
        return get("{\"jsonrpc\":\"2.0\",\"id\":" + jsonId + ",\"error\":{\"code\":" + code + ",\"message\":\"" + message + "\"}}");
    }

    /** The listing step with one page. */
    Tape tools(String... tools) {
        return step("tools-list", session.contains("-") ? "handshake" : "tools-list").ask("tools/list", era == Era.MODERN ? "{" + META + "}" : null)
                .result("{\"tools\":[" + String.join(",", tools) + "]" + (era == Era.MODERN ? "," + MODERN_RESULT + ",\"ttlMs\":0,\"cacheScope\":\"private\"" : "") + "}")
                .end(StepOutcome.REPLIED);
    }

    /** A call step for the tool {@code repeat}; the reply follows. */
    Tape call(String probe, String property, String arguments) {
        return step(probe.equals("valid-twin") ? "tools-call-valid" : probe, probe, "tool", "repeat", "property", property, "primary", "true")
                .ask("tools/call", "{\"name\":\"repeat\",\"arguments\":" + arguments + (era == Era.MODERN ? "," + META : "") + "}");
    }

    /** A text result without isError, and the step's end. */
    Tape says(String text) {
        return result("{\"content\":[{\"type\":\"text\",\"text\":" + dev.mcpprober.io.Json.write(com.fasterxml.jackson.databind.node.TextNode.valueOf(text)) + "}]"
                + (era == Era.MODERN ? "," + MODERN_RESULT : "") + "}").end(StepOutcome.REPLIED);
    }

    Tape alive(String after) {
        return step("alive-after-" + after, "liveness", "after", after).ask("ping").result("{}").end(StepOutcome.REPLIED);
    }

    Tape stderr(String text) {
        return add(new Event.Stderr(next(), next(), text.getBytes(StandardCharsets.UTF_8), 0));
    }

    Tape terminated(String how, int status) {
        return add(new Event.Terminated(next(), next(), how, status));
    }

    Tape exits(int status) {
        return add(new Event.StdoutClosed(next(), next())).terminated("exited", status);
    }

    Tape closesStdout() {
        return add(new Event.StdoutClosed(next(), next()));
    }

    Tape closeStdin() {
        return add(new Event.StdinClosed(next(), next()));
    }

    Tape signal(String signal) {
        return add(new Event.SignalSent(next(), next(), signal));
    }

    Tape capped() {
        return add(new Event.StdoutCapped(next(), next(), 100));
    }

    Tape lost() {
        return add(new Event.ChannelLost(next(), next(), "connection reset"));
    }

    Transcript transcript() {
        return new Transcript(new TranscriptHeader("a", "k", "t", session, script, era, offered, List.of("server"), "", "host", "0", "2026-12-01T00:00:00Z",
                1, 1, 1), events);
    }

    /** What the extractor makes of this and other sessions. */
    Seen seen(Tape... others) {
        List<Transcript> all = new ArrayList<>(List.of(transcript()));
        for (Tape other : others) {
            all.add(other.transcript());
        }
        return new Seen(Extractor.extract(all));
    }
}
