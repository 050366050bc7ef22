package dev.mcpprober.dataset;

import dev.mcpprober.observation.Observation;
import dev.mcpprober.rules.Graded;
import dev.mcpprober.rules.VerdictWord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * A verdict that another repeat does not share. A question that was not put in one of the two, as where a server did not start, is no
 * difference of verdicts.
 *
 * @param stands verdict of repeat 0
 * @param repeat number of the first repeat whose verdict is another one
 * @param other  that verdict
 * @param words  verdict of each repeat, the standing one first; null where a repeat has none on the same thing
 */
public record Flaky(Graded stands, int repeat, Graded other, List<String> words) {
    public Flaky {
        words = Collections.unmodifiableList(new ArrayList<>(words));
    }

    /** Repeats in which the question was put, the standing one included. */
    public int compared() {
        return (int) words.stream().filter(Flaky::put).count();
    }

    /** Repeats with another verdict than the one that stands. */
    public int differing() {
        return (int) words.stream().filter(word -> put(word) && !word.equals(words.get(0))).count();
    }

    private static boolean put(String word) {
        return word != null && !word.equals(VerdictWord.NOT_RUN.id());
    }

    /** Of the verdicts of the first repeat those that another one does not share, in their order. */
    public static List<Flaky> of(List<Repeat> repeats) {
        List<Map<Observation, List<Graded>>> partners = new ArrayList<>();
        for (Repeat repeat : repeats.subList(1, repeats.size())) {
            Map<Observation, Observation> pairs = repeat.repeats(repeats.get(0));
            Map<Observation, List<Graded>> of = new IdentityHashMap<>();
            repeat.graded().stream().filter(graded -> pairs.containsKey(graded.observation()))
                    .forEach(graded -> of.computeIfAbsent(pairs.get(graded.observation()), key -> new ArrayList<>()).add(graded));
            partners.add(of);
        }
        List<Flaky> out = new ArrayList<>();
        for (Graded standing : repeats.get(0).graded().stream().filter(graded -> put(graded.verdict().word())).toList()) {
            List<String> words = new ArrayList<>(List.of(standing.verdict().word()));
            Graded differs = null;
            int at = 0;
            for (int i = 0; i < partners.size(); i++) {
                Graded same = partners.get(i).getOrDefault(standing.observation(), List.of()).stream()
                        .filter(graded -> graded.ruleSet().equals(standing.ruleSet())).findFirst().orElse(null);
                String word = same == null ? null : same.verdict().word();
                words.add(word);
                if (differs == null && put(word) && !word.equals(standing.verdict().word())) {
                    differs = same;
                    at = repeats.get(i + 1).number();
                }
            }
            if (differs != null) {
                out.add(new Flaky(standing, at, differs, words));
            }
        }
        return out;
    }
}
