package dev.mcpprober.cli.report;

import dev.mcpprober.dataset.Flaky;
import dev.mcpprober.observation.TargetObservations;
import dev.mcpprober.rules.Graded;
import dev.mcpprober.rules.RuleSet;
import java.util.List;
import java.util.Optional;

/**
 * All that {@code check} has to tell.
 *
 * @param target      what was checked
 * @param install     empty for a command on this host
 * @param observed    empty when the package did not come to be installed
 * @param ruleSets    the rule sets that graded it
 * @param graded      verdicts of the first time through the sessions, which stand
 * @param repeats     what further times showed
 * @param witnesses   the events that rows point to
 * @param transcripts files, when they were kept
 */
public record CheckResult(TargetNames target, Optional<InstallSummary> install, Optional<TargetObservations> observed, List<RuleSet> ruleSets,
                   List<Graded> graded, Repeats repeats, Witnesses witnesses, List<String> transcripts) {
    /**
     * @param purl   null where there is none; {@code registry} is npm, pypi, local or command
     * @param source the file of a repository that stands for the server, relative to its root: where findings are shown
     */
    public record TargetNames(String purl, String registry, String name, String version, String source) {}

    /**
     * @param outcome {@code installed} or another word of the closed set
     * @param seconds that it took, by an earlier run where {@code reused}
     * @param sdk     family, version (or null) and evidence, when the package was installed
     */
    public record InstallSummary(String outcome, String detail, String imageDigest, List<String> entryPoint, double seconds, boolean reused,
                                 Optional<Sdk> sdk) {}

    /**
     * @param starts how the server started each time: {@code started} or a startup failure
     * @param flaky  verdicts that another time does not share
     */
    public record Repeats(List<String> starts, List<Flaky> flaky) {
        public static final Repeats NONE = new Repeats(List.of(), List.of());

        public Repeats {
            starts = List.copyOf(starts);
            flaky = List.copyOf(flaky);
        }

        /** How often the sessions were gone through. */
        int times() {
            return starts.size();
        }

        boolean startAlike() {
            return starts.stream().distinct().count() <= 1;
        }
    }

    public record Sdk(String family, String version, String evidence) {}

    /** What kept a session from coming about: an install outcome or a startup failure; empty when one did. */
    public Optional<String> startupFailure() {
        if (install.isPresent() && !install.get().outcome().equals("installed")) {
            return Optional.of("install-" + install.get().outcome());
        }
        return observed.flatMap(TargetObservations::startup).map(TargetObservations.StartupFailure::kind);
    }

    /** Why there was no session and what to do, with the frames that show it, in printable lines; empty when there was one. */
    public List<String> startupText() {
        if (install.isPresent() && !install.get().outcome().equals("installed")) {
            return List.of(FindingText.line("observed", install.get().outcome() + (install.get().detail().isEmpty() ? "" : ": " + Quote.text(install.get().detail()))),
                    FindingText.line("change", StartupAdvice.of("install-" + install.get().outcome(), install.get().detail())));
        }
        return observed.flatMap(TargetObservations::startup).map(failure -> FindingText.startup(failure, witnesses)).orElse(List.of());
    }

    static String tools(int count) {
        return count + (count == 1 ? " tool" : " tools");
    }

    /** How the target is named in reports, raw. */
    public String label() {
        return target.purl() != null ? target.purl() : target.name();
    }

    /** {@code id@version} of each rule set. */
    public List<String> ruleLabels() {
        return ruleSets.stream().map(RuleSet::label).toList();
    }

    /** The same, with the files in which the transcripts are kept. */
    public CheckResult keeping(List<String> files) {
        return new CheckResult(target, install, observed, ruleSets, graded, repeats, witnesses, files);
    }

    public long count(String word) {
        return graded.stream().filter(g -> g.verdict().word().equals(word)).count();
    }
}
