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
 * @param audit    rows of table audit, of that rule set and of none; none where there is no such table
 * @param rules    the other rule sets against that one
 * @param against  an earlier run, where one is named
 */
record Material(Tables tables, String ruleSet, List<ShareRow> shares, List<Cells> coverage, List<Cells> audit, List<ServerLine> servers, List<RulePair> rules, Optional<Against> against) {
    static final String ALL = "all";
    static final String NONE = "none";
    static final String NOT_AUDITED = "not-audited";

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

    /** What an audit says of a verdict; empty where there was none. */
    Optional<Cells> audit(String check, String word) {
        return audit.stream().filter(row -> row.get("kind").equals("verdict") && row.get("rule_set").equals(ruleSet) && row.get("rule").equals(check)
                && row.get("decided").equals(word)).findFirst();
    }

    /** Rows of the frame that ended in a state. */
    int count(TargetState state) {
        return coverage.stream().filter(row -> row.get("state").equals(state.id())).mapToInt(row -> row.count("count")).sum();
    }

    int frame() {
        return coverage.stream().mapToInt(row -> row.count("count")).sum();
    }
}
