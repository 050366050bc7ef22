package dev.mcpprober.rules;

import dev.mcpprober.model.ProtocolRevision;
import dev.mcpprober.observation.Observation;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One demand, for the revisions that put it in the same words.
 *
 * @param check       check id of the closed vocabulary
 * @param citations   revisions it applies to, and where each has the text: {@code document#heading}, {@code schema#Type},
 *                    several parted by "; "
 * @param requirement the demand in our own words
 * @param fix         what the author of a server should change when it is not met
 * @param comment     why the outcomes are what they are; where texts contradict each other, which and how it was settled
 * @param outcomes    in order, the first that matches decides
 * @param line        where it stands in the rule file
 */
public record Rule(String check, Level level, Map<ProtocolRevision, String> citations, String requirement, String fix, String comment,
                   List<Outcome> outcomes, int line) {
    public Rule {
        citations = Collections.unmodifiableMap(new TreeMap<>(citations));
        outcomes = List.copyOf(outcomes);
    }

    /** Empty for a value outside the vocabulary that the rule was written for; {@link RuleSetParser} leaves no other gap. */
    Optional<Outcome> decide(Observation observation) {
        return outcomes.stream().filter(outcome -> outcome.match().holds(observation)).findFirst();
    }
}
