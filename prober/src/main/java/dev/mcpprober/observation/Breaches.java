package dev.mcpprober.observation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What in one session breaches that which a passive check looks at. All are counted, a few of each kind are kept: a flood of
 * them is one observation.
 */
final class Breaches {
    private static final int KEPT_PER_KIND = 12;
    private static final int MAX_WITNESS = 12;

    private record Breach(String flag, String detail, List<Integer> witness) {}

    private final List<Breach> kept = new ArrayList<>();
    private final Map<String, Integer> count = new HashMap<>();
    private int total;

    /** @param flag what kind it is, or empty */
    void add(String flag, Supplier<String> detail, List<Integer> witness) {
        total++;
        if (count.merge(flag, 1, Integer::sum) <= KEPT_PER_KIND) {
            kept.add(new Breach(flag, detail.get(), List.copyOf(witness)));
        }
    }

    void add(String flag, Supplier<String> detail, Integer... witness) {
        add(flag, detail, List.of(witness));
    }

    Breaches copy() {
        Breaches out = new Breaches();
        out.kept.addAll(kept);
        out.count.putAll(count);
        out.total = total;
        return out;
    }

    boolean none() {
        return total == 0;
    }

    /** Of the first breach; there is one. */
    String first() {
        return kept.get(0).detail();
    }

    private int kinds() {
        return count.size();
    }

    /** The first of each kind first, then the others, as far as a reader will look. */
    List<Integer> witness() {
        Set<Integer> events = new LinkedHashSet<>();
        Set<String> seen = new LinkedHashSet<>();
        kept.stream().filter(b -> seen.add(b.flag())).forEach(b -> events.addAll(b.witness()));
        kept.forEach(b -> events.addAll(b.witness()));
        return events.stream().limit(MAX_WITNESS).sorted().toList();
    }

    /** What one passive check finds, and how it is to be called. */
    record Rule(Check check, String conforming, String breached, Function<SessionLog, Breaches> find) {
        static Rule conformity(Check check, Function<SessionLog, Breaches> find) {
            return new Rule(check, Observed.CONFORMS, Observed.VIOLATES, find);
        }

        static Rule presence(Check check, Function<SessionLog, Breaches> find) {
            return new Rule(check, Observed.ABSENT, Observed.PRESENT, find);
        }
    }

    /** A session without a handshake of its own runs under the revision that the server's other sessions of the era agreed on. */
    private static Subject subject(Check check, SessionLog shown, List<SessionLog> logs) {
        Subject own = Subjects.of(check, shown);
        String revision = own.revision().isEmpty() ? logs.stream().map(log -> log.handshake().revision()).filter(r -> !r.isEmpty()).findFirst().orElse("") : own.revision();
        return new Subject(own.check(), own.session(), own.era(), revision, null, null, false);
    }

    /**
     * One observation over sessions of an era. It is shown by the session with the most kinds of breach, the first among
     * equals, so that every flag has its witness there if that can be.
     *
     * @param notes flags to add in any case
     */
    static Observation.Finding over(List<SessionLog> logs, Rule rule, Set<String> notes) {
        SessionLog shown = null;
        Breaches best = new Breaches();
        Set<String> flags = new LinkedHashSet<>(notes);
        int total = 0;
        int sessions = 0;
        for (SessionLog log : logs) {
            Breaches found = rule.find().apply(log);
            flags.addAll(found.count.keySet());
            total += found.total;
            sessions += found.none() ? 0 : 1;
            if (!found.none() && (shown == null || found.kinds() > best.kinds())) {
                shown = log;
                best = found;
            }
        }
        flags.remove("");
        if (shown == null) {
            return new Observation.Finding(subject(rule.check(), logs.get(0), logs), rule.conforming(), flags, Phrase.sessions(logs), List.of());
        }
        String detail = best.kept.get(0).detail() + (total > 1 ? " (" + Phrase.count(total, "case") + " in " + Phrase.count(sessions, "session") + ")" : "");
        return new Observation.Finding(subject(rule.check(), shown, logs), rule.breached(), flags, Phrase.detail(detail), best.witness());
    }
}
