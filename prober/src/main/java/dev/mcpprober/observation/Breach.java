package dev.mcpprober.observation;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * One thing in one session that breaches what a passive check looks at.
 *
 * @param flag what kind it is, or empty
 */
record Breach(String flag, String detail, List<Integer> witness) {
    /** Witness events of one observation; the first of each kind come first. */
    private static final int MAX_WITNESS = 12;

    Breach {
        witness = List.copyOf(witness);
    }

    static Breach of(String flag, String detail, Integer... witness) {
        return new Breach(flag, detail, List.of(witness));
    }

    /**
     * One observation over all sessions of an era. It is shown by the session with the most kinds of breach, the first among
     * equals, so that every flag has its witness there if that can be.
     *
     * @param find    the breaches in one session
     * @param conform the observed value where there is none
     * @param breach  the observed value where there is one
     */
    static Observation.Finding over(Check check, List<SessionLog> logs, Function<SessionLog, List<Breach>> find, String conform, String breach,
                                    Set<String> notes) {
        SessionLog shown = null;
        List<Breach> best = List.of();
        Set<String> flags = new LinkedHashSet<>(notes);
        int total = 0;
        int sessions = 0;
        for (SessionLog log : logs) {
            List<Breach> found = find.apply(log);
            found.forEach(b -> flags.add(b.flag()));
            total += found.size();
            sessions += found.isEmpty() ? 0 : 1;
            if (!found.isEmpty() && (shown == null || kinds(found) > kinds(best))) {
                shown = log;
                best = found;
            }
        }
        flags.remove("");
        if (shown == null) {
            return new Observation.Finding(Subjects.of(check, logs.get(0)), conform, flags, Phrase.count(logs.size(), "session"), List.of());
        }
        String detail = best.get(0).detail() + (total > 1 ? " (" + Phrase.count(total, "case") + " in " + Phrase.count(sessions, "session") + ")" : "");
        return new Observation.Finding(Subjects.of(check, shown), breach, flags, Phrase.detail(detail), witness(best));
    }

    private static int kinds(List<Breach> breaches) {
        return (int) breaches.stream().map(Breach::flag).distinct().count();
    }

    private static List<Integer> witness(List<Breach> breaches) {
        Set<Integer> events = new LinkedHashSet<>();
        Set<String> seen = new LinkedHashSet<>();
        breaches.stream().filter(b -> seen.add(b.flag())).forEach(b -> events.addAll(b.witness()));
        breaches.forEach(b -> events.addAll(b.witness()));
        List<Integer> out = new ArrayList<>(events).subList(0, Math.min(MAX_WITNESS, events.size()));
        return out.stream().sorted().toList();
    }
}
