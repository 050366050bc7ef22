package dev.mcpprober.cli;

import dev.mcpprober.dataset.PackageChecker;
import dev.mcpprober.model.Printable;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.TranscriptReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** {@code corpus/fixtures/expected.csv}, or a table like it, compared with the data set of a run, row by row. */
final class ExpectedResults {
    private static final Pattern OBSERVED = Pattern.compile("([a-z-]+)(?:\\((-?\\d+)\\))?");
    private static final String ABSENT_TOO = "not-applicable";

    private final Path run;
    private final Map<String, List<Map<String, String>>> tables;
    private final Map<String, String> verdicts = new HashMap<>();
    private final List<String> differences = new ArrayList<>();

    private ExpectedResults(Path run, Map<String, List<Map<String, String>>> tables) {
        this.run = run;
        this.tables = tables;
        tables.get("verdicts").stream().filter(row -> row.get("rule_set").startsWith("spec@"))
                .forEach(row -> verdicts.put(row.get("target_id") + " " + row.get("observation"), row.get("verdict")));
    }

    /** One text for each row that is not met, with what the transcript shows instead; empty when all is as expected. */
    static List<String> differences(Path expected, Path run, PackageChecker dataset) throws IOException {
        ExpectedResults results = new ExpectedResults(run, dataset.tables);
        try (CSVParser parser = CSVParser.parse(expected, StandardCharsets.UTF_8, CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).get())) {
            for (CSVRecord row : parser) {
                results.compare(row);
            }
        }
        return results.differences;
    }

    private void compare(CSVRecord row) throws IOException {
        List<Map<String, String>> targets = tables.get("targets").stream()
                .filter(t -> t.get("label").equals("./fixtures/" + row.get("fixture")) && (!row.isMapped("args") || t.get("args").equals(row.get("args")))).toList();
        if (targets.size() != 1) {
            differences.add(name(row) + ": " + targets.size() + " targets");
            return;
        }
        Map<String, String> target = targets.get(0);
        same(row, "install_outcome", target.get("install_outcome"));
        same(row, "startup_failure", target.get("startup_failure"));
        if (!row.get("sdk_family").isEmpty()) {
            same(row, "sdk_family", target.get("sdk_family"));
        }
        if (!row.get("check").isEmpty()) {
            check(row, target.get("target_id"));
        }
    }

    private void same(CSVRecord row, String column, String seen) {
        if (!row.get(column).equals(seen)) {
            differences.add(name(row) + ": " + column + " is \"" + seen + "\", expected \"" + row.get(column) + "\"");
        }
    }

    private void check(CSVRecord row, String target) throws IOException {
        List<Map<String, String>> all = tables.get("observations").stream().filter(o -> o.get("target_id").equals(target)
                && o.get("check").equals(row.get("check")) && (row.get("era").isEmpty() || o.get("era").equals(row.get("era")))).toList();
        List<Map<String, String>> primary = all.stream().filter(o -> o.get("primary").equals("true")).toList();
        List<Map<String, String>> standing = primary.isEmpty() ? all : primary;
        if (standing.isEmpty() && !row.get("verdict").equals(ABSENT_TOO)) {
            differences.add(named(row) + ": nothing was observed");
        }
        for (Map<String, String> observation : standing) {
            if (!met(row, observation)) {
                differences.add(named(row) + ": " + observation.get("observed") + "(" + observation.get("code") + ") " + verdict(observation) + " in revision "
                        + observation.get("revision") + ", expected " + row.get("observed") + " " + row.get("verdict") + " in " + row.get("negotiated")
                        + "; session " + observation.get("session") + ": " + observation.get("detail_text") + witness(observation));
            }
        }
    }

    private boolean met(CSVRecord row, Map<String, String> observation) {
        Matcher observed = OBSERVED.matcher(row.get("observed"));
        boolean as = !observed.matches() ? row.get("observed").isEmpty()
                : observed.group(1).equals(observation.get("observed")) && (observed.group(2) == null || observed.group(2).equals(observation.get("code")));
        // Before a session has come about no revision is in force.
        boolean in = row.get("negotiated").isEmpty() || row.get("negotiated").equals(observation.get("revision"));
        return as && in && (row.get("verdict").isEmpty() || row.get("verdict").equals(verdict(observation)));
    }

    private String verdict(Map<String, String> observation) {
        return verdicts.get(observation.get("target_id") + " " + observation.get("observation"));
    }

    private static String name(CSVRecord row) {
        return row.get("fixture") + (row.isMapped("args") ? " " + row.get("args") : "");
    }

    private static String named(CSVRecord row) {
        return name(row) + " " + row.get("era") + " " + row.get("check");
    }

    private String witness(Map<String, String> observation) throws IOException {
        List<Map<String, String>> sessions = tables.get("sessions").stream().filter(s -> s.get("target_id").equals(observation.get("target_id"))
                && s.get("session").equals(observation.get("session"))).toList();
        if (sessions.isEmpty() || observation.get("witness").isEmpty()) {
            return "; no witness";
        }
        List<Event> events = TranscriptReader.read(run.resolve(sessions.get(0).get("transcript"))).events();
        return Stream.of(observation.get("witness").split(";")).map(Integer::parseInt)
                .map(index -> "\n    " + index + " " + shown(events.get(index))).collect(Collectors.joining());
    }

    private static String shown(Event event) {
        if (event instanceof Event.Sent sent) {
            return "sent " + Printable.text(new String(sent.bytes(), StandardCharsets.UTF_8), 1000);
        } else if (event instanceof Event.Received received) {
            return "received " + Printable.text(new String(received.bytes(), StandardCharsets.UTF_8), 1000);
        } else if (event instanceof Event.Stderr stderr) {
            return "stderr " + Printable.text(new String(stderr.bytes(), StandardCharsets.UTF_8), 1000);
        }
        return Printable.text(event.toString(), 1000);
    }
}
