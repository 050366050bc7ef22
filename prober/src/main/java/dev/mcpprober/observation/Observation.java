package dev.mcpprober.observation;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What happened, in the closed vocabulary of observations; says nothing of right and wrong.
 * {@code detail} may quote the server and is raw: whoever prints it escapes it.
 * {@code witness} holds event indexes of the subject's session, in order.
 */
public sealed interface Observation {
    Subject subject();

    /** The observed value, e.g. {@code protocol-error}, {@code silence}, {@code conforms}, {@code not-run}. */
    String observed();

    String detail();

    List<Integer> witness();

    /**
     * How the server reacted to something that was sent.
     *
     * @param code        error code where the reply carries an integer one, else null
     * @param flags       refinements that rules may look at, e.g. {@code error-text}, {@code coercible}, {@code id-null}
     * @param consequence for accepted bad arguments: {@code silent-execution}, {@code in-band-error}, {@code empty-result},
     *                    {@code undetermined}; else null
     */
    record Reaction(Subject subject, String observed, Long code, Set<String> flags, String consequence, String detail, List<Integer> witness)
            implements Observation {
        public Reaction {
            // Sorted, so that what is written is the same on every run.
            flags = Collections.unmodifiableSet(new TreeSet<>(flags));
            witness = List.copyOf(witness);
        }
    }

    /** What was seen without asking for it: {@code conforms}, {@code violates}, {@code present}, {@code absent} … */
    record Finding(Subject subject, String observed, Set<String> flags, String detail, List<Integer> witness) implements Observation {
        public Finding {
            // Sorted, so that what is written is the same on every run.
            flags = Collections.unmodifiableSet(new TreeSet<>(flags));
            witness = List.copyOf(witness);
        }
    }

    /** The question was not put, or could not be; {@code reason} is a short stable phrase. */
    record NotRun(Subject subject, String reason, String detail, List<Integer> witness) implements Observation {
        public NotRun {
            witness = List.copyOf(witness);
        }

        @Override
        public String observed() {
            return "not-run";
        }
    }
}
