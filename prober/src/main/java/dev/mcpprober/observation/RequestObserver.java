package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.Message;
import dev.mcpprober.transcript.StepOutcome;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Single requests and frames whose reaction is the observation: {@code ping}, an unknown method, a line that is no JSON. */
final class RequestObserver {
    private static final Set<String> COMPLAINTS = Set.of("warning", "error", "critical", "alert", "emergency");

    private RequestObserver() {}

    static Observation ping(SessionLog log, StepView step) {
        Reading reading = request(log, step);
        if (reading.observed().equals(Observed.RESULT)) {
            for (Iterator<String> names = reading.result().fieldNames(); names.hasNext();) {
                if (!names.next().equals("_meta")) {
                    reading = reading.plus(Set.of(Flag.EXTRA_MEMBERS));
                }
            }
        }
        return reading.observation(Subjects.of(Check.PING, log), null);
    }

    static Observation methodNotFound(SessionLog log, StepView step) {
        return request(log, step).plus(Liveness.after(log, step)).observation(Subjects.of(Check.METHOD_NOT_FOUND, log), null);
    }

    /** {@code tools/list} to a server that did not declare tools. */
    static Observation undeclaredTools(SessionLog log, StepView step) {
        Reading reading = request(log, step);
        if (reading.observed().equals(Observed.RESULT)) {
            return new Observation.Reaction(Subjects.of(Check.TOOLS_CAPABILITY, log), Observed.VIOLATES, null, Set.of(),
                    null, Phrase.detail("tools/list is served although capabilities declare no tools: " + reading.detail()), reading.witness());
        }
        return reading.observation(Subjects.of(Check.TOOLS_CAPABILITY, log), null);
    }

    private static Reading request(SessionLog log, StepView step) {
        List<Exchange> exchanges = log.exchanges(step);
        return exchanges.isEmpty() ? Reading.notRun(step.skipped() ? step.detail() : "not sent", List.of())
                : Reactions.toRequest(log, step, exchanges.get(0));
    }

    static Observation malformedJson(SessionLog log, StepView step) {
        Subject subject = Subjects.of(Check.MALFORMED_JSON, log);
        Optional<Event.Sent> sent = log.events().stream().filter(event -> event instanceof Event.Sent && step.contains(event.index()))
                .map(Event.Sent.class::cast).findFirst();
        if (step.skipped() || sent.isEmpty()) {
            return new Observation.NotRun(subject, step.skipped() ? step.detail() : "not sent", "", List.of());
        }
        int at = sent.get().index();
        // A server that had stopped serving before must not be charged to the bad line.
        List<Exchange> before = log.exchanges().stream().filter(exchange -> exchange.sentAt() < at).toList();
        if (!before.isEmpty() && !before.get(before.size() - 1).reacted() || log.ownEnd().map(end -> end.index() < at).orElse(false)) {
            return new Observation.NotRun(subject, "server did not serve any more before it", "", List.of());
        }
        Reading reading = reactionToBadLine(log, step, at);
        Life life = step.outcome() == StepOutcome.EXITED ? Life.EXITED : Life.after(log, at);
        if (life == Life.UNKNOWN) {
            return new Observation.NotRun(subject, "nothing was asked after it", "", reading.witness());
        }
        if (life == Life.ANSWERED) {
            // That it went on serving is half of what is claimed.
            Set<Integer> shown = new TreeSet<>(reading.witness());
            log.exchanges().stream().filter(exchange -> exchange.sentAt() > at && exchange.reacted()).findFirst().ifPresent(exchange -> {
                shown.add(exchange.sentAt());
                shown.add(exchange.reactedAt());
            });
            return new Reading(reading.observed(), reading.code(), reading.flags(), reading.detail(), List.copyOf(shown), null).observation(subject, null);
        }
        Set<String> flags = new LinkedHashSet<>(reading.flags());
        flags.add(life.observed());
        flags.add(reading.observed());
        List<Integer> witness = new ArrayList<>(reading.witness());
        Long code = null;
        if (life == Life.EXITED && log.ownEnd().isPresent()) {
            Event.Terminated end = log.ownEnd().get();
            witness.add(end.index());
            flags.addAll(Life.flags(end));
            code = (long) end.status();
        } else if (life == Life.CLOSED) {
            log.ownClose().ifPresent(event -> witness.add(event.index()));
        } else {
            log.exchanges().stream().filter(exchange -> exchange.sentAt() > at).findFirst().ifPresent(exchange -> witness.add(exchange.sentAt()));
        }
        return new Observation.Reaction(subject, life.observed(), code, flags, null, Phrase.detail(reading.detail() + ", then " + life.observed()), witness);
    }

    /** The Python SDK reports a bad line as a log message; one of no weight may have come of itself, at that time as at any other. */
    private static boolean complains(Message.Notification notification) {
        return notification.method().equals("notifications/message") && COMPLAINTS.contains(notification.node().path("params").path("level").asText());
    }

    private static Reading reactionToBadLine(SessionLog log, StepView step, int at) {
        List<Matching.Seen<Message.Response>> reactions = log.matching().reactionsTo(at);
        if (!reactions.isEmpty()) {
            Matching.Seen<Message.Response> first = reactions.get(0);
            boolean error = first.message().hasError();
            JsonNode code = first.message().node().path("error").path("code");
            return new Reading(error ? Observed.UNMATCHED_ERROR : Observed.OTHER, code.isIntegralNumber() ? code.longValue() : null,
                    Set.of(first.message().id() == null ? Flag.ID_ABSENT : Flag.ID_NULL), Phrase.quote(first.message().node()),
                    List.of(at, first.event()), null);
        }
        for (Matching.Seen<Message.Notification> seen : log.matching().notifications()) {
            if (step.contains(seen.event()) && complains(seen.message())) {
                return new Reading(Observed.OTHER, null, Set.of(Flag.NOTIFICATION), Phrase.quote(seen.message().node()), List.of(at, seen.event()), null);
            }
        }
        for (Matching.Seen<Message.Response> seen : log.matching().orphans()) {
            if (step.contains(seen.event())) {
                return new Reading(Observed.OTHER, null, Set.of(Flag.ID_OTHER), "a response with an id of its own: " + Phrase.quote(seen.message().node()),
                        List.of(at, seen.event()), null);
            }
        }
        Optional<StdoutReader.Said> text = log.stdout().saidBetween(at, step.until());
        if (text.isPresent()) {
            return new Reading(Observed.OTHER, null, Set.of(Flag.TEXT), "text: " + Phrase.quote(text.get().text()), List.of(at, text.get().event()), null);
        }
        return new Reading(Observed.SILENCE, null, Set.of(), "no reaction", List.of(at), null);
    }
}
