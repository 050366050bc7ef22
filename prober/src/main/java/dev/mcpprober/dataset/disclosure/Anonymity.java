package dev.mcpprober.dataset.disclosure;

import dev.mcpprober.dataset.Veil;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes withheld servers alike: each shares what it is known by (registry, how it ended, SDK family and minor version, revision, eras) with at
 * least k - 1 others. Where too few are alike, they lose SDK version, then family, then revision, then the registry.
 */
final class Anonymity {
    static final int K = 5;
    private static final int COARSEST = 4;

    private Anonymity() {}

    /**
     * One server.
     *
     * @param end state, reason and startup failure. Never coarsened, as are the eras: the rows of the frame have to add up by it, and sessions show eras anyway
     */
    record Member(Veil.Traits traits, String end) {
        List<String> fixed() {
            return List.of(end, traits.eras());
        }
    }

    /** In the order of the members; empty where k cannot be reached. */
    static Optional<List<Veil.Traits>> coarsened(List<Member> members) {
        int[] levels = new int[members.size()];
        while (true) {
            Map<List<Object>, List<Integer>> groups = new HashMap<>();
            for (int i = 0; i < levels.length; i++) {
                groups.computeIfAbsent(List.of(coarse(members.get(i).traits(), levels[i]), members.get(i).end(), levels[i]), key -> new ArrayList<>()).add(i);
            }
            int lowest = COARSEST + 1;
            for (List<Integer> group : groups.values()) {
                lowest = group.size() < K ? Math.min(lowest, levels[group.get(0)]) : lowest;
            }
            if (lowest > COARSEST) {
                return Optional.of(traits(members, levels));
            }
            if (lowest == COARSEST) {
                // The last ones left: others have to become as coarse as they are.
                boolean more = raiseLargest(groups, members, levels);
                if (!more) {
                    return Optional.empty();
                }
                continue;
            }
            for (List<Integer> group : groups.values()) {
                if (group.size() < K && levels[group.get(0)] == lowest) {
                    group.forEach(i -> levels[i]++);
                }
            }
        }
    }

    /** Makes the largest group of the kinds that are short as coarse as can be; false where there is none left. */
    private static boolean raiseLargest(Map<List<Object>, List<Integer>> groups, List<Member> members, int[] levels) {
        List<List<String>> kinds = groups.values().stream().filter(group -> group.size() < K && levels[group.get(0)] == COARSEST).map(group -> members.get(group.get(0)).fixed()).toList();
        List<Integer> largest = groups.values().stream().filter(group -> levels[group.get(0)] < COARSEST && kinds.contains(members.get(group.get(0)).fixed()))
                .max((a, b) -> a.size() != b.size() ? Integer.compare(a.size(), b.size()) : Integer.compare(b.get(0), a.get(0))).orElse(List.of());
        largest.forEach(i -> levels[i] = COARSEST);
        return !largest.isEmpty();
    }

    private static List<Veil.Traits> traits(List<Member> members, int[] levels) {
        List<Veil.Traits> out = new ArrayList<>();
        for (int i = 0; i < levels.length; i++) {
            out.add(coarse(members.get(i).traits(), levels[i]));
        }
        return out;
    }

    private static Veil.Traits coarse(Veil.Traits traits, int level) {
        return new Veil.Traits(level < 4 ? traits.registry() : "", level < 2 ? traits.family() : "", level < 1 ? traits.sdkVersion() : "", level < 3 ? traits.revision() : "",
                traits.eras());
    }
}
