package dev.mcpprober.observation;

import dev.mcpprober.model.Era;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * All that the sessions of one target show.
 *
 * @param eras         eras in which the server answered, legacy first
 * @param session      the session that stands for the server (legacy where it has one, else modern)
 * @param startup      why no session came about; empty when one did
 * @param observations in the order of sessions and events, primary ones first within a check
 * @param offers       each version offered in a handshake of the legacy era once, in the order of sessions; empty where there is no such era
 */
public record TargetObservations(Set<Era> eras, SessionSummary session, Optional<StartupFailure> startup, List<Observation> observations, List<Offer> offers) {
    public TargetObservations {
        observations = List.copyOf(observations);
        offers = List.copyOf(offers);
    }

    /** Without a table of versions. */
    public TargetObservations(Set<Era> eras, SessionSummary session, Optional<StartupFailure> startup, List<Observation> observations) {
        this(eras, session, startup, observations, List.of());
    }

    /**
     * A version offered in {@code initialize} and what was answered.
     *
     * @param answered raw server text, or null where the answer names none
     * @param met      {@code result}, or how else the request was met
     */
    public record Offer(String session, String offered, String answered, String met) {}

    /**
     * @param handshake       true when the server answered {@code initialize}, or {@code server/discover} in a modern session,
     *                        with a result whose revision we know
     * @param name            name of the session, empty where none stands
     * @param offeredRevision what was offered
     * @param protocolVersion what was answered, raw server text, or null
     * @param serverName      raw server text, or null
     * @param serverVersion   raw server text, or null
     * @param toolCount       distinct tools over all pages, or null when they were not listed
     */
    public record SessionSummary(boolean handshake, String name, String offeredRevision, String protocolVersion, String serverName,
                                 String serverVersion, Integer toolCount) {}

    /**
     * @param kind    one of the closed set: {@code exit-silent}, {@code exit-nonzero}, {@code crash-traceback}, {@code needs-config},
     *                {@code interactive-prompt}, {@code hang-no-reply}, {@code oom-killed}, {@code bad-framing},
     *                {@code bad-initialize-result}, {@code unsupported-version}
     * @param detail  the particulars: status, exception type, names of variables; may quote the server, raw
     * @param session session that shows it
     * @param witness event indexes of that session
     */
    public record StartupFailure(String kind, String detail, String session, List<Integer> witness) {
        public StartupFailure {
            witness = List.copyOf(witness);
        }
    }
}
