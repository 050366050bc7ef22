package dev.mcpprober.dataset.report;

import dev.mcpprober.dataset.Stand;
import dev.mcpprober.dataset.compare.CheckTally;
import dev.mcpprober.dataset.compare.Comparer;
import dev.mcpprober.dataset.compare.Comparison;
import dev.mcpprober.rules.VerdictWord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Two rule sets on the same observations, while servers are counted: see {@code compare}, which counts the same of a run. */
final class RulePair {
    private final String a;
    private final String b;
    private final Map<String, CheckTally> tallies = new TreeMap<>();
    private final CheckTally whole = new CheckTally();
    private int servers;

    /** @param checks that both have a rule for */
    RulePair(String a, String b, Set<String> checks) {
        this.a = a;
        this.b = b;
        checks.forEach(check -> tallies.put(check, new CheckTally()));
    }

    String other() {
        return b;
    }

    boolean empty() {
        return tallies.isEmpty();
    }

    /** @param stands of a server that started */
    void add(Map<String, Map<String, Stand>> stands) {
        servers++;
        int comparable = 0;
        boolean failA = false;
        boolean failB = false;
        boolean anyA = false;
        boolean anyB = false;
        for (Map.Entry<String, CheckTally> entry : tallies.entrySet()) {
            Stand first = stands.getOrDefault(a, Map.of()).get(entry.getKey());
            Stand second = stands.getOrDefault(b, Map.of()).get(entry.getKey());
            entry.getValue().add(first, second);
            anyA |= fails(first);
            anyB |= fails(second);
            if (CheckTally.decides(first) && CheckTally.decides(second)) {
                comparable++;
                failA |= fails(first);
                failB |= fails(second);
            }
        }
        whole.addWhole(comparable, failA, failB, anyA, anyB);
    }

    private static boolean fails(Stand stand) {
        return stand != null && stand.word() == VerdictWord.FAIL;
    }

    /** The first line is that of whole servers. */
    List<Comparison.Line> lines() {
        List<Comparison.Line> checks = new ArrayList<>();
        tallies.forEach((check, tally) -> checks.add(tally.line(check, servers)));
        List<Comparison.Line> out = new ArrayList<>(List.of(whole.line("any", servers)));
        out.addAll(Comparer.holm(checks));
        return out;
    }
}
