package dev.mcpprober.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.ProtocolRevision;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds each bundled rule set {@code ID.yaml} against the examples of {@code ID-examples.txt}, and sees that no outcome is without one. */
class RuleExamplesTest {
    private static final List<VerdictWord> BEST_FIRST = List.of(VerdictWord.PASS, VerdictWord.NOT_APPLICABLE, VerdictWord.DIVERGENT,
            VerdictWord.INCONCLUSIVE, VerdictWord.WARN, VerdictWord.FAIL);

    record Example(RuleSet rules, String check, String revisions, String seen, String verdict) {
        @Override
        public String toString() {
            return String.join(" | ", rules.label(), check, revisions, seen, verdict);
        }
    }

    static List<RuleSet> sets() {
        return Seen.BUNDLED;
    }

    static List<Example> examples() {
        return sets().stream().flatMap(rules -> examples(rules).stream()).toList();
    }

    private static List<Example> examples(RuleSet rules) {
        List<Example> out = new ArrayList<>();
        for (String line : Seen.resource("/rules/" + rules.id() + "-examples.txt").split("\n")) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] parts = line.split("\\s*\\|\\s*");
                assertEquals(4, parts.length, line);
                out.add(new Example(rules, parts[0], parts[1], parts[2], parts[3]));
            }
        }
        return out;
    }

    @ParameterizedTest
    @MethodSource("examples")
    void isGradedAsTheRequirementsSay(Example example) {
        assertTrue(Vocabulary.observable(example.check()).orElseThrow().contains(example.seen().split(" ")[0]), () -> "cannot be observed: " + example);
        for (char revision : example.revisions().toCharArray()) {
            assertEquals(example.verdict(), Seen.verdict(example.rules(), example.check(), revision, example.seen()), () -> example + " in " + Seen.revision(revision).date());
        }
    }

    @ParameterizedTest
    @MethodSource("sets")
    void everyOutcomeHasAnExampleInEachRevisionOfItsRule(RuleSet rules) {
        Set<String> shown = shown(rules, (rule, revision, outcome) -> place(rules, rule, revision, outcome));
        List<String> missing = places(rules).filter(place -> !shown.contains(place)).distinct().toList();
        assertTrue(missing.isEmpty(), () -> "without an example:\n" + String.join("\n", missing));
    }

    @ParameterizedTest
    @MethodSource("sets")
    void everyRuleHasAnExampleOfTheBestAndOfTheWorstItCanSayInEachRevision(RuleSet rules) {
        Set<String> shown = shown(rules, (rule, revision, outcome) -> rule.check() + " " + revision.date() + " " + outcome.verdict().id());
        for (Rule rule : rules.rules()) {
            List<VerdictWord> said = BEST_FIRST.stream().filter(word -> rule.outcomes().stream().anyMatch(outcome -> outcome.verdict() == word)).toList();
            for (ProtocolRevision revision : rule.citations().keySet()) {
                for (VerdictWord word : List.of(said.get(0), said.get(said.size() - 1))) {
                    String wanted = rule.check() + " " + revision.date() + " " + word.id();
                    assertTrue(shown.contains(wanted), () -> "without an example: " + wanted);
                }
            }
        }
    }

    private interface Naming {
        String name(Rule rule, ProtocolRevision revision, Outcome outcome);
    }

    private static Set<String> shown(RuleSet rules, Naming naming) {
        Set<String> shown = new HashSet<>();
        for (Example example : examples(rules)) {
            for (char letter : example.revisions().toCharArray()) {
                ProtocolRevision revision = Seen.revision(letter);
                rules.rule(example.check(), revision).ifPresent(rule -> rule.decide(Seen.of(example.check(), letter, example.seen()))
                        .ifPresent(outcome -> shown.add(naming.name(rule, revision, outcome))));
            }
        }
        return shown;
    }

    private static Stream<String> places(RuleSet rules) {
        return rules.rules().stream().flatMap(rule -> rule.citations().keySet().stream()
                .flatMap(revision -> rule.outcomes().stream().map(outcome -> place(rules, rule, revision, outcome))));
    }

    /** An outcome that rules share is one wherever it is used; it stands before the first rule. */
    private static String place(RuleSet rules, Rule rule, ProtocolRevision revision, Outcome outcome) {
        boolean shared = outcome.line() < rules.rules().get(0).line();
        return (shared ? "shared" : rule.check() + " " + revision.date()) + " " + outcome.verdict().id() + " " + outcome.match();
    }

    @ParameterizedTest
    @MethodSource("sets")
    void everyValueWithEveryCodeFlagAndConsequenceIsDecided(RuleSet rules) {
        for (Rule rule : rules.rules()) {
            List<String> flags = rule.outcomes().stream().flatMap(outcome -> Stream.concat(outcome.match().has().stream(), outcome.match().hasNot().stream()))
                    .distinct().map(flag -> " +" + flag).toList();
            assertTrue(flags.size() <= 12, () -> rule.check() + " looks at " + flags.size() + " flags");
            for (String value : Vocabulary.observable(rule.check()).orElseThrow()) {
                if (rule.outcomes().stream().anyMatch(outcome -> outcome.match().takesAll(value))) {
                    continue; // decided, whatever comes with it
                }
                for (int some = 0; some < 1 << flags.size(); some++) {
                    StringBuilder seen = new StringBuilder(value);
                    for (int bit = 0; bit < flags.size(); bit++) {
                        seen.append((some >> bit & 1) == 1 ? flags.get(bit) : "");
                    }
                    decided(rule, seen.toString());
                }
            }
        }
    }

    private static void decided(Rule rule, String seen) {
        for (String code : List.of("", " 0", " -32602", " -32042", " -32021", " 1")) {
            for (String consequence : List.of("", " silent-execution", " in-band-error", " empty-result", " undetermined")) {
                String what = seen + code + consequence;
                ProtocolRevision any = rule.citations().keySet().iterator().next();
                assertTrue(rule.decide(Seen.of(rule.check(), any.date(), any.era(), what)).isPresent(), () -> rule.check() + ": " + what);
            }
        }
    }
}
