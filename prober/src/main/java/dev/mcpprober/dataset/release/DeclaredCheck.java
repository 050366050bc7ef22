package dev.mcpprober.dataset.release;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** What servers declare: tables declared-tools, vocabulary and declared-shares against each other and against table targets. */
final class DeclaredCheck {
    private static final double NEAR = 1e-8;
    private static final int MAX_TOOLS = 5_000;

    private final Path folder;
    private final Map<String, Descriptor> tables;
    private final boolean partial;
    private final Problems problems;

    /** @param partial the tables do not show all servers that the shares count */
    DeclaredCheck(Path folder, Map<String, Descriptor> tables, boolean partial, Problems problems) {
        this.partial = partial;
        this.folder = folder;
        this.tables = tables;
        this.problems = problems;
    }

    void run() throws IOException {
        Map<Long, int[]> hits = new HashMap<>();
        each("vocabulary", row -> hits.computeIfAbsent(row.key("target_id", "tool"), key -> new int[2])[row.get("mark").isEmpty() ? 0 : 1]++);
        Map<String, Integer> listed = new HashMap<>();
        int[] all = new int[1];
        each("declared-tools", row -> {
            all[0]++;
            listed.merge(row.get("target_id"), 1, Integer::sum);
            int[] own = hits.getOrDefault(row.key("target_id", "tool"), new int[2]);
            if (own[0] != row.count("third_state") || own[1] != row.count("third_state_marked")) {
                bad(row, "third_state " + row.get("third_state") + " and third_state_marked " + row.get("third_state_marked") + ", table vocabulary has " + own[0] + " and " + own[1]);
            }
            String effect = effect(row.get("read_only_hint"), row.get("destructive_hint"));
            if (!effect.equals(row.get("effect"))) {
                bad(row, "effect is " + row.get("effect") + ", its hints make it " + effect);
            }
            if (row.get("verb").equals("none") != row.get("verb_word").isEmpty()) {
                bad(row, "verb " + row.get("verb") + " with verb_word \"" + row.get("verb_word") + "\"");
            }
        });
        each("targets", row -> {
            int tools = listed.getOrDefault(row.get("target_id"), 0);
            // None where an answer could be read by the extractor only, which also knows answers without their id.
            if (tools > 0 && Math.min(MAX_TOOLS, Math.max(0, row.count("tool_count"))) != tools) {
                bad(row, "tool_count is " + row.get("tool_count") + ", table declared-tools has " + tools);
            }
        });
        shares(all[0], listed.size());
    }

    private void shares(int tools, int servers) throws IOException {
        Set<String> whole = new HashSet<>(Set.of("annotations", "effect", "verb", "read-only-hint", "name-form"));
        Map<String, Integer> sums = new HashMap<>();
        Descriptor table = tables.get("declared-shares");
        each("declared-shares", row -> {
            int k = row.count("k");
            int n = row.count("n");
            int clusters = row.count("n_clusters");
            double share = number(row, "share");
            boolean right = 0 <= k && k <= n && n > 0 && 0 < clusters && clusters <= n && Math.abs(share - (double) k / n) < NEAR
                    && number(row, "ci_low") <= share + NEAR && share <= number(row, "ci_high") + NEAR
                    && Math.abs(number(row, "n_eff") * number(row, "deff") - n) < NEAR * Math.max(1, n * (double) n);
            if (!right) {
                bad(row, "k, n, share, interval, publishers and effective size do not agree");
            }
            if (row.get("group_by").equals("all")) {
                boolean ofServers = row.get("unit").equals("servers");
                if ((ofServers || whole.contains(row.get("figure"))) && (partial ? n < (ofServers ? servers : tools) : n != (ofServers ? servers : tools))) {
                    bad(row, "n is " + n + ", table declared-tools has " + tools + " tools of " + servers + " servers");
                }
                sums.merge(row.get("figure"), Math.max(0, k), Integer::sum);
            }
        });
        for (String figure : whole) {
            int sum = sums.getOrDefault(figure, 0);
            if (partial ? sum < tools : sum != tools) {
                problems.add(table.path(), 0, "figure " + figure + " sums up to " + sums.getOrDefault(figure, 0) + ", table declared-tools has " + tools + " rows");
            }
        }
    }

    private static String effect(String readOnly, String destructive) {
        if (readOnly.equals("true")) {
            return destructive.equals("true") ? "contradictory" : "read";
        } else if (destructive.equals("true")) {
            return "destructive";
        }
        return readOnly.equals("false") || destructive.equals("false") ? "write" : "undeclared";
    }

    private static double number(TableRow row, String column) {
        try {
            return row.number(column);
        } catch (NumberFormatException e) {
            // The check of the table has said so; nothing agrees with what is no number.
            return Double.NaN;
        }
    }

    private void each(String table, Consumer<TableRow> rows) throws IOException {
        TableCheck.each(folder, tables.get(table), rows);
    }

    private void bad(TableRow row, String what) {
        problems.add(row.table().path(), row.number(), what);
    }
}
