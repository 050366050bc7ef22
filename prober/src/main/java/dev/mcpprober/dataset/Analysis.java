package dev.mcpprober.dataset;

import dev.mcpprober.observation.Extractor;
import dev.mcpprober.observation.TargetObservations;
import dev.mcpprober.redaction.CredentialRules;
import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.rules.RuleSet;
import dev.mcpprober.transcript.Transcript;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What turns transcripts into observations and verdicts. Pure, so the same run gives the same bytes.
 *
 * @param extractor label of the extractor, {@code id@version}
 * @param begin     begins with a target; its transcripts follow in the order of its plan, each of which may then be forgotten
 * @param judges    rule sets, at least one and none twice; the first one is that of the summary
 * @param redactor  takes secrets out of all that is read, once more: rules and names of this machine may be others than when it was written
 */
public record Analysis(String extractor, Supplier<Extraction> begin, List<Judge> judges, Redactor redactor) {
    public Analysis {
        judges = List.copyOf(judges);
        if (judges.isEmpty()) {
            throw new IllegalArgumentException("at least one rule set is needed");
        }
        Set<String> labels = new HashSet<>();
        for (Judge judge : judges) {
            if (!labels.add(judge.label())) {
                throw new IllegalArgumentException("rule set " + judge.label() + " is named twice");
            }
        }
    }

    public Analysis(String extractor, Supplier<Extraction> begin, List<Judge> judges) {
        this(extractor, begin, judges, Redactor.NONE);
    }

    /** By the extractor and the credential rules of this program. */
    public static Analysis by(List<RuleSet> ruleSets) {
        return by(ruleSets, Redactor.of(CredentialRules.bundled()));
    }

    public static Analysis by(List<RuleSet> ruleSets, Redactor redactor) {
        return new Analysis(Extractor.ID, OfProgram::new, ruleSets.stream().<Judge>map(RuleSetJudge::new).toList(), redactor);
    }

    /** The extraction from one target's transcripts. */
    public interface Extraction {
        void add(Transcript transcript);

        TargetObservations finish();
    }

    private static final class OfProgram implements Extraction {
        private final Extractor extractor = new Extractor();

        @Override
        public void add(Transcript transcript) {
            extractor.add(transcript);
        }

        @Override
        public TargetObservations finish() {
            return extractor.finish();
        }
    }
}
