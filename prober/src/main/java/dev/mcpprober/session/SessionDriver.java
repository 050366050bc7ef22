package dev.mcpprober.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.Era;
import dev.mcpprober.model.ProtocolRevision;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.Sandbox;
import dev.mcpprober.sandbox.StdioChannel;
import dev.mcpprober.transcript.Message;
import dev.mcpprober.transcript.StepOutcome;
import dev.mcpprober.transcript.TranscriptHeader;
import dev.mcpprober.transcript.TranscriptWriter;
import dev.mcpprober.transcript.WireLine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Drives one script against one freshly created sandbox and records what happens. It knows nothing of right and wrong: it
 * waits, answers what must be answered so that the server can go on, and stops where nothing more can be learned.
 *
 * <p>An {@link EngineException} means that the engine or this program failed; then there is no transcript.
 */
public final class SessionDriver {
    private final SessionScript script;
    private final SessionLimits limits;
    private final TranscriptHeader header;
    private final boolean onHost;
    private final Frames frames;
    private final ServerRequestPolicy policy;
    private final ToolListing listing = new ToolListing();

    private Recorder recorder;
    private Wire wire;
    private long sessionDeadline;
    private int nextId = 1;
    private boolean toolsDeclared;
    private boolean toolsListed;
    private String livenessMethod;
    private boolean livenessKnown;

    /** @param onHost a trusted command outside any sandbox: tools that may have effects are not called with valid arguments */
    public SessionDriver(SessionScript script, SessionLimits limits, TranscriptHeader header, boolean onHost) {
        this.script = script;
        this.limits = limits;
        this.header = header;
        this.onHost = onHost;
        this.frames = new Frames(script.era(), header.offeredRevision(), header.proberVersion());
        this.policy = new ServerRequestPolicy(script.era());
        this.livenessMethod = script.era() == Era.MODERN ? "server/discover" : "ping";
    }

    /** Starts the sandbox, runs the script and writes the transcript's events; the caller finishes the file and closes the sandbox. */
    public void run(Sandbox sandbox, TranscriptWriter out) throws EngineException, IOException, InterruptedException {
        try (StdioChannel channel = sandbox.start()) {
            long origin = System.nanoTime();
            sessionDeadline = origin + limits.session().toNanos();
            recorder = new Recorder(out, origin);
            recorder.started(header.argv());
            wire = new Wire(sandbox, channel, recorder, limits);
            for (Step step : script.steps()) {
                if (!run(step)) {
                    break;
                }
            }
            wire.finish();
        }
    }

    /** Runs one step; false ends the session. */
    private boolean run(Step step) throws EngineException, IOException, InterruptedException {
        if (timeUp()) {
            return false;
        }
        if (step instanceof Step.Initialize s) {
            return initialize(s);
        } else if (step instanceof Step.Initialized s) {
            begin(s, Map.of());
            wire.send(s.id(), frames.notification("notifications/initialized"));
            return end(s, StepOutcome.DONE, "");
        } else if (step instanceof Step.Discover s) {
            return discover(s);
        } else if (step instanceof Step.Request s) {
            ObjectNode params = s.params().isEmpty() ? null : (ObjectNode) parse(s.params());
            JsonNode id = s.requestId().isEmpty() ? freshId() : parse(s.requestId());
            return exchange(s, id, s.method(), params, Map.of());
        } else if (step instanceof Step.ListTools s) {
            return listTools(s);
        } else if (step instanceof Step.ListUndeclaredTools s) {
            return toolsDeclared ? skip(s, "tools capability declared") : exchange(s, freshId(), "tools/list", null, Map.of());
        } else if (step instanceof Step.Call s) {
            return call(s);
        } else if (step instanceof Step.CallDeclaredOutputs s) {
            return callOutputs(s);
        } else if (step instanceof Step.BadLine s) {
            return badLine(s);
        } else if (step instanceof Step.Liveness s) {
            return liveness(s.id(), s.probe(), s.after());
        } else {
            return closeStdin((Step.CloseStdin) step);
        }
    }

