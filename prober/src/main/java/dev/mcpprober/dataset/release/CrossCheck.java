package dev.mcpprober.dataset.release;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.dataset.ReleaseTables;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/** What must hold between the tables of a release: counts that add up, cells that repeat each other, and a witness for every verdict. */
final class CrossCheck {
    private static final List<String> TABLES = List.of("runs", "targets", "attempts", "sessions", "observations", "verdicts", "flaky", "rules", "attribution",
            "failure-shapes", "declared-tools", "vocabulary", "declared-shares", "labels", "audit", "coverage", "witnesses", "codes", "servers", "shares");

    static final String STANDING = "0";

    private final Path folder;
    private final Map<String, Descriptor> tables;
    private final JsonNode root;
    private final JsonNode facts;
    private final Problems problems;
    /** Servers that stand under a pseudonym, and show no witness. */
    private final Set<String> withheld = new HashSet<>();

    CrossCheck(Path folder, Map<String, Descriptor> tables, JsonNode root, Problems problems) {
        this.folder = folder;
        this.tables = tables;
        this.root = root;
        this.facts = root.path("x-provenance");
        this.problems = problems;
    }

    void run() throws IOException {
        boolean whole = true;
        for (String table : TABLES) {
            if (!tables.containsKey(table)) {
                problems.add("datapackage.json", 0, "table " + table + " is not described");
                whole = false;
            }
        }
        if (!whole) {
            return;
        }
        runs();
        new CardCheck(folder, root, tables, problems).run();
        withheld.addAll(new WithheldCheck(folder, tables, problems).run());
        Map<String, String> states = coverage();
        sessions(states);
        LongTable judged = verdicts(states);
        new RepeatCheck(folder, tables, problems).run();
        ShareCheck shares = new ShareCheck(folder, tables, facts.path("rule_sets").asText().split(" ")[0], problems);
        shares.run(states);
        view(states, judged);
        new DeclaredCheck(folder, tables, !withheld.isEmpty(), problems).run();
        new AuditCheck(folder, tables, problems).run();
        new TranscriptCheck(folder, tables, problems).run();
        if (withheld.isEmpty() && problems.none()) {
            shares.recount();
        }
    }

    private void each(String table, Consumer<TableRow> rows) throws IOException {
        TableCheck.each(folder, tables.get(table), rows);
    }

    private void bad(TableRow row, String what) {
        problems.add(row.table().path(), row.number(), what);
    }

    /** The run is the one of the description and of every target; whether its targets are all there, table coverage says. */
    private void runs() throws IOException {
        Map<String, String> described = Map.of("prober", "prober", "extractor", "extractor", "frame_sha256", "frame_sha256", "frame_rows", "frame_rows",
                "profile", "profile", "seed", "seed", "created_at", "run_created_at");
        Set<String> ids = new HashSet<>();
        each("runs", row -> {
            ids.add(row.get("run_id"));
            described.forEach((column, fact) -> {
                if (!row.get(column).equals(facts.path(fact).asText())) {
                    bad(row, column + " is " + row.get(column) + ", datapackage.json says " + facts.path(fact).asText());
                }
            });
            if (!row.get("rule_sets").replace(';', ' ').equals(facts.path("rule_sets").asText())) {
                bad(row, "rule_sets is " + row.get("rule_sets") + ", datapackage.json says " + facts.path("rule_sets").asText());
            }
            if (!row.get("rule_sets_sha256").isEmpty() && row.get("rule_sets_sha256").split(";").length != row.get("rule_sets").split(";").length) {
                bad(row, "rule_sets_sha256 has not one digest for each rule set");
            }
        });
        each("targets", row -> ids.remove(row.get("run_id")));
        for (String id : ids) {
            problems.add(tables.get("runs").path(), 0, "no target is of run " + id);
        }
    }

