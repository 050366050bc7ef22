package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.transcript.Message;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Frames that are not one plain request: notifications, arrays, and what no client may send. Each is judged by the reaction to it and by
 * whether the next valid request was answered.
 */
final class FrameObserver {
    private static final Set<String> COMPLAINTS = Set.of("warning", "error", "critical", "alert", "emergency");
    /** Frames of the malformed scripts that stand beside the one that counts in a headline figure. */
    private static final String CUT_SHORT = "-cut";
    private static final String FOREIGN = "-foreign";

    private FrameObserver() {}

    static Observation malformedJson(SessionLog log, StepView step) {
        boolean cut = log.base().endsWith(CUT_SHORT);
        boolean foreign = log.base().endsWith(FOREIGN);
        Subject own = Subjects.of(Check.MALFORMED_JSON, log);
        Subject subject = new Subject(own.check(), own.session(), own.era(), own.revision(), null, null, !cut && !foreign);
        return judged(log, step, subject, frame -> reaction(log, frame), cut ? Set.of(Flag.CUT_SHORT) : foreign ? Set.of(Flag.FOREIGN) : Set.of());
    }

    static Observation invalidUtf8(SessionLog log, StepView step) {
        return judged(log, step, Subjects.of(Check.INVALID_UTF8, log), frame -> {
            Optional<Matching.Seen<Message.Response>> named = frame.reactions().stream().filter(seen -> !Ids.missing(seen.message().id())).findFirst();
            return named.map(seen -> new Reading(seen.message().hasError() ? Observed.PROTOCOL_ERROR : Observed.RESULT, code(seen.message()), Set.of(),
                    Phrase.quote(seen.message().node()), List.of(frame.sentAt(), seen.event()), null)).orElseGet(() -> reaction(log, frame));
        }, Set.of());
    }

    static Observation nullId(SessionLog log, StepView step) {
        return judged(log, step, Subjects.of(Check.ID_NULL_REQUEST, log), frame -> {
            Reading reading = reaction(log, frame);
            boolean served = frame.reactions().stream().anyMatch(seen -> seen.message().hasResult());
            return served ? reading.as("result-null-id", reading.detail()) : reading;
        }, Set.of());
    }

    static Observation cancelled(SessionLog log, StepView step) {
        return judged(log, step, Subjects.of(Check.CANCELLED_UNKNOWN, log), frame -> notified(log, frame), Set.of());
    }

    /** Notifications of one group in one observation: the worst that came of any. */
    static List<Observation> notifications(Group group) {
        List<Observation> all = new ArrayList<>();
        for (Group.Placed placed : group.steps()) {
            if (placed.step().probe().equals(Check.NOTIFICATION_NO_RESPONSE.id())) {
                SessionLog log = placed.log();
                all.add(judged(log, placed.step(), Subjects.of(Check.NOTIFICATION_NO_RESPONSE, log), frame -> notified(log, frame), Set.of()));
            }
        }
        return all.stream().filter(o -> o.observed().equals(Observed.RESPONSE_TO_NOTIFICATION)).findFirst()
                .or(() -> all.stream().filter(o -> !o.observed().equals(Observed.NOT_RUN) && !o.observed().equals(Observed.SILENCE)).findFirst())
                .or(() -> all.stream().filter(o -> o.observed().equals(Observed.SILENCE)).findFirst())
                .or(() -> all.stream().findFirst()).map(List::of).orElse(List.of());
    }

    /** A response to a notification that every session begins with; empty when there is none. */
    static Optional<Observation> answeredHandshake(List<SessionLog> logs) {
        for (SessionLog log : logs) {
            for (OddFrame frame : log.matching().oddFrames()) {
                if (frame.notification() && frame.step().probe().equals(Probe.HANDSHAKE) && !frame.reactions().isEmpty() && log.handshake().done()) {
                    return Optional.of(notified(log, frame).observation(Subjects.of(Check.NOTIFICATION_NO_RESPONSE, log), null));
                }
            }
        }
        return Optional.empty();
    }

    /** What id an error bears that is about a frame which could not be read; one observation over all sessions of an era. */
    static List<Observation> unreadableIds(List<SessionLog> logs) {
        Observation found = null;
        SessionLog asked = null;
        for (SessionLog log : logs) {
            for (OddFrame frame : log.matching().oddFrames()) {
                if (!frame.step().probe().equals(Check.MALFORMED_JSON.id())) {
                    continue;
                }
                asked = asked == null ? log : asked;
                for (Matching.Seen<Message.Response> seen : frame.reactions()) {
                    boolean invented = !Ids.missing(seen.message().id());
                    if (seen.message().hasError() && (found == null || invented)) {
                        String value = invented ? "id-invented" : seen.message().id() == null ? "id-absent" : "id-null";
                        found = new Observation.Finding(Subjects.of(Check.ERROR_ID_UNREADABLE, log), value, Set.of(), Phrase.quote(seen.message().node()),
                                List.of(frame.sentAt(), seen.event()));
                    }
                }
            }
        }
        return asked == null ? List.of() : List.of(found != null ? found : new Observation.NotRun(Subjects.of(Check.ERROR_ID_UNREADABLE, asked),
                "no error about an unreadable frame was received", "", List.of()));
    }

    interface Read {
        Reading of(OddFrame frame);
    }

