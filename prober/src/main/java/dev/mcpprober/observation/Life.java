package dev.mcpprober.observation;

import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.StepOutcome;
import java.util.Set;

/** Whether a server still serves: only an answer to a later request proves it, a running process does not. */
enum Life {
    ANSWERED(Observed.ANSWERED),
    UNRESPONSIVE(Observed.UNRESPONSIVE),
    EXITED(Observed.EXITED),
    CLOSED(Observed.CLOSED),
    /** Nothing was asked afterwards. */
    UNKNOWN("unknown");

    private final String observed;

    Life(String observed) {
        this.observed = observed;
    }

    String observed() {
        return observed;
    }

    /** What became of the server after the event {@code sentAt}, by the requests sent later in that process. */
    static Life after(SessionLog log, int sentAt) {
        boolean asked = false;
        for (Exchange exchange : log.exchanges()) {
            if (exchange.sentAt() > sentAt) {
                asked |= log.steps().stream().noneMatch(step -> step.timeUp() && step.contains(exchange.sentAt()));
                if (exchange.reacted()) {
                    return ANSWERED;
                }
            }
        }
        if (log.ownEnd().isPresent()) {
            return EXITED;
        }
        if (log.ownClose().isPresent()) {
            return CLOSED;
        }
        return asked ? UNRESPONSIVE : UNKNOWN;
    }

    /** How the requests of a liveness step were met. */
    static Life of(SessionLog log, StepView liveness) {
        if (log.exchanges(liveness).stream().anyMatch(Exchange::reacted)) {
            return ANSWERED;
        }
        if (liveness.outcome() == StepOutcome.EXITED || liveness.outcome() != StepOutcome.CLOSED && log.ownEnd().isPresent()) {
            return EXITED;
        }
        if (liveness.outcome() == StepOutcome.CLOSED || log.ownClose().isPresent()) {
            return CLOSED;
        }
        return log.exchanges(liveness).isEmpty() || liveness.timeUp() ? UNKNOWN : UNRESPONSIVE;
    }

    static Set<String> flags(Event.Terminated end) {
        return switch (end.how()) {
            case "signalled" -> Set.of(Flag.SIGNAL);
            case "oom-killed" -> Set.of(Flag.OOM);
            default -> Set.of();
        };
    }

    static String words(Event.Terminated end) {
        return switch (end.how()) {
            case "signalled" -> "signal " + end.status();
            case "oom-killed" -> "killed for want of memory";
            case "stopped" -> "stopped by us";
            default -> "status " + end.status();
        };
    }
}