    private boolean initialize(Step.Initialize step) throws EngineException, IOException, InterruptedException {
        JsonNode id = freshId();
        begin(step, Map.of("id", Json.write(id)));
        wire.send(step.id(), frames.request(id, "initialize", frames.initializeParams(step.revision())));
        Optional<Message.Response> reply = await(id, deadline(limits.start()));
        if (reply.isEmpty()) {
            boolean mute = !wire.over();
            endWithoutReply(step);
            return mute && hangUp();
        }
        JsonNode result = reply.get().node().path("result");
        String answered = result.path("protocolVersion").asText("");
        boolean agreed = result.path("protocolVersion").isTextual()
                && ProtocolRevision.of(answered).filter(r -> r.era() == Era.LEGACY).isPresent();
        toolsDeclared = result.path("capabilities").has("tools");
        end(step, StepOutcome.REPLIED, agreed ? HandshakeNote.AGREED + answered : HandshakeNote.NONE);
        return agreed;
    }

    /** Closes stdin on a server that never answered, to see whether its answers were only held back. */
    private boolean hangUp() throws EngineException, IOException, InterruptedException {
        recorder.stepBegan("hang-up", "startup", Map.of());
        wire.closeStdin();
        boolean ended = wire.waitForExit(deadline(limits.eofGrace()));
        recorder.stepEnded("hang-up", ended ? StepOutcome.EXITED : StepOutcome.DEADLINE, "");
        return false;
    }

    private boolean discover(Step.Discover step) throws EngineException, IOException, InterruptedException {
        JsonNode id = freshId();
        begin(step, Map.of("id", Json.write(id)));
        wire.send(step.id(), frames.request(id, "server/discover", null, step.revision()));
        Optional<Message.Response> reply = await(id, deadline(limits.request()));
        if (reply.isEmpty() && !wire.over()) {
            // A cold start may take longer than an answer may: ask for a sign of life, and go on waiting only while there is none.
            JsonNode sign = freshId();
            wire.send("sign-of-life", pingFrame(sign));
            long until = deadline(limits.start());
            while (reply.isEmpty() && !wire.over() && System.nanoTime() < until) {
                Optional<WireLine> line = next(until);
                reply = line.flatMap(l -> answerTo(l, id));
                if (reply.isEmpty() && line.flatMap(l -> answerTo(l, sign)).isPresent()) {
                    break;
                }
            }
        }
        if (reply.isEmpty()) {
            endWithoutReply(step);
            return false;
        }
        JsonNode result = reply.get().node().path("result");
        boolean modern = contains(result.path("supportedVersions"), step.revision());
        toolsDeclared = result.path("capabilities").has("tools");
        end(step, StepOutcome.REPLIED, modern ? HandshakeNote.AGREED + step.revision() : HandshakeNote.ofError(reply.get().node().path("error")));
        return modern;
    }

    private static byte[] pingFrame(JsonNode id) {
        ObjectNode frame = Json.object().put("jsonrpc", "2.0");
        frame.set("id", id);
        return Frames.line(frame.put("method", "ping"));
    }

    private boolean listTools(Step.ListTools step) throws EngineException, IOException, InterruptedException {
        if (!toolsDeclared) {
            return skip(step, "tools capability not declared");
        }
        begin(step, Map.of());
        ToolPages pages = new ToolPages();
        String detail = "";
        while (pages.more()) {
            JsonNode id = freshId();
            wire.send(step.id(), frames.request(id, "tools/list", pages.params()));
            Optional<Message.Response> reply = await(id, deadline(limits.request()));
            if (reply.isEmpty()) {
                return endWithoutReply(step) && aliveAfter(step);
            }
            JsonNode result = reply.get().node().path("result");
            listing.addPage(result);
            detail = pages.turn(result);
        }
        toolsListed = true;
        return end(step, StepOutcome.REPLIED, detail);
    }

    private boolean call(Step.Call step) throws EngineException, IOException, InterruptedException {
        boolean needsListing = step.kind() != Step.CallKind.NO_NAME && step.kind() != Step.CallKind.UNKNOWN_TOOL;
        if (!toolsDeclared) {
            return skip(step, "tools capability not declared");
        }
        if (needsListing && !toolsListed) {
            return skip(step, "tools not listed");
        }
        CallPlanner.Choice choice = planner().plan(step.kind());
        if (choice.planned() == null) {
            return skip(step, choice.reason());
        }
        return exchange(step, freshId(), "tools/call", choice.planned().params(), choice.planned().about());
    }