    /** @return target to its state */
    private Map<String, String> coverage() throws IOException {
        Map<String, String> states = new HashMap<>();
        Map<List<String>, Integer> counted = new TreeMap<>((a, b) -> (a + "").compareTo(b + ""));
        each("targets", row -> {
            String state = row.get("state");
            states.put(row.get("target_id"), state);
            String reason = row.get("reason");
            counted.merge(List.of(state, reason.isEmpty() ? "none" : reason), 1, Integer::sum);
            boolean failed = state.equals("not-installed") || state.equals("start-failed");
            if (state.equals("started") != reason.isEmpty()) {
                bad(row, "state " + state + (reason.isEmpty() ? " without a reason" : " with reason " + reason));
            }
            if (failed == row.get("startup_failure").isEmpty()) {
                bad(row, "state " + state + (failed ? " without a startup failure" : " with startup failure " + row.get("startup_failure")));
            }
        });
        int[] sum = new int[1];
        each("coverage", row -> {
            Integer is = counted.remove(List.of(row.get("state"), row.get("reason")));
            sum[0] += Math.max(0, row.count("count"));
            if (is == null || is != row.count("count")) {
                bad(row, "says " + row.get("count") + ", table targets has " + (is == null ? 0 : is));
            }
            if (row.count("frame") != states.size()) {
                bad(row, "says the frame has " + row.get("frame") + " rows, table targets has " + states.size());
            }
            boolean measured = !row.get("state").equals("excluded") && !row.get("state").equals("unmeasured");
            if (!row.get("measured").equals(Boolean.toString(measured))) {
                bad(row, "measured is " + row.get("measured") + " for state " + row.get("state"));
            }
        });
        counted.forEach((key, count) -> problems.add(tables.get("coverage").path(), 0, "no row for " + key + ", table targets has " + count));
        if (sum[0] != states.size()) {
            problems.add(tables.get("coverage").path(), 0, "the counts sum up to " + sum[0] + ", the frame has " + states.size() + " rows");
        }
        if (!facts.path("frame_rows").asText().equals(Integer.toString(states.size()))) {
            problems.add("datapackage.json", 0, "x-provenance says the frame has " + facts.path("frame_rows").asText() + " rows, table targets has " + states.size());
        }
        return states;
    }

    private void sessions(Map<String, String> states) throws IOException {
        Map<Long, String> counting = new HashMap<>();
        each("attempts", row -> {
            if (row.get("kind").equals("session") && row.get("counts").equals("true")) {
                counting.put(row.key("target_id", "attempt"), row.get("sha256"));
            }
            if (row.get("counts").equals("true") && !row.get("outcome").equals("completed")) {
                bad(row, "counts, and its outcome is " + row.get("outcome"));
            }
        });
        Set<String> probed = new HashSet<>();
        each("sessions", row -> {
            probed.add(row.get("target_id"));
            String sha256 = counting.remove(row.key("target_id", "attempt"));
            if (sha256 == null) {
                bad(row, "its attempt is none that counts, or has two sessions");
            } else if (!sha256.equals(row.get("transcript_sha256"))) {
                bad(row, "transcript_sha256 is not that of attempt " + row.get("attempt"));
            }
            if (!probed(states.get(row.get("target_id")))) {
                bad(row, "a session of a target in state " + states.get(row.get("target_id")));
            }
        });
        each("attempts", row -> {
            if (counting.containsKey(row.key("target_id", "attempt"))) {
                bad(row, "counts, and is no row of table sessions");
            }
        });
        Map<String, String> families = new HashMap<>();
        each("attribution", row -> families.put(row.get("target_id"), row.get("family") + " " + row.get("version")));
        each("targets", row -> {
            if (probed(row.get("state")) && !probed.contains(row.get("target_id"))) {
                bad(row, "state " + row.get("state") + ", and table sessions has none of it");
            }
            String family = families.getOrDefault(row.get("target_id"), " ");
            if (!family.equals(row.get("sdk_family") + " " + row.get("sdk_version"))) {
                bad(row, "SDK \"" + row.get("sdk_family") + " " + row.get("sdk_version") + "\", table attribution has \"" + family + "\"");
            }
        });
    }

    private static boolean probed(String state) {
        return "started".equals(state) || "start-failed".equals(state);
    }

