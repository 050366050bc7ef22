package dev.mcpprober.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.ProtocolRevision;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Holds {@code spec.yaml} against the examples of {@code spec-examples.txt}, and sees that no outcome is without one. */
class SpecExamplesTest {
    record Example(String check, String revisions, String seen, String verdict) {}

    static List<Example> examples() {
        List<Example> out = new ArrayList<>();
        for (String line : Seen.resource("/rules/spec-examples.txt").split("\n")) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] parts = line.split("\\s*\\|\\s*");
                assertEquals(4, parts.length, line);
                out.add(new Example(parts[0], parts[1], parts[2], parts[3]));
            }
        }
        return out;
    }

    @ParameterizedTest
    @MethodSource("examples")
    void isGradedAsTheRequirementsSay(Example example) {
        assertTrue(Vocabulary.observable(example.check()).orElseThrow().contains(example.seen().split(" ")[0]), () -> "cannot be observed: " + example);
        for (char revision : example.revisions().toCharArray()) {
            assertEquals(example.verdict(), Seen.verdict(example.check(), revision, example.seen()), () -> example + " in " + Seen.revision(revision).date());
        }
    }

    /** The best and the worst that a rule can say are among its outcomes, so each rule has its passing and its failing example. */
    @Test
    void everyOutcomeOfEveryRuleHasAnExampleInEachOfItsRevisions() {
        Set<String> shown = new HashSet<>();
        for (Example example : examples()) {
            for (char letter : example.revisions().toCharArray()) {
                ProtocolRevision revision = Seen.revision(letter);
                Seen.SPEC.rule(example.check(), revision)
                        .flatMap(rule -> rule.decide(Seen.of(example.check(), letter, example.seen())).map(outcome -> key(rule, revision, outcome)))
                        .ifPresent(shown::add);
            }
        }
        List<String> missing = Seen.SPEC.rules().stream()
                .flatMap(rule -> rule.citations().keySet().stream().flatMap(revision -> rule.outcomes().stream().map(outcome -> key(rule, revision, outcome))))
                .filter(key -> !shown.contains(key)).toList();
        assertTrue(missing.isEmpty(), () -> "without an example:\n" + String.join("\n", missing));
    }

    private static String key(Rule rule, ProtocolRevision revision, Outcome outcome) {
        return rule.check() + " " + revision.date() + " " + outcome.verdict().id() + " " + outcome.match();
    }

    @Test
    void everyValueWithEveryCodeFlagAndConsequenceIsDecided() {
        for (Rule rule : Seen.SPEC.rules()) {
            List<String> flags = rule.outcomes().stream().flatMap(outcome -> Stream.concat(outcome.match().has().stream(), outcome.match().hasNot().stream()))
                    .distinct().map(flag -> " +" + flag).toList();
            assertTrue(flags.size() <= 12, () -> rule.check() + " looks at " + flags.size() + " flags");
            for (String value : Vocabulary.observable(rule.check()).orElseThrow()) {
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