    private CallPlanner planner() {
        return new CallPlanner(listing, onHost, header.workKey().substring(0, 8));
    }

    private boolean callOutputs(Step.CallDeclaredOutputs step) throws EngineException, IOException, InterruptedException {
        List<CallPlanner.Planned> calls = toolsListed ? planner().outputs(step.most()) : List.of();
        if (calls.isEmpty()) {
            return skip(step, "no other tool with an output schema can be called");
        }
        boolean more = true;
        for (int i = 0; i < calls.size() && more; i++) {
            Step.Call call = new Step.Call(step.id() + "-" + (i + 1), step.probe(), Step.CallKind.VALID);
            more = exchange(call, freshId(), "tools/call", calls.get(i).params(), calls.get(i).about());
        }
        begin(step, Map.of());
        end(step, StepOutcome.DONE, "");
        return more;
    }

    /** One request and its answer, or the absence of one. */
    private boolean exchange(Step step, JsonNode id, String method, ObjectNode params, Map<String, String> about)
            throws EngineException, IOException, InterruptedException {
        Map<String, String> all = new LinkedHashMap<>(about);
        all.put("id", Json.write(id));
        begin(step, all);
        wire.send(step.id(), frames.request(id, method, params));
        Optional<Message.Response> reply = await(id, deadline(limits.request()));
        if (reply.isPresent()) {
            livenessKnown |= method.equals(livenessMethod);
            end(step, StepOutcome.REPLIED, "");
            boolean again = method.equals("tools/call") && classified(reply.get()) && !step.probe().equals(Scripts.AGAIN);
            return !again || exchange(new Step.Request(step.id() + "-again", Scripts.AGAIN, method, "", ""), freshId(), method, params, about);
        }
        return endWithoutReply(step) && aliveAfter(step);
    }

    /** A failure with a toolFailure object is asked for twice, to see which of its members are this failure's own. */
    private static boolean classified(Message.Response reply) {
        JsonNode result = reply.node().path("result");
        return result.path("isError").asBoolean() && result.path("_meta").has(Frames.TOOL_FAILURE);
    }

    private boolean badLine(Step.BadLine step) throws EngineException, IOException, InterruptedException {
        begin(step, Map.of());
        wire.send(step.id(), (step.line() + "\n").getBytes(StandardCharsets.UTF_8));
        long until = deadline(limits.quiet());
        Optional<WireLine> reaction = next(until);
        while (reaction.isPresent() && reaction.get().messages().stream().noneMatch(m -> m instanceof Message.Response)) {
            reaction = next(until);
        }
        return wire.over() ? endWithoutReply(step) : end(step, reaction.isPresent() ? StepOutcome.REPLIED : StepOutcome.QUIET, "");
    }

    /** After a missing answer: unless the script asks next anyway, is the server still there? */
    private boolean aliveAfter(Step step) throws EngineException, IOException, InterruptedException {
        int at = script.steps().indexOf(step);
        boolean asksNext = at + 1 < script.steps().size() && script.steps().get(at + 1) instanceof Step.Liveness;
        return !timeUp() && (asksNext || liveness("alive-after-" + step.id(), Scripts.LIVENESS, step.id()));
    }

    private boolean liveness(String id, String probe, String after) throws EngineException, IOException, InterruptedException {
        recorder.stepBegan(id, probe, Map.of("after", after));
        boolean other = !livenessKnown && livenessMethod.equals("ping");
        for (String method : other ? List.of("ping", "tools/list") : List.of(livenessMethod)) {
            JsonNode requestId = freshId();
            wire.send(id, frames.request(requestId, method, null));
            if (await(requestId, deadline(limits.request())).isPresent()) {
                livenessMethod = method;
                livenessKnown = true;
                recorder.stepEnded(id, StepOutcome.REPLIED, method);
                return true;
            }
            if (wire.over()) {
                break;
            }
        }
        recorder.stepEnded(id, absence(), timeUp() ? HandshakeNote.TIME_UP : "");
        return false;
    }

