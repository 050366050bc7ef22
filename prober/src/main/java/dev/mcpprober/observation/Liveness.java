package dev.mcpprober.observation;

import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.StepOutcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The requests that follow a probe only to see whether the server still serves. */
final class Liveness {
    private Liveness() {}

    /** The step that a liveness step follows. */
    private static String follows(SessionLog log, StepView liveness) {
        if (!liveness.about("after").isEmpty()) {
            return liveness.about("after");
        }
        String last = "";
        for (StepView step : log.steps()) {
            if (step.began() < liveness.began() && !step.probe().equals(Probe.LIVENESS)) {
                last = step.id();
            }
        }
        return last;
    }

    /** Flags that say that the server did not serve any more after {@code step}; empty when it did or was not asked. */
    static Set<String> after(SessionLog log, StepView step) {
        for (StepView candidate : log.steps()) {
            if (candidate.probe().equals(Probe.LIVENESS) && !candidate.skipped() && candidate.began() > step.began()
                    && follows(log, candidate).equals(step.id())) {
                Life life = Life.of(log, candidate);
                return life == Life.ANSWERED || life == Life.UNKNOWN ? Set.of() : Set.of(life.observed());
            }
        }
        return Set.of();
    }

    /** One observation for all probes that the server outlived, one for each that it did not. */
    static List<Observation> observe(Group group) {
        List<Observation> out = new ArrayList<>();
        List<String> outlived = new ArrayList<>();
        SessionLog shown = null;
        Observation said = null;
        List<Integer> witness = new ArrayList<>();
        for (SessionLog log : group.sessions()) {
            for (Map.Entry<StepView, StepView> probe : probes(log).entrySet()) {
                StepView step = probe.getKey();
                StepView liveness = probe.getValue();
                Life life = liveness != null && !liveness.skipped() ? Life.of(log, liveness)
                        : step.outcome() == StepOutcome.EXITED ? Life.EXITED : step.outcome() == StepOutcome.CLOSED ? Life.CLOSED : Life.UNKNOWN;
                if (life == Life.ANSWERED) {
                    outlived.add(step.id());
                    shown = shown == null ? log : shown;
                    if (shown == log) {
                        witness.addAll(answers(log, liveness));
                    }
                } else if (life != Life.UNKNOWN && saidElsewhere(log, step)) {
                    said = said == null ? new Observation.NotRun(Subjects.of(Check.LIVENESS, log), "server did not serve any more" + Cause.of(log, step), "", List.of()) : said;
                } else if (life != Life.UNKNOWN) {
                    out.add(failure(log, step, liveness, life));
                }
            }
        }
        if (shown == null && out.isEmpty() && said != null) {
            out.add(said);
        }
        if (shown != null) {
            out.add(0, new Observation.Reaction(Subjects.of(Check.LIVENESS, shown), Observed.ANSWERED, null, Set.of(), null,
                    Phrase.detail("after " + String.join(", ", outlived)), witness));
        }
        return out;
    }

    /** The row of the check that the step was made for says it: one cause, one finding. */
    private static boolean saidElsewhere(SessionLog log, StepView step) {
        boolean frame = log.matching().oddFrames().stream().anyMatch(odd -> step.contains(odd.sentAt()));
        return Check.of(step.probe()).isPresent() && (frame || log.exchanges(step).stream().noneMatch(Exchange::reacted));
    }

    /** Steps that ran with the first liveness step that follows each in the same process, where the script has one. */
    private static Map<StepView, StepView> probes(SessionLog log) {
        Map<StepView, StepView> out = new LinkedHashMap<>();
        for (StepView liveness : log.steps()) {
            if (!liveness.probe().equals(Probe.LIVENESS)) {
                continue;
            }
            String id = follows(log, liveness);
            Optional<StepView> step = log.steps().stream().filter(s -> s.id().equals(id) && !s.skipped() && s.began() < liveness.began()).findFirst();
            step.ifPresent(s -> {
                if (out.get(s) == null || out.get(s).skipped()) {
                    out.put(s, liveness);
                }
            });
        }
        return out;
    }

    private static List<Integer> answers(SessionLog log, StepView liveness) {
        List<Integer> out = new ArrayList<>();
        for (Exchange exchange : log.exchanges(liveness)) {
            if (exchange.reacted()) {
                out.add(exchange.sentAt());
                out.add(exchange.reactedAt());
            }
        }
        return out;
    }

    private static Observation failure(SessionLog log, StepView step, StepView liveness, Life life) {
        List<Integer> witness = new ArrayList<>();
        log.events().stream().filter(event -> event instanceof Event.Sent && (step.contains(event.index()) || liveness.contains(event.index())))
                .forEach(event -> witness.add(event.index()));
        Long code = null;
        Set<String> flags = Set.of();
        String words = life.observed();
        if (life == Life.EXITED && log.ownEnd().isPresent()) {
            Event.Terminated end = log.ownEnd().get();
            witness.add(end.index());
            code = (long) end.status();
            flags = Life.flags(end);
            words = "the process ended: " + Life.words(end);
        } else if (life == Life.CLOSED) {
            log.ownClose().ifPresent(event -> witness.add(event.index()));
            words = "stdout was closed";
        } else if (life == Life.UNRESPONSIVE) {
            words = "no answer to a valid request; the process runs";
        }
        return new Observation.Reaction(Subjects.of(Check.LIVENESS, log), life.observed(), code, flags, null,
                Phrase.detail("after " + step.id() + ": " + words), witness);
    }
}
