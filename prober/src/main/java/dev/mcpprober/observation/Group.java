package dev.mcpprober.observation;

import dev.mcpprober.model.Era;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A session and those that continue it, e.g. {@code legacy} and {@code legacy.2}, in order. */
record Group(String base, List<SessionLog> sessions) {
    /** A step with the session that ran it. */
    record Placed(SessionLog log, StepView step) {}

    static List<Group> of(List<SessionLog> logs) {
        Set<String> bases = new LinkedHashSet<>();
        logs.forEach(log -> bases.add(log.base()));
        return bases.stream().map(base -> new Group(base, logs.stream().filter(log -> log.base().equals(base)).toList())).toList();
    }

    SessionLog first() {
        return sessions.get(0);
    }

    Era era() {
        return first().era();
    }

    /** The first session whose handshake succeeded. */
    Optional<SessionLog> open() {
        return sessions.stream().filter(log -> log.handshake().done()).findFirst();
    }

    /**
     * Each step of the script once: where it really ran for the first time, or where it was skipped if it never ran. A step
     * made for several tools counts once for each.
     */
    List<Placed> steps() {
        Set<String> ran = new HashSet<>();
        sessions.forEach(log -> log.steps().stream().filter(step -> !step.skipped()).forEach(step -> ran.add(step.id())));
        Set<String> taken = new HashSet<>();
        List<Placed> out = new ArrayList<>();
        for (SessionLog log : sessions) {
            for (StepView step : log.steps()) {
                boolean stands = !step.skipped() || !ran.contains(step.id());
                String key = String.join("\u0000", step.id(), step.about("tool"), step.about("property"), step.about("variant"));
                if (stands && !step.probe().equals(Probe.LIVENESS) && taken.add(key)) {
                    out.add(new Placed(log, step));
                }
            }
        }
        return out;
    }
}
