package dev.mcpprober.observation;

import dev.mcpprober.model.Era;
import dev.mcpprober.model.SessionName;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.StepOutcome;
import dev.mcpprober.transcript.Transcript;
import dev.mcpprober.transcript.TranscriptHeader;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One session, taken apart: its lines, its steps, its requests with their answers, its end. */
final class SessionLog {
    private final TranscriptHeader header;
    /** All but what arrived: that is kept as what it meant. */
    private final List<Event> events;
    private final List<StepView> steps = new ArrayList<>();
    private final List<Integer> stderrEvents = new ArrayList<>();
    private final String stderr;
    private final StdoutReader stdout;
    private final Matching matching;
    private final Handshake handshake;

    /** @param retained shared by all sessions of a target */
    SessionLog(Transcript transcript, Retained retained) {
        this.header = transcript.header();
        this.events = transcript.events().stream().filter(event -> !(event instanceof Event.Received || event instanceof Event.Stderr)).toList();
        readSteps();
        this.stderr = readStderr(transcript);
        this.stdout = new StdoutReader(stoppedByForce());
        this.matching = new Matching(this, retained);
        for (Event event : transcript.events()) {
            if (event instanceof Event.Sent sent) {
                matching.sent(sent);
            } else if (event instanceof Event.Received received) {
                Line line = stdout.take(received);
                if (!matching.received(line)) {
                    stdout.notRead(line);
                }
            }
        }
        stdout.finish();
        matching.finish(stdout.misframing());
        this.handshake = Handshake.of(this);
    }

    private String readStderr(Transcript transcript) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Event event : transcript.events()) {
            if (event instanceof Event.Stderr piece) {
                out.writeBytes(piece.bytes());
                stderrEvents.add(piece.index());
            }
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    private void readSteps() {
        List<Event.StepBegan> begins = new ArrayList<>();
        for (Event event : events) {
            if (event instanceof Event.StepBegan began) {
                begins.add(began);
            }
        }
        for (int i = 0; i < begins.size(); i++) {
            Event.StepBegan began = begins.get(i);
            int until = i + 1 < begins.size() ? begins.get(i + 1).index() : Integer.MAX_VALUE;
            Event.StepEnded ended = null;
            for (Event event : events) {
                if (event instanceof Event.StepEnded candidate && candidate.index() > began.index() && candidate.index() < until) {
                    ended = candidate;
                }
            }
            steps.add(new StepView(began.step(), began.probe(), began.about(), began.index(), ended == null ? Integer.MAX_VALUE : ended.index(),
                    until, ended == null ? StepOutcome.DEADLINE : ended.outcome(), ended == null ? "session broken off" : ended.detail()));
        }
    }

    TranscriptHeader header() {
        return header;
    }

    /** Events in order, without those of stdout's lines and stderr. */
    List<Event> events() {
        return events;
    }

    String name() {
        return header().session();
    }

    /** Name of the session that this one continues, e.g. {@code legacy} for {@code legacy.2}, in whatever repeat. */
    String base() {
        return SessionName.of(name()).base();
    }

    Era era() {
        return header().era();
    }

    StdoutReader stdout() {
        return stdout;
    }

    List<StepView> steps() {
        return steps;
    }

    Matching matching() {
        return matching;
    }

    List<Exchange> exchanges() {
        return matching.exchanges();
    }

    List<Exchange> exchanges(StepView step) {
        return exchanges().stream().filter(exchange -> step.contains(exchange.sentAt())).toList();
    }

    Handshake handshake() {
        return handshake;
    }

    /** How the process ended; empty when the transcript does not say. */
    Optional<Event.Terminated> end() {
        return first(Event.Terminated.class);
    }

    /** Event index from which on nothing that happens is the server's own will: we closed its stdin or signalled it. */
    int ourEndAt() {
        return events().stream().filter(event -> event instanceof Event.StdinClosed || event instanceof Event.SignalSent)
                .mapToInt(Event::index).findFirst().orElse(Integer.MAX_VALUE);
    }

    int stdinClosedAt() {
        return first(Event.StdinClosed.class).map(Event::index).orElse(Integer.MAX_VALUE);
    }

    /** The end of a process that ended by itself while its stdin was open. */
    Optional<Event.Terminated> ownEnd() {
        return end().filter(end -> !end.how().equals("stopped") && end.index() < ourEndAt());
    }

    /** The end of stdout that came while its stdin was open; the process may have lived on. */
    Optional<Event.StdoutClosed> ownClose() {
        return first(Event.StdoutClosed.class).filter(closed -> closed.index() < ourEndAt());
    }

    /** We stopped the process by force, perhaps in the middle of a line. */
    private boolean stoppedByForce() {
        return end().map(end -> end.how().equals("stopped") || end.how().equals("signalled")).orElse(true)
                || events().stream().anyMatch(Event.SignalSent.class::isInstance);
    }

    /** Event index from which on stdout was thrown away because it passed our limit. */
    int cappedAt() {
        return first(Event.StdoutCapped.class).map(Event::index).orElse(Integer.MAX_VALUE);
    }

    /** All of stderr that was kept. */
    String stderr() {
        return stderr;
    }

    List<Integer> stderrEvents() {
        return stderrEvents;
    }

    private <T extends Event> Optional<T> first(Class<T> type) {
        return events().stream().filter(type::isInstance).map(type::cast).findFirst();
    }
}
