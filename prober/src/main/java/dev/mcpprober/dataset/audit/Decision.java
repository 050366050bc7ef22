package dev.mcpprober.dataset.audit;

import dev.mcpprober.io.Digests;
import java.util.List;

/**
 * One thing that the program decided, with what a person needs to decide it anew.
 *
 * @param stratum    what was decided about what
 * @param id         of run, kind, rule and subject, never of what was decided: the same after grading anew
 * @param target     whose it is
 * @param publisher  of the target
 * @param revision   in force; empty for none
 * @param session    that shows it; empty where it is about none
 * @param transcript of that session within the run folder; empty where there is none
 * @param tool       raw, or empty
 * @param property   raw, or empty
 * @param row        name of the row that has it: of an observation or of a failure; empty for others
 * @param witness    events
 * @param demand     what the text asks for, for verdicts; else empty
 * @param evidence   lines to be read where no session shows it, raw
 */
public record Decision(Stratum stratum, String id, String target, String publisher, String revision, String session, String transcript, String tool, String property,
                       String row, List<Integer> witness, List<String> demand, List<String> evidence) {
    public static final String VERDICT = "verdict";
    public static final String CONSEQUENCE = "consequence";
    public static final String STARTUP_FAILURE = "startup-failure";
    public static final String SDK_FAMILY = "sdk-family";
    public static final String FAILURE_SHAPE = "failure-shape";
    public static final List<String> KINDS = List.of(VERDICT, CONSEQUENCE, STARTUP_FAILURE, SDK_FAMILY, FAILURE_SHAPE);
    public static final String NONE = "none";
    private static final int ID_LENGTH = 16;

    public Decision {
        witness = List.copyOf(witness);
        demand = List.copyOf(demand);
        evidence = List.copyOf(evidence);
    }

    /**
     * @param kind    one of {@link #KINDS}
     * @param ruleSet for verdicts; else {@code none}
     * @param rule    check, or the kind where nothing divides it
     * @param decided the program's word
     */
    public record Stratum(String kind, String ruleSet, String rule, String decided) {
        /** The same whatever was decided. */
        public Stratum undecided() {
            return new Stratum(kind, ruleSet, rule, "");
        }

        public List<String> key() {
            return List.of(kind, ruleSet, rule, decided);
        }
    }

    /** @param parts subject and, where it comes several times, its number */
    public static String id(String run, Stratum stratum, List<String> parts) {
        // Another version of a rule set decides the same thing.
        return Digests.sha256(String.join("\n", run, stratum.kind(), stratum.ruleSet().replaceFirst("@\\d+$", ""), stratum.rule(), String.join("\n", parts))).substring(0, ID_LENGTH);
    }
}
