package dev.mcpprober.observation;

import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** Single requests whose reaction is the observation: {@code ping}, an unknown method, a bad cursor, {@code _meta} with something missing. */
final class RequestObserver {
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

    static Observation plain(Check check, SessionLog log, StepView step) {
        return request(log, step).observation(Subjects.of(check, log), null);
    }

    /** A method that the modern era no longer has. */
    static Observation removedMethod(SessionLog log, StepView step) {
        Reading reading = request(log, step);
        String method = log.exchanges(step).stream().findFirst().map(Exchange::method).orElse(step.id());
        return (reading.ran() ? reading.as(reading.observed(), method + ": " + reading.detail()) : reading).observation(Subjects.of(Check.REMOVED_METHODS, log), null);
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
}
