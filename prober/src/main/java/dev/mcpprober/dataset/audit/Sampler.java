package dev.mcpprober.dataset.audit;

import dev.mcpprober.dataset.Analysis;
import dev.mcpprober.dataset.Decisions;
import dev.mcpprober.dataset.audit.Decision.Stratum;
import dev.mcpprober.io.Digests;
import dev.mcpprober.run.RunFolder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * Draws the same number from each stratum without replacement. A decision's place in the draw is a digest of seed and id, so that neither
 * order nor size of the run shows in it, and a larger sample holds a smaller one of the same seed.
 */
final class Sampler {
    private final long seed;
    private final int perStratum;
    private final List<String> kinds;
    private final Population population = new Population();
    private final Map<Stratum, PriorityQueue<Ranked>> drawn = new TreeMap<>(Population.ORDER);

    private record Ranked(String rank, Decision decision) {}

    /** @param kinds that are drawn from */
    Sampler(long seed, int perStratum, List<String> kinds) {
        this.seed = seed;
        this.perStratum = perStratum;
        this.kinds = List.copyOf(kinds);
    }

    /** @return rows of the run that are unmeasured */
    int draw(RunFolder run, Analysis analysis) throws IOException {
        return Decisions.each(run, analysis, this::add);
    }

    void add(Decision decision) {
        population.add(decision);
        if (!kinds.contains(decision.stratum().kind())) {
            return;
        }
        PriorityQueue<Ranked> queue = drawn.computeIfAbsent(decision.stratum(), key -> new PriorityQueue<>(Comparator.comparing(Ranked::rank).reversed()));
        queue.add(new Ranked(Digests.sha256(seed + "\n" + decision.id()), decision));
        if (queue.size() > perStratum) {
            queue.poll();
        }
    }

    Population population() {
        return population;
    }

    /** By kind and rule, within a rule by id, which says nothing of what was decided. */
    List<Decision> sample() {
        List<Decision> out = new ArrayList<>();
        drawn.values().forEach(queue -> queue.forEach(ranked -> out.add(ranked.decision())));
        out.sort(Comparator.comparing((Decision decision) -> decision.stratum().undecided(), Population.ORDER).thenComparing(Decision::id));
        return out;
    }

    int sampled(Stratum stratum) {
        return drawn.containsKey(stratum) ? drawn.get(stratum).size() : 0;
    }
}
