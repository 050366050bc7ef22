package dev.mcpprober.bench.soak;

import dev.mcpprober.dataset.PackageChecker;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.LedgerReader;
import dev.mcpprober.run.RunFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a run folder says, as far as two runs of one frame must agree, and whether it agrees with itself.
 *
 * @param targets  by id: state, reason, install and start
 * @param verdicts by target, session, check and what it is about: what was observed, and the verdict of each rule set
 * @param faults   attempts that measured nothing, by kind of fault
 * @param attempts in the ledger
 * @param twice    what stands more than once that must stand once
 * @param problems other contradictions within the run
 */
public record Outcome(Map<String, String> targets, Map<String, String> verdicts, Map<String, Integer> faults, int attempts, List<String> twice, List<String> problems) {
    private static final List<String> OF_TARGET = List.of("state", "reason", "install_outcome", "install_caveat", "startup_failure", "eras", "revision",
            "server_name_text", "server_version_text", "tool_count", "sdk_family", "sdk_version", "entry_point_text");

    public static Outcome of(Path run) throws IOException {
        RunFolder folder = new RunFolder(run);
        PackageChecker dataset = PackageChecker.check(folder.dataset());
        List<String> twice = new ArrayList<>();
        List<String> problems = new ArrayList<>(dataset.problems);
        Map<String, String> targets = new TreeMap<>();
        for (Map<String, String> row : dataset.tables.get("targets")) {
            StringBuilder text = new StringBuilder();
            OF_TARGET.forEach(column -> text.append(column).append('=').append(row.get(column)).append("; "));
            once(targets.put(row.get("target_id"), text.toString()), "target " + row.get("target_id"), twice);
        }
        Map<String, Integer> faults = new TreeMap<>();
        int attempts = ledger(folder, dataset, faults, twice, problems);
        return new Outcome(targets, verdicts(dataset, twice), faults, attempts, twice, problems);
    }

    private static void once(Object before, String what, List<String> twice) {
        if (before != null) {
            twice.add(what);
        }
    }

    private static Map<String, String> verdicts(PackageChecker dataset, List<String> twice) {
        Map<String, StringBuilder> words = new HashMap<>();
        dataset.tables.get("verdicts").forEach(row -> words.computeIfAbsent(row.get("target_id") + " " + row.get("observation"), key -> new StringBuilder())
                .append(' ').append(row.get("rule_set")).append(' ').append(row.get("verdict")));
        Map<String, String> verdicts = new TreeMap<>();
        for (Map<String, String> row : dataset.tables.get("observations")) {
            String about = String.join(" | ", row.get("target_id"), row.get("session"), row.get("check"), row.get("tool_text"), row.get("property_text"), row.get("primary"));
            String met = String.join(" ", row.get("observed"), row.get("code"), row.get("revision"), String.valueOf(words.get(row.get("target_id") + " " + row.get("observation"))));
            once(verdicts.put(about, met), about, twice);
        }
        return verdicts;
    }

    /** Every attempt of the ledger is a row of the table, and everything that counts came about once. */
    private static int ledger(RunFolder folder, PackageChecker dataset, Map<String, Integer> faults, List<String> twice, List<String> problems) throws IOException {
        Set<String> started = new HashSet<>();
        Set<String> results = new HashSet<>();
        LedgerReader.read(folder.ledger(), event -> {
            if (event instanceof LedgerEvent.Started e) {
                once(started.add(e.target() + " " + e.attempt()) ? null : e, "attempt " + e.attempt(), twice);
            } else if (event instanceof LedgerEvent.Faulted e) {
                faults.merge(e.kind(), 1, Integer::sum);
            } else if (event instanceof LedgerEvent.Completed e) {
                once(results.add(e.target() + " " + e.key()) ? null : e, "session " + e.key() + " of " + e.target(), twice);
            } else if (event instanceof LedgerEvent.Finished e) {
                once(results.add(e.target() + " finished") ? null : e, "measuring of " + e.target(), twice);
            }
        });
        Set<String> rows = new HashSet<>();
        for (Map<String, String> row : dataset.tables.get("attempts")) {
            once(rows.add(row.get("target_id") + " " + row.get("attempt")) ? null : row, "row of attempt " + row.get("attempt"), twice);
        }
        if (!rows.equals(started)) {
            problems.add("the ledger has " + started.size() + " attempts, the table of attempts " + rows.size() + ", and they are not the same");
        }
        return started.size();
    }

    /** What {@code other} has not. */
    public static List<String> lost(Map<String, String> here, Map<String, String> other) {
        return here.keySet().stream().filter(key -> !other.containsKey(key)).toList();
    }

    /** What both have and tell differently. */
    public static List<String> different(Map<String, String> here, Map<String, String> other) {
        return here.entrySet().stream().filter(entry -> other.containsKey(entry.getKey()) && !other.get(entry.getKey()).equals(entry.getValue()))
                .map(entry -> entry.getKey() + "\n      undisturbed: " + entry.getValue() + "\n      disturbed:   " + other.get(entry.getKey())).toList();
    }
}
