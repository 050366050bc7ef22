package dev.mcpprober.dataset.release;

import dev.mcpprober.model.SdkFamily;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Table shares: each share is its quotient within its interval, and the parts of a whole sum up to it. */
final class ShareCheck {
    private static final double NEAR = 1e-8;

    private final Path folder;
    private final Descriptor table;
    private final Descriptor targets;
    private final Problems problems;

    ShareCheck(Path folder, Descriptor table, Descriptor targets, Problems problems) {
        this.folder = folder;
        this.table = table;
        this.targets = targets;
        this.problems = problems;
    }

    void run(Map<String, String> states) throws IOException {
        long measured = states.values().stream().filter(state -> !state.equals("excluded") && !state.equals("unmeasured")).count();
        Map<String, Integer> counts = new HashMap<>();
        states.values().forEach(state -> counts.merge(state, 1, Integer::sum));
        Map<Long, Integer> started = started();
        Map<Long, Integer> sums = new HashMap<>();
        Map<Long, Integer> decided = new HashMap<>();
        TableCheck.each(folder, table, row -> {
            quotient(row);
            int servers = started.getOrDefault(row.key("group_by", "group"), 0);
            if (Set.of("no-fail", "decided").contains(row.get("figure")) && row.count("n") != servers) {
                problems.add(table.path(), row.number(), "n is " + row.get("n") + ", table targets has " + servers + " servers in this group that started");
            }
            long group = row.key("rule_set", "check", "group_by", "group");
            if (row.get("figure").equals("verdict")) {
                sums.merge(group, Math.max(0, row.count("k")), Integer::sum);
            } else if (row.get("figure").equals("decided")) {
                decided.put(group, row.count("k"));
            } else if (row.get("figure").equals("state") && row.get("group_by").equals("all")
                    && (row.count("n") != measured || row.count("k") != counts.getOrDefault(row.get("value"), 0))) {
                problems.add(table.path(), row.number(), row.get("k") + " of " + row.get("n") + " are " + row.get("value") + ", table targets has "
                        + counts.getOrDefault(row.get("value"), 0) + " of " + measured);
            }
        });
        TableCheck.each(folder, table, row -> {
            if (row.get("figure").equals("verdict")) {
                long group = row.key("rule_set", "check", "group_by", "group");
                if (sums.get(group) != row.count("n") || decided.getOrDefault(group, -1) != row.count("n")) {
                    problems.add(table.path(), row.number(), "n is " + row.get("n") + ", the verdicts of this group sum up to " + sums.get(group) + " and "
                            + decided.getOrDefault(group, 0) + " servers are decided");
                }
            }
        });
    }

    /** Group to servers that started, by what table targets tells of them: what it does not tell of a withheld server is in no group either. */
    private Map<Long, Integer> started() throws IOException {
        Map<Long, Integer> out = new HashMap<>();
        TableCheck.each(folder, targets, row -> {
            if (!row.get("state").equals("started")) {
                return;
            }
            boolean named = !row.get("disclosure").equals("withheld");
            String family = row.get("sdk_family").isEmpty() && named ? SdkFamily.UNKNOWN.id() : row.get("sdk_family");
            String revision = row.get("revision").isEmpty() && named ? "none" : row.get("revision");
            Map<String, String> groups = new HashMap<>(Map.of("all", "all", "registry", row.get("registry"), "sdk_family", family, "revision", revision));
            if (!family.isEmpty() && !revision.isEmpty()) {
                groups.put("sdk_family_revision", family + " " + revision);
            }
            if (named) {
                groups.put("sdk_version", family + " " + (row.get("sdk_version").isEmpty() ? "unknown" : row.get("sdk_version")));
            }
            groups.forEach((by, group) -> out.merge(Keys.of(by, group), 1, Integer::sum));
        });
        return out;
    }

    private void quotient(TableRow row) {
        int k = row.count("k");
        int n = row.count("n");
        int clusters = row.count("n_clusters");
        double share = safe(row, "share");
        boolean right = 0 <= k && k <= n && n > 0 && 0 < clusters && clusters <= n && Math.abs(share - (double) k / n) < NEAR
                && safe(row, "ci_low") <= share + NEAR && share <= safe(row, "ci_high") + NEAR
                && Math.abs(safe(row, "n_eff") * safe(row, "deff") - n) < NEAR * Math.max(1, n * (double) n)
                && 0 <= row.count("one_k") && row.count("one_k") <= clusters && Math.abs(safe(row, "one_share") - (double) row.count("one_k") / clusters) < NEAR;
        if (!right) {
            problems.add(table.path(), row.number(), "k, n, share, interval, publishers and effective size do not agree");
        }
    }

    private static double safe(TableRow row, String column) {
        try {
            return row.number(column);
        } catch (NumberFormatException e) {
            // The check of the table has said so; nothing agrees with what is no number.
            return Double.NaN;
        }
    }
}
