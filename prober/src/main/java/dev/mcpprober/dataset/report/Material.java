package dev.mcpprober.dataset.report;

import dev.mcpprober.run.TargetState;
import java.util.List;
import java.util.Optional;

/**
 * All that the first page is made from.
 *
 * @param ruleSet  whose verdicts are shown
 * @param coverage rows of table coverage
 * @param servers  one for each row of the frame
 * @param rules    the other rule sets against that one
 * @param against  an earlier run, where one is named
 */
record Material(Tables tables, String ruleSet, List<ShareRow> shares, List<Cells> coverage, List<ServerLine> servers, List<RulePair> rules, Optional<Against> against) {
    static final String ALL = "all";
    static final String NONE = "none";

    /**
     * A row of the list of servers.
     *
     * @param page of it, or empty where there is none
     */
    record ServerLine(String target, String page, String state, String reason, String revision, String family, String version, int fails, int warns) {}

    /** Shares of one figure, in the order of the table. {@code check} and {@code value} may be null for any. */
    List<ShareRow> shares(String figure, String check, String value, String by) {
        return shares.stream().filter(row -> row.figure().equals(figure) && row.by().equals(by) && (row.ruleSet().equals(NONE) || row.ruleSet().equals(ruleSet))
                && (check == null || row.check().equals(check)) && (value == null || row.value().equals(value))).toList();
    }

    /** Rows of the frame that ended in a state. */
    int count(TargetState state) {
        return coverage.stream().filter(row -> row.get("state").equals(state.id())).mapToInt(row -> row.count("count")).sum();
    }

    int frame() {
        return coverage.stream().mapToInt(row -> row.count("count")).sum();
    }
}
