package dev.mcpprober.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.CpuPressure;
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
import java.util.function.Supplier;

/**
 * Drives one script against one freshly created sandbox and records what happens. It knows nothing of right and wrong: it
 * waits, answers what must be answered so that the server can go on, and stops where nothing more can be learned.
 *
 * <p>An {@link EngineException} means that the engine or this program failed; then there is no transcript.
 */
public final class SessionDriver {
    /** Bytes of a list of tools that one session is asked for once and no more: there is a limit to all that it may say. */
    private static final long LONG_LIST = 4L << 20;
    private static final String TOO_LONG = "the list of tools is too long to be asked for again";
    private final SessionScript script;
    private final SessionLimits limits;
    private final TranscriptHeader header;
    private final boolean harmlessOnly;
    private final Supplier<Optional<CpuPressure>> pressure;
    private final Frames frames;
    private final ToolListing listing = new ToolListing();

    private Conversation talk;
    private OddFrames odd;
    private OptionalFeatures features;
    /** Revision that the handshake came to; empty before. */
    private String agreed = "";
    private boolean toolsDeclared;
    private boolean toolsListed;
    private boolean longList;
    /** The last request was answered. */
    private boolean replied;

    /** With the limits as they are, whatever else this host does. */
    public SessionDriver(SessionScript script, SessionLimits limits, TranscriptHeader header, boolean harmlessOnly) {
        this(script, limits, header, harmlessOnly, Optional::empty);
    }

    /**
     * @param harmlessOnly tools that may have effects are not called with valid arguments
     * @param pressure     on the processors that the server runs on, empty where that is not known
     */
    SessionDriver(SessionScript script, SessionLimits limits, TranscriptHeader header, boolean harmlessOnly, Supplier<Optional<CpuPressure>> pressure) {
        this.pressure = pressure;
        this.script = script;
        this.limits = limits;
        this.header = header;
        this.harmlessOnly = harmlessOnly;
        this.frames = new Frames(script.era(), header.offeredRevision(), header.proberVersion());
    }