    private boolean closeStdin(Step.CloseStdin step) throws EngineException, IOException, InterruptedException {
        begin(step, Map.of());
        wire.closeStdin();
        if (wire.waitForExit(System.nanoTime() + limits.eofGrace().toNanos())) {
            return end(step, StepOutcome.EXITED, "");
        }
        wire.signal(Sandbox.Signal.SIGTERM);
        if (wire.waitForExit(System.nanoTime() + limits.eofGrace().toNanos())) {
            return end(step, StepOutcome.EXITED, "after SIGTERM");
        }
        wire.signal(Sandbox.Signal.SIGKILL);
        boolean ended = wire.waitForExit(System.nanoTime() + limits.eofGrace().toNanos());
        return end(step, ended ? StepOutcome.EXITED : StepOutcome.DEADLINE, "after SIGKILL");
    }

    private Optional<Message.Response> await(JsonNode id, long deadline) throws EngineException, IOException, InterruptedException {
        for (Optional<WireLine> line = next(deadline); line.isPresent(); line = next(deadline)) {
            Optional<Message.Response> answer = answerTo(line.get(), id);
            if (answer.isPresent()) {
                return answer;
            }
        }
        return Optional.empty();
    }

    /** The next line, after requests of the server in it have been met. */
    private Optional<WireLine> next(long deadline) throws EngineException, IOException, InterruptedException {
        Optional<WireLine> line = wire.next(deadline);
        if (line.isPresent()) {
            for (Message message : line.get().messages()) {
                if (message instanceof Message.Request request) {
                    Optional<ObjectNode> answer = policy.answer(request);
                    if (answer.isPresent()) {
                        wire.send("answer", Frames.line(answer.get()));
                    }
                }
            }
        }
        return line;
    }

    /** An answer by its id; an id that differs only in JSON type ends the wait too, what to make of it is decided later. */
    private static Optional<Message.Response> answerTo(WireLine line, JsonNode id) {
        return line.messages().stream().filter(Message.Response.class::isInstance).map(Message.Response.class::cast)
                .filter(response -> response.id() != null && !response.id().isNull() && readsLike(response.id(), id))
                .findFirst();
    }

    /** {@code 1.0} and {@code 1e0} are the number 1. */
    private static boolean readsLike(JsonNode id, JsonNode asked) {
        return id.isNumber() && asked.isNumber() ? id.doubleValue() == asked.doubleValue() : id.asText().equals(asked.asText());
    }

    private void begin(Step step, Map<String, String> about) throws IOException {
        recorder.stepBegan(step.id(), step.probe(), about);
    }

    private boolean end(Step step, StepOutcome outcome, String detail) throws IOException {
        recorder.stepEnded(step.id(), outcome, detail);
        return true;
    }

    private boolean skip(Step step, String reason) throws IOException {
        begin(step, Map.of());
        return end(step, StepOutcome.SKIPPED, reason);
    }

    /** Ends a step that got no answer; false when no later one can get any. */
    private boolean endWithoutReply(Step step) throws IOException {
        end(step, absence(), wire.capped() ? "stdout limit reached" : timeUp() ? HandshakeNote.TIME_UP : "");
        return !wire.over();
    }

    private boolean timeUp() {
        return System.nanoTime() > sessionDeadline;
    }

    private StepOutcome absence() {
        return wire.exited() ? StepOutcome.EXITED : wire.over() && !wire.capped() ? StepOutcome.CLOSED : StepOutcome.DEADLINE;
    }

    private long deadline(java.time.Duration limit) {
        return Math.min(System.nanoTime() + limit.toNanos(), sessionDeadline);
    }

    private JsonNode freshId() {
        return JsonNodeFactory.instance.numberNode(nextId++);
    }

    private static JsonNode parse(String json) {
        return ((Json.Parsed.Value) Json.parse(json)).node();
    }

    private static boolean contains(JsonNode array, String text) {
        for (JsonNode element : array) {
            if (text.equals(element.asText())) {
                return true;
            }
        }
        return false;
    }
}