    /** The reaction, unless the server served no more after it: then that is what was observed, and the reaction refines it. */
    static Observation judged(SessionLog log, StepView step, Subject subject, Read read, Set<String> flags) {
        Optional<OddFrame> sent = frame(log, step);
        if (sent.isEmpty()) {
            return new Observation.NotRun(subject, step.skipped() ? step.detail() : "not sent", "", List.of());
        }
        OddFrame frame = sent.get();
        // A server that had stopped serving before must not be charged to the frame.
        List<Exchange> before = log.exchanges().stream().filter(exchange -> exchange.sentAt() < frame.sentAt()).toList();
        if (!before.isEmpty() && !before.get(before.size() - 1).reacted() || log.ownEnd().map(end -> end.index() < frame.sentAt()).orElse(false)) {
            String cause = before.isEmpty() ? "" : log.steps().stream().filter(earlier -> earlier.contains(before.get(before.size() - 1).sentAt())).findFirst()
                    .map(earlier -> Cause.of(log, earlier)).orElse("");
            return new Observation.NotRun(subject, "server did not serve any more before it" + cause, "", List.of());
        }
        Reading reading = read.of(frame).plus(flags);
        Autopsy autopsy = Autopsy.of(log, step, frame.sentAt());
        if (autopsy.life() == Life.UNKNOWN) {
            return new Observation.NotRun(subject, "nothing was asked after it", "", reading.witness());
        }
        Set<Integer> shown = new TreeSet<>(reading.witness());
        shown.addAll(autopsy.witness());
        if (autopsy.life() == Life.ANSWERED) {
            return new Reading(reading.observed(), reading.code(), reading.flags(), reading.detail(), List.copyOf(shown), null).observation(subject, null);
        }
        Set<String> all = new LinkedHashSet<>(reading.flags());
        all.add(autopsy.life().observed());
        all.add(reading.observed());
        all.addAll(autopsy.flags());
        all.retainAll(Flag.AFTER_FRAME);
        return new Observation.Reaction(subject, autopsy.life().observed(), autopsy.code(log), all, null,
                Phrase.detail(autopsy.words() + "; before that: " + reading.detail()), List.copyOf(shown));
    }

    static Optional<OddFrame> frame(SessionLog log, StepView step) {
        return log.matching().oddFrames().stream().filter(frame -> step.contains(frame.sentAt())).findFirst();
    }

    private static Reading notified(SessionLog log, OddFrame frame) {
        if (!frame.reactions().isEmpty()) {
            Matching.Seen<Message.Response> first = frame.reactions().get(0);
            return new Reading(Observed.RESPONSE_TO_NOTIFICATION, null, Set.of(), Phrase.quote(first.message().node()), List.of(frame.sentAt(), first.event()), null);
        }
        return complaint(log, frame).filter(reading -> frame.step().probe().equals(Check.CANCELLED_UNKNOWN.id()))
                .orElseGet(() -> new Reading(Observed.SILENCE, null, Set.of(), "no reaction", List.of(frame.sentAt()), null));
    }

    static Long code(Message.Response response) {
        JsonNode code = response.node().path("error").path("code");
        return code.isIntegralNumber() && code.canConvertToLong() ? code.longValue() : null;
    }

    /** The Python SDK reports a bad line as a log message; one of no weight may have come of itself, at that time as at any other. */
    private static Optional<Reading> complaint(SessionLog log, OddFrame frame) {
        List<Matching.Seen<Message.Notification>> all = log.matching().notifications().stream().filter(seen -> seen.message().method().equals("notifications/message")
                && COMPLAINTS.contains(seen.message().node().path("params").path("level").asText())).toList();
        if (all.stream().anyMatch(seen -> habitual(log, frame, seen.event()))) {
            return Optional.empty();
        }
        return all.stream().filter(seen -> frame.step().contains(seen.event()) && seen.event() > frame.sentAt()).findFirst()
                .map(seen -> new Reading(Observed.OTHER, null, Set.of(Flag.NOTIFICATION), Phrase.quote(seen.message().node()),
                        List.of(frame.sentAt(), seen.event()), null));
    }

    /** It came at a time when there was nothing to complain of: who speaks then may speak after any frame, and not because of it. */
    private static boolean habitual(SessionLog log, OddFrame frame, int event) {
        return event > log.handshake().event() && !frame.step().contains(event) && !IllegalFrames.provoked(log, event);
    }

    static Reading reaction(SessionLog log, OddFrame frame) {
        int at = frame.sentAt();
        if (!frame.reactions().isEmpty()) {
            Matching.Seen<Message.Response> first = frame.reactions().get(0);
            boolean named = !Ids.missing(first.message().id());
            String flag = named ? Flag.ID_OTHER : first.message().id() == null ? Flag.ID_ABSENT : Flag.ID_NULL;
            return new Reading(first.message().hasError() && !named ? Observed.UNMATCHED_ERROR : Observed.OTHER, code(first.message()), Set.of(flag),
                    (named ? "a response with an id of its own: " : "") + Phrase.quote(first.message().node()), List.of(at, first.event()), null);
        }
        Optional<Reading> complaint = complaint(log, frame);
        if (complaint.isPresent()) {
            return complaint.get();
        }
        boolean talkative = log.stdout().said().stream().anyMatch(said -> said.prose() && habitual(log, frame, said.event()));
        Optional<StdoutReader.Said> text = talkative ? Optional.empty() : log.stdout().saidBetween(at, frame.step().until());
        return text.map(said -> new Reading(Observed.OTHER, null, Set.of(Flag.TEXT), "text: " + Phrase.quote(said.text()), List.of(at, said.event()), null))
                .orElseGet(() -> new Reading(Observed.SILENCE, null, Set.of(), "no reaction", List.of(at), null));
    }
}
