package dev.mcpprober.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.census.CensusOutcome;
import dev.mcpprober.census.CensusRunner;
import dev.mcpprober.census.DiskGuard;
import dev.mcpprober.census.OpenRun;
import dev.mcpprober.census.ProbingSessions;
import dev.mcpprober.census.Progress;
import dev.mcpprober.census.Verification;
import dev.mcpprober.census.Workers;
import dev.mcpprober.corpus.Frame;
import dev.mcpprober.corpus.FrameReader;
import dev.mcpprober.rules.RuleSet;
import dev.mcpprober.rules.RuleSetParser;
import dev.mcpprober.redaction.Redactor;
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
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A whole census from frame to data set with the real driver, extractor and rules; only engine and installs are played. */
@Timeout(180)
class CensusToDatasetTest {
    @TempDir Path temp;

    @Test
    void fromAFrameToVerdicts() throws Exception {
        RunFolder folder = census("run", Clock.systemUTC());
        Summary summary = DatasetBuilder.build(folder, Analysis.by(List.of(spec()))).summary();
        assertEquals(new Coverage(5, 1, 0, 1, 1, 2), summary.coverage());
        PackageChecker checker = PackageChecker.check(folder.dataset());
        assertEquals(List.of(), checker.problems);
        assertEquals("pass", verdict(checker, "pkg:npm/good", "tools-call-unknown"));
        assertEquals("fail", verdict(checker, "pkg:npm/bad", "tools-call-unknown"));
        assertEquals("pass", verdict(checker, "pkg:npm/good", "ping"));
        Map<String, String> silent = checker.tables.get("targets").stream().filter(r -> r.get("target_id").equals("pkg:npm/silent")).findFirst().orElseThrow();
        assertEquals("exit-silent", silent.get("startup_failure"));
        Summary.Family family = summary.families().get(0);
        assertEquals("hand-rolled 2025-06-18 2", family.family() + " " + family.revision() + " " + family.servers());
        assertTrue(family.faultless().k() < 2, SummaryText.render(summary));
    }

    @Test
    void aClockThatSomebodySetsChangesNoVerdict() throws Exception {
        RunFolder steady = census("steady", Clock.systemUTC());
        DatasetBuilder.build(steady, Analysis.by(List.of(spec())));
        RunFolder jumping = census("jumping", new JumpingClock());
        DatasetBuilder.build(jumping, Analysis.by(List.of(spec())));
        assertEquals(words(PackageChecker.check(steady.dataset())), words(PackageChecker.check(jumping.dataset())));
    }

    /** Each time it is looked at, somebody has set it by days, mostly back. */
    private static final class JumpingClock extends Clock {
        private final AtomicInteger looks = new AtomicInteger();

        @Override public ZoneId getZone() { return ZoneOffset.UTC; }

        @Override public Clock withZone(ZoneId zone) { return this; }

        @Override public Instant instant() {
            int look = looks.incrementAndGet();
            return Instant.parse("2026-11-30T12:00:00Z").plus(Duration.ofDays(look % 3 == 0 ? look : -look));
        }
    }

    private static List<String> words(PackageChecker checker) {
        assertEquals(List.of(), checker.problems);
        return checker.tables.get("verdicts").stream().map(row -> String.join(" ", row.get("target_id"), row.get("observation"), row.get("rule_set"), row.get("verdict"))).toList();
    }

    private RunFolder census(String name, Clock clock) throws Exception {
        Frame frame = FrameReader.read(Files.writeString(temp.resolve("frame.csv"), "target\nnpm:good\nnpm:bad\nnpm:silent\nnpm:gone\nnot a target\n"));
        RunFolder folder = new RunFolder(temp.resolve(name));
        RunInfo info = new RunInfo(1, "2026-11-30T12:00:00Z", "0.1.0", temp.resolve("frame.csv").toString(), frame.hash(), frame.rows().size(), 1,
                Profile.FULL.id(), Map.of(), Map.of(), Map.of());
        MemoryServers servers = new MemoryServers();
        try (OpenRun run = OpenRun.open(folder.path(), info, frame, clock);
                ProbingSessions sessions = new ProbingSessions(new SessionRunner(servers, SessionLimits.DEFAULT, "0.1.0", Redactor.NONE), Profile.FULL, ToolBudget.DEFAULT, SandboxPolicy.probe(), 1)) {
            CensusOutcome outcome = new CensusRunner(run, servers, sessions, DiskGuard.none(), CensusRunner.Options.defaults().with(new Workers(2, 1)), Progress.SILENT)
                    .run(frame.eligible());
            assertEquals(new CensusOutcome.Done(new Coverage(5, 1, 0, 1, 1, 2)), outcome);
        }
        assertEquals(List.of(), Verification.of(folder).problems());
        return folder;
    }

    private static String verdict(PackageChecker checker, String target, String check) {
        List<String> words = checker.tables.get("verdicts").stream().filter(r -> r.get("target_id").equals(target) && r.get("check").equals(check)
                && r.get("revision").equals("2025-06-18")).map(r -> r.get("verdict")).toList();
        assertEquals(1, words.size(), target + " " + check + " " + words);
        return words.get(0);
    }

    private static RuleSet spec() throws Exception {
        try (InputStream in = RuleSet.class.getResourceAsStream("/rules/spec.yaml")) {
            return RuleSetParser.parse("spec.yaml", new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }
}
