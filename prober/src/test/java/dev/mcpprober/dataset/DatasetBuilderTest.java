package dev.mcpprober.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mcpprober.io.Digests;
import dev.mcpprober.model.Printable;
import dev.mcpprober.run.Coverage;
import dev.mcpprober.run.RunFolder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatasetBuilderTest {
    private static final String GOOD = "pkg:npm/%40scope/good@1.0.0";

    @TempDir Path temp;

    @Test
    void thePackageIsWhatItSaysOfItself() throws Exception {
        RunFixture fixture = RunFixture.make(temp, "run");
        DatasetBuilder.Result result = DatasetBuilder.build(fixture.folder, RunFixture.analysis());
        PackageChecker checker = PackageChecker.check(fixture.folder.dataset());
        assertEquals(List.of(), checker.problems);
        assertEquals(Set.of("runs", "targets", "attempts", "sessions", "versions", "observations", "verdicts", "flaky", "rules", "attribution", "failure-shapes", "declared-tools", "vocabulary", "coverage"), checker.tables.keySet());
        for (Path file : result.files()) {
            assertTrue(Files.isRegularFile(file), file.toString());
        }
        Set<String> names = new HashSet<>();
        try (var files = Files.list(fixture.folder.dataset())) {
            files.forEach(file -> names.add(file.getFileName().toString()));
        }
        assertEquals(15, names.size(), names.toString());
    }

    @Test
    void everyRowOfTheFrameIsThereInItsState() throws Exception {
        PackageChecker checker = build();
        Map<String, String> states = checker.tables.get("targets").stream().collect(Collectors.toMap(r -> r.get("target_id"),
                r -> r.get("state") + "/" + r.get("reason") + "/" + r.get("startup_failure"), (a, b) -> a, TreeMap::new));
        assertEquals("started//", states.get(GOOD));
        assertEquals("started//", states.get("pkg:pypi/modern@2.0"));
        assertEquals("start-failed/exit-nonzero/install-blocked-egress", states.get("pkg:npm/silent@1.0.0"));
        assertEquals("not-installed/not-found/install-not-found", states.get("pkg:npm/gone@9.9.9"));
        assertEquals("unmeasured/not-tried/", states.get("pkg:npm/never@1.0.0"));
        assertEquals("excluded/malformed/", states.get("line-7"));
        assertEquals("excluded/duplicate/", states.get("line-8"));
        assertTrue(states.entrySet().stream().anyMatch(e -> e.getKey().startsWith("pkg:npm/flaky@1.0.0#args-") && e.getValue().equals("unmeasured/channel-lost/")));
        assertEquals(8, states.size());
        int sum = checker.tables.get("coverage").stream().mapToInt(r -> Integer.parseInt(r.get("count"))).sum();
        assertEquals(8, sum);
        assertTrue(checker.tables.get("coverage").stream().allMatch(r -> r.get("frame").equals("8")));
    }

    @Test
    void hostileTextIsDefusedAndNumbersStayNumbers() throws Exception {
        PackageChecker checker = build();
        Map<String, String> unknown = checker.tables.get("observations").stream()
                .filter(r -> r.get("target_id").equals(GOOD) && r.get("check").equals("tools-call-unknown")).findFirst().orElseThrow();
        assertEquals("-32601", unknown.get("code"));
        assertEquals("late;no-code", unknown.get("flags"));
        assertEquals("'=HYPERLINK(\"x\")\\n\\u001b[2J\\u202eevil,\"quoted\"<img src=x onerror=y></td></pre>\\u0000", unknown.get("tool_text"));
        assertEquals("'-p", unknown.get("property_text"));
        Map<String, String> target = checker.tables.get("targets").stream().filter(r -> r.get("target_id").equals("pkg:pypi/modern@2.0")).findFirst().orElseThrow();
        assertEquals("other", target.get("revision"));
        assertEquals("'+1", target.get("server_version_text"));
        assertEquals("legacy;modern", target.get("eras"));
        assertTrue(target.get("entry_point_text").startsWith("[\"node\",\"="), target.get("entry_point_text"));
    }

    @Test
    void faultsAreAttemptsAndNothingElse() throws Exception {
        PackageChecker checker = build();
        List<Map<String, String>> good = checker.tables.get("attempts").stream().filter(r -> r.get("target_id").equals(GOOD)).toList();
        assertEquals(4, good.size());
        Map<String, String> faulted = good.stream().filter(r -> r.get("outcome").equals("faulted")).findFirst().orElseThrow();
        assertEquals("engine-error", faulted.get("fault"));
        assertEquals("false", faulted.get("counts"));
        assertEquals(3, good.stream().filter(r -> r.get("counts").equals("true")).count());
        assertEquals(2, checker.tables.get("sessions").stream().filter(r -> r.get("target_id").equals(GOOD)).count());
        assertFalse(checker.tables.get("verdicts").stream().anyMatch(r -> r.get("target_id").contains("flaky")));
        Map<String, String> version = checker.tables.get("versions").stream().filter(r -> r.get("target_id").equals(GOOD)).findFirst().orElseThrow();
        assertEquals("2025-11-25", version.get("offered"));
        assertEquals("result", version.get("met"));
        Map<String, String> session = checker.tables.get("sessions").get(0);
        assertEquals("9", session.get("duration_ms"));
        assertEquals("exited", session.get("ended"));
        assertEquals("0", session.get("status"));
    }

    @Test
    void theSameInputIsTheSameBytes() throws Exception {
        RunFixture first = RunFixture.make(temp, "first");
        RunFixture second = RunFixture.make(temp, "second");
        DatasetBuilder.build(first.folder, RunFixture.analysis());
        DatasetBuilder.build(second.folder, RunFixture.analysis());
        Map<String, String> hashes = hashes(first.folder.path());
        assertEquals(hashes, hashes(second.folder.path()));
        DatasetBuilder.build(first.folder, RunFixture.analysis());
        assertEquals(hashes, hashes(first.folder.path()));
        assertTrue(hashes.containsKey("verdicts/other@2.jsonl.gz") && hashes.containsKey("observations/fake@1.jsonl.gz"), hashes.keySet().toString());
    }

    @Test
    void valuesOfVariablesAreNowhere() throws Exception {
        RunFixture fixture = RunFixture.make(temp, "run");
        DatasetBuilder.build(fixture.folder, RunFixture.analysis());
        try (var files = Files.walk(fixture.folder.path())) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                byte[] bytes = file.toString().endsWith(".gz") ? new GZIPInputStream(Files.newInputStream(file)).readAllBytes() : Files.readAllBytes(file);
                assertFalse(new String(bytes, StandardCharsets.ISO_8859_1).contains("s3cret-value"), file.toString());
            }
        }
    }

    @Test
    void aMissingOrDamagedTranscriptIsNamed() throws Exception {
        RunFixture fixture = RunFixture.make(temp, "run");
        Path transcript = fixture.folder.transcript("ab12-1");
        byte[] whole = Files.readAllBytes(transcript);
        Files.write(transcript, new byte[] {1});
        String damaged = assertThrows(IOException.class, () -> DatasetBuilder.build(fixture.folder, RunFixture.analysis())).getMessage();
        assertTrue(damaged.contains(transcript + " is not what the ledger says"), damaged);
        Files.delete(transcript);
        String missing = assertThrows(IOException.class, () -> Regrade.run(fixture.folder, RunFixture.analysis())).getMessage();
        assertTrue(missing.contains(transcript + " is missing"), missing);
        Files.write(transcript, whole);
        DatasetBuilder.build(fixture.folder, RunFixture.analysis());
        assertThrows(IOException.class, () -> DatasetBuilder.build(new RunFolder(temp.resolve("nothing")), RunFixture.analysis()));
    }

    @Test
    void aDiskThatIsFullIsNamedAndLeavesTheOldDataSet() throws Exception {
        assumeTrue(Files.exists(Path.of("/dev/full")), "no /dev/full on this machine: the full disk cannot be played");
        RunFixture fixture = RunFixture.make(temp, "run");
        DatasetBuilder.build(fixture.folder, RunFixture.analysis());
        Map<String, String> before = hashes(fixture.folder.path());
        Files.createSymbolicLink(fixture.folder.dataset().resolve(".targets.csv.tmp"), Path.of("/dev/full"));
        String message = assertThrows(IOException.class, () -> DatasetBuilder.build(fixture.folder, RunFixture.analysis())).getMessage();
        assertTrue(message.contains("targets.csv: cannot be written: No space left on device"), message);
        assertEquals(before, hashes(fixture.folder.path()));
    }

    @Test
    void aFolderThatCannotBeWrittenIsNamed() throws Exception {
        RunFixture fixture = RunFixture.make(temp, "run");
        Files.writeString(fixture.folder.dataset(), "a file where the folder should be");
        String message = assertThrows(IOException.class, () -> DatasetBuilder.build(fixture.folder, RunFixture.analysis())).getMessage();
        assertTrue(message.contains(fixture.folder.dataset().toString()), message);
    }

    @Test
    void regradingWritesVerdictsThatPointAtObservations() throws Exception {
        RunFixture fixture = RunFixture.make(temp, "run");
        Regrade.Result result = Regrade.run(fixture.folder, RunFixture.analysis());
        assertEquals(3, result.targets());
        assertEquals(Map.of("pass", 6, "fail", 3, "divergent", 2, "not-run", 2), result.verdicts().get("spec@1"));
        List<String> lines = lines(fixture.folder.verdicts("spec@1"));
        assertEquals(3, lines.size());
        assertTrue(lines.get(0).startsWith("{\"target\":\"" + GOOD + "\",\"extractor\":\"fake@1\",\"verdicts\":[{\"observation\":\"o00001\",\"check\":\"server-initialize\",\"verdict\":\"pass\""),
                lines.get(0));
        assertTrue(lines(fixture.folder.observations("fake@1")).get(1).contains("\"startup\":{\"kind\":\"exit-nonzero\""));
        assertFalse(Files.exists(fixture.folder.dataset()));
    }

    @Test
    void theSummaryCountsServersNotSessions() throws Exception {
        RunFixture fixture = RunFixture.make(temp, "run");
        Summary summary = DatasetBuilder.build(fixture.folder, RunFixture.analysis()).summary();
        assertEquals(new Coverage(8, 2, 2, 1, 1, 2), summary.coverage());
        assertEquals("spec@1", summary.ruleSet());
        assertEquals(2, summary.families().size());
        Summary.Family ts = summary.families().stream().filter(f -> f.family().equals("official-ts")).findFirst().orElseThrow();
        assertEquals("2025-06-18", ts.revision());
        assertEquals(1, ts.servers());
        assertEquals(1, ts.faultless().k(), "the only fail is on an observation that is not primary");
        assertEquals(Map.of("pass", 3, "divergent", 1, "not-run", 1), ts.verdicts());
        assertEquals(List.of("official-py other", "official-ts 2025-06-18"), summary.families().stream().map(f -> f.family() + " " + f.revision()).toList());
        Summary.CheckLine unknown = summary.checks().stream().filter(c -> c.check().equals("tools-call-unknown")).findFirst().orElseThrow();
        assertEquals(2, unknown.graded());
        assertEquals(0, unknown.passed().k());
        String text = SummaryText.render(summary);
        assertTrue(text.contains("  unmeasured       2  channel-lost 1, not-tried 1\n"), text);
        assertTrue(text.contains("official-ts  2025-06-18        1      1/1  100.0"), text);
        assertFalse(text.chars().anyMatch(c -> c != '\n' && Character.isISOControl(c)), text);
        assertEquals(4, summary.troubledInAll(), "two unmeasured, one not installed, one not started; what was excluded is no trouble");
        String named = text.substring(text.indexOf("Servers to look at"));
        for (Summary.Troubled troubled : summary.troubled()) {
            assertTrue(named.contains(Printable.text(troubled.target(), 80)) && named.contains(troubled.what()), named);
        }
    }

    @Test
    void theSameRuleSetTwiceIsRefused() {
        Judge judge = RunFixture.analysis().judges().get(0);
        assertThrows(IllegalArgumentException.class, () -> new Analysis("fake@1", RunFixture::extraction, List.of(judge, judge)));
        assertThrows(IllegalArgumentException.class, () -> new Analysis("fake@1", RunFixture::extraction, List.of()));
    }

    private PackageChecker build() throws IOException {
        RunFixture fixture = RunFixture.make(temp, "run");
        DatasetBuilder.build(fixture.folder, RunFixture.analysis());
        PackageChecker checker = PackageChecker.check(fixture.folder.dataset());
        assertEquals(List.of(), checker.problems);
        return checker;
    }

    private static List<String> lines(Path file) throws IOException {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            return in.lines().toList();
        }
    }

    private static Map<String, String> hashes(Path folder) throws IOException {
        Map<String, String> hashes = new TreeMap<>();
        for (String part : List.of("dataset", "observations", "verdicts")) {
            try (var files = Files.walk(folder.resolve(part))) {
                for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                    hashes.put(folder.relativize(file).toString(), Digests.sha256(file));
                }
            }
        }
        return hashes;
    }
}
