package dev.mcpprober.dataset;

import dev.mcpprober.run.Coverage;
import dev.mcpprober.stats.Interval;
import dev.mcpprober.stats.Proportion;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a reader sees first of a census. Every share carries its denominator and a 95 % Wilson interval, which takes servers as
 * independent of each other.
 *
 * <p>Each server counts once for a check: by its primary observations of the era that stands for it, by all of that era where none is
 * primary, and by the gravest verdict where there are several.
 *
 * @param ruleSet  whose verdicts are counted
 * @param reasons  state to reason to number of rows, for the states that have reasons
 * @param families by SDK family and negotiated revision; servers that started, largest group first
 * @param checks   by check
 * @param troubled servers with a check that fails, that did not start, were not installed or not measured, in the order of the frame; the
 *                 first {@link #MAX_NAMED} of them
 * @param troubledInAll how many there are
 * @param repeated what repeats showed
 */
public record Summary(String ruleSet, Coverage coverage, Map<String, Map<String, Integer>> reasons, List<Family> families, List<CheckLine> checks,
                      List<Troubled> troubled, int troubledInAll, Repeated repeated) {
    static final int MAX_NAMED = 25;

    public Summary {
        troubled = List.copyOf(troubled);
        families = List.copyOf(families);
        checks = List.copyOf(checks);
    }

    /**
     * @param target as the frame writes it, raw
     * @param what   its state and the reason, or the checks that fail
     */
    public record Troubled(String target, String what) {}

    /**
     * What going through the plan again showed; no other figure counts it.
     *
     * @param servers whose sessions were repeated
     * @param times   how often the plan was gone through, at most
     * @param flaky   servers with a verdict that another repeat does not share
     * @param starts  servers that did not start, or fail to, in the same way each time
     * @param checks  check to servers with such a verdict on it
     */
    public record Repeated(int servers, int times, int flaky, int starts, Map<String, Integer> checks) {
        public Repeated {
            checks = new TreeMap<>(checks);
        }
    }

    /**
     * @param family    SDK family
     * @param revision  negotiated revision, {@code other} or {@code none}
     * @param servers   that started
     * @param faultless servers without a check that fails, of {@code servers}
     * @param verdicts  word to how many checks, summed over the servers
     */
    public record Family(String family, String revision, int servers, Proportion faultless, Map<String, Integer> verdicts) {
        public Interval interval() {
            return faultless.wilson();
        }
    }

    /**
     * @param graded   servers with a verdict that says something: pass, fail, warn or divergent
     * @param passed   of {@code graded}
     * @param verdicts word to how many servers
     */
    public record CheckLine(String check, int graded, Proportion passed, Map<String, Integer> verdicts) {
        public Interval interval() {
            return passed.wilson();
        }
    }
}
