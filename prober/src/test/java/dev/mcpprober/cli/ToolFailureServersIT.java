package dev.mcpprober.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.install.InstallLimits;
import dev.mcpprober.install.InstallRecord;
import dev.mcpprober.install.InstallRequest;
import dev.mcpprober.io.Digests;
import dev.mcpprober.model.Target;
import dev.mcpprober.observation.Check;
import dev.mcpprober.observation.Extractor;
import dev.mcpprober.observation.Subject;
import dev.mcpprober.observation.TargetObservations;
import dev.mcpprober.rules.Graded;
import dev.mcpprober.rules.Grader;
import dev.mcpprober.rules.RuleSet;
import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.sandbox.SandboxPolicy;
import dev.mcpprober.sandbox.SandboxSpec;
import dev.mcpprober.session.ProbeSubject;
import dev.mcpprober.session.Profile;
import dev.mcpprober.session.RepeatedPlan;
import dev.mcpprober.session.SessionLimits;
import dev.mcpprober.session.SessionRunner;
import dev.mcpprober.session.ToolBudget;
import dev.mcpprober.transcript.TranscriptReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The toolFailure reference servers, installed once each: with every fault that they can be told to have, and in the demo. */
class ToolFailureServersIT {
    private static final Path FIXTURES = ProberProcess.HOME.resolveSibling("corpus/fixtures");
    private static final Set<String> BREACH = Set.of("fail", "warn");

    @TempDir static Path temp;

    private static EngineStack stack;
    private static List<RuleSet> ruleSets;
    private static final List<String> fresh = new ArrayList<>();
    private static final ExecutorService twoAtATime = Executors.newFixedThreadPool(2);

    @BeforeAll
    static void open() throws Exception {
        stack = EngineStack.open(line -> {});
        ruleSets = Rules.load(Rules.DEFAULT);
    }

    @AfterAll
    static void close() throws Exception {
        twoAtATime.shutdownNow();
        twoAtATime.awaitTermination(1, TimeUnit.MINUTES);
        if (stack != null) {
            for (String image : fresh) {
                stack.engine().removeImage(image);
            }
            stack.close();
        }
    }

    /** Each fault changes the verdict of its own check and no other verdict at all; without a fault nothing fails. */
    @ParameterizedTest
    @ValueSource(strings = {"tool-failure-ts", "tool-failure-py"})
    void everyFaultIsFoundByItsCheckAlone(String fixture) throws Exception {
        InstallRecord record = stack.installer(InstallLimits.standard()).install(new InstallRequest(new Target.OnDisk(FIXTURES.resolve(fixture)), List.of(), Optional.empty()));
        InstallRecord.Program program = record.program().orElseThrow(() -> new AssertionError(record.outcome() + "\n" + record.logTail()));
        if (!program.reused()) {
            fresh.add(program.image());
        }
        Map<String, String> kept = verdicts(program, List.of());
        kept.forEach((row, verdict) -> assertTrue(!BREACH.contains(verdict), row + " is " + verdict));
        List<String> checks = Arrays.stream(Check.values()).map(Check::id).filter(id -> id.startsWith("sep-3313-")).toList();
        assertEquals(new TreeSet<>(checks), new TreeSet<>(kept.keySet().stream().filter(row -> row.startsWith("sep-3313-")).toList()));
        Map<String, Future<Map<String, String>>> running = new TreeMap<>();
        checks.forEach(check -> running.put(check, twoAtATime.submit(() -> verdicts(program, List.of("--break", check)))));
        for (String check : checks) {
            assertEquals("pass", kept.get(check), "without a fault, " + check);
            Map<String, String> broken = running.get(check).get();
            assertTrue(BREACH.contains(broken.get(check)), check + " is " + broken.get(check) + " with the fault of its own");
            broken.remove(check);
            Map<String, String> others = new TreeMap<>(kept);
            others.remove(check);
            assertEquals(others, broken, "what --break " + check + " changes beside its own check");
        }
    }

    /** A part of what {@code prober toolfailure demo} shows, so that it is over soon: no retry, a retry in time, one too many, nothing to classify. */
    @Test
    void theDemoIsRightLineByLine() throws Exception {
        Path folder = temp.resolve("demo");
        ProberProcess.Ended demo = ProberProcess.run(temp, Map.of(), "toolfailure", "demo", "--to", folder.toString(), "--scenario", "quota-used-up",
                "--scenario", "not-idempotent", "--scenario", "unknown-tool");
        assertEquals(0, demo.status(), demo::toString);
        assertTrue(demo.out().contains("\n6 of 6 rows are as they have to be\n"), demo::toString);
        assertEquals(6, Files.readAllLines(folder.resolve("rows.jsonl")).size());
        assertTrue(Files.readString(folder.resolve("report.md")).contains("| ok | quota-used-up |"), demo::toString);
        assertTrue(Files.exists(folder.resolve("transcripts/tool-failure-py/quota-used-up-relayed.jsonl")));
        ProberProcess.Ended unknown = ProberProcess.run(temp, Map.of(), "toolfailure", "demo", "--scenario", "no-such");
        assertEquals(2, unknown.status(), unknown::toString);
    }

    /** By check and, where there are several rows, tool and argument. */
    private static Map<String, String> verdicts(InstallRecord.Program program, List<String> arguments) throws Exception {
        List<String> argv = new ArrayList<>(program.entry().argv());
        argv.addAll(arguments);
        SandboxSpec sandbox = new SandboxSpec(program.image(), argv, Map.of(), program.workdir(),
                SandboxPolicy.probe(), Map.of());
        ProbeSubject subject = new ProbeSubject("fixture", Digests.sha256(String.join("\0", arguments)), program.image(), sandbox, false);
        Path folder = Files.createTempDirectory(temp, "sessions");
        Extractor extractor = new Extractor();
        for (Path file : CheckSessions.run(new SessionRunner(stack.engine(), SessionLimits.DEFAULT, "it", Redactor.NONE), subject, new RepeatedPlan(Profile.QUICK, ToolBudget.DEFAULT, 1), folder).values()) {
            extractor.add(TranscriptReader.read(file));
        }
        Map<String, String> out = new TreeMap<>();
        TargetObservations observed = extractor.finish();
        for (RuleSet set : ruleSets) {
            for (Graded graded : Grader.grade(set, observed)) {
                Subject about = graded.observation().subject();
                String row = about.check() + (about.tool() == null ? "" : " " + about.tool() + " " + about.property());
                String before = out.put(row, graded.verdict().word());
                assertTrue(before == null || before.equals(graded.verdict().word()), "two verdicts for " + row);
            }
        }
        return out;
    }
}
