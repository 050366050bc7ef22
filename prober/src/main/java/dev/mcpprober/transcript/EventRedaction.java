package dev.mcpprober.transcript;

import dev.mcpprober.redaction.Redaction;
import dev.mcpprober.redaction.Redactor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Takes secrets out of the events of one transcript. Stdout comes line by line and goes on at once. Stderr comes in pieces as the process
 * happened to write them, so that a secret may begin in one and end in the next: its pieces, which the session keeps few of, wait for the end.
 * A line that was shortened counts as having come that long, so that no line looks cut that was not.
 */
public final class EventRedaction {
    private final Redactor redactor;
    private final Redaction redaction;
    private final List<Event.Stderr> stderr = new ArrayList<>();
    private int last = -1;
    private long nanos;

    public EventRedaction(Redactor redactor) {
        this.redactor = redactor;
        this.redaction = redactor.open();
    }

    /** A transcript without what {@code redactor} finds; empty where it finds nothing. Rules that the transcript names were applied before. */
    public static Optional<Transcript> of(Transcript transcript, Redactor redactor) {
        Redactor left = transcript.header().redaction().containsAll(redactor.labels()) ? redactor.withoutRules() : redactor;
        if (left.idle()) {
            return Optional.empty();
        }
        EventRedaction redaction = new EventRedaction(left);
        TranscriptHeader header = redaction.header(transcript.header());
        List<Event> events = new ArrayList<>();
        List<Event> before = new ArrayList<>();
        for (Event event : transcript.events()) {
            if (event instanceof Event.Redacted) {
                before.add(event);
            } else {
                redaction.take(event).ifPresent(events::add);
            }
        }
        events.addAll(redaction.rest());
        if (redaction.redaction.counts().isEmpty()) {
            return Optional.empty();
        }
        Event.Redacted now = (Event.Redacted) events.remove(events.size() - 1);
        Map<String, Integer> counts = new TreeMap<>(now.counts());
        before.forEach(event -> ((Event.Redacted) event).counts().forEach((id, count) -> counts.merge(id, count, Integer::sum)));
        events.sort(Comparator.comparingInt(Event::index));
        events.add(new Event.Redacted(now.index(), now.nanos(), counts));
        return Optional.of(new Transcript(header, events));
    }

    public TranscriptHeader header(TranscriptHeader header) {
        if (redactor == Redactor.NONE) {
            return header;
        }
        List<String> rules = new ArrayList<>(header.redaction());
        redactor.labels().stream().filter(label -> !rules.contains(label)).forEach(rules::add);
        return header.redacted(rules, header.argv().stream().map(redaction::text).toList());
    }

    /** The event as it is to be kept; empty for one that {@link #rest()} gives later. */
    public Optional<Event> take(Event event) {
        if (redactor == Redactor.NONE) {
            return Optional.of(event);
        }
        last = Math.max(last, event.index());
        nanos = Math.max(nanos, event.nanos());
        if (event instanceof Event.Stderr piece) {
            stderr.add(piece);
            return Optional.empty();
        }
        return Optional.of(redacted(event));
    }

    private Event redacted(Event event) {
        if (event instanceof Event.Received e) {
            byte[] line = redaction.line(e.bytes(), e.truncated() || !e.terminated());
            return line == e.bytes() ? e : new Event.Received(e.index(), e.nanos(), line, e.terminated(), e.originalLength() + line.length - e.bytes().length);
        } else if (event instanceof Event.Sent e) {
            byte[] line = redaction.line(e.bytes(), false);
            return line == e.bytes() ? e : new Event.Sent(e.index(), e.nanos(), e.step(), line);
        } else if (event instanceof Event.Started e) {
            return new Event.Started(e.index(), e.nanos(), e.argv().stream().map(redaction::text).toList());
        } else if (event instanceof Event.StepBegan e) {
            Map<String, String> about = new LinkedHashMap<>();
            e.about().forEach((name, value) -> about.put(name, redaction.text(value)));
            return new Event.StepBegan(e.index(), e.nanos(), e.step(), e.probe(), about);
        } else if (event instanceof Event.StepEnded e) {
            return new Event.StepEnded(e.index(), e.nanos(), e.step(), e.outcome(), redaction.text(e.detail()));
        } else if (event instanceof Event.SendFailed e) {
            return new Event.SendFailed(e.index(), e.nanos(), redaction.text(e.reason()));
        }
        return event;
    }

    /** What waited, and what was taken out of all. */
    public List<Event> rest() {
        List<Event> out = new ArrayList<>();
        if (!stderr.isEmpty()) {
            List<byte[]> pieces = redaction.pieces(stderr.stream().map(Event.Stderr::bytes).toList(), stderr.stream().map(piece -> piece.dropped() > 0).toList());
            for (int i = 0; i < pieces.size(); i++) {
                Event.Stderr piece = stderr.get(i);
                out.add(new Event.Stderr(piece.index(), piece.nanos(), pieces.get(i), piece.dropped()));
            }
            stderr.clear();
        }
        if (!redaction.counts().isEmpty()) {
            out.add(new Event.Redacted(last + 1, nanos, redaction.counts()));
        }
        return out;
    }
}
