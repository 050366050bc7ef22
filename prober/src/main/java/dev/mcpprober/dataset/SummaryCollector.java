package dev.mcpprober.dataset;

import dev.mcpprober.model.SdkFamily;
import dev.mcpprober.run.Coverage;
import dev.mcpprober.run.TargetState;
import dev.mcpprober.stats.Proportion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Counts targets one by one into a {@link Summary}. */
final class SummaryCollector {
    private static final List<String> SAYING = List.of("pass", "fail", "warn", "divergent");

    private final String ruleSet;
    private final Map<TargetState, Integer> states = new EnumMap<>(TargetState.class);
    private final Map<String, Map<String, Integer>> reasons = new TreeMap<>();
    private final Map<List<String>, Group> groups = new HashMap<>();
    private final Map<String, Map<String, Integer>> checks = new TreeMap<>();

    private final List<Summary.Troubled> troubled = new ArrayList<>();
    private int troubledInAll;
    private int repeated;
    private int times = 1;
    private int flaky;
    private int starts;
    private final Map<String, Integer> flakyChecks = new TreeMap<>();

    private static final class Group {
        private int servers;
        private int faultless;
        private final Map<String, Integer> verdicts = new HashMap<>();
    }

    SummaryCollector(String ruleSet) {
        this.ruleSet = ruleSet;
    }

    /** @param told of a withheld server, what may be told of it; it is counted in no line of the families that would tell more */
    void add(Derived derived, Optional<Veil.Traits> told) {
        TargetState state = derived.state();
        states.merge(state, 1, Integer::sum);
        if (!derived.reason().isEmpty()) {
            reasons.computeIfAbsent(state.id(), key -> new TreeMap<>()).merge(derived.reason(), 1, Integer::sum);
        }
        repeats(derived);
        if (state != TargetState.STARTED) {
            if (state != TargetState.EXCLUDED) {
                troubled(derived, state.id() + ", " + derived.reason());
            }
            return;
        }
        Map<String, String> gravest = new HashMap<>();
        Stand.gravest(derived, ruleSet).forEach((check, graded) -> gravest.put(check, graded.verdict().word()));
        String family = derived.family().isEmpty() ? SdkFamily.UNKNOWN.id() : derived.family();
        String revision = Tables.revision(derived.revision());
        List<String> kind = told.map(traits -> List.of(traits.family(), traits.revision())).orElse(List.of(family, revision.isEmpty() ? "none" : revision));
        Group group = kind.contains("") ? new Group() : groups.computeIfAbsent(kind, key -> new Group());
        group.servers++;
        List<String> fails = Stand.of(derived, ruleSet).entrySet().stream().filter(stand -> stand.getValue().failsUnder(revision)).map(Map.Entry::getKey).toList();
        group.faultless += fails.isEmpty() ? 1 : 0;
        if (!fails.isEmpty()) {
            troubled(derived, "fails " + String.join(", ", fails));
        }
        gravest.forEach((check, word) -> {
            group.verdicts.merge(word, 1, Integer::sum);
            checks.computeIfAbsent(check, key -> new HashMap<>()).merge(word, 1, Integer::sum);
        });
    }

    private void repeats(Derived derived) {
        if (derived.repeats().isEmpty()) {
            return;
        }
        repeated++;
        times = Math.max(times, derived.repeats().size() + 1);
        Set<String> checks = derived.flaky().stream().map(Flaky::stands).filter(graded -> graded.ruleSet().equals(ruleSet))
                .map(graded -> graded.observation().subject().check()).collect(Collectors.toSet());
        checks.forEach(check -> flakyChecks.merge(check, 1, Integer::sum));
        flaky += checks.isEmpty() ? 0 : 1;
        starts += derived.all().stream().map(repeat -> repeat.observed().startup().map(failure -> failure.kind()).orElse("")).distinct().count() > 1 ? 1 : 0;
    }

    private void troubled(Derived derived, String what) {
        troubledInAll++;
        if (troubled.size() < Summary.MAX_NAMED) {
            troubled.add(new Summary.Troubled(derived.history().row().label(), what));
        }
    }

    Coverage coverage() {
        int[] counts = new int[TargetState.values().length];
        states.forEach((state, count) -> counts[state.ordinal()] = count);
        int frame = 0;
        for (int count : counts) {
            frame += count;
        }
        return new Coverage(frame, counts[TargetState.EXCLUDED.ordinal()], counts[TargetState.UNMEASURED.ordinal()],
                counts[TargetState.NOT_INSTALLED.ordinal()], counts[TargetState.START_FAILED.ordinal()], counts[TargetState.STARTED.ordinal()]);
    }

    Summary summary() {
        List<Summary.Family> families = new ArrayList<>();
        groups.forEach((key, group) -> families.add(new Summary.Family(key.get(0), key.get(1), group.servers,
                new Proportion(group.faultless, group.servers), new TreeMap<>(group.verdicts))));
        families.sort(Comparator.comparingInt(Summary.Family::servers).reversed().thenComparing(Summary.Family::family).thenComparing(Summary.Family::revision));
        List<Summary.CheckLine> lines = new ArrayList<>();
        checks.forEach((check, counts) -> {
            int graded = SAYING.stream().mapToInt(word -> counts.getOrDefault(word, 0)).sum();
            lines.add(new Summary.CheckLine(check, graded, new Proportion(counts.getOrDefault("pass", 0), graded), new TreeMap<>(counts)));
        });
        return new Summary(ruleSet, coverage(), reasons, families, lines, troubled, troubledInAll,
                new Summary.Repeated(repeated, times, flaky, starts, flakyChecks));
    }
}
