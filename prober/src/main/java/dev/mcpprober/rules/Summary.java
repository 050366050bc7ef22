package dev.mcpprober.rules;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Verdicts counted. */
public final class Summary {
    private Summary() {}

    /** How often each verdict was given; every word has an entry, in the order of {@link VerdictWord}. */
    public static Map<VerdictWord, Integer> count(List<Graded> graded) {
        Map<VerdictWord, Integer> counts = new EnumMap<>(VerdictWord.class);
        for (VerdictWord word : VerdictWord.values()) {
            counts.put(word, 0);
        }
        graded.forEach(row -> counts.merge(VerdictWord.of(row.verdict()), 1, Integer::sum));
        return Collections.unmodifiableMap(counts);
    }
}
