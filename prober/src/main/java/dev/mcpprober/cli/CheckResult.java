package dev.mcpprober.cli;

import dev.mcpprober.observation.TargetObservations;
import dev.mcpprober.rules.Graded;
import java.util.List;
import java.util.Optional;

/**
 * All that {@code check} has to tell.
 *
 * @param target      what was checked
 * @param install     empty for a command on this host
 * @param observed    empty when the package did not come to be installed
 * @param ruleSets    labels of the rule sets that graded it
 * @param witnesses   the events that rows point to
 * @param transcripts files, when they were kept
 */
record CheckResult(TargetNames target, Optional<InstallSummary> install, Optional<TargetObservations> observed, List<String> ruleSets,
                   List<Graded> graded, Witnesses witnesses, List<String> transcripts) {
    /** @param purl null where there is none; {@code registry} is npm, pypi, local or command */
    record TargetNames(String purl, String registry, String name, String version) {}

    /**
     * @param outcome {@code installed} or another word of the closed set
     * @param sdk     family, version (or null) and evidence, when the package was installed
     */
    record InstallSummary(String outcome, String detail, String imageDigest, List<String> entryPoint, double seconds, Optional<Sdk> sdk) {}

    record Sdk(String family, String version, String evidence) {}

    /** What kept a session from coming about: an install outcome or a startup failure; empty when one did. */
    Optional<String> startupFailure() {
        if (install.isPresent() && !install.get().outcome().equals("installed")) {
            return Optional.of("install-" + install.get().outcome());
        }
        return observed.flatMap(TargetObservations::startup).map(TargetObservations.StartupFailure::kind);
    }

    long count(String word) {
        return graded.stream().filter(g -> g.verdict().word().equals(word)).count();
    }
}
