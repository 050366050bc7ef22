package dev.mcpprober.dataset.audit;

import dev.mcpprober.dataset.audit.AuditFolder.Drawn;
import dev.mcpprober.dataset.audit.Decision.Stratum;
import dev.mcpprober.stats.CorrectedShare;
import dev.mcpprober.stats.Proportion;
import dev.mcpprober.stats.WeightedShare;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * How often the program errs about each word of each rule. Every labelled decision stands for as many as its stratum has for each labelled
 * one; what nobody could tell, or labellers disagree on, is left out and counted.
 */
final class Rates {
    /** {@code partial}: of some word of the rule no decision is labelled, so that its rates say too little to correct by. */
    static final List<String> STATUSES = List.of("not-audited", "partial", "audited");

    private final Map<Stratum, Drawn> strata;
    private final Map<Stratum, List<String>> answers = new TreeMap<>(Population.ORDER);
    private final Map<Stratum, int[]> left = new TreeMap<>(Population.ORDER);

    /**
     * One word of one rule.
     *
     * @param right      of {@code labelled}, how many are what the program said
     * @param cannotTell decisions that people could not tell
     * @param open       decisions on which labellers disagree
     * @param npv        of decisions for another word, how many are another word
     * @param falsePositive of what is another word, how much is decided to be this
     * @param falseNegative of what is this word, how much is decided to be another
     * @param error      of all decisions of the rule, how many are another word than the program said
     */
    record Line(Stratum stratum, Drawn drawn, String status, int labelled, int right, int cannotTell, int open, WeightedShare npv, WeightedShare falsePositive,
                WeightedShare falseNegative, WeightedShare error) {
        WeightedShare raw() {
            return new WeightedShare((double) drawn.population() / drawn.of(), drawn.effective());
        }

        Proportion ppv() {
            return new Proportion(right, labelled);
        }

        /** Empty where the audit gives nothing to correct by. */
        Optional<CorrectedShare> corrected() {
            if (!status.equals("audited") || falsePositive.empty() || falseNegative.empty()) {
                return Optional.empty();
            }
            CorrectedShare share = new CorrectedShare(raw(), new WeightedShare(1 - falseNegative.share(), falseNegative.size()),
                    new WeightedShare(1 - falsePositive.share(), falsePositive.size()));
            return share.undefined() ? Optional.empty() : Optional.of(share);
        }
    }

    Rates(Map<Stratum, Drawn> strata, Map<String, AuditFolder.Keyed> key, Labels labels) {
        this.strata = strata;
        for (String decision : labels.given().keySet()) {
            Stratum stratum = key.get(decision).stratum();
            Optional<String> truth = labels.truth(decision);
            int[] counts = left.computeIfAbsent(stratum, all -> new int[2]);
            if (truth.isEmpty()) {
                counts[1]++;
            } else if (truth.get().equals(Question.CANNOT_TELL) && !stratum.kind().equals(Decision.FAILURE_SHAPE)) {
                // Of a failure that its words do not decide, cannot-tell is what is right.
                counts[0]++;
            } else {
                answers.computeIfAbsent(stratum, all -> new ArrayList<>()).add(truth.get());
            }
        }
    }

    /** One for each stratum, in their order. */
    List<Line> lines() {
        return strata.keySet().stream().map(this::line).toList();
    }

    private Line line(Stratum stratum) {
        List<Stratum> pool = strata.keySet().stream().filter(other -> Population.within(stratum, other) && strata.get(other).population() > 0).toList();
        long known = pool.stream().filter(answers::containsKey).count();
        WeightedShare.Sum npv = new WeightedShare.Sum();
        WeightedShare.Sum positive = new WeightedShare.Sum();
        WeightedShare.Sum negative = new WeightedShare.Sum();
        for (Stratum other : pool) {
            boolean decided = other.equals(stratum);
            List<String> ofOther = answers.getOrDefault(other, List.of());
            double weight = (double) strata.get(other).population() / Math.max(1, ofOther.size());
            for (String truth : ofOther) {
                boolean is = truth.equals(stratum.decided());
                if (!decided) {
                    npv.add(weight, !is);
                }
                if (is) {
                    negative.add(weight, !decided);
                } else {
                    positive.add(weight, decided);
                }
            }
        }
        List<String> own = answers.getOrDefault(stratum, List.of());
        int[] counts = left.getOrDefault(stratum, new int[2]);
        return new Line(stratum, strata.get(stratum), known == 0 ? "not-audited" : known < pool.size() ? "partial" : "audited", own.size(),
                (int) own.stream().filter(stratum.decided()::equals).count(), counts[0], counts[1], npv.share(), positive.share(), negative.share(), error(stratum));
    }

    private WeightedShare error(Stratum stratum) {
        WeightedShare.Sum sum = new WeightedShare.Sum();
        answers.forEach((other, words) -> {
            if (other.undecided().equals(stratum.undecided())) {
                words.forEach(word -> sum.add((double) strata.get(other).population() / words.size(), !word.equals(other.decided())));
            }
        });
        return sum.share();
    }
}
