package dev.mcpprober.observation;

import dev.mcpprober.model.Era;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.StepOutcome;
import dev.mcpprober.transcript.Transcript;
import dev.mcpprober.transcript.TranscriptHeader;
import dev.mcpprober.transcript.WireLine;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One session, taken apart: its lines, its steps, its requests with their answers, its end. */
final class SessionLog {
    private final Transcript transcript;
    private final List<Line> lines = new ArrayList<>();
    private final List<StepView> steps = new ArrayList<>();
    private final Misframing misframing;
    private final Matching matching;
    private final Handshake handshake;

    SessionLog(Transcript transcript) {
        this.transcript = transcript;
        readLines();
        readSteps();
        this.misframing = Misframing.of(lines);
        this.matching = new Matching(this);
        this.handshake = Handshake.of(this);
    }

    private void readLines() {
        for (Event event : transcript.events()) {
            if (event instanceof Event.Received received) {
                lines.add(new Line(received.index(), slim(WireLine.read(received.bytes())), received.terminated(), received.truncated()));
            }
        }
    }

    /** A line that is a message is kept as that; of its text a quotation is enough. */
    private static WireLine slim(WireLine line) {
        return line.messages().isEmpty() ? line : new WireLine(Phrase.quote(line.text()), line.badUtf8At(), line.bom(), line.cr(), line.content());
    }

    private void readSteps() {
        List<Event.StepBegan> begins = new ArrayList<>();
        for (Event event : transcript.events()) {
            if (event instanceof Event.StepBegan began) {
                begins.add(began);
            }
        }
        for (int i = 0; i < begins.size(); i++) {
            Event.StepBegan began = begins.get(i);
            int until = i + 1 < begins.size() ? begins.get(i + 1).index() : Integer.MAX_VALUE;
            Event.StepEnded ended = null;
            for (Event event : transcript.events()) {
                if (event instanceof Event.StepEnded candidate && candidate.index() > began.index() && candidate.index() < until) {
                    ended = candidate;
                }
            }
            steps.add(new StepView(began.step(), began.probe(), began.about(), began.index(), ended == null ? Integer.MAX_VALUE : ended.index(),
                    until, ended == null ? StepOutcome.DEADLINE : ended.outcome(), ended == null ? "session broken off" : ended.detail()));
        }
    }

    TranscriptHeader header() {
        return transcript.header();
    }

    List<Event> events() {
        return transcript.events();
    }

    String name() {
        return header().session();
    }

    /** Name of the session that this one continues, e.g. {@code legacy} for {@code legacy.2}. */
    String base() {
        return name().replaceFirst("\\.\\d+$", "");
    }

    Era era() {
        return header().era();
    }

    List<Line> lines() {
        return lines;
    }

    List<StepView> steps() {
        return steps;
    }

    Misframing misframing() {
        return misframing;
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
    boolean forced() {
        return end().map(end -> end.how().equals("stopped") || end.how().equals("signalled")).orElse(true)
                || events().stream().anyMatch(Event.SignalSent.class::isInstance);
    }

    /** Event index from which on stdout was thrown away because it passed our limit. */
    int cappedAt() {
        return first(Event.StdoutCapped.class).map(Event::index).orElse(Integer.MAX_VALUE);
    }

    /** All of stderr that was kept. */
    String stderr() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (Event event : events()) {
            if (event instanceof Event.Stderr piece) {
                out.writeBytes(piece.bytes());
            }
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    List<Integer> stderrEvents() {
        return events().stream().filter(Event.Stderr.class::isInstance).map(Event::index).toList();
    }

    private <T extends Event> Optional<T> first(Class<T> type) {
        return events().stream().filter(type::isInstance).map(type::cast).findFirst();
    }
}