    /** @return target, rule set, check and verdict of every row of table verdicts that belongs to repeat 0 */
    private LongTable verdicts(Map<String, String> states) throws IOException {
        LongTable witnesses = new LongTable();
        each("witnesses", row -> witnesses.add(row.key("target_id", "session", "event")));
        LongTable named = new LongTable();
        LongTable observed = new LongTable();
        LongTable shown = new LongTable();
        each("observations", row -> {
            long key = row.key("target_id", "observation");
            observed.put(key, row.key("check", "revision", "primary", "repeat"));
            if (!probed(states.get(row.get("target_id")))) {
                bad(row, "an observation of a target in state " + states.get(row.get("target_id")));
            }
            if (!row.get("witness").isEmpty()) {
                shown.add(key);
                witnesses(row, witnesses, named);
            }
        });
        each("failure-shapes", row -> witnesses(row, witnesses, named));
        each("witnesses", row -> {
            if (!named.contains(row.key("target_id", "session", "event"))) {
                bad(row, "no observation or failure names this event");
            }
        });
        LongTable rules = new LongTable();
        Set<String> ruleSets = new HashSet<>(List.of(facts.path("rule_sets").asText().split(" ")));
        each("rules", row -> rules.add(row.key("rule_set", "check")));
        LongTable judged = new LongTable();
        LongTable words = new LongTable();
        each("verdicts", row -> {
            long observation = row.key("target_id", "observation");
            judged.add(row.key("target_id", "observation", "rule_set"));
            if (row.get("repeat").equals(STANDING)) {
                words.add(row.key("target_id", "rule_set", "check", "verdict"));
            }
            long is = observed.get(observation);
            if (is != 0 && is != row.key("check", "revision", "primary", "repeat")) {
                bad(row, "check, revision, primary or repeat is not that of observation " + row.get("observation"));
            }
            if (!rules.contains(row.key("rule_set", "check"))) {
                bad(row, "rule set " + row.get("rule_set") + " has no rule for " + row.get("check"));
            }
            boolean breach = List.of("fail", "warn", "divergent").contains(row.get("verdict"));
            if (breach && !shown.contains(observation) && !withheld.contains(row.get("target_id"))) {
                bad(row, "verdict " + row.get("verdict") + ", and its observation names no witness");
            }
        });
        List<String> sets = new ArrayList<>(ruleSets);
        each("observations", row -> {
            for (String ruleSet : sets) {
                if (rules.contains(Keys.of(ruleSet, row.get("check"))) && !judged.contains(Keys.of(row.get("target_id"), row.get("observation"), ruleSet))) {
                    bad(row, "rule set " + ruleSet + " has a rule for " + row.get("check") + ", and table verdicts has no verdict");
                }
            }
        });
        return words;
    }

    private void witnesses(TableRow row, LongTable there, LongTable named) {
        for (String event : row.get("witness").split(";", -1)) {
            long witness = Keys.of(row.get("target_id"), row.get("session"), event);
            named.add(witness);
            if (!there.contains(witness)) {
                bad(row, "its witness, event " + event + " of session " + row.get("session") + ", is not in table witnesses");
            }
        }
    }

    /** The convenience view repeats table targets, and its verdicts are some of those of its target. */
    private void view(Map<String, String> states, LongTable judged) throws IOException {
        List<String> repeated = ReleaseTables.TRAITS.subList(1, ReleaseTables.TRAITS.size());
        Map<String, List<String>> targets = new HashMap<>();
        each("targets", row -> targets.put(row.get("target_id"), List.of(row.get("registry"),
                row.get("version").isEmpty() ? row.get("requested_version") : row.get("version"), row.get("state"), row.get("startup_failure"),
                row.get("sdk_family"), row.get("sdk_version"), row.get("revision"))));
        String first = facts.path("rule_sets").asText().split(" ")[0];
        Descriptor servers = tables.get("servers");
        List<String> checks = servers.fields().stream().map(Descriptor.Field::name).filter(name -> !repeated.contains(name) && !name.equals("target_id")).toList();
        Set<String> seen = new HashSet<>();
        each("servers", row -> {
            seen.add(row.get("target_id"));
            if (!repeated.stream().map(row::get).toList().equals(targets.get(row.get("target_id")))) {
                bad(row, "is not what table targets says of it");
            }
            for (String check : checks) {
                if (!row.get(check).isEmpty() && !judged.contains(Keys.of(row.get("target_id"), first, check, row.get(check)))) {
                    bad(row, check + " is " + row.get(check) + ", and table verdicts has no such verdict of " + first + " in repeat 0");
                }
            }
        });
        for (String target : states.keySet()) {
            if (!seen.contains(target)) {
                problems.add(servers.path(), 0, "no row for " + target);
            }
        }
    }
}
