package dev.mcpprober.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.ProtocolRevision;
import dev.mcpprober.observation.Check;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code spec.yaml} as a whole: what it covers. */
class SpecRulesTest {
    /** Checks of the vocabulary that the published specification says nothing of. */
    private static final Set<String> LEFT_TO_OTHERS = Set.of("tools-call-disabled", "output-schema-report", "error-schema-conforms");

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
            Map.entry("result-type", "E"), Map.entry("input-required-scope", "E"), Map.entry("tools-list-order", "E"), Map.entry("tools-list-set", "E"),
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
