package dev.mcpprober.census;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.Fault;
import dev.mcpprober.run.Coverage;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.TargetState;
import dev.mcpprober.sandbox.EngineException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Every target comes to its end once, however often the program is killed or stopped on the way. */
class CensusRunnerTest extends CensusRunnerSetting {
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
}
