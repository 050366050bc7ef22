package dev.mcpprober.rules;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every bundled rule set as a text: where it points, how it reads. */
class RuleSetsTest {
    static List<RuleSet> sets() {
        return Seen.BUNDLED;
    }

    /** Lines that begin with an asterisk hold for every revision. */
    @ParameterizedTest
    @MethodSource("sets")
    void whatIsCitedExists(RuleSet rules) {
        Set<String> anchors = new TreeSet<>(List.of(Seen.resource("/rules/" + rules.id() + "-anchors.txt").split("\n")));
        for (Rule rule : rules.rules()) {
            rule.citations().forEach((revision, citation) -> Arrays.stream(citation.split("; "))
                    .filter(part -> !part.matches("JSON-RPC 2\\.0 section \\d(\\.\\d)?"))
                    .forEach(part -> assertTrue(anchors.contains(revision.date() + " " + part) || anchors.contains("* " + part), () -> rule.check() + " cites " + revision.date() + " " + part)));
        }
    }

    @ParameterizedTest
    @MethodSource("sets")
    void everyTextIsAPlainSentence(RuleSet rules) {
        for (Rule rule : rules.rules()) {
            sentence(rule, rule.requirement());
            sentence(rule, rule.comment());
            sentence(rule, rule.fix());
            for (Outcome outcome : rule.outcomes()) {
                sentence(rule, outcome.note());
                if (!outcome.fix().isEmpty()) {
                    sentence(rule, outcome.fix());
                }
            }
        }
    }

    private static void sentence(Rule rule, String text) {
        assertTrue(text.endsWith(".") && !text.contains("\n") && !text.contains("  "), () -> rule.check() + ": " + text);
    }

    @ParameterizedTest
    @MethodSource("sets")
    void aRuleWithoutADemandFailsOnlyWhenTheServerIsGone(RuleSet rules) {
        for (Rule rule : rules.rules()) {
            if (rule.level() == Level.NONE) {
                for (Outcome outcome : rule.outcomes()) {
                    Set<String> gone = Set.of("no-response", "unresponsive", "exited", "closed", "invalid-response");
                    boolean fails = outcome.verdict() == VerdictWord.FAIL;
                    assertTrue(!fails || !outcome.match().observed().isEmpty() && gone.containsAll(outcome.match().observed()), () -> rule.check() + ": " + outcome);
                    assertTrue(outcome.verdict() != VerdictWord.WARN, () -> rule.check() + ": " + outcome);
                }
            }
        }
    }
}
