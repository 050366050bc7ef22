package dev.mcpprober.dataset;

import dev.mcpprober.model.ProtocolRevision;
import dev.mcpprober.observation.TargetObservations;
import dev.mcpprober.rules.Graded;
import java.util.List;

/** A rule set as the data set needs it. */
public interface Judge {
    /** {@code id@version}. */
    String label();

    /** Verdicts in the order of the observations; at most one for each, none where the set has nothing to say. */
    List<Graded> grade(TargetObservations target);

    /** Every rule, once for each revision that it applies to. */
    List<RuleText> rules();

    /** One row of table rules. */
    record RuleText(String check, ProtocolRevision revision, String level, String requirement, String citation, String comment) {}
}
