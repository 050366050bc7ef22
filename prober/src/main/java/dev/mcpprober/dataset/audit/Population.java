package dev.mcpprober.dataset.audit;

import dev.mcpprober.dataset.CsvTable;
import dev.mcpprober.dataset.audit.Decision.Stratum;
import dev.mcpprober.stats.ClusteredShare;
import dev.mcpprober.stats.Proportion;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How often each thing was decided, and about whose servers. */
public final class Population {
    static final Comparator<Stratum> ORDER = (a, b) -> CsvTable.KEY_ORDER.compare(a.key(), b.key());
    /** Verdicts that say something of a server; a share of one of them is of these. */
    private static final List<String> DECIDING = List.of("pass", "fail", "warn", "divergent");

    private final Map<Stratum, Map<String, Integer>> publishers = new TreeMap<>(ORDER);

    public void add(Decision decision) {
        publishers.computeIfAbsent(decision.stratum(), key -> new TreeMap<>()).merge(decision.publisher(), 1, Integer::sum);
    }

    /**
     * Every stratum with its number of decisions, in a fixed order. The four verdicts that decide are always there for a rule that has one of
     * them: people may find a fail where the program found none.
     */
    public Map<Stratum, Integer> sizes() {
        Map<Stratum, Integer> out = new TreeMap<>(ORDER);
        publishers.forEach((stratum, counts) -> {
            out.put(stratum, counts.values().stream().mapToInt(Integer::intValue).sum());
            if (stratum.kind().equals(Decision.VERDICT) && DECIDING.contains(stratum.decided())) {
                DECIDING.forEach(word -> out.putIfAbsent(new Stratum(stratum.kind(), stratum.ruleSet(), stratum.rule(), word), 0));
            }
        });
        return out;
    }

    /** True where {@code other} is one of those that the share of {@code stratum} is of. */
    static boolean within(Stratum stratum, Stratum other) {
        boolean same = stratum.undecided().equals(other.undecided());
        boolean deciding = stratum.kind().equals(Decision.VERDICT) && DECIDING.contains(stratum.decided());
        return same && (!deciding || DECIDING.contains(other.decided()));
    }

    /** Share of this word among the decisions that say something, by publishers. */
    public ClusteredShare share(Stratum stratum) {
        Map<String, int[]> counts = new TreeMap<>();
        publishers.forEach((other, own) -> {
            if (within(stratum, other)) {
                own.forEach((publisher, count) -> {
                    int[] both = counts.computeIfAbsent(publisher, key -> new int[2]);
                    both[0] += other.equals(stratum) ? count : 0;
                    both[1] += count;
                });
            }
        });
        return new ClusteredShare(counts.values().stream().map(both -> new Proportion(both[0], both[1])).toList());
    }
}
