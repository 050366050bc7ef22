package dev.mcpprober.cli.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.Message;
import dev.mcpprober.transcript.StepOutcome;
import dev.mcpprober.transcript.Transcript;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Makes a {@link Replay} of the part of a session that a witness points to. What the witness has is replayed as it was sent; what it
 * has of the server becomes a proof. Where the process was seen to end, to close stdout or to keep silent, that is a proof too.
 */
final class ReplayPlanner {
    private static final long MARGIN_SECONDS = 5;
    private static final long EOF_SECONDS = 5;
    private final Transcript transcript;
    private final TreeSet<Integer> witness;
    private final boolean lenient;
    private final Map<String, Event.StepBegan> began = new HashMap<>();
    private final Map<String, Event.StepEnded> ended = new HashMap<>();
    private final List<Replay.Step> during = new ArrayList<>();
    private final List<Replay.Proof> after = new ArrayList<>();

    private ReplayPlanner(Transcript transcript, List<Integer> witness, boolean lenient) {
        this.transcript = transcript;
        this.witness = new TreeSet<>(witness);
        this.lenient = lenient;
        for (Event event : transcript.events()) {
            if (event instanceof Event.StepBegan e) {
                began.put(e.step(), e);
            } else if (event instanceof Event.StepEnded e) {
                ended.put(e.step(), e);
            }
        }
    }

    /**
     * @param witness event indexes of the finding
     * @param lenient an answer of the same kind shows it too, whatever its text: for findings on how a request was answered
     * @param whole   replay everything that was sent so far, not only what the witness has
     */
    static Replay plan(Transcript transcript, List<Integer> witness, boolean lenient, boolean whole) {
        ReplayPlanner planner = new ReplayPlanner(transcript, witness, lenient);
        if (!witness.isEmpty()) {
            planner.during(whole);
            planner.after();
        }
        return new Replay(planner.during, planner.after);
    }

    private void during(boolean whole) {
        int last = witness.last();
        TreeSet<Integer> wanted = whole ? null : wanted();
        boolean closed = false;
        for (Event event : transcript.events()) {
            if (event.index() > last) {
                break;
            }
            if (event instanceof Event.Sent sent && (whole || wanted.contains(sent.index()))) {
                send(sent);
            } else if (event instanceof Event.StdinClosed) {
                during.add(new Replay.CloseStdin());
                closed = true;
            } else if (event instanceof Event.SignalSent signal && closed && witness.contains(signal.index())) {
                boolean first = signal.signal().equals("SIGTERM");
                during.add(new Replay.StillRuns(EOF_SECONDS, first ? "stdin was closed" : "SIGTERM"));
                if (first) {
                    during.add(new Replay.Terminate());
                }
            }
        }
    }

    /** The opening, what the witness has, and what it answers; for a line that answers nothing, what was sent last before it. */
    private TreeSet<Integer> wanted() {
        TreeSet<Integer> out = new TreeSet<>();
        TreeSet<Integer> sentBefore = new TreeSet<>();
        for (Event event : transcript.events()) {
            if (event.index() > witness.last()) {
                break;
            }
            if (event instanceof Event.Sent sent) {
                if (opening(sent) || witness.contains(sent.index())) {
                    out.add(sent.index());
                }
                sentBefore.add(sent.index());
            } else if (event instanceof Event.Received received && witness.contains(received.index())) {
                Optional<Integer> asked = asked(received, sentBefore);
                asked.or(() -> Optional.ofNullable(sentBefore.isEmpty() ? null : sentBefore.last())).ifPresent(out::add);
            }
        }
        // A server that waits for an answer of ours answers nothing else.
        int end = out.isEmpty() ? -1 : out.last();
        transcript.events().stream().filter(e -> e instanceof Event.Sent sent && sent.step().equals("answer")).map(Event::index)
                .filter(index -> index < end || index <= witness.last()).forEach(out::add);
        return out;
    }

    private boolean opening(Event.Sent sent) {
        Event.StepBegan step = began.get(sent.step());
        boolean first = transcript.events().stream().filter(Event.Sent.class::isInstance).findFirst().filter(e -> e.index() == sent.index()).isPresent();
        return first || step != null && step.probe().equals("handshake") && !sent.step().equals("tools-list");
    }

    private Optional<Integer> asked(Event.Received received, TreeSet<Integer> sentBefore) {
        Optional<Message> answer = Patterns.message(received.bytes());
        if (answer.isEmpty() || !(answer.get() instanceof Message.Response response) || response.id() == null) {
            return Optional.empty();
        }
        return sentBefore.descendingSet().stream().filter(index -> requestId(((Event.Sent) transcript.events().get(index)).bytes())
                .filter(id -> id.asText().equals(response.id().asText())).isPresent()).findFirst();
    }

