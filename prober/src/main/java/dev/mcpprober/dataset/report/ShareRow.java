package dev.mcpprober.dataset.report;

/**
 * A row of table shares.
 *
 * @param low    bounds of its 95 % interval
 * @param method how that was made
 */
record ShareRow(String figure, String ruleSet, String check, String value, String by, String group, int k, int n, double share, double low, double high,
                String method, int publishers) {
    static ShareRow of(Cells row) {
        return new ShareRow(row.get("figure"), row.get("rule_set"), row.get("check"), row.get("value"), row.get("group_by"), row.get("group"), row.count("k"),
                row.count("n"), row.number("share"), row.number("ci_low"), row.number("ci_high"), row.get("ci_method"), row.count("n_clusters"));
    }
}
