package dev.mcpprober.corpus;

import dev.mcpprober.io.Digests;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Seeded samples of a frame. Each target has the rank SHA-256(seed, id); a sample takes the lowest ranks. So the same seed gives the
 * same sample on every machine and in every language, and a target that joins or leaves the frame moves at most one other.
 */
public final class Sample {
    private final long seed;

    public Sample(long seed) {
        this.seed = seed;
    }

    /** {@code size} targets, each as likely as any other; all of them where there are fewer. In rank order. */
    public List<FrameEntry> simple(List<FrameEntry> frame, int size) {
        return ranked(frame).subList(0, Math.min(size, frame.size()));
    }

    /**
     * A simple sample of the groups, by a rank of their own, and of each the target of the lowest rank. By the ranks of their targets, groups with many would
     * nearly always be drawn.
     */
    public List<FrameEntry> onePer(List<FrameEntry> frame, Function<FrameEntry, String> group, int size) {
        Map<String, FrameEntry> first = new TreeMap<>();
        ranked(frame).forEach(entry -> first.putIfAbsent(group.apply(entry), entry));
        return first.keySet().stream().sorted(Comparator.comparing(this::rank)).limit(size).map(first::get).toList();
    }

    /**
     * Of each stratum its share of {@code size}, by largest remainders, and at least one where {@code size} allows for it.
     *
     * @return by stratum, in rank order
     */
    public Map<String, List<FrameEntry>> stratified(List<FrameEntry> frame, Function<FrameEntry, String> stratum, int size) {
        Map<String, List<FrameEntry>> strata = new TreeMap<>();
        ranked(frame).forEach(entry -> strata.computeIfAbsent(stratum.apply(entry), key -> new ArrayList<>()).add(entry));
        Map<String, Integer> sizes = allocate(strata, Math.min(size, frame.size()));
        Map<String, List<FrameEntry>> out = new TreeMap<>();
        strata.forEach((name, entries) -> out.put(name, List.copyOf(entries.subList(0, sizes.get(name)))));
        return out;
    }

    private static Map<String, Integer> allocate(Map<String, List<FrameEntry>> strata, int size) {
        int total = strata.values().stream().mapToInt(List::size).sum();
        boolean all = size >= strata.size();
        Map<String, Integer> sizes = new TreeMap<>();
        strata.forEach((name, entries) -> sizes.put(name, Math.max(all ? 1 : 0, (int) ((long) size * entries.size() / Math.max(1, total)))));
        Comparator<String> owed = Comparator.comparingDouble(name -> (double) size * strata.get(name).size() / total - sizes.get(name));
        while (sum(sizes) < size) {
            String most = strata.keySet().stream().filter(n -> sizes.get(n) < strata.get(n).size()).max(owed.thenComparing(Comparator.reverseOrder())).orElseThrow();
            sizes.merge(most, 1, Integer::sum);
        }
        while (sum(sizes) > size) {
            String least = strata.keySet().stream().filter(n -> sizes.get(n) > (all ? 1 : 0)).min(owed.thenComparing(Comparator.naturalOrder())).orElseThrow();
            sizes.merge(least, -1, Integer::sum);
        }
        return sizes;
    }

    private static int sum(Map<String, Integer> sizes) {
        return sizes.values().stream().mapToInt(Integer::intValue).sum();
    }

    private List<FrameEntry> ranked(List<FrameEntry> frame) {
        return frame.stream().sorted(Comparator.comparing((FrameEntry entry) -> rank(entry.id())).thenComparing(FrameEntry::id)).toList();
    }

    private String rank(String id) {
        return Digests.sha256(seed + "\n" + id);
    }
}
