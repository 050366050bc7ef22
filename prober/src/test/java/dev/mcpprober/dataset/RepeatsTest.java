package dev.mcpprober.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.census.CensusOutcome;
import dev.mcpprober.census.CensusRunner;
import dev.mcpprober.census.DiskGuard;
import dev.mcpprober.census.OpenRun;
import dev.mcpprober.census.ProbingSessions;
import dev.mcpprober.census.Progress;
import dev.mcpprober.corpus.Frame;
import dev.mcpprober.corpus.FrameReader;
import dev.mcpprober.dataset.release.Release;
import dev.mcpprober.dataset.release.Verification;
import dev.mcpprober.dataset.report.Report;
import dev.mcpprober.dataset.shares.Agreement;
import dev.mcpprober.dataset.shares.ShareLine;
import dev.mcpprober.dataset.shares.Shares;
import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.rules.RuleSet;
import dev.mcpprober.rules.RuleSetParser;
import dev.mcpprober.run.Coverage;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.RunInfo;
import dev.mcpprober.sandbox.SandboxPolicy;
import dev.mcpprober.session.Profile;
import dev.mcpprober.session.SessionLimits;
import dev.mcpprober.session.SessionRunner;
import dev.mcpprober.session.ToolBudget;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sessions gone through three times, with the real driver, extractor and rules: what differs is marked, and nothing counts it twice. */
@Timeout(180)
class RepeatsTest {
    private static final String FRAME = "target\nnpm:good\nnpm:bad\nnpm:moody\nnpm:sleepy\nnpm:silent\nnpm:gone\n";
    private static final String MOODY = "pkg:npm/moody";

    @TempDir static Path temp;
    private static RunFolder thrice;
    private static RunFolder once;
    private static Path sound;

    @BeforeAll
    static void measure() throws Exception {
        thrice = census("thrice", 3);
        once = census("once", 1);
        sound = temp.resolve("sound");
        Release.build(thrice, Analysis.by(List.of(spec())), sound, new Release.Options(Map.of(), false, "A. Nother", null, ""));
    }

    private static RunFolder census(String name, int times) throws Exception {
        Frame frame = FrameReader.read(Files.writeString(temp.resolve(name + ".csv"), FRAME));
        RunFolder folder = new RunFolder(temp.resolve(name));
        RunInfo info = new RunInfo(1, "2026-11-30T12:00:00Z", "0.1.0", name, frame.hash(), frame.rows().size(), 1, Profile.QUICK.id(),
                times == 1 ? Map.of() : Map.of(RunInfo.REPEATS, Integer.toString(times)), Map.of(), Map.of());
        MemoryServers servers = new MemoryServers();
        try (OpenRun run = OpenRun.open(folder.path(), info, frame, Clock.systemUTC());
                ProbingSessions sessions = new ProbingSessions(new SessionRunner(servers, SessionLimits.DEFAULT, "0.1.0", Redactor.NONE), Profile.QUICK, ToolBudget.DEFAULT, SandboxPolicy.probe(), times)) {
            CensusOutcome outcome = new CensusRunner(run, servers, sessions, DiskGuard.none(), CensusRunner.Options.defaults(), Progress.SILENT)
                    .run(frame.eligible());
            // What stands is the first time: the one that sleeps in later had started.
            assertEquals(new CensusOutcome.Done(new Coverage(6, 0, 0, 1, 1, 4)), outcome);
        }
        return folder;
    }

