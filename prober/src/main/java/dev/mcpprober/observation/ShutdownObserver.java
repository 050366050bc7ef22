package dev.mcpprober.observation;

import dev.mcpprober.transcript.Event;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** How a server ends once its stdin is closed. */
final class ShutdownObserver {
    static final String SIGTERM_NEEDED = "sigterm-needed";
    static final String SIGKILL_NEEDED = "sigkill-needed";

    private ShutdownObserver() {}

    static Observation observe(SessionLog log, StepView step) {
        Subject subject = Subjects.of(Check.STDIN_EOF, log);
        int closed = log.stdinClosedAt();
        Optional<Event.Terminated> end = log.end();
        if (step.skipped() || closed == Integer.MAX_VALUE) {
            return new Observation.NotRun(subject, step.skipped() ? step.detail() : "stdin was not closed", "", List.of());
        }
        if (end.isEmpty() || end.get().index() < closed) {
            return new Observation.NotRun(subject, end.isEmpty() ? "the end was not seen" : "server had ended before", "", List.of());
        }
        List<Integer> witness = new ArrayList<>(List.of(closed));
        Set<String> signals = new LinkedHashSet<>();
        for (Event event : log.events()) {
            if (event instanceof Event.SignalSent signal && signal.index() > closed && signal.index() < end.get().index()) {
                signals.add(signal.signal());
                witness.add(signal.index());
            }
        }
        witness.add(end.get().index());
        Event.Terminated how = end.get();
        // An end after SIGTERM is "stopped" too, as every end that a signal of ours came before: the signals tell which it took.
        if (signals.contains("SIGKILL")) {
            return new Observation.Reaction(subject, SIGKILL_NEEDED, null, Set.of(), null, "still running after SIGTERM", witness);
        }
        if (!signals.isEmpty()) {
            return new Observation.Reaction(subject, SIGTERM_NEEDED, null, Set.of(), null, "still running after stdin was closed; ended on SIGTERM", witness);
        }
        if (how.how().equals("stopped")) {
            return new Observation.NotRun(subject, "the session was broken off", "", witness);
        }
        Set<String> flags = new LinkedHashSet<>(Life.flags(how));
        if (how.how().equals("exited") && how.status() != 0) {
            flags.add(Flag.NON_ZERO);
        }
        return new Observation.Reaction(subject, Observed.EXITED, (long) how.status(), flags, null, "ended by itself: " + Life.words(how), witness);
    }
}
