package dev.mcpprober.dataset.release;

import dev.mcpprober.dataset.CsvTable;
import dev.mcpprober.dataset.ReleaseTables;
import dev.mcpprober.dataset.report.Recount;
import dev.mcpprober.model.SdkFamily;
import dev.mcpprober.stats.Interval;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.stream.IntStream;

/** Table shares: each share is its quotient within its interval, and the parts of a whole sum up to it. */
final class ShareCheck {
    private static final double NEAR = 1e-8;

    private final Path folder;
    private final Descriptor table;
    private final Descriptor targets;
    private final Map<String, Descriptor> tables;
    private final String first;
    private final Problems problems;

    /** @param first rule set of the view */
    ShareCheck(Path folder, Map<String, Descriptor> tables, String first, Problems problems) {
        this.folder = folder;
        this.table = tables.get("shares");
        this.targets = tables.get("targets");
        this.tables = tables;
        this.first = first;
        this.problems = problems;
    }

    void run(Map<String, String> states) throws IOException {
        long measured = states.values().stream().filter(state -> !state.equals("excluded") && !state.equals("unmeasured")).count();
        Map<String, Integer> counts = new HashMap<>();
        states.values().forEach(state -> counts.merge(state, 1, Integer::sum));
        Map<Long, Integer> started = started();
        Map<Long, Integer> words = words();
        Map<Long, Integer> seen = seen(states);
        Map<Long, Integer> sums = new HashMap<>();
        Map<Long, Integer> decided = new HashMap<>();
        TableCheck.each(folder, table, row -> {
            quotient(row);
            int servers = started.getOrDefault(row.key("group_by", "group"), 0);
            if (Set.of("no-fail", "decided").contains(row.get("figure")) && row.count("n") != servers) {
                problems.add(table.path(), row.number(), "n is " + row.get("n") + ", table targets has " + servers + " servers in this group that started");
            }
            long group = row.key("rule_set", "check", "group_by", "group");
            boolean all = row.get("group_by").equals("all");
            int word = words.getOrDefault(row.key("check", "value"), 0);
            if (all && row.get("figure").equals("verdict") && row.get("rule_set").equals(first) && row.count("k") != word) {
                problems.add(table.path(), row.number(), "k is " + row.get("k") + ", table servers has " + word + " servers that started with this verdict");
            }
            int most = seen.getOrDefault(row.key("check", "value"), 0);
            if (all && row.get("figure").equals("observed") && row.count("k") > most) {
                problems.add(table.path(), row.number(), "k is " + row.get("k") + ", table observations has this of " + most + " servers that started");
            }
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

    /** Every cell of this table and every verdict of the view as the long tables make them; for tables in which nothing else is wrong. */
    void recount() throws IOException {
        Recount made;
        try {
            made = Recount.of(folder);
        } catch (IOException | IllegalArgumentException | NoSuchElementException e) {
            problems.add(table.path(), 0, "cannot be counted from the long tables: " + e.getMessage());
            return;
        }
        List<String> columns = table.fields().stream().map(Descriptor.Field::name).toList();
        int key = table.primaryKey().size();
        TableCheck.each(folder, table, row -> {
            List<String> is = row.line().cells();
            List<String> expected = made.shares().remove(is.subList(0, key));
            if (expected == null) {
                problems.add(table.path(), row.number(), "the long tables make no such share");
            } else if (!expected.equals(is)) {
                int at = IntStream.range(0, is.size()).filter(i -> !is.get(i).equals(expected.get(i))).findFirst().orElseThrow();
                problems.add(table.path(), row.number(), columns.get(at) + " is " + is.get(at) + ", the long tables make it " + expected.get(at));
            }
        });
        made.shares().keySet().stream().min(CsvTable.KEY_ORDER).ifPresent(missing -> problems.add(table.path(), 0, made.shares().size() + " shares are missing, the first one " + missing));
        Descriptor view = tables.get("servers");
        TableCheck.each(folder, view, row -> checks(view).forEach(check -> {
            String stands = made.standing().getOrDefault(row.get("target_id"), Map.of()).getOrDefault(check, "");
            if (!stands.equals(row.get(check))) {
                problems.add(view.path(), row.number(), check + " is \"" + row.get(check) + "\", the verdict that stands by the long tables is \"" + stands + "\"");
            }
        }));
    }

    private static List<String> checks(Descriptor view) {
        return view.fields().stream().map(Descriptor.Field::name).filter(name -> !ReleaseTables.TRAITS.contains(name)).toList();
    }

    /** Check and word to servers that started, by the view. */
    private Map<Long, Integer> words() throws IOException {
        Map<Long, Integer> out = new HashMap<>();
        Descriptor view = tables.get("servers");
        TableCheck.each(folder, view, row -> checks(view).stream().filter(check -> row.get("state").equals("started"))
                .forEach(check -> out.merge(Keys.of(check, row.get(check)), 1, Integer::sum)));
        return out;
    }

    /** Check and observed value to servers that started, each once. */
    private Map<Long, Integer> seen(Map<String, String> states) throws IOException {
        Map<Long, Integer> out = new HashMap<>();
        LongTable once = new LongTable();
        TableCheck.each(folder, tables.get("observations"), row -> {
            if (row.get("repeat").equals(CrossCheck.STANDING) && "started".equals(states.get(row.get("target_id"))) && once.add(row.key("target_id", "check", "observed"))) {
                out.merge(row.key("check", "observed"), 1, Integer::sum);
            }
        });
        return out;
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
        Interval wilson = Interval.wilson(share, safe(row, "n_eff"));
        boolean right = 0 <= k && k <= n && n > 0 && 0 < clusters && clusters <= n && Math.abs(share - (double) k / n) < NEAR
                && Math.abs(safe(row, "ci_low") - wilson.low()) < NEAR && Math.abs(safe(row, "ci_high") - wilson.high()) < NEAR
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
