package dev.mcpprober.cli.gate;

import dev.mcpprober.observation.Observation;
import dev.mcpprober.rules.Graded;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Whether what was found is reason to fail, for a build that has to know.
 *
 * @param known  findings of the baseline that were found again, or all where the baseline is just being written
 * @param gone   findings of the baseline that were looked for and are not there
 * @param unseen findings of the baseline that nothing looked for this time
 */
public record Gate(FailOn failOn, boolean hasBaseline, SortedSet<FindingKey> known, SortedSet<FindingKey> gone, SortedSet<FindingKey> unseen) {

    /** Nothing is known before. */
    public static Gate of(FailOn failOn) {
        return new Gate(failOn, false, new TreeSet<>(), new TreeSet<>(), new TreeSet<>());
    }

    /** All that was found is accepted from now on. */
    public static Gate accepting(FailOn failOn, SortedSet<FindingKey> found) {
        return new Gate(failOn, true, found, new TreeSet<>(), new TreeSet<>());
    }

    /** @param startup why no session came about */
    public static Gate against(Baseline baseline, FailOn failOn, List<Graded> graded, Optional<String> startup) {
        SortedSet<FindingKey> found = found(graded, startup);
        SortedSet<FindingKey> known = new TreeSet<>();
        SortedSet<FindingKey> gone = new TreeSet<>();
        SortedSet<FindingKey> unseen = new TreeSet<>();
        for (FindingKey key : baseline.findings()) {
            (found.contains(key) ? known : lookedFor(key, graded, startup) ? gone : unseen).add(key);
        }
        return new Gate(failOn, true, known, gone, unseen);
    }

    /** Everything that leaves something to change. */
    public static SortedSet<FindingKey> found(List<Graded> graded, Optional<String> startup) {
        SortedSet<FindingKey> found = graded.stream().filter(g -> FailOn.isFinding(g.verdict().word())).map(FindingKey::of)
                .collect(Collectors.toCollection(TreeSet::new));
        startup.map(FindingKey::startup).ifPresent(found::add);
        return found;
    }

    /** A check that was not put this time, on this tool or at all, says nothing of what it once found. */
    private static boolean lookedFor(FindingKey key, List<Graded> graded, Optional<String> startup) {
        if (key.rules().equals(FindingKey.STARTUP)) {
            return true;
        }
        if (startup.isPresent()) {
            return false;
        }
        List<Graded> same = graded.stream().filter(g -> FindingKey.of(g).sameQuestion(key)).toList();
        List<Graded> rows = same.isEmpty() ? graded.stream().filter(g -> sameCheck(FindingKey.of(g), key)).toList() : same;
        return rows.stream().anyMatch(g -> !(g.observation() instanceof Observation.NotRun));
    }

    private static boolean sameCheck(FindingKey a, FindingKey b) {
        return a.rules().equals(b.rules()) && a.check().equals(b.check()) && a.era().equals(b.era());
    }

    /** A finding of the baseline. */
    public boolean isKnown(Graded graded) {
        return FailOn.isFinding(graded.verdict().word()) && known.contains(FindingKey.of(graded));
    }

    /** A finding that is bad enough and not known. */
    public boolean fails(Graded graded) {
        return failOn.reaches(graded.verdict().word()) && !isKnown(graded);
    }

    /** A server that did not start fails, but where the baseline has just that. */
    public boolean fails(String startup) {
        return !known.contains(FindingKey.startup(startup));
    }

    /** True when the check as a whole failed. A finding that is gone fails too: the baseline says what is no longer so. */
    public boolean failed(List<Graded> graded, Optional<String> startup) {
        return !gone.isEmpty() || startup.filter(this::fails).isPresent() || graded.stream().anyMatch(this::fails);
    }
}
