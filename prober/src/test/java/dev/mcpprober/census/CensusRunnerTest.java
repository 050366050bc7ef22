package dev.mcpprober.census;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.corpus.Frame;
import dev.mcpprober.model.Fault;
import dev.mcpprober.run.Coverage;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.LedgerReader;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.TargetState;
import dev.mcpprober.sandbox.EngineException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class CensusRunnerTest {
    private static final DiskGuard NO_GUARD = DiskGuard.none();

    @TempDir Path temp;
    private Path folder;
    private Frame frame;

    @BeforeEach
    void frame() throws IOException {
        folder = temp.resolve("run");
        frame = FakeWorld.frame(temp, "npm:good", "npm:no-install-a", "npm:no-start-b", "broken row", "npm:good", "pypi:other");
    }

    @Test
    void everyRowEndsInOneState() throws Exception {
        FakeWorld world = new FakeWorld();
        List<String> lines = new ArrayList<>();
        try (OpenRun run = FakeWorld.open(folder, frame)) {
            CensusOutcome outcome = runner(run, world, 2, new Progress() {
                @Override
                public void finished(String target, TargetState state, String summary, boolean before, int done, int total) {
                    lines.add(target + " " + state.id() + " " + summary + " " + done + "/" + total);
                }
            }).run(frame.eligible());
            assertEquals(new CensusOutcome.Done(new Coverage(6, 2, 0, 1, 1, 2)), outcome);
            assertTrue(outcome.coverage().complete());
        }
        assertEquals(4, lines.size());
        assertTrue(lines.get(3).endsWith("4/4"), lines.toString());
        assertTrue(lines.stream().anyMatch(l -> l.startsWith("pkg:npm/no-install-a not-installed not-found ")), lines.toString());
        assertSound();
    }

    @Test
    void aSecondRunDoesNothingTwice() throws Exception {
        FakeWorld world = new FakeWorld();
        complete(world);
        int installs = world.installs.size();
        int runs = world.runs.size();
        assertEquals(new Coverage(6, 2, 0, 1, 1, 2), complete(world));
        assertEquals(installs, world.installs.size());
        assertEquals(runs, world.runs.size());
        assertSound();
    }

    /** Kills the program at, just before and in the middle of every line of the ledger, and goes on. */
    @Test
    void killedAnywhereTheNextRunEndsTheSame() throws Exception {
        FakeWorld reference = new FakeWorld();
        reference.on("npm:good", "session-2", FakeWorld.fault(new Fault.EngineError("create", "busy")));
        Path whole = temp.resolve("whole");
        folder = whole;
        complete(reference);
        Map<String, String> expected = results(whole);
        byte[] ledger = Files.readAllBytes(new RunFolder(whole).ledger());
        TreeSet<Integer> cuts = new TreeSet<>();
        int from = 0;
        for (int i = 0; i < ledger.length; i++) {
            if (ledger[i] == '\n') {
                cuts.addAll(List.of(from, (from + i) / 2, i));
                from = i + 1;
            }
        }
        assertTrue(cuts.size() > 60, "the run is too short to be a test");
        for (int cut : cuts) {
            folder = temp.resolve("killed-at-" + cut);
            FakeWorld world = new FakeWorld();
            world.on("npm:good", "session-2", FakeWorld.fault(new Fault.EngineError("create", "busy")));
            killedAfter(world, cut);
            FakeWorld next = new FakeWorld();
            complete(next);
            assertEquals(expected, results(folder), "killed after " + cut + " bytes");
            assertSound();
            Set<String> done = completedSessions(folder);
            assertEquals(done.size(), completions(folder).size(), "a session was completed twice after a kill at " + cut);
        }
    }

    private void killedAfter(FakeWorld world, long bytes) throws Exception {
        try (OpenRun run = OpenRun.open(folder, FakeWorld.info(frame), frame, FakeWorld.CLOCK, file -> new FakeWorld.Budget(file, bytes, true))) {
            runner(run, world, 1, Progress.SILENT).run(frame.eligible());
        } catch (FakeWorld.Killed e) {
            return;
        }
    }

    /** A program can also die between the transcript and the ledger, or in the middle of a transcript. */
    @Test
    void killedBesideTheLedgerLeavesNothingHalf() throws Exception {
        for (boolean wholeFile : new boolean[] {true, false}) {
            folder = temp.resolve("beside-" + wholeFile);
            FakeWorld world = new FakeWorld();
            world.on("npm:good", "session-2", transcript -> {
                Path file = wholeFile ? transcript : transcript.resolveSibling("." + transcript.getFileName() + ".tmp");
                FakeWorld.write(file, FakeWorld.content("npm:good", "session-2"));
                throw new FakeWorld.Killed();
            });
            try (OpenRun run = FakeWorld.open(folder, frame)) {
                assertThrows(FakeWorld.Killed.class, () -> runner(run, world, 1, Progress.SILENT).run(frame.eligible()));
            }
            assertEquals(new Coverage(6, 2, 0, 1, 1, 2), complete(world));
            assertSound();
            assertTrue(events(folder).stream().anyMatch(e -> e instanceof LedgerEvent.Faulted f && f.kind().equals("interrupted")));
            try (var files = Files.walk(folder)) {
                assertTrue(files.noneMatch(f -> f.getFileName().toString().endsWith(".tmp")));
            }
        }
    }

    @Test
    void aFaultIsTriedAgainAndNeverAResult() throws Exception {
        FakeWorld world = new FakeWorld();
        world.on("npm:good", "session-1", FakeWorld.fault(new Fault.ChannelLost("reset")), transcript -> {
            throw new IllegalStateException("a bug of ours");
        });
        List<String> faults = new ArrayList<>();
        try (OpenRun run = FakeWorld.open(folder, frame)) {
            runner(run, world, 1, new Progress() {
                @Override
                public void faulted(String target, String session, Fault fault, boolean again) {
                    faults.add(target + " " + session + " " + fault.kind() + " " + again);
                }
            }).run(frame.eligible());
            assertEquals(new Coverage(6, 2, 0, 1, 1, 2), run.coverage());
        }
        assertEquals(List.of("pkg:npm/good session-1 channel-lost true", "pkg:npm/good session-1 prober-defect true"), faults);
        assertEquals(3, world.runs.stream().filter("npm:good/session-1"::equals).count());
        assertEquals(1, world.installs.stream().filter("pkg:npm/good"::equals).count());
        assertSound();
    }

    @Test
    void aTargetThatKeepsFaultingStaysUnmeasuredUntilRetryIsAskedFor() throws Exception {
        FakeWorld world = new FakeWorld();
        world.always("npm:good", "session-2", FakeWorld.fault(new Fault.EngineError("start", "refused")));
        assertEquals(new Coverage(6, 2, 1, 1, 1, 1), complete(world));
        assertEquals(3, attempts("engine-error").size());
        assertEquals(new Coverage(6, 2, 1, 1, 1, 1), complete(world));
        assertEquals(3, attempts("engine-error").size(), "no tries were left");

        CensusStatus status = CensusStatus.of(new RunFolder(folder));
        assertEquals(List.of(new CensusStatus.Unmeasured("pkg:npm/good", "engine-error", "refused")), status.unmeasured());
        assertEquals(Map.of("engine-error", 1), status.faults());
        assertEquals(Map.of("not-found", 1), status.outcomes());
        assertEquals("complete", status.ended());

        world.happenings.clear();
        try (OpenRun run = FakeWorld.open(folder, frame)) {
            var again = Retry.allow(run, frame.eligible());
            assertEquals(List.of("pkg:npm/good"), again.stream().map(e -> e.id()).toList());
            assertEquals(new CensusOutcome.Done(new Coverage(6, 2, 0, 1, 1, 2)), runner(run, world, 1, Progress.SILENT).run(again));
            assertEquals(List.of(), Retry.allow(run, frame.eligible()));
        }
        assertEquals(3, attempts("engine-error").size(), "every attempt is kept");
        assertSound();
    }

    @Test
    void anInstallThatFaultsIsTriedAgain() throws Exception {
        FakeWorld world = new FakeWorld();
        world.on("npm:no-install-a", "install", FakeWorld.fault(new Fault.RegistryUnreachable("no route")));
        assertEquals(new Coverage(6, 2, 0, 1, 1, 2), complete(world));
        assertEquals(2, world.installs.stream().filter("pkg:npm/no-install-a"::equals).count());
    }

    @Test
    void aStoppedEngineStopsTheRunInsteadOfUsingUpTheFrame() throws Exception {
        String[] rows = new String[40];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = "npm:server-" + i;
        }
        frame = FakeWorld.frame(temp, rows);
        FakeWorld world = new FakeWorld();
        for (int i = 5; i < rows.length; i++) {
            world.always("npm:server-" + i, "install", FakeWorld.fault(new Fault.EngineUnavailable("connection refused")));
        }
        try (OpenRun run = FakeWorld.open(folder, frame)) {
            CensusOutcome outcome = runner(run, world, 1, Progress.SILENT).run(frame.eligible());
            CensusOutcome.StoppedEarly early = assertInstanceOf(CensusOutcome.StoppedEarly.class, outcome);
            assertTrue(early.reason().contains("6 faults in a row, the last one engine-unavailable"), early.reason());
            assertEquals(new Coverage(40, 0, 35, 0, 0, 5), early.coverage());
        }
        world.happenings.clear();
        assertEquals(new Coverage(40, 0, 0, 0, 0, 40), complete(world));
        assertSound();
    }

    /** The guard looks before an attempt; what it cannot see coming costs the attempt and not the server. */
    @Test
    void aDiskThatFillsUpDuringAttemptsIsNothingAgainstTheirTarget() throws Exception {
        FakeWorld world = new FakeWorld();
        FakeWorld.Happening full = transcript -> {
            throw new IOException("No space left on device");
        };
        world.on("npm:good", "session-2", full, full, full, full);
        assertEquals(new Coverage(6, 2, 0, 1, 1, 2), complete(world));
        assertEquals(4, attempts("host-disk-full").size());
        assertSound();
    }

    @Test
    void aDiskThatStaysFullStopsTheRunAndCostsNothing() throws Exception {
        FakeWorld world = new FakeWorld();
        world.always("npm:good", "session-2", FakeWorld.fault(new Fault.HostDiskFull("the engine's storage: no space left on device")));
        try (OpenRun run = FakeWorld.open(folder, frame)) {
            CensusOutcome outcome = runner(run, world, 1, Progress.SILENT).run(frame.eligible());
            String reason = assertInstanceOf(CensusOutcome.StoppedEarly.class, outcome).reason();
            assertTrue(reason.startsWith("6 faults in a row, the last one host-disk-full"), reason);
        }
        world.happenings.clear();
        assertEquals(new Coverage(6, 2, 0, 1, 1, 2), complete(world));
        assertSound();
    }

    @Test
    void aLedgerThatCannotBeWrittenStopsTheRunAndStaysWhole() throws Exception {
        complete(new FakeWorld());
        long length = Files.size(new RunFolder(folder).ledger());
        for (long room = 50; room < length; room += 397) {
            folder = temp.resolve("full-" + room);
            FakeWorld world = new FakeWorld();
            long bytes = room;
            try (OpenRun run = OpenRun.open(folder, FakeWorld.info(frame), frame, FakeWorld.CLOCK, file -> new FakeWorld.Budget(file, bytes, false))) {
                CensusOutcome outcome = runner(run, world, 1, Progress.SILENT).run(frame.eligible());
                String reason = assertInstanceOf(CensusOutcome.StoppedEarly.class, outcome).reason();
                assertTrue(reason.contains(folder.toString()) && reason.contains("No space left"), reason);
            } catch (IOException e) {
                assertTrue(room < 600, "only opening may fail outright: " + e);
                assertTrue(e.getMessage().contains(folder.toString()), e.getMessage());
            }
            List<LedgerEvent> events = events(folder);
            assertEquals(Files.size(new RunFolder(folder).ledger()), LedgerReader.read(new RunFolder(folder).ledger(), e -> { }), events.toString());
            assertEquals(new Coverage(6, 2, 0, 1, 1, 2), complete(world));
            assertSound();
        }
    }

    @Test
    void theDiskGuardStopsBeforeAnAttempt() throws Exception {
        FakeWorld world = new FakeWorld();
        DiskGuard guard = new DiskGuard(List.of(new DiskGuard.Place("the engine's storage", Path.of("/var/lib"), 10 << 20, at -> 3 << 20,
                DiskGuard.Pruner.NOTHING)), Duration.ZERO, line -> { });
        try (OpenRun run = FakeWorld.open(folder, frame)) {
            CensusOutcome outcome = new CensusRunner(run, world, world, guard, options(1), Progress.SILENT).run(frame.eligible());
            String reason = assertInstanceOf(CensusOutcome.StoppedEarly.class, outcome).reason();
            assertTrue(reason.contains("only 3 MiB are free for the engine's storage (/var/lib), 10 MiB are needed; make room"), reason);
        }
        assertEquals(List.of(), world.installs);
        assertEquals(List.of(), events(folder).stream().filter(LedgerEvent.Faulted.class::isInstance).toList());
        assertEquals(new Coverage(6, 2, 0, 1, 1, 2), complete(world));
    }

    @Test
    void cancelBreaksOffAndTheRunGoesOnLater() throws Exception {
        FakeWorld world = new FakeWorld();
        CountDownLatch under = new CountDownLatch(2);
        FakeWorld.Happening hang = transcript -> {
            under.countDown();
            new CountDownLatch(1).await();
        };
        world.on("npm:good", "session-1", hang);
        world.on("pypi:other", "install", hang);
        try (OpenRun run = FakeWorld.open(folder, frame)) {
            CensusRunner runner = runner(run, world, 2, Progress.SILENT);
            Thread ctrlC = new Thread(() -> {
                try {
                    assertTrue(under.await(60, TimeUnit.SECONDS));
                } catch (InterruptedException e) {
                    return;
                }
                runner.cancel();
            });
            ctrlC.start();
            CensusOutcome outcome = runner.run(frame.eligible());
            assertEquals("stopped on request", assertInstanceOf(CensusOutcome.StoppedEarly.class, outcome).reason());
            ctrlC.join();
        }
        assertEquals(2, attempts("interrupted").size());
        assertEquals(new Coverage(6, 2, 0, 1, 1, 2), complete(world));
        assertSound();
    }

    /** Shutdown hooks remove containers while workers still look at them. */
    @Test
    void whatAnEndingProgramSeesIsNeitherResultNorFault() throws Exception {
        FakeWorld world = new FakeWorld();
        AtomicBoolean ending = new AtomicBoolean();
        world.on("npm:good", "session-2", transcript -> ending.set(true));
        world.on("npm:no-start-b", "session-1", FakeWorld.fault(new Fault.ChannelLost("the channel was closed on this side")));
        try (OpenRun run = FakeWorld.open(folder, frame)) {
            new CensusRunner(run, world, world, NO_GUARD, options(1), Progress.SILENT, ending::get).run(frame.eligible());
            assertEquals(new Coverage(6, 2, 4, 0, 0, 0), run.coverage());
        }
        assertEquals(1, completions(folder).size());
        assertEquals(4, attempts("interrupted").size(), "one session, and the installs of the targets after it");
        assertEquals(4, events(folder).stream().filter(LedgerEvent.Faulted.class::isInstance).count());
        assertFalse(ProgramEnd.begun());
        assertEquals(new Coverage(6, 2, 0, 1, 1, 2), complete(world));
        assertSound();
    }

    @Test
    void aDamagedTranscriptIsRunAgainAndTheOtherSessionsAreKept() throws Exception {
        FakeWorld world = new FakeWorld();
        complete(world);
        String second = completions(folder).stream().filter(c -> c.target().equals("pkg:npm/good")).toList().get(1).attempt();
        Files.writeString(new RunFolder(folder).transcript(second), "bitten off");
        assertFalse(Verification.of(new RunFolder(folder)).sound());
        int runs = world.runs.size();
        int installs = world.installs.size();
        complete(world);
        assertEquals(runs + 1, world.runs.size());
        assertEquals(installs, world.installs.size());
        assertEquals("bitten off", Files.readString(new RunFolder(folder).transcript(second)), "attempt files are never overwritten");
        assertSound();
    }

    @Test
    void aLostImageIsInstalledAgain() throws Exception {
        FakeWorld world = new FakeWorld();
        world.always("npm:good", "session-2", FakeWorld.fault(new Fault.EngineError("start", "refused")));
        complete(world);
        world.happenings.clear();
        world.imagesLost = true;
        try (OpenRun run = FakeWorld.open(folder, frame)) {
            runner(run, world, 1, Progress.SILENT).run(Retry.allow(run, frame.eligible()));
            assertEquals(new Coverage(6, 2, 0, 1, 1, 2), run.coverage());
        }
        assertEquals(2, world.installs.stream().filter("pkg:npm/good"::equals).count());
        assertSound();
    }

    @Test
    void aTranscriptThatCannotBeReadBackIsAFault() throws Exception {
        FakeWorld world = new FakeWorld();
        world.on("npm:good", "session-1", transcript -> FakeWorld.write(transcript, "unreadable"));
        try (OpenRun run = FakeWorld.open(folder, frame)) {
            runner(run, world, 1, Progress.SILENT).run(frame.eligible());
        }
        assertEquals(new Coverage(6, 2, 0, 1, 1, 2), complete(world));
    }

    /** With installs and probes beside each other the ledger's order is never the same; what comes of it is. */
    @Test
    void killedWhileInstallsAndProbesRunBesideEachOtherTheNextRunEndsTheSame() throws Exception {
        folder = temp.resolve("whole");
        complete(new FakeWorld());
        Map<String, String> expected = results(folder);
        long length = Files.size(new RunFolder(folder).ledger());
        for (long cut = 600; cut < length; cut += 211) {
            folder = temp.resolve("pipeline-killed-at-" + cut);
            long bytes = cut;
            FakeWorld world = new FakeWorld();
            try (OpenRun run = OpenRun.open(folder, FakeWorld.info(frame), frame, FakeWorld.CLOCK, file -> new FakeWorld.Budget(file, bytes, true))) {
                runner(run, world, 2, Progress.SILENT).run(frame.eligible());
            } catch (FakeWorld.Killed e) {
                assertTrue(world.held.size() <= 4, "nothing else is known of what a killed program held: " + world.held);
            }
            FakeWorld next = new FakeWorld();
            try (OpenRun run = FakeWorld.open(folder, frame)) {
                assertEquals(new CensusOutcome.Done(new Coverage(6, 2, 0, 1, 1, 2)), runner(run, next, 2, Progress.SILENT).run(frame.eligible()));
            }
            assertEquals(List.of(), next.held);
            assertEquals(expected, results(folder), "killed after " + cut + " bytes");
            assertSound();
        }
    }

    @Test
    void installedTargetsDoNotPileUpBeforeTheProbes() throws Exception {
        String[] rows = new String[30];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = "npm:server-" + i;
        }
        frame = FakeWorld.frame(temp, rows);
        FakeWorld world = new FakeWorld();
        world.takes = 2;
        Workers workers = new Workers(2, 3);
        try (OpenRun run = FakeWorld.open(folder, frame)) {
            CensusRunner.Options options = CensusRunner.Options.defaults().with(workers);
            CensusOutcome outcome = new CensusRunner(run, world, world, NO_GUARD, options, Progress.SILENT).run(frame.eligible());
            assertEquals(new CensusOutcome.Done(new Coverage(30, 0, 0, 0, 0, 30)), outcome);
        }
        assertTrue(world.mostHeld.get() <= workers.ahead() + workers.probe(), "at a time " + world.mostHeld);
        assertTrue(world.mostHeld.get() > 1, "nothing was ever installed ahead of a probe");
        assertEquals(List.of(), world.held);
        assertEquals(30, world.finished.size());
        assertSound();
    }

    @Test
    void whatIsMeasuredIsGivenBackForGoodAndWhatIsNotIsKept() throws Exception {
        FakeWorld world = new FakeWorld();
        world.always("npm:good", "session-2", FakeWorld.fault(new Fault.EngineError("start", "refused")));
        world.on("pypi:other", "session-1", FakeWorld.fault(new Fault.ChannelLost("reset")));
        try (OpenRun run = FakeWorld.open(folder, frame)) {
            assertEquals(new Coverage(6, 2, 1, 1, 1, 1), runner(run, world, 2, Progress.SILENT).run(frame.eligible()).coverage());
        }
        assertEquals(List.of(), world.held);
        assertEquals(List.of("npm:no-start-b", "pypi:other"), world.finished.stream().sorted().toList());
    }

    /** One package under several sets of arguments is one image: it goes with the last of them. */
    @Test
    void targetsThatShareAnImageShareItsEnd() throws Exception {
        frame = FakeWorld.frame(temp, "npm:good", "npm:good,\"[\"\"a\"\"]\",,", "npm:other", "npm:good,\"[\"\"b\"\"]\",,");
        FakeWorld world = new FakeWorld();
        List<String> order = new ArrayList<>();
        try (OpenRun run = FakeWorld.open(folder, frame)) {
            runner(run, world, 1, new Progress() {
                @Override
                public void finished(String target, TargetState state, String summary, boolean before, int done, int total) {
                    order.add(target + " " + world.finished);
                }
            }).run(frame.eligible());
            assertEquals(new Coverage(4, 0, 0, 0, 0, 4), run.coverage());
        }
        assertEquals(List.of("npm:other", "npm:good"), world.finished, order.toString());
        assertEquals(List.of(), world.held);
    }

    @Test
    void aStoppedRunGivesBackWhatWaitedForAProbe() throws Exception {
        FakeWorld world = new FakeWorld();
        CountDownLatch waiting = new CountDownLatch(1);
        world.on("npm:good", "session-1", transcript -> {
            waiting.await();
            throw new EngineException(new Fault.SandboxLeaks("a test"));
        });
        world.on("npm:no-start-b", "session-1", transcript -> waiting.await());
        try (OpenRun run = FakeWorld.open(folder, frame)) {
            CensusRunner runner = new CensusRunner(run, world, world, NO_GUARD, CensusRunner.Options.defaults().with(new Workers(1, 1)), new Progress() {
                @Override
                public void started(String target) {
                    if (target.equals("pkg:pypi/other")) {
                        waiting.countDown();
                    }
                }
            });
            assertInstanceOf(CensusOutcome.StoppedEarly.class, runner.run(frame.eligible()));
        }
        assertEquals(List.of(), world.held);
        assertEquals(List.of(), world.finished);
        assertEquals(new Coverage(6, 2, 0, 1, 1, 2), complete(world));
    }

    private Coverage complete(FakeWorld world) throws Exception {
        try (OpenRun run = FakeWorld.open(folder, frame)) {
            return assertInstanceOf(CensusOutcome.Done.class, runner(run, world, 1, Progress.SILENT).run(frame.eligible())).coverage();
        }
    }

    private static CensusRunner runner(OpenRun run, FakeWorld world, int workers, Progress progress) {
        return new CensusRunner(run, world, world, NO_GUARD, options(workers), progress);
    }

    private static CensusRunner.Options options(int workers) {
        return CensusRunner.Options.defaults().with(workers == 1 ? Workers.forBoth(1) : new Workers(workers, 1));
    }

    private void assertSound() throws IOException {
        assertEquals(List.of(), Verification.of(new RunFolder(folder)).problems());
    }

    private static List<LedgerEvent> events(Path folder) throws IOException {
        List<LedgerEvent> events = new ArrayList<>();
        LedgerReader.read(new RunFolder(folder).ledger(), events::add);
        return events;
    }

    private List<LedgerEvent.Faulted> attempts(String kind) throws IOException {
        return events(folder).stream().filter(e -> e instanceof LedgerEvent.Faulted f && f.kind().equals(kind)).map(LedgerEvent.Faulted.class::cast).toList();
    }

    private static List<LedgerEvent.Completed> completions(Path folder) throws IOException {
        return events(folder).stream().filter(LedgerEvent.Completed.class::isInstance).map(LedgerEvent.Completed.class::cast).toList();
    }

    private static Set<String> completedSessions(Path folder) throws IOException {
        Set<String> keys = new HashSet<>();
        completions(folder).forEach(c -> keys.add(c.target() + c.key()));
        return keys;
    }

    /** What was measured, without how many tries it took: target to state and the content of its transcripts. */
    private static Map<String, String> results(Path folder) throws IOException {
        Map<String, String> results = new TreeMap<>();
        RunFolder files = new RunFolder(folder);
        var state = files.readLedger();
        for (var row : files.readFrame()) {
            StringBuilder text = new StringBuilder(state.of(row.target()).state().id());
            state.of(row.target()).finished().ifPresent(finished -> finished.attempts().forEach(attempt -> {
                try {
                    text.append(" | ").append(Files.readString(files.transcript(attempt)));
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }));
            results.put(row.target(), text.toString());
        }
        return results;
    }
}
