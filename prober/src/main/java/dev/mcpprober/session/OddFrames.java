package dev.mcpprober.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.ProtocolRevision;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.transcript.Message;
import dev.mcpprober.transcript.StepOutcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Steps that send something other than one request: notifications, arrays, and what no client may send. */
final class OddFrames {
    private static final int REVIVALS = 3;
    /** Waits longer than for a reaction, as multiples of that: for a server that dies late, and for one that may come back. */
    private static final int LATE = 6;
    private static final int REVIVAL = 2;

    private final Conversation talk;
    /** stderr and answers that there were when the last frame was sent. */
    private long stderrBefore;
    private boolean noticed;

    OddFrames(Conversation talk) {
        this.talk = talk;
    }

    boolean rawLine(Step.RawLine step) throws EngineException, IOException, InterruptedException {
        return send(step, (step.line() + "\n").getBytes(StandardCharsets.UTF_8), Map.of(), message -> message instanceof Message.Response, this::briefly);
    }

    boolean nullId(Step.NullId step) throws EngineException, IOException, InterruptedException {
        byte[] line = talk.frames.request(NullNode.getInstance(), talk.livenessMethod(), null);
        return send(step, line, Map.of(), message -> message instanceof Message.Response, this::briefly);
    }

    boolean badUtf8(Step.BadUtf8 step) throws EngineException, IOException, InterruptedException {
        JsonNode id = talk.freshId();
        byte[] line = talk.frames.badUtf8(id, talk.livenessMethod());
        return send(step, line, Map.of("id", Json.write(id)), message -> message instanceof Message.Response, this::briefly);
    }

    /** @param agreed revision that the session runs under */
    boolean batch(Step.Batch step, String agreed) throws EngineException, IOException, InterruptedException {
        boolean batches = agreed.equals(ProtocolRevision.V2025_03_26.date());
        if (batches != step.probe().equals("batch-receive")) {
            return talk.skip(step, batches ? "batches belong to this revision" : "another revision was agreed on");
        }
        ArrayNode array = Json.object().putArray("frames");
        List<JsonNode> open = new ArrayList<>();
        if (step.kind() == Step.BatchKind.REQUESTS) {
            for (int i = 0; i < 2; i++) {
                JsonNode id = talk.freshId();
                open.add(id);
                array.add(talk.frames.message(id, talk.livenessMethod()));
            }
            array.add(talk.frames.notice(Scripts.UNKNOWN_NOTIFICATION));
        } else if (step.kind() == Step.BatchKind.NOTIFICATIONS) {
            array.add(talk.frames.notice(Scripts.UNKNOWN_NOTIFICATION));
            array.add(talk.frames.notice(Scripts.UNKNOWN_NOTIFICATION));
        }
        Predicate<Message> all = message -> {
            if (message instanceof Message.Response response) {
                open.removeIf(id -> id.equals(response.id()));
                return open.isEmpty() || response.id() == null || response.id().isNull();
            }
            return false;
        };
        boolean mustAnswer = batches && step.kind() == Step.BatchKind.REQUESTS;
        return send(step, Frames.line(array), Map.of("kind", step.kind().name().toLowerCase(java.util.Locale.ROOT)), all,
                mustAnswer ? () -> talk.time().fairly(talk.limits.request()) : this::briefly);
    }

    private boolean send(Step step, byte[] line, Map<String, String> about, Predicate<Message> enough, Supplier<Deadline> wait)
            throws EngineException, IOException, InterruptedException {
        talk.begin(step, about);
        stderrBefore = talk.wire.stderrBytes();
        talk.wire.send(step.id(), line);
        noticed = talk.listen(enough, wait.get());
        return talk.wire.over() ? talk.endWithoutReply(step) : talk.end(step, noticed ? StepOutcome.REPLIED : StepOutcome.QUIET, "");
    }

    private Deadline briefly() {
        return talk.time().briefly(talk.limits.quiet());
    }

    boolean autopsy(Step.Autopsy step) throws EngineException, IOException, InterruptedException {
        boolean alive = talk.liveness(step.id(), step.probe(), step.after());
        if (talk.wire.over() || talk.timeUp()) {
            return false;
        }
        return alive ? linger(step) : revive(step);
    }

    /** Some servers die of a frame only seconds later, by a timer or in the course of an orderly shutdown. */
    private boolean linger(Step.Autopsy step) throws EngineException, IOException, InterruptedException {
        if (!step.patient() && !noticed && talk.wire.stderrBytes() == stderrBefore) {
            return true;
        }
        String id = step.id() + "-late";
        talk.recorder.stepBegan(id, Scripts.AUTOPSY, Map.of("after", step.after()));
        talk.listen(message -> false, talk.time().briefly(talk.limits.quiet().multipliedBy(LATE)));
        if (talk.wire.over()) {
            talk.recorder.stepEnded(id, talk.absence(), "");
            return false;
        }
        talk.recorder.stepEnded(id, StepOutcome.QUIET, "");
        return talk.liveness(step.id() + "-again", Scripts.AUTOPSY, step.after());
    }

    private boolean revive(Step.Autopsy step) throws EngineException, IOException, InterruptedException {
        for (int i = 1; i <= REVIVALS && !talk.wire.over() && !talk.timeUp(); i++) {
            String id = step.id() + "-revival-" + i;
            talk.recorder.stepBegan(id, Scripts.AUTOPSY, Map.of("after", step.after()));
            JsonNode request = talk.freshId();
            talk.wire.send(id, talk.frames.request(request, talk.livenessMethod(), null));
            boolean revived = talk.await(request, talk.time().briefly(talk.limits.quiet().multipliedBy(REVIVAL))).isPresent();
            talk.recorder.stepEnded(id, revived ? StepOutcome.REPLIED : talk.absence(), "");
            if (revived) {
                return true;
            }
        }
        return false;
    }
}
