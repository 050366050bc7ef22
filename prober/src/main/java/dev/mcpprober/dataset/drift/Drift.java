package dev.mcpprober.dataset.drift;

import dev.mcpprober.rules.VerdictWord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How servers of one frame changed between two runs, and what changed beneath them.
 *
 * @param pairs servers that both runs measured
 * @param oneSided verdicts that only one of the runs has: the other did not put the question
 * @param cut   rows that are in one run only or were not measured in one of them; what a frame leaves out is in none
 */
public record Drift(List<Pair> pairs, int cut, int oneSided) {
    /** Where a change comes from, the first that applies. */
    public enum Cause {
        OWN_VERSION("own-version", "the server's own release is another one"),
        DEPENDENCY("dependency", "the same release of the server stands on other releases"),
        IMAGE("image", "the same files ran on another base image"),
        NOTHING("nothing", "nothing that was recorded changed: chance, time, or this program");

        private final String id;
        private final String meaning;

        Cause(String id, String meaning) {
            this.id = id;
            this.meaning = meaning;
        }

        public String id() {
            return id;
        }

        public String meaning() {
            return meaning;
        }
    }

    /**
     * Something of a server that is not as it was.
     *
     * @param what   a check, or {@code start}: whether and how it came to start
     * @param before verdict, or state with its reason
     */
    public record Flip(String what, String before, String after) {
        static final String START = "start";

        /** True where the change is into or out of failing: not between two words that both keep to the demand, or decide nothing. */
        boolean grave() {
            return what.equals(START) || before.equals(VerdictWord.FAIL.id()) != after.equals(VerdictWord.FAIL.id());
        }
    }

    /**
     * @param cause   of its flips; what it would be for a server without any
     * @param changes in its dependency tree, its own package left out
     */
    public record Pair(String target, String versionBefore, String versionAfter, List<Flip> flips, Cause cause, List<TreeChange> changes) {
        public boolean flipped() {
            return !flips.isEmpty();
        }

        boolean flippedGravely() {
            return flips.stream().anyMatch(Flip::grave);
        }
    }

    /**
     * A release that came into trees between the two runs.
     *
     * @param step    the largest step to it among its servers
     * @param servers with this change, their own release unchanged
     * @param flipped of them, those with a change into or out of failing, or of their start
     * @param stopped of them, those that started before and do not now
     */
    public record Release(String name, String to, TreeChange.Step step, int servers, int flipped, int stopped) {}

    /** Most flipped first; of equals the larger step, then the larger share of its servers, then by name: what to look at first. */
    public List<Release> releases() {
        Map<String, int[]> counts = new TreeMap<>();
        Map<String, TreeChange> named = new HashMap<>();
        for (Pair pair : pairs) {
            if (pair.cause() == Cause.OWN_VERSION) {
                continue;
            }
            boolean stopped = pair.flips().stream().anyMatch(flip -> flip.what().equals(Flip.START) && flip.before().startsWith("started"));
            for (TreeChange change : pair.changes()) {
                String key = change.name() + "\n" + change.to();
                named.merge(key, change, (a, b) -> b.step().compareTo(a.step()) < 0 ? b : a);
                int[] count = counts.computeIfAbsent(key, k -> new int[3]);
                count[0]++;
                count[1] += pair.flippedGravely() ? 1 : 0;
                count[2] += stopped ? 1 : 0;
            }
        }
        List<Release> out = new ArrayList<>();
        counts.forEach((key, count) -> out.add(new Release(named.get(key).name(), named.get(key).to(), named.get(key).step(), count[0], count[1], count[2])));
        out.sort(Comparator.comparingInt((Release r) -> -r.flipped()).thenComparing(Release::step).thenComparingDouble(r -> -(double) r.flipped() / r.servers())
                .thenComparing(Release::name).thenComparing(Release::to));
        return out;
    }

    public Map<Cause, Long> flippedByCause() {
        Map<Cause, Long> out = new TreeMap<>();
        for (Cause cause : Cause.values()) {
            out.put(cause, pairs.stream().filter(pair -> pair.flipped() && pair.cause() == cause).count());
        }
        return out;
    }
}
