package dev.mcpprober.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.model.Era;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.transcript.Message;
import dev.mcpprober.transcript.StepOutcome;
import dev.mcpprober.transcript.WireLine;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * One running session: what is said, waited for and written down, whatever the script. It answers what must be answered so that the
 * server can go on.
 */
final class Conversation {
    final Recorder recorder;
    final Wire wire;
    final Frames frames;
    final SessionLimits limits;
    private final ServerRequestPolicy policy;
    private final FairTime time;
    private int nextId = 1;
    private String livenessMethod;
    private boolean livenessKnown;

    Conversation(Era era, Recorder recorder, Wire wire, Frames frames, SessionLimits limits, FairTime time) {
        this.recorder = recorder;
        this.wire = wire;
        this.frames = frames;
        this.limits = limits;
        this.policy = new ServerRequestPolicy(era);
        this.time = time;
        this.livenessMethod = era == Era.MODERN ? "server/discover" : "ping";
    }

    /** The method that the server answers, or should. */
    String livenessMethod() {
        return livenessMethod;
    }

    /** A request of {@code method} was answered. */
    void answered(String method) {
        livenessKnown |= method.equals(livenessMethod);
    }

    /** A request that any living server answers; false when this one did not. */
    boolean liveness(String id, String probe, String after) throws EngineException, IOException, InterruptedException {
        recorder.stepBegan(id, probe, Map.of("after", after));
        boolean other = !livenessKnown && livenessMethod.equals("ping");
        for (String method : other ? List.of("ping", "tools/list") : List.of(livenessMethod)) {
            JsonNode requestId = freshId();
            wire.send(id, frames.request(requestId, method, null));
            if (await(requestId, time.fairly(limits.request())).isPresent()) {
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

    Optional<Message.Response> await(JsonNode id, Deadline deadline) throws EngineException, IOException, InterruptedException {
        for (Optional<WireLine> line = next(deadline); line.isPresent(); line = next(deadline)) {
            Optional<Message.Response> answer = answerTo(line.get(), id);
            if (answer.isPresent()) {
                return answer;
            }
        }
        return Optional.empty();
    }

    /** The next line, after requests of the server in it have been met. */
    Optional<WireLine> next(Deadline deadline) throws EngineException, IOException, InterruptedException {
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

    /** Listens until something that {@code enough} accepts came, or {@code deadline}; false when it did not come. */
    boolean listen(Predicate<Message> enough, Deadline deadline) throws EngineException, IOException, InterruptedException {
        Optional<WireLine> line = next(deadline);
        while (line.isPresent() && line.get().messages().stream().noneMatch(enough)) {
            line = next(deadline);
        }
        return line.isPresent();
    }

    /** An answer by its id; an id that differs only in JSON type ends the wait too, what to make of it is decided later. */
    static Optional<Message.Response> answerTo(WireLine line, JsonNode id) {
        return line.messages().stream().filter(Message.Response.class::isInstance).map(Message.Response.class::cast)
                .filter(response -> response.id() != null && !response.id().isNull() && readsLike(response.id(), id))
                .findFirst();
    }

    /** {@code 1.0} and {@code 1e0} are the number 1. */
    private static boolean readsLike(JsonNode id, JsonNode asked) {
        return id.isNumber() && asked.isNumber() ? id.doubleValue() == asked.doubleValue() : id.asText().equals(asked.asText());
    }

    void begin(Step step, Map<String, String> about) throws IOException {
        recorder.stepBegan(step.id(), step.probe(), about);
    }

    boolean end(Step step, StepOutcome outcome, String detail) throws IOException {
        recorder.stepEnded(step.id(), outcome, detail);
        return true;
    }

    boolean skip(Step step, String reason) throws IOException {
        begin(step, Map.of());
        return end(step, StepOutcome.SKIPPED, reason);
    }

    /** Ends a step that got no answer; false when no later one can get any. */
    boolean endWithoutReply(Step step) throws IOException {
        end(step, absence(), wire.capped() ? "stdout limit reached" : timeUp() ? HandshakeNote.TIME_UP : "");
        return !wire.over();
    }

    /** By {@link System#nanoTime()}. */
    long sessionDeadline() {
        return time.sessionEnd();
    }

    boolean timeUp() {
        return System.nanoTime() > time.sessionEnd();
    }

    StepOutcome absence() {
        return wire.exited() ? StepOutcome.EXITED : wire.over() && !wire.capped() ? StepOutcome.CLOSED : StepOutcome.DEADLINE;
    }

    FairTime time() {
        return time;
    }

    JsonNode freshId() {
        return JsonNodeFactory.instance.numberNode(nextId++);
    }
}
