package dev.mcpprober.observation;

import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.StepOutcome;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What became of a server after one frame.
 *
 * @param life    by the sign of life that was asked for next; {@link Life#EXITED} too where it ended soon after having given one
 * @param flags   refinements
 * @param words   for the detail
 * @param witness event indexes besides those of the frame and its reaction
 */
record Autopsy(Life life, Set<String> flags, String words, List<Integer> witness) {

    /** @param sentAt event of the frame */
    static Autopsy of(SessionLog log, StepView step, int sentAt) {
        Optional<StepView> asked = log.steps().stream().filter(candidate -> candidate.probe().equals(Probe.LIVENESS) && !candidate.skipped()
                && candidate.began() > step.began() && candidate.about("after").equals(step.id())).findFirst();
        Life life = step.outcome() == StepOutcome.EXITED ? Life.EXITED : step.outcome() == StepOutcome.CLOSED ? Life.CLOSED
                : asked.map(liveness -> Life.of(log, liveness)).orElseGet(() -> Life.after(log, sentAt));
        List<StepView> later = log.steps().stream().filter(candidate -> candidate.probe().equals(Probe.AUTOPSY) && candidate.about("after").equals(step.id())).toList();
        if (life == Life.ANSWERED) {
            return answered(log, step, sentAt, later, asked);
        }
        if (life == Life.UNRESPONSIVE) {
            return unresponsive(log, sentAt, later);
        }
        return ended(log, life, sentAt, Set.of());
    }

    private static Autopsy answered(SessionLog log, StepView step, int sentAt, List<StepView> later, Optional<StepView> asked) {
        for (StepView moment : later) {
            Life then = moment.outcome() == StepOutcome.EXITED ? Life.EXITED : moment.outcome() == StepOutcome.CLOSED ? Life.CLOSED
                    : moment.outcome() == StepOutcome.DEADLINE && !moment.timeUp() ? Life.UNRESPONSIVE : Life.ANSWERED;
            if (then == Life.UNRESPONSIVE) {
                return new Autopsy(then, Set.of(Flag.DELAYED), "it answered at first, then nothing any more", sent(log, moment));
            } else if (then != Life.ANSWERED) {
                return ended(log, then, sentAt, Set.of(Flag.DELAYED));
            }
        }
        // That it went on serving is half of what is claimed.
        List<Integer> witness = new ArrayList<>();
        log.exchanges().stream().filter(exchange -> exchange.sentAt() > sentAt && exchange.reacted()
                        && asked.map(liveness -> liveness.contains(exchange.sentAt())).orElse(true)).findFirst().ifPresent(exchange -> {
            witness.add(exchange.sentAt());
            witness.add(exchange.reactedAt());
        });
        return new Autopsy(Life.ANSWERED, Set.of(), "", witness);
    }

    private static Autopsy unresponsive(SessionLog log, int sentAt, List<StepView> later) {
        List<Integer> witness = new ArrayList<>();
        log.exchanges().stream().filter(exchange -> exchange.sentAt() > sentAt).findFirst().ifPresent(exchange -> witness.add(exchange.sentAt()));
        int tries = 0;
        for (StepView moment : later) {
            tries++;
            if (moment.outcome() == StepOutcome.REPLIED) {
                log.exchanges(moment).stream().filter(Exchange::reacted).forEach(exchange -> witness.addAll(List.of(exchange.sentAt(), exchange.reactedAt())));
                return new Autopsy(Life.UNRESPONSIVE, Set.of(Flag.REVIVED), "the next request was lost; request " + (tries + 1) + " after it was answered", witness);
            } else if (moment.outcome() == StepOutcome.EXITED) {
                return ended(log, Life.EXITED, sentAt, Set.of(Flag.DELAYED));
            }
        }
        return new Autopsy(Life.UNRESPONSIVE, Set.of(), tries == 0 ? "then unresponsive"
                : "out of step: " + Phrase.count(tries + 1, "request") + " after it went unanswered, the process runs", witness);
    }

    private static Autopsy ended(SessionLog log, Life life, int sentAt, Set<String> flags) {
        Set<String> all = new LinkedHashSet<>(flags);
        if (life == Life.EXITED && log.ownEnd().isPresent()) {
            Event.Terminated end = log.ownEnd().get();
            all.addAll(Life.flags(end));
            return new Autopsy(life, all, "it died with " + Life.words(end) + ", " + millis(log, sentAt, end) + " ms after the frame", List.of(end.index()));
        } else if (life == Life.CLOSED && log.ownClose().isPresent()) {
            Event.StdoutClosed close = log.ownClose().get();
            return new Autopsy(life, all, "it closed stdout " + millis(log, sentAt, close) + " ms after the frame and runs on", List.of(close.index()));
        }
        return new Autopsy(life, all, "then " + life.observed(), List.of());
    }

    private static long millis(SessionLog log, int sentAt, Event end) {
        long from = log.events().stream().filter(event -> event.index() == sentAt).mapToLong(Event::nanos).findFirst().orElse(end.nanos());
        return Math.max(0, (end.nanos() - from) / 1_000_000);
    }

    private static List<Integer> sent(SessionLog log, StepView step) {
        return log.exchanges(step).stream().map(Exchange::sentAt).toList();
    }

    /** Exit status or signal, where the process ended. */
    Long code(SessionLog log) {
        return life == Life.EXITED ? log.ownEnd().map(end -> (long) end.status()).orElse(null) : null;
    }
}