    /** Starts the sandbox, runs the script and writes the transcript's events; the caller finishes the file and closes the sandbox. */
    public void run(Sandbox sandbox, TranscriptWriter out) throws EngineException, IOException, InterruptedException {
        try (StdioChannel channel = sandbox.start()) {
            long origin = System.nanoTime();
            Recorder recorder = new Recorder(out, origin);
            recorder.started(header.argv());
            Wire wire = new Wire(sandbox, channel, recorder, limits);
            talk = new Conversation(script.era(), recorder, wire, frames, limits, new FairTime(recorder, pressure, origin, limits.session()));
            odd = new OddFrames(talk);
            features = new OptionalFeatures(talk);
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
        if (talk.timeUp()) {
            return false;
        }
        if (step instanceof Step.Initialize s) {
            return initialize(s);
        } else if (step instanceof Step.Initialized s) {
            talk.begin(s, Map.of());
            talk.wire.send(s.id(), frames.notification("notifications/initialized"));
            return talk.end(s, StepOutcome.DONE, "");
        } else if (step instanceof Step.Discover s) {
            return discover(s);
        } else if (step instanceof Step.Request s) {
            ObjectNode params = s.params().isEmpty() ? null : (ObjectNode) parse(s.params());
            JsonNode id = s.requestId().isEmpty() ? talk.freshId() : parse(s.requestId());
            return exchange(s, id, s.method(), params, Map.of());
        } else if (step instanceof Step.ListTools s) {
            return listTools(s);
        } else if (step instanceof Step.ListUndeclaredTools s) {
            return toolsDeclared ? talk.skip(s, "tools capability declared") : exchange(s, talk.freshId(), "tools/list", null, Map.of());
        } else if (step instanceof Step.Call s) {
            return call(s);
        } else if (step instanceof Step.CallTools s) {
            return callTools(s);
        } else if (step instanceof Step.InvalidCursor s) {
            return !toolsDeclared ? talk.skip(s, "tools capability not declared") : longList ? talk.skip(s, TOO_LONG)
                    : exchange(s, talk.freshId(), "tools/list", Json.object().put("cursor", "mcp-prober-no-such-cursor"), Map.of());
        } else if (step instanceof Step.ReadNoResource s) {
            return features.declared("resources") ? exchange(s, talk.freshId(), "resources/read", OptionalFeatures.noResource(), Map.of())
                    : talk.skip(s, "resources capability not declared");
        } else if (step instanceof Step.Listen s) {
            return features.listen(s) || !talk.wire.over() && aliveAfter(s);
        } else if (step instanceof Step.OtherMeta s) {
            return otherMeta(s);
        } else if (step instanceof Step.RawLine s) {
            return longList && s.line().contains("tools/list") ? talk.skip(s, TOO_LONG) : odd.rawLine(s);
        } else if (step instanceof Step.NullId s) {
            return odd.nullId(s);
        } else if (step instanceof Step.BadUtf8 s) {
            return odd.badUtf8(s);
        } else if (step instanceof Step.Batch s) {
            return odd.batch(s, agreed);
        } else if (step instanceof Step.Autopsy s) {
            return odd.autopsy(s);
        } else if (step instanceof Step.Liveness s) {
            return talk.liveness(s.id(), s.probe(), s.after());
        } else {
            return closeStdin((Step.CloseStdin) step);
        }
    }

    private boolean initialize(Step.Initialize step) throws EngineException, IOException, InterruptedException {
        JsonNode id = talk.freshId();
        talk.begin(step, Map.of("id", Json.write(id)));
        talk.wire.send(step.id(), frames.request(id, "initialize", frames.initializeParams(step.revision())));
        Optional<Message.Response> reply = talk.await(id, talk.time().fairly(limits.start()));
        if (reply.isEmpty()) {
            boolean mute = !talk.wire.over();
            talk.endWithoutReply(step);
            return mute && hangUp();
        }
        JsonNode result = reply.get().node().path("result");
        String answered = result.path("protocolVersion").asText("");
        boolean known = result.path("protocolVersion").isTextual()
                && ProtocolRevision.of(answered).filter(r -> r.era() == Era.LEGACY).isPresent();
        agreed = known ? answered : "";
        features.declare(result.path("capabilities"));
        toolsDeclared = features.declared("tools");
        talk.end(step, StepOutcome.REPLIED, known ? HandshakeNote.AGREED + answered : HandshakeNote.NONE);
        return known;
    }

    /** Closes stdin on a server that never answered, to see whether its answers were only held back. */
    private boolean hangUp() throws EngineException, IOException, InterruptedException {
        talk.recorder.stepBegan("hang-up", "startup", Map.of());
        talk.wire.closeStdin();
        boolean ended = talk.wire.waitForExit(talk.time().fairly(limits.eofGrace()));
        talk.recorder.stepEnded("hang-up", ended ? StepOutcome.EXITED : StepOutcome.DEADLINE, "");
        return false;
    }

    private boolean discover(Step.Discover step) throws EngineException, IOException, InterruptedException {
        JsonNode id = talk.freshId();
        talk.begin(step, Map.of("id", Json.write(id)));
        talk.wire.send(step.id(), frames.request(id, "server/discover", null, step.revision()));
        // A server of both eras takes a ping for the beginning of a legacy conversation: only where the era is the question may one be sent.
        boolean question = step.probe().equals(Scripts.ERA_PROBE);
        Optional<Message.Response> reply = talk.await(id, talk.time().fairly(question ? limits.request() : limits.start()));
        if (reply.isEmpty() && question && !talk.wire.over()) {
            // A cold start may take longer than an answer may: ask for a sign of life, and go on waiting only while there is none.
            JsonNode sign = talk.freshId();
            talk.wire.send("sign-of-life", pingFrame(sign));
            Deadline until = talk.time().fairly(limits.start());
            while (reply.isEmpty() && !talk.wire.over() && until.left() > 0) {
                Optional<WireLine> line = talk.next(until);
                reply = line.flatMap(l -> Conversation.answerTo(l, id));
                if (reply.isEmpty() && line.flatMap(l -> Conversation.answerTo(l, sign)).isPresent()) {
                    break;
                }
            }
        }
        if (reply.isEmpty()) {
            talk.endWithoutReply(step);
            return false;
        }
        JsonNode result = reply.get().node().path("result");
        boolean modern = contains(result.path("supportedVersions"), step.revision());
        features.declare(result.path("capabilities"));
        toolsDeclared = features.declared("tools");
        talk.end(step, StepOutcome.REPLIED, modern ? HandshakeNote.AGREED + step.revision() : HandshakeNote.ofError(reply.get().node().path("error")));
        return modern;
    }

    private static byte[] pingFrame(JsonNode id) {
        ObjectNode frame = Json.object().put("jsonrpc", "2.0");
        frame.set("id", id);
        return Frames.line(frame.put("method", "ping"));
    }

    private boolean listTools(Step.ListTools step) throws EngineException, IOException, InterruptedException {
        if (!toolsDeclared) {
            return talk.skip(step, "tools capability not declared");
        }
        if (longList) {
            return talk.skip(step, TOO_LONG);
        }
        talk.begin(step, Map.of());
        ToolPages pages = new ToolPages();
        String detail = "";
        long before = talk.wire.stdoutBytes();
        while (pages.more()) {
            JsonNode id = talk.freshId();
            talk.wire.send(step.id(), frames.request(id, "tools/list", pages.params()));
            Optional<Message.Response> reply = talk.await(id, talk.time().fairly(limits.request()));
            if (reply.isEmpty()) {
                return talk.endWithoutReply(step) && aliveAfter(step);
            }
            JsonNode result = reply.get().node().path("result");
            listing.addPage(result);
            detail = pages.turn(result);
        }
        toolsListed = true;
        longList = talk.wire.stdoutBytes() - before > LONG_LIST;
        return talk.end(step, StepOutcome.REPLIED, detail);
    }

    private boolean call(Step.Call step) throws EngineException, IOException, InterruptedException {
        boolean needsListing = step.kind() != Step.CallKind.NO_NAME && step.kind() != Step.CallKind.UNKNOWN_TOOL;
        if (!toolsDeclared) {
            return talk.skip(step, "tools capability not declared");
        }
        if (needsListing && !toolsListed) {
            return talk.skip(step, "tools not listed");
        }
        CallPlanner.Choice choice = planner().plan(step.kind());
        if (choice.planned() == null) {
            return talk.skip(step, choice.reason());
        }
        return exchange(step, talk.freshId(), "tools/call", choice.planned().params(), choice.planned().about());
    }

    private CallPlanner planner() {
        return new CallPlanner(listing, harmlessOnly, header.workKey().substring(0, 8));
    }

    private boolean callTools(Step.CallTools step) throws EngineException, IOException, InterruptedException {
        if (!toolsListed) {
            return talk.skip(step, toolsDeclared ? "tools not listed" : "tools capability not declared");
        }
        ToolCaller.Result result = ToolCaller.run(new ToolProgram(listing, planner(), harmlessOnly), step, talk.sessionDeadline(), new ToolCaller.Line() {
            @Override
            public ToolCaller.Met call(Step call, CallPlanner.Planned planned) throws EngineException, IOException, InterruptedException {
                boolean on = exchange(call, talk.freshId(), "tools/call", planned.params(), planned.about());
                return !on ? ToolCaller.Met.LOST : replied ? ToolCaller.Met.ANSWERED : ToolCaller.Met.SILENT;
            }

            @Override
            public void skip(Step call, CallPlanner.Planned planned, String reason) throws IOException {
                talk.begin(call, planned.about());
                talk.end(call, StepOutcome.SKIPPED, reason);
            }
        });
        if (!result.whole()) {
            return false;
        }
        talk.begin(step, Map.of());
        return talk.end(step, StepOutcome.DONE, result.detail());
    }

    /** One request and its answer, or the absence of one. */
    private boolean exchange(Step step, JsonNode id, String method, ObjectNode params, Map<String, String> about)
            throws EngineException, IOException, InterruptedException {
        Map<String, String> all = new LinkedHashMap<>(about);
        all.put("id", Json.write(id));
        talk.begin(step, all);
        talk.wire.send(step.id(), frames.request(id, method, params));
        Optional<Message.Response> reply = talk.await(id, talk.time().fairly(limits.request()));
        replied = reply.isPresent();
        if (replied) {
            talk.answered(method);
            talk.end(step, StepOutcome.REPLIED, "");
            boolean again = method.equals("tools/call") && classified(reply.get()) && !step.probe().equals(Scripts.AGAIN);
            return !again || exchange(new Step.Request(step.id() + "-again", Scripts.AGAIN, method, "", ""), talk.freshId(), method, params, about);
        }
        return talk.endWithoutReply(step) && aliveAfter(step);
    }

    /** A failure with a toolFailure object is asked for twice, to see which of its members are this failure's own. */
    private static boolean classified(Message.Response reply) {
        JsonNode result = reply.node().path("result");
        return result.path("isError").asBoolean() && result.path("_meta").has(Frames.TOOL_FAILURE);
    }

    private boolean otherMeta(Step.OtherMeta step) throws EngineException, IOException, InterruptedException {
        JsonNode id = talk.freshId();
        String method = toolsDeclared && !longList ? "tools/list" : "server/discover";
        talk.begin(step, Map.of("id", Json.write(id), "method", method));
        talk.wire.send(step.id(), frames.withMeta(id, method, step.kind()));
        return talk.await(id, talk.time().fairly(limits.request())).isPresent() ? talk.end(step, StepOutcome.REPLIED, "")
                : talk.endWithoutReply(step) && aliveAfter(step);
    }

    /** After a missing answer: unless the script asks next anyway, is the server still there? */
    private boolean aliveAfter(Step step) throws EngineException, IOException, InterruptedException {
        int at = script.steps().indexOf(step);
        boolean asksNext = at + 1 < script.steps().size() && script.steps().get(at + 1) instanceof Step.Liveness;
        return !talk.timeUp() && (asksNext || talk.liveness("alive-after-" + step.id(), Scripts.LIVENESS, step.id()));
    }

    private boolean closeStdin(Step.CloseStdin step) throws EngineException, IOException, InterruptedException {
        talk.begin(step, Map.of());
        talk.wire.closeStdin();
        if (talk.wire.waitForExit(talk.time().fairlyAtEnd(limits.eofGrace()))) {
            return talk.end(step, StepOutcome.EXITED, "");
        }
        talk.wire.signal(Sandbox.Signal.SIGTERM);
        if (talk.wire.waitForExit(talk.time().fairlyAtEnd(limits.eofGrace()))) {
            return talk.end(step, StepOutcome.EXITED, "after SIGTERM");
        }
        talk.wire.signal(Sandbox.Signal.SIGKILL);
        boolean ended = talk.wire.waitForExit(talk.time().fairlyAtEnd(limits.eofGrace()));
        return talk.end(step, ended ? StepOutcome.EXITED : StepOutcome.DEADLINE, "after SIGKILL");
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
