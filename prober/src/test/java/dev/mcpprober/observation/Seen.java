package dev.mcpprober.observation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;

/** Observations with questions that tests ask. Every value is checked against the vocabulary on the way. */
record Seen(TargetObservations target) {
    Seen {
        for (Observation observation : target.observations()) {
            Check check = Check.of(observation.subject().check()).orElseThrow(() -> new AssertionError("no check " + observation.subject().check()));
            assertTrue(check.observable().contains(observation.observed()), check.id() + " cannot be " + observation.observed());
            assertEquals(observation.witness().stream().sorted().distinct().toList(), observation.witness(), "witness in order: " + observation);
            assertTrue(observation.detail().length() <= Phrase.DETAIL + 1, "detail is short: " + observation);
        }
    }

    List<Observation> rows(Check check) {
        return target.observations().stream().filter(o -> o.subject().check().equals(check.id())).toList();
    }

    /** The only row of a check. */
    Observation row(Check check) {
        List<Observation> rows = rows(check);
        assertEquals(1, rows.size(), check.id() + ": " + rows);
        return rows.get(0);
    }

    String observed(Check check) {
        return row(check).observed();
    }

    Set<String> flags(Check check) {
        Observation row = row(check);
        return row instanceof Observation.Reaction reaction ? reaction.flags() : row instanceof Observation.Finding finding ? finding.flags() : Set.of();
    }

    Long code(Check check) {
        return ((Observation.Reaction) row(check)).code();
    }

    String consequence(Check check) {
        return ((Observation.Reaction) row(check)).consequence();
    }

    String reason(Check check) {
        return ((Observation.NotRun) row(check)).reason();
    }

    String detail(Check check) {
        return row(check).detail();
    }

    List<Integer> witness(Check check) {
        return row(check).witness();
    }

    String startup() {
        return target.startup().map(TargetObservations.StartupFailure::kind).orElse(null);
    }

    String startupDetail() {
        return target.startup().orElseThrow().detail();
    }
}
