package dev.mcpprober.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.ProtocolRevision;
import dev.mcpprober.observation.Check;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code spec.yaml} as a whole: what it covers, where it points, how it reads. */
class SpecRulesTest {
    /** Checks of the vocabulary that the published specification says nothing of, or whose verdict needs more than one observation. */
    private static final Set<String> LEFT_TO_OTHERS = Set.of("tools-call-disabled", "output-schema-report", "error-schema-conforms", "tools-list-set");

    /** The revisions in which each check is graded or observed, from the vocabulary table of the requirements; all five unless named. */
    private static final Map<String, String> REVISIONS = Map.ofEntries(
            Map.entry("era-detect", "E"), Map.entry("server-initialize", "ABCD"), Map.entry("initialize-version-known", "ABCD"),
            Map.entry("initialize-version-unknown", "ABCD"), Map.entry("initialize-on-modern", "E"), Map.entry("discover", "E"),
            Map.entry("discover-lists-version", "E"), Map.entry("unsupported-version", "E"), Map.entry("meta-missing-meta", "E"),
            Map.entry("meta-missing-protocol-version", "E"), Map.entry("meta-missing-client-capabilities", "E"),
            Map.entry("meta-client-info-optional", "E"), Map.entry("server-info-meta", "E"), Map.entry("removed-methods", "E"),
            Map.entry("ping", "ABCD"), Map.entry("error-code-range", "E"), Map.entry("batch-receive", "B"), Map.entry("batch-reject", "ACDE"),
            Map.entry("server-request", "E"), Map.entry("server-request-undeclared", "ABCD"), Map.entry("server-request-early", "ABCD"),
            Map.entry("log-without-level", "E"), Map.entry("server-cancelled", "E"),
            Map.entry("result-type", "E"), Map.entry("input-required-scope", "E"), Map.entry("tools-list-order", "E"),
            Map.entry("tools-list-caching", "E"), Map.entry("discover-caching", "E"), Map.entry("output-schema-root", "CD"),
            Map.entry("tools-schema-network-ref", "E"), Map.entry("output-schema", "CDE"), Map.entry("structured-text", "CDE"),
            Map.entry("subscriptions-ack", "E"));

    @Test
    void everyCheckOfTheVocabularyHasItsRulesInTheRightRevisions() {
        for (Check check : Check.values()) {
            String graded = "ABCDE".chars().filter(letter -> Seen.SPEC.rule(check.id(), Seen.revision((char) letter)).isPresent())
                    .mapToObj(letter -> String.valueOf((char) letter)).collect(Collectors.joining());
            boolean others = LEFT_TO_OTHERS.contains(check.id()) || check.id().startsWith("sep-");
            assertEquals(others ? "" : REVISIONS.getOrDefault(check.id(), "ABCDE"), graded, check.id());
        }
    }

    @Test
    void whatIsCitedExists() {
        Set<String> anchors = new TreeSet<>(List.of(Seen.resource("/rules/spec-anchors.txt").split("\n")));
        for (Rule rule : Seen.SPEC.rules()) {
            rule.citations().forEach((revision, citation) -> Arrays.stream(citation.split("; "))
                    .filter(part -> !part.matches("JSON-RPC 2\\.0 section \\d(\\.\\d)?"))
                    .forEach(part -> assertTrue(anchors.contains(revision.date() + " " + part), () -> rule.check() + " cites " + revision.date() + " " + part)));
        }
    }

    @Test
    void everyTextIsAPlainSentence() {
        for (Rule rule : Seen.SPEC.rules()) {
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

    /** Verdicts follow the level: a MUST is not breached into a warning, nor a SHOULD into a failure, unless the comment says why. */
    @Test
    void aRuleWithoutADemandFailsOnlyWhenTheServerIsGone() {
        for (Rule rule : Seen.SPEC.rules()) {
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

    @Test
    void contradictionsBetweenTextsAreNamedWhereTheyAreSettled() {
        String comments = Seen.SPEC.rules().stream().map(Rule::comment).collect(Collectors.joining(" "));
        for (int k = 1; k <= 14; k++) {
            String number = "K" + k;
            assertTrue(Arrays.asList(comments.split("\\W+")).contains(number), number + " is named in no comment");
        }
    }

    @Test
    void revisionsAreKnownOldestFirst() {
        assertEquals(List.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28"),
                Arrays.stream(ProtocolRevision.values()).map(ProtocolRevision::date).toList());
    }
}
