package dev.mcpprober.cli.bundle;

import dev.mcpprober.cli.gate.FailOn;
import dev.mcpprober.cli.gate.FindingKey;
import dev.mcpprober.cli.report.CheckResult;
import dev.mcpprober.cli.report.FindingText;
import dev.mcpprober.observation.Check;
import dev.mcpprober.observation.Observation;
import dev.mcpprober.observation.TargetObservations;
import dev.mcpprober.rules.Graded;
import dev.mcpprober.rules.VerdictWord;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One finding to reproduce.
 *
 * @param key     what makes it the same finding
 * @param verdict {@code fail}, {@code warn} or {@code divergent}
 * @param title   one printable line
 * @param text    what the reports say of it, printable lines
 * @param witness event indexes in the session
 * @param lenient an answer of the same kind shows it too
 */
record Finding(FindingKey key, String verdict, String title, List<String> text, String session, List<Integer> witness, boolean lenient) {

    /** Everything of a check that leaves something to change, as reports have it: a failed start first, then fail, warn and divergent. */
    static List<Finding> of(CheckResult result) {
        List<Finding> out = new ArrayList<>();
        Optional<TargetObservations.StartupFailure> startup = result.observed().flatMap(TargetObservations::startup);
        startup.ifPresent(failure -> out.add(new Finding(FindingKey.startup(failure.kind()), "fail", "startup: " + failure.kind(), result.startupText(),
                failure.session(), failure.witness(), false)));
        for (Graded graded : result.graded().stream().sorted(Comparator.comparing(g -> VerdictWord.of(g.verdict()))).toList()) {
            Observation observation = graded.observation();
            // The handshake that failed is the start that failed.
            boolean opening = startup.filter(failure -> failure.session().equals(observation.subject().session())).isPresent()
                    && Set.of(Check.SERVER_INITIALIZE.id(), Check.DISCOVER.id()).contains(observation.subject().check());
            if (FailOn.isFinding(graded.verdict().word()) && !opening) {
                out.add(new Finding(FindingKey.of(graded), graded.verdict().word(), FindingText.title(graded), FindingText.body(graded, result.witnesses()),
                        observation.subject().session(), observation.witness(), observation instanceof Observation.Reaction));
            }
        }
        return out;
    }
}
