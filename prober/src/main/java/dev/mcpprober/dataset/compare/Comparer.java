package dev.mcpprober.dataset.compare;

import dev.mcpprober.corpus.Publishers;
import dev.mcpprober.dataset.Analysis;
import dev.mcpprober.dataset.Judge;
import dev.mcpprober.dataset.ServerVerdicts;
import dev.mcpprober.dataset.Stand;
import dev.mcpprober.model.Registry;
import dev.mcpprober.rules.VerdictWord;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.RunInfo;
import dev.mcpprober.run.TargetState;
import dev.mcpprober.stats.ClusteredShare;
import dev.mcpprober.stats.Holm;
import dev.mcpprober.stats.Proportion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** {@code compare}: both sides derived anew from their transcripts, by the extractor of this program. */
public final class Comparer {
    private final String rulesA;
    private final String rulesB;
    private final TreeSet<String> checks;
    private final TreeSet<String> onlyA;
    private final TreeSet<String> onlyB;
    private final Map<String, CheckTally> tallies = new TreeMap<>();
    private final CheckTally whole = new CheckTally();
    private final Map<String, Integer> rows = new TreeMap<>();
    private final Map<String, Map<String, Integer>> states = new TreeMap<>();
    private final List<Comparison.Change> changes = new ArrayList<>();
    private final List<Paired> pairs = new ArrayList<>();
    private final List<Proportion> same = new ArrayList<>();
    private final Map<String, int[]> cost = new TreeMap<>();
    private int servers;

    private Comparer(Judge a, Judge b) {
        rulesA = a.label();
        rulesB = b.label();
        checks = checks(a);
        checks.retainAll(checks(b));
        onlyA = checks(a);
        onlyA.removeAll(checks);
        onlyB = checks(b);
        onlyB.removeAll(checks);
        checks.forEach(check -> tallies.put(check, new CheckTally()));
    }

    private static TreeSet<String> checks(Judge judge) {
        TreeSet<String> out = new TreeSet<>();
        judge.rules().forEach(rule -> out.add(rule.check()));
        return out;
    }

    /** The two rule sets of {@code analysis} on one run. */
    public static Comparison ruleSets(RunFolder run, Analysis analysis) throws IOException {
        Comparer comparer = new Comparer(analysis.judges().get(0), analysis.judges().get(1));
        RunInfo info = ServerVerdicts.each(run, analysis, server -> comparer.add(Paired.self(server)));
        return comparer.finish(run, info, run, info);
    }

    /** Two runs under the one rule set of {@code analysis}. */
    public static Comparison runs(RunFolder a, RunFolder b, Analysis analysis) throws IOException {
        Comparer comparer = new Comparer(analysis.judges().get(0), analysis.judges().get(0));
        List<ServerVerdicts> left = new ArrayList<>();
        List<ServerVerdicts> right = new ArrayList<>();
        RunInfo infoA = ServerVerdicts.each(a, analysis, left::add);
        RunInfo infoB = ServerVerdicts.each(b, analysis, right::add);
        Paired.of(left, right).forEach(comparer::add);
        return comparer.finish(a, infoA, b, infoB);
    }

    private void add(Paired pair) {
        rows.merge(pair.match().id(), 1, Integer::sum);
        if (!pair.both()) {
            pairs.add(pair);
            return;
        }
        states.computeIfAbsent(pair.a().state().id(), key -> new TreeMap<>()).merge(pair.b().state().id(), 1, Integer::sum);
        pairs.add(new Paired(pair.match(), pair.a().withoutStands(), pair.b().withoutStands()));
        if (pair.a().state() == TargetState.STARTED && pair.b().state() == TargetState.STARTED) {
            servers++;
            verdicts(pair);
        }
    }

    private void verdicts(Paired pair) {
        int comparable = 0;
        int agree = 0;
        boolean failA = false;
        boolean failB = false;
        boolean anyFailA = false;
        boolean anyFailB = false;
        for (String check : checks) {
            Stand a = pair.a().stand(rulesA, check);
            Stand b = pair.b().stand(rulesB, check);
            CheckTally.Kind kind = tallies.get(check).add(a, b);
            if (kind != CheckTally.Kind.UNCHANGED) {
                changes.add(new Comparison.Change(check, kind.id(), pair.target(), pair.match() == Paired.Match.VERSION_CHANGED, a, b));
            }
            agree += a == null ? b == null ? 1 : 0 : b != null && a.word() == b.word() ? 1 : 0;
            anyFailA |= a != null && a.word() == VerdictWord.FAIL;
            anyFailB |= b != null && b.word() == VerdictWord.FAIL;
            if (CheckTally.decides(a) && CheckTally.decides(b)) {
                comparable++;
                failA |= a.word() == VerdictWord.FAIL;
                failB |= b.word() == VerdictWord.FAIL;
            }
        }
        if (!checks.isEmpty()) {
            same.add(new Proportion(agree, checks.size()));
        }
        if (comparable > 0) {
            int[] counts = cost.computeIfAbsent(publisher(pair.a()), key -> new int[2]);
            counts[0] += failB && !failA ? 1 : 0;
            counts[1]++;
        }
        whole.addWhole(comparable, failA, failB, anyFailA, anyFailB);
    }

    private static String publisher(ServerVerdicts server) {
        return server.row().registry().equals(Registry.LOCAL.id()) ? server.row().target() : Publishers.of(server.row().registry(), server.row().name());
    }

    private Comparison finish(RunFolder a, RunInfo infoA, RunFolder b, RunInfo infoB) {
        List<Comparison.Line> lines = new ArrayList<>();
        tallies.forEach((check, tally) -> lines.add(tally.line(check, servers)));
        changes.sort(Comparator.comparing(Comparison.Change::check).thenComparing(Comparison.Change::target));
        return new Comparison(new Comparison.Side(name(a), infoA, rulesA), new Comparison.Side(name(b), infoB, rulesB), rows, states, servers,
                whole.line("any", servers), holm(lines), changes, List.copyOf(onlyA), List.copyOf(onlyB), pairs,
                new ClusteredShare(same), new ClusteredShare(cost.values().stream().map(counts -> new Proportion(counts[0], counts[1])).toList()));
    }

    /** Only checks with a flip are tests: the others could not have come out otherwise. */
    public static List<Comparison.Line> holm(List<Comparison.Line> lines) {
        List<Comparison.Line> tested = lines.stream().filter(line -> line.toFail() + line.toPass() > 0).toList();
        List<Double> adjusted = Holm.adjust(tested.stream().map(Comparison.Line::p).toList());
        return lines.stream().map(line -> tested.contains(line) ? line.withHolm(adjusted.get(tested.indexOf(line))) : line).toList();
    }

    private static String name(RunFolder run) {
        return run.path().toAbsolutePath().normalize().getFileName().toString();
    }
}
