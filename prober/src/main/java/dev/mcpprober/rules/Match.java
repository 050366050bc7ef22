package dev.mcpprober.rules;

import dev.mcpprober.observation.Observation;
import java.util.List;
import java.util.Set;

/**
 * The condition of an {@link Outcome}: all of its parts must hold. An empty part puts no condition.
 *
 * @param observed     one of these values was observed
 * @param codes        the reply carries an error code in one of these ranges
 * @param has          all of these flags are set
 * @param hasNot       none of these flags is set
 * @param consequences the consequence is one of these
 */
public record Match(Set<String> observed, List<Codes> codes, Set<String> has, Set<String> hasNot, Set<String> consequences) {
    public Match {
        observed = Set.copyOf(observed);
        codes = List.copyOf(codes);
        has = Set.copyOf(has);
        hasNot = Set.copyOf(hasNot);
        consequences = Set.copyOf(consequences);
    }

    /** Error codes from {@code low} to {@code high}, both included. */
    public record Codes(long low, long high) {
        boolean holds(long code) {
            return low <= code && code <= high;
        }

        boolean covers(Codes other) {
            return low <= other.low && other.high <= high;
        }
    }

    boolean holds(Observation seen) {
        Long code = null;
        String consequence = null;
        Set<String> flags = Set.of();
        if (seen instanceof Observation.Reaction reaction) {
            code = reaction.code();
            consequence = reaction.consequence();
            flags = reaction.flags();
        } else if (seen instanceof Observation.Finding finding) {
            flags = finding.flags();
        }
        return (observed.isEmpty() || observed.contains(seen.observed()))
                && (codes.isEmpty() || holdsCode(code))
                && flags.containsAll(has)
                && hasNot.stream().noneMatch(flags::contains)
                && (consequences.isEmpty() || consequence != null && consequences.contains(consequence));
    }

    private boolean holdsCode(Long code) {
        return code != null && codes.stream().anyMatch(range -> range.holds(code));
    }

    /** True when everything that {@code other} matches is matched here too, so that {@code other} behind this one is never reached. */
    boolean covers(Match other) {
        return (observed.isEmpty() || !other.observed.isEmpty() && observed.containsAll(other.observed))
                && (codes.isEmpty() || !other.codes.isEmpty() && other.codes.stream().allMatch(c -> codes.stream().anyMatch(mine -> mine.covers(c))))
                && other.has.containsAll(has)
                && other.hasNot.containsAll(hasNot)
                && (consequences.isEmpty() || !other.consequences.isEmpty() && consequences.containsAll(other.consequences));
    }

    /** True when {@code value} alone is enough to match. */
    boolean takesAll(String value) {
        return (observed.isEmpty() || observed.contains(value)) && codes.isEmpty() && has.isEmpty() && hasNot.isEmpty() && consequences.isEmpty();
    }
}
