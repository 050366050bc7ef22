package dev.mcpprober.dataset;

import dev.mcpprober.model.Era;
import dev.mcpprober.observation.Consequence;
import dev.mcpprober.observation.Observation;
import dev.mcpprober.observation.Subject;
import dev.mcpprober.observation.TargetObservations;
import dev.mcpprober.rules.Graded;
import dev.mcpprober.rules.VerdictWord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The verdict that stands for a server on one check: that of its primary observations in the era that stands for it (legacy where it
 * has one), of all of that era where none is primary; of several the gravest, of equally grave ones the first.
 *
 * @param note        why it follows
 * @param revision    in force when it was observed; {@code other}, or empty before one was agreed on
 * @param observation name within its target
 * @param session     that shows it; may be one that did not take place
 * @param transcript  of that session, within the run folder, or empty
 * @param tool        raw text of the server, cut, or empty
 * @param seen        observed value, with error code and consequence where there are any
 * @param witness     event indexes
 */
public record Stand(VerdictWord word, String note, String revision, String observation, String session, String transcript, String tool, String seen, List<Integer> witness) {
    /** From gravest to lightest. */
    private static final List<VerdictWord> GRAVITY = List.of(VerdictWord.FAIL, VerdictWord.WARN, VerdictWord.DIVERGENT, VerdictWord.PASS,
            VerdictWord.INCONCLUSIVE, VerdictWord.NOT_RUN, VerdictWord.NOT_APPLICABLE);

    /**
     * True for a fail that counts against a server in a figure on whole servers. What it does in sessions that were made to agree on
     * another revision says nothing of the revision that its row of the figure names.
     *
     * @param standing revision of the session that stands for the server
     */
    public boolean failsUnder(String standing) {
        return word == VerdictWord.FAIL && (revision.isEmpty() || revision.equals(standing));
    }

    /** The observed value alone. */
    public String observed() {
        int end = seen.startsWith("not-run:") ? "not-run".length() : seen.indexOf(' ');
        return end < 0 ? seen : seen.substring(0, end);
    }

    /** What came of bad arguments that were accepted; empty where they were not, or the check is about something else. */
    public String consequence() {
        String last = seen.substring(seen.lastIndexOf(' ') + 1);
        return word != VerdictWord.NOT_RUN && Consequence.ALL.contains(last) ? last : "";
    }

    /** Of several verdicts on one thing the gravest word, of equally grave ones the first. */
    public static boolean graver(VerdictWord one, VerdictWord than) {
        return GRAVITY.indexOf(one) < GRAVITY.indexOf(than);
    }

    /** By check. */
    static Map<String, Stand> of(Derived derived, String ruleSet) {
        Map<String, Stand> stands = new TreeMap<>();
        if (derived.observed() == null) {
            return stands;
        }
        Map<Observation, String> names = derived.names();
        Map<String, String> transcripts = new HashMap<>();
        derived.sessions().forEach(session -> transcripts.put(session.header().session(), session.path()));
        gravest(derived, ruleSet).forEach((check, graded) -> stands.put(check, of(graded, names.get(graded.observation()), transcripts)));
        return stands;
    }

    private static Stand of(Graded graded, String name, Map<String, String> transcripts) {
        Observation observation = graded.observation();
        Subject subject = observation.subject();
        String tool = subject.tool() == null ? "" : subject.tool();
        return new Stand(VerdictWord.of(graded.verdict()), graded.verdict().note(), Tables.revision(subject.revision()), name, subject.session(),
                transcripts.getOrDefault(subject.session(), ""), tool.substring(0, Math.min(tool.length(), Cells.TEXT_LIMIT)), seen(observation),
                observation.witness());
    }

    private static String seen(Observation observation) {
        if (observation instanceof Observation.NotRun notRun) {
            return "not-run: " + notRun.reason();
        }
        if (observation instanceof Observation.Reaction reaction) {
            return reaction.observed() + (reaction.code() == null ? "" : " " + reaction.code())
                    + (reaction.consequence() == null ? "" : " " + reaction.consequence());
        }
        return observation.observed();
    }

    /** Check to the verdict that stands. */
    static Map<String, Graded> gravest(Derived derived, String ruleSet) {
        return gravest(derived.observed(), derived.verdicts().getOrDefault(ruleSet, List.of()));
    }

    private static Map<String, Graded> gravest(TargetObservations observed, List<Graded> verdicts) {
        Era era = observed.eras().contains(Era.LEGACY) ? Era.LEGACY : Era.MODERN;
        return standing(verdicts.stream().filter(graded -> graded.observation().subject().era() == era).toList());
    }

    /** Rule set to check to the verdict that would stand by this repeat alone. */
    static Map<String, Map<String, VerdictWord>> words(Repeat repeat, Set<String> ruleSets) {
        Map<String, Map<String, VerdictWord>> words = new TreeMap<>();
        for (String ruleSet : ruleSets) {
            Map<String, VerdictWord> byCheck = words.computeIfAbsent(ruleSet, key -> new TreeMap<>());
            gravest(repeat.observed(), repeat.graded().stream().filter(graded -> graded.ruleSet().equals(ruleSet)).toList())
                    .forEach((check, graded) -> byCheck.put(check, VerdictWord.of(graded.verdict())));
        }
        return words;
    }

    /** Of verdicts under one rule set, by check the one that stands: the gravest of the primary ones, of all where none is primary. */
    public static Map<String, Graded> standing(List<Graded> verdicts) {
        Set<String> withPrimary = verdicts.stream().map(graded -> graded.observation().subject()).filter(Subject::primary)
                .map(Subject::check).collect(Collectors.toSet());
        Map<String, Graded> standing = new HashMap<>();
        for (Graded graded : verdicts) {
            Subject subject = graded.observation().subject();
            if (subject.primary() || !withPrimary.contains(subject.check())) {
                standing.merge(subject.check(), graded, Stand::graver);
            }
        }
        return standing;
    }

    private static Graded graver(Graded a, Graded b) {
        return graver(VerdictWord.of(b.verdict()), VerdictWord.of(a.verdict())) ? b : a;
    }
}
