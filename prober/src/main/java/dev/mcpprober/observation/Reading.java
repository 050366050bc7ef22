package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * How one request was met, before it is an observation.
 *
 * @param observed value of the closed list, {@code not-run} where nothing can be said
 * @param code     error code, exit status or signal, or null
 * @param detail   short raw phrase; for {@code not-run} the reason
 * @param witness  event indexes
 * @param result   the result member that was read, or null
 */
record Reading(String observed, Long code, Set<String> flags, String detail, List<Integer> witness, JsonNode result) {
    Reading {
        flags = Set.copyOf(flags);
        witness = List.copyOf(witness);
    }

    static Reading notRun(String reason, List<Integer> witness) {
        return new Reading(Observed.NOT_RUN, null, Set.of(), reason, witness, null);
    }

    boolean ran() {
        return !observed.equals(Observed.NOT_RUN);
    }

    Reading as(String value, String newDetail) {
        return new Reading(value, code, flags, newDetail, witness, result);
    }

    Reading plus(Set<String> more) {
        Set<String> all = new LinkedHashSet<>(flags);
        all.addAll(more);
        return new Reading(observed, code, all, detail, witness, result);
    }

    Observation observation(Subject subject, String consequence) {
        return ran() ? new Observation.Reaction(subject, observed, code, flags, consequence, Phrase.detail(detail), witness)
                : new Observation.NotRun(subject, detail, "", witness);
    }
}