    private static RuleSet spec() throws Exception {
        try (InputStream in = RuleSet.class.getResourceAsStream("/rules/spec.yaml")) {
            return RuleSetParser.parse("spec.yaml", new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void aVerdictThatDiffersIsFlakyWithBothWitnesses() throws Exception {
        Summary summary = DatasetBuilder.build(thrice, Analysis.by(List.of(spec()))).summary();
        PackageChecker checker = PackageChecker.check(thrice.dataset());
        assertEquals(List.of(), checker.problems);
        List<Map<String, String>> flaky = checker.tables.get("flaky").stream().filter(row -> row.get("target_id").equals(MOODY)).toList();
        assertEquals(List.of("tools-call-unknown", "tools-call-no-name"), flaky.stream().map(f -> f.get("check")).toList());
        Map<String, String> row = new HashMap<>(flaky.get(0));
        assertEquals("tools-call-unknown pass legacy 1 fail legacy~1 3 1", String.join(" ", row.get("check"), row.get("verdict"), row.get("session"),
                row.get("other_repeat"), row.get("other_verdict"), row.get("other_session"), row.get("compared"), row.get("differing")));
        assertFalse(row.get("witness").isEmpty() || row.get("other_witness").isEmpty());
        Map<String, String> other = checker.tables.get("observations").stream()
                .filter(o -> o.get("target_id").equals(MOODY) && o.get("observation").equals(row.get("other_observation"))).findFirst().orElseThrow();
        assertEquals("1 " + row.get("observation"), other.get("repeat") + " " + other.get("repeat_of"));
        assertEquals(9, checker.tables.get("sessions").stream().filter(s -> List.of("pkg:npm/good", "pkg:npm/bad", MOODY).contains(s.get("target_id"))).count());
        assertTrue(checker.tables.get("flaky").stream().noneMatch(f -> List.of("pkg:npm/good", "pkg:npm/bad", "pkg:npm/silent").contains(f.get("target_id"))));
        // sleepy gave no session later: how it answers initialize is flaky, and what could not be asked then is not.
        assertEquals(List.of("server-initialize"), checker.tables.get("flaky").stream().filter(f -> f.get("target_id").equals("pkg:npm/sleepy")).map(f -> f.get("check")).toList());
        assertEquals(new Summary.Repeated(5, 3, 2, 1, summary.repeated().checks()), summary.repeated());
        assertTrue(SummaryText.render(summary).contains("Repeats: the sessions of 5 servers 3 times. Flaky, with a verdict that another repeat does not share: 2 ("),
                SummaryText.render(summary));
    }

    @Test
    void noFigureCountsARepeat() throws Exception {
        Analysis analysis = Analysis.by(List.of(spec()));
        Summary without = DatasetBuilder.build(once, analysis).summary();
        Summary with = DatasetBuilder.build(thrice, analysis).summary();
        assertEquals(without.families(), with.families());
        assertEquals(without.checks(), with.checks());
        assertEquals(without.coverage(), with.coverage());
        assertEquals(0, without.repeated().servers());
        assertFalse(SummaryText.render(without).contains("Repeats"));
        List<ShareLine> shares = Shares.of(once, analysis);
        assertEquals(shares, Shares.of(thrice, analysis));
    }

    /** Pages are made of tables, which hold every repeat. */
    @Test
    void noFigureOfAReportCountsARepeat() throws Exception {
        Path one = Report.ofRun(once, Analysis.by(List.of(spec())), null, temp.resolve("report-once")).resolveSibling("figures");
        Path three = Report.ofRun(thrice, Analysis.by(List.of(spec())), null, temp.resolve("report-thrice")).resolveSibling("figures");
        for (String figure : List.of("servers.csv", "verdicts-by-check.csv", "failed-checks.csv", "observed-tools-call-unknown.csv")) {
            assertEquals(Files.readString(one.resolve(figure)), Files.readString(three.resolve(figure)), figure);
        }
    }

    @Test
    void testRetestAgreementIsOverPairsOfServers() throws Exception {
        Agreement agreement = new Agreement();
        Shares.of(thrice, Analysis.by(List.of(spec())), agreement::add);
        Path file = agreement.write(temp.resolve("stats"));
        String line = Files.readAllLines(file).stream().filter(text -> text.contains(",tools-call-unknown,")).findFirst().orElseThrow();
        // good, bad and moody twice each; moody differs in one of two. sleepy has no such verdict later.
        assertTrue(line.contains(",tools-call-unknown,5,6,3,3,0.8333333333,"), line);
        // Cohen's kappa of ((pass, pass) 3, (pass, fail) 1, (fail, fail) 2): (5/6 - 1/2) / (1 - 1/2).
        assertTrue(line.endsWith(",0.6666666667"), line);
        assertTrue(agreement.text().contains("tools-call-unknown") && !agreement.text().contains("ping"), agreement.text());
        Agreement nothing = new Agreement();
        Shares.of(once, Analysis.by(List.of(spec())), nothing::add);
        assertTrue(nothing.isEmpty());
    }

    @Test
    void aReleaseWithRepeatsIsSoundAndSaysSo() throws Exception {
        assertEquals(List.of(), Verification.of(sound).problems());
        assertTrue(Files.readString(sound.resolve("README.md")).contains("**Repeats.** The sessions of 5 servers were gone through 3 times."));
        RecomputeTest.python();
        RecomputeTest.Ended ended = RecomputeTest.recompute(sound, temp);
        assertEquals(0, ended.status(), ended.out());
    }

    @Test
    void theRunIsDescribedWithoutItsMachine() throws Exception {
        RunInfo info = new RunInfo(1, "2026-11-30T12:00:00Z", "0.1.0", "/home/ann/frame.csv", "f".repeat(64), 3, 0, "full",
                Map.of("lock", "/home/ann/runs/one", "as of", "2026-07-19", "repeats", "3"), Map.of("node:22", "sha256:aa"),
                Map.of("shard 1 os", "Linux 6.1.0-ann amd64", "shard 2 os", "Linux 6.2.0 amd64", "shard 1 engine", "docker 20.10.24 runc", "shard 2 engine", "docker 20.10.24 runc",
                        "shard 1 processors", "2", "shard 2 processors", "8", "name", "anns-laptop"));
        Analysis analysis = Analysis.by(List.of(spec()));
        String label = analysis.judges().get(0).label();
        List<String> cells = RunRow.of(info, analysis, Map.of(label, "abc")).cells();
        assertFalse(cells.toString().contains("ann"), cells.toString());
        Map<String, String> row = new HashMap<>();
        for (int i = 0; i < cells.size(); i++) {
            row.put(RunRow.SCHEMA.columns().get(i).name(), cells.get(i));
        }
        assertEquals("2026-07-19 3 docker 20.10.24 runc abc", row.get("as_of") + " " + row.get("repeats") + " " + row.get("engine") + " " + row.get("rule_sets_sha256"));
        assertTrue(row.get("settings").contains("\"lock\":\"an earlier run\""), row.get("settings"));
        assertEquals(null, row.get("processors"), "not the same in both shards");
        assertEquals(null, RunRow.of(info, analysis, Map.of()).cells().get(5), "a digest that is not known is left empty");
    }

    private static void caught(String name, String file, String row, String column, String value, String says) throws Exception {
        ReleaseFixture release = ReleaseFixture.copy(sound, temp.resolve(name));
        int line = release.line(file, row);
        if (column == null) {
            release.edit(file, line, text -> null);
        } else {
            release.cell(file, line, column, value);
        }
        List<String> problems = Verification.of(release.folder).problems();
        assertTrue(problems.stream().anyMatch(problem -> problem.startsWith(file + ":") && problem.contains(says) || problem.contains(says)),
                name + ": " + says + "\n  is not among\n" + String.join("\n", problems));
    }

    @Test
    void whatIsSaidOfRepeatsIsChecked() throws Exception {
        caught("dropped", "data/flaky.csv", MOODY, null, null, "another repeat does not share this verdict, and table flaky has no row for it");
        caught("verdict", "data/flaky.csv", MOODY, "other_verdict", "warn", "table verdicts has no other verdict of spec@");
        caught("witness", "data/flaky.csv", MOODY, "other_witness", "1", "verdict, repeat, session or witness is not that of its observations");
        caught("count", "data/flaky.csv", MOODY, "differing", "3", "3 of 3 repeats differ");
        caught("repeat", "data/sessions.csv", "legacy~1", "repeat", "0", "repeat 0, its session is legacy~1");
        caught("counted", "data/verdicts.csv", "," + "1,tools-call-unknown", "repeat", "0", "check, revision, primary or repeat is not that of observation");
        caught("pair", "data/observations.csv", "legacy~1", "repeat_of", "o00002", "is no repeat of observation o00002");
    }
}
