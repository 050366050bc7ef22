package dev.mcpprober.dataset.compare;

import dev.mcpprober.dataset.Stand;
import dev.mcpprober.run.RunInfo;
import dev.mcpprober.stats.ClusteredShare;
import dev.mcpprober.stats.Kappa;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Two rule sets on one run, or two runs under one rule set: how the verdicts that stand for each server changed from A to B.
 *
 * @param rows     rows of both frames by how they were matched; of one run all are {@code same} or {@code excluded}
 * @param states   "state in A" to "state in B" to number of matched rows
 * @param servers  matched rows that started on both sides: the {@code n} of every line
 * @param whole    servers over all compared checks
 * @param lines    by check
 * @param changes  every pair of verdicts that are not the same word, by check and target
 * @param same     pairs of server and check with the same verdict word on both sides, of all; servers are the clusters
 * @param cost     servers that keep to A and breach B over all compared checks, of those that both decide on; publishers are the clusters
 * @param onlyA    checks that only A has a rule for
 */
public record Comparison(Side a, Side b, Map<String, Integer> rows, Map<String, Map<String, Integer>> states, int servers, Line whole, List<Line> lines,
                         List<Change> changes, List<String> onlyA, List<String> onlyB, List<Paired> pairs, ClusteredShare same, ClusteredShare cost) {
    public Comparison {
        lines = List.copyOf(lines);
        changes = List.copyOf(changes);
        pairs = List.copyOf(pairs);
    }

    /**
     * @param run   name of the run folder
     * @param rules rule set and version
     */
    public record Side(String run, RunInfo info, String rules) {}

    /**
     * {@code n = bothPass + toFail + toPass + bothFail + sum of notComparable}.
     *
     * @param toFail        from pass, warn or divergent to fail
     * @param toPass        the other way
     * @param notComparable reason to count
     * @param p             exact McNemar of the two
     * @param pHolm         the same, adjusted for the number of checks that have flips; NaN where there is none
     * @param failOnlyA     fail in A and anything else in B, undecided verdicts included
     * @param pFail         exact McNemar of {@code failOnlyA} and {@code failOnlyB}
     * @param transitions   verdict in A to verdict in B to count
     */
    public record Line(String check, int n, int bothPass, int toFail, int toPass, int bothFail, Map<String, Integer> notComparable, double p, double pHolm,
                       int failOnlyA, int failOnlyB, double pFail, Map<String, Map<String, Integer>> transitions) {
        public Line {
            notComparable = Collections.unmodifiableMap(new TreeMap<>(notComparable));
            if (n != bothPass + toFail + toPass + bothFail + notComparable.values().stream().mapToInt(Integer::intValue).sum()) {
                throw new IllegalStateException("check " + check + ": the numbers do not add up to " + n);
            }
        }

        public int incomparable() {
            return notComparable.values().stream().mapToInt(Integer::intValue).sum();
        }

        /** Pairs in which both decide. */
        public int comparable() {
            return n - incomparable();
        }

        /** Of the verdict words; over no words for whole servers. */
        public Kappa kappa() {
            TreeSet<String> words = new TreeSet<>(transitions.keySet());
            transitions.values().forEach(row -> words.addAll(row.keySet()));
            return new Kappa(words.stream().map(a -> words.stream().map(b -> transitions.getOrDefault(a, Map.of()).getOrDefault(b, 0)).toList()).toList());
        }

        Line withHolm(double adjusted) {
            return new Line(check, n, bothPass, toFail, toPass, bothFail, notComparable, p, adjusted, failOnlyA, failOnlyB, pFail, transitions);
        }
    }

    /**
     * @param kind {@code to-fail}, {@code to-pass}, or {@code other} for a change that is no flip
     * @param a    null where A has no verdict
     */
    public record Change(String check, String kind, String target, boolean versionChanged, Stand a, Stand b) {
        public boolean flip() {
            return !kind.equals(CheckTally.Kind.OTHER.id());
        }
    }
}
