package dev.mcpprober.dataset;

import dev.mcpprober.observation.Observation;
import dev.mcpprober.observation.Subject;
import dev.mcpprober.model.SessionName;
import dev.mcpprober.observation.TargetObservations;
import dev.mcpprober.rules.Graded;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * What going through the plan of one target once showed.
 *
 * @param number 0 for the one that stands for the server in every figure
 * @param graded verdicts of all rule sets
 */
public record Repeat(int number, TargetObservations observed, List<Graded> graded) {
    public Repeat {
        graded = List.copyOf(graded);
    }

    /**
     * Which observation of {@code standing} each of this repeat is about the same thing as, by identity; those without one are left out.
     * The same thing has the same check, era, tool, argument and session, parts of a session that was lost being one. What is left over,
     * because another session is the first to show it, is paired without the session. Of several alike they are taken in their order.
     */
    Map<Observation, Observation> repeats(Repeat standing) {
        Map<Observation, Observation> pairs = new IdentityHashMap<>();
        Map<Observation, Observation> taken = new IdentityHashMap<>();
        for (Function<Observation, List<String>> kind : List.<Function<Observation, List<String>>>of(o -> about(o, true), o -> about(o, false))) {
            Map<List<String>, Deque<Observation>> open = new HashMap<>();
            standing.observed.observations().stream().filter(o -> !taken.containsKey(o))
                    .forEach(o -> open.computeIfAbsent(kind.apply(o), key -> new ArrayDeque<>()).add(o));
            for (Observation own : observed.observations()) {
                Observation partner = pairs.containsKey(own) ? null : open.getOrDefault(kind.apply(own), new ArrayDeque<>()).poll();
                if (partner != null) {
                    pairs.put(own, partner);
                    taken.put(partner, own);
                }
            }
        }
        return pairs;
    }

    private static List<String> about(Observation observation, boolean withSession) {
        Subject subject = observation.subject();
        return Arrays.asList(subject.check(), subject.era().id(), subject.tool(), subject.property(), withSession ? SessionName.of(subject.session()).base() : "");
    }
}
