package dev.mcpprober.dataset;

import dev.mcpprober.observation.Extractor;
import dev.mcpprober.observation.TargetObservations;
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
 */
public record Analysis(String extractor, Supplier<Extraction> begin, List<Judge> judges) {
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

    /** By the extractor of this program. */
    public static Analysis by(List<RuleSet> ruleSets) {
        return new Analysis(Extractor.ID, OfProgram::new, ruleSets.stream().<Judge>map(RuleSetJudge::new).toList());
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
