package dev.mcpprober.rules;

import dev.mcpprober.model.Era;
import dev.mcpprober.model.ProtocolRevision;
import dev.mcpprober.observation.Check;
import dev.mcpprober.observation.Observation;
import dev.mcpprober.observation.TargetObservations;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Turns observations into verdicts. Each is graded by the revision in force when the server answered, never by the one that was
 * offered or the newest there is.
 */
public final class Grader {
    /** How the reason of a skipped step ends when the server offers nothing to probe. */
    private static final String NO_CAPABILITY = "capability not declared";
    /** The extractor's reason where a reply came that we would not read: the question was put and stays open. */
    private static final String OVER_LIMIT = "reply past a limit of ours";

    private static final Set<String> NEGOTIATION = Set.of(Check.INITIALIZE_VERSION_KNOWN.id(), Check.INITIALIZE_VERSION_UNKNOWN.id());

    private Grader() {}

    /** One verdict for each observation whose check the rule set has a rule for, in the order of the observations. */
    public static List<Graded> grade(RuleSet rules, TargetObservations target) {
        return target.observations().stream()
                .filter(observation -> rules.knows(observation.subject().check()))
                .map(observation -> grade(rules, target.eras(), observation))
                .toList();
    }

    private static Graded grade(RuleSet rules, Set<Era> eras, Observation observation) {
        Era era = observation.subject().era();
        // The probe for the era is put to every server: what it showed is graded whether or not there is such an era.
        if (!eras.isEmpty() && !eras.contains(era) && !observation.subject().check().equals(Check.ERA_DETECT.id())) {
            return unruled(rules, observation, VerdictWord.NOT_APPLICABLE.with("The server does not speak the " + era.id() + " era, and need not."));
        }
        String agreed = observation.subject().revision();
        Optional<ProtocolRevision> revision = ProtocolRevision.of(agreed).filter(known -> known.era() == era);
        // What the handshake may settle on is said before any revision is in force, and all of them say the same.
        if (agreed.isEmpty() || revision.isEmpty() && NEGOTIATION.contains(observation.subject().check())) {
            return beforeAgreement(rules, observation);
        }
        if (revision.isEmpty()) {
            return unruled(rules, observation, observation instanceof Observation.NotRun notRun ? notRun(notRun)
                    : VerdictWord.INCONCLUSIVE.with("The session agreed on a revision that no rule is written for, and no other revision's rules bind it."));
        }
        return rules.rule(observation.subject().check(), revision.get())
                .map(rule -> graded(rules, rule, revision.get(), observation))
                .orElseGet(() -> unruled(rules, observation, VerdictWord.NOT_APPLICABLE.with("Revision " + agreed + " puts no such demand.")));
    }

    /** Before a revision is agreed on, only that can be held against a server on which all revisions of the era are at one. */
    private static Graded beforeAgreement(RuleSet rules, Observation observation) {
        List<ProtocolRevision> possible = Arrays.stream(ProtocolRevision.values()).filter(r -> r.era() == observation.subject().era()).toList();
        List<Graded> verdicts = possible.stream()
                .flatMap(revision -> rules.rule(observation.subject().check(), revision).map(rule -> graded(rules, rule, revision, observation)).stream())
                .toList();
        if (verdicts.isEmpty()) {
            return unruled(rules, observation, VerdictWord.NOT_APPLICABLE.with("No revision of this era puts such a demand."));
        }
        Graded newest = verdicts.get(verdicts.size() - 1);
        boolean unanimous = verdicts.size() == possible.size()
                && verdicts.stream().allMatch(graded -> graded.verdict().word().equals(newest.verdict().word()));
        return unanimous ? newest : unruled(rules, observation, observation instanceof Observation.NotRun notRun ? notRun(notRun)
                : VerdictWord.INCONCLUSIVE.with("No revision was agreed on, and the revisions of this era differ on the point."));
    }

    private static Graded graded(RuleSet rules, Rule rule, ProtocolRevision revision, Observation observation) {
        Verdict verdict;
        String fix = "";
        if (observation instanceof Observation.NotRun notRun) {
            verdict = notRun(notRun);
        } else {
            Optional<Outcome> outcome = rule.decide(observation);
            verdict = outcome.map(found -> found.verdict().with(found.note()))
                    .orElseGet(() -> VerdictWord.INCONCLUSIVE.with("The rule set does not know this observation; it was written for another extractor."));
            fix = outcome.filter(found -> found.verdict().wantsFix()).map(found -> found.fix().isEmpty() ? rule.fix() : found.fix()).orElse("");
        }
        return new Graded(observation, rules.label(), verdict, rule.level().id(), rule.requirement(), rule.citations().get(revision), fix);
    }

    private static Verdict notRun(Observation.NotRun observation) {
        if (observation.reason().equals(OVER_LIMIT)) {
            return VerdictWord.INCONCLUSIVE.with("A reply came that is past a limit of the prober, so that it was not read.");
        }
        return observation.reason().endsWith(NO_CAPABILITY)
                ? VerdictWord.NOT_APPLICABLE.with("The server does not declare the capability.")
                : VerdictWord.NOT_RUN.with("Not put: " + observation.reason() + ".");
    }

    private static Graded unruled(RuleSet rules, Observation observation, Verdict verdict) {
        return new Graded(observation, rules.label(), verdict, Level.NONE.id(), "", "", "");
    }
}