    private static Optional<JsonNode> requestId(byte[] frame) {
        return Patterns.message(frame).filter(Message.Request.class::isInstance).map(message -> ((Message.Request) message).id());
    }

    private void send(Event.Sent sent) {
        if (sent.step().equals("answer")) {
            Patterns.message(sent.bytes()).filter(Message.Response.class::isInstance)
                    .ifPresent(answer -> during.add(new Replay.Answer("\"method\" *:.*" + Patterns.id(((Message.Response) answer).id())
                            + "|" + Patterns.id(((Message.Response) answer).id()) + ".*\"method\" *:", sent.bytes())));
            return;
        }
        during.add(new Replay.Send(sent.bytes()));
        Optional<JsonNode> id = requestId(sent.bytes());
        Event.StepEnded end = ended.get(sent.step());
        StepOutcome outcome = end == null ? StepOutcome.DONE : end.outcome();
        if (id.isEmpty()) {
            boolean plain = Patterns.message(sent.bytes()).isPresent() && !witness.contains(sent.index());
            if (!plain) {
                during.add(new Replay.Pause(1));
            }
        } else if (witness.contains(sent.index()) && outcome == StepOutcome.DEADLINE && !answered(sent, id.get())) {
            during.add(new Replay.NoAnswer(Patterns.id(id.get()), Math.min(limit(sent), seconds(end.nanos() - sent.nanos()))));
        } else {
            during.add(new Replay.Await(Patterns.id(id.get()), limit(sent) + MARGIN_SECONDS));
        }
    }

    /** Whether a line after it carries the id, message or not; one that came only when stdin was closed does not count: the wait was in vain. */
    private boolean answered(Event.Sent sent, JsonNode id) {
        String pattern = Patterns.id(id);
        return transcript.events().stream().takeWhile(event -> !(event instanceof Event.StdinClosed))
                .anyMatch(event -> event instanceof Event.Received received && received.index() > sent.index() && !Patterns.ifHeld(pattern, received.bytes()).isEmpty());
    }

    private long limit(Event.Sent sent) {
        boolean first = transcript.events().stream().filter(Event.Sent.class::isInstance).findFirst().filter(e -> e.index() == sent.index()).isPresent();
        return Math.max(1, (first ? transcript.header().startTimeoutMs() : transcript.header().requestTimeoutMs()) / 1000);
    }

    private static long seconds(long nanos) {
        return Math.max(1, (nanos + 999_999_999L) / 1_000_000_000L);
    }

    private void after() {
        long patience = Math.max(5, transcript.header().requestTimeoutMs() / 1000);
        Map<ByteBuffer, Integer> times = new HashMap<>();
        boolean signalled = false;
        boolean stopped = false;
        for (Event event : transcript.events()) {
            boolean shown = witness.contains(event.index());
            if (event instanceof Event.SignalSent) {
                signalled = true;
            } else if (event instanceof Event.Received received && shown && (received.terminated() || !received.truncated())) {
                after.add(line(received, times, patience));
            } else if (event instanceof Event.Terminated end && shown && !end.how().equals("stopped") && !signalled) {
                int status = end.how().equals("signalled") ? 128 + end.status() : end.how().equals("oom-killed") ? 137 : end.status();
                after.add(new Replay.Ended(status, patience));
                stopped = true;
            }
        }
        boolean closed = !stopped && transcript.events().stream().anyMatch(e -> e instanceof Event.StdoutClosed && witness.contains(e.index()))
                && transcript.events().stream().noneMatch(e -> e instanceof Event.Terminated end && !end.how().equals("stopped"));
        if (closed) {
            after.add(new Replay.Closed(patience));
        }
    }

    private Replay.Line line(Event.Received received, Map<ByteBuffer, Integer> times, long patience) {
        byte[] bytes = received.bytes();
        int count = times.merge(ByteBuffer.wrap(bytes), 1, Integer::sum);
        Optional<Message> message = Patterns.message(bytes);
        String id = "";
        String code = "";
        if (message.isPresent() && message.get() instanceof Message.Response response) {
            id = response.id() == null ? "" : Patterns.ifHeld(Patterns.id(response.id()), bytes);
            code = Patterns.ifHeld(Patterns.code(response), bytes);
        }
        Optional<Patterns.Kind> kind = lenient && !id.isEmpty() ? Patterns.kind(bytes) : Optional.empty();
        return new Replay.Line(bytes, bytes.length, count, id, code, kind.map(Patterns.Kind::yes).orElse(""), kind.map(Patterns.Kind::no).orElse(Patterns.NOTHING), patience);
    }
}
