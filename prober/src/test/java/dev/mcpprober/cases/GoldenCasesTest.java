package dev.mcpprober.cases;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.observation.TargetObservations;
import dev.mcpprober.rules.Graded;
import dev.mcpprober.rules.Grader;
import dev.mcpprober.rules.Outcome;
import dev.mcpprober.rules.Rule;
import dev.mcpprober.rules.RuleSet;
import dev.mcpprober.rules.VerdictWord;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Transcript, observations, verdicts: each step of the stored cases gives what is stored. With {@code -Dcases.rewrite=true} the generated
 * transcripts and every expected file are written anew instead, for review in the diff; with {@code -Dcases.expected-only=true} besides, the
 * transcripts stay as they are.
 */
class GoldenCasesTest {
    private static final boolean REWRITE = Boolean.getBoolean("cases.rewrite");
    private static final List<VerdictWord> BEST_FIRST = List.of(VerdictWord.PASS, VerdictWord.NOT_APPLICABLE, VerdictWord.DIVERGENT,
            VerdictWord.INCONCLUSIVE, VerdictWord.WARN, VerdictWord.FAIL);

    @BeforeAll
    static void rewrite() throws Exception {
        if (REWRITE) {
            if (!Boolean.getBoolean("cases.expected-only")) {
                CaseRunner.clear();
                for (CaseSpec spec : GeneratedCases.all()) {
                    CaseRunner.write(spec);
                }
            }
            for (GoldenCase golden : GoldenCase.all()) {
                golden.rewrite(GoldenCase.derive(golden.observed(), RuleSets.BUNDLED));
            }
        }
    }

    static List<GoldenCase> cases() {
        return GoldenCase.all();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void transcriptsGiveTheStoredObservationsAndTheseTheStoredVerdicts(GoldenCase golden) throws Exception {
        Map<String, String> derived = GoldenCase.derive(golden.observed(), RuleSets.BUNDLED);
        Map<String, String> expected = golden.expected();
        assertEquals(expected.keySet(), derived.keySet());
        for (Map.Entry<String, String> file : expected.entrySet()) {
            assertEquals(file.getValue(), derived.get(file.getKey()), () -> golden + "/" + file.getKey()
                    + " (a change that is meant: mvn test -Dtest=GoldenCasesTest -Dcases.rewrite=true, and look through the diff)");
        }
    }

    @Test
    void everyGeneratedCaseIsThereAndNoneIsLeftOver() {
        Set<String> wanted = new TreeSet<>(GeneratedCases.all().stream().map(CaseSpec::name).toList());
        assertEquals(GeneratedCases.all().size(), wanted.size(), "names are unique");
        Set<String> stored = new TreeSet<>();
        GoldenCase.all().stream().filter(c -> c.toString().startsWith("generated/")).forEach(c -> stored.add(c.folder().getFileName().toString()));
        assertEquals(wanted, stored);
    }

    /** For each rule of each set: a case that gets its best verdict, and one that gets its worst. */
    @Test
    void everyRuleHasAPassingAndAFailingCase() throws Exception {
        Map<String, Set<String>> seen = new HashMap<>();
        for (GoldenCase golden : GoldenCase.all()) {
            TargetObservations observed = golden.observed();
            for (RuleSet rules : RuleSets.BUNDLED) {
                for (Graded graded : Grader.grade(rules, observed)) {
                    seen.computeIfAbsent(rules.id() + " " + graded.observation().subject().check(), key -> new HashSet<>()).add(graded.verdict().word());
                }
            }
        }
        Set<String> missing = new TreeSet<>();
        for (RuleSet rules : RuleSets.BUNDLED) {
            for (Rule rule : rules.rules()) {
                List<VerdictWord> said = BEST_FIRST.stream().filter(word -> rule.outcomes().stream().map(Outcome::verdict).anyMatch(v -> v == word)).toList();
                for (VerdictWord word : Set.of(said.get(0), said.get(said.size() - 1))) {
                    String key = rules.id() + " " + rule.check();
                    if (!seen.getOrDefault(key, Set.of()).contains(word.id())) {
                        missing.add(key + ": " + word.id());
                    }
                }
            }
        }
        missing.removeAll(GeneratedCases.NOT_SHOWN);
        assertTrue(missing.isEmpty(), () -> "no case gives\n" + String.join("\n", missing));
    }
}
