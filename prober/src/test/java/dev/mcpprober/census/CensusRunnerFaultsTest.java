package dev.mcpprober.census;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.Fault;
import dev.mcpprober.run.Coverage;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.LedgerReader;
import dev.mcpprober.run.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What goes wrong around a census, and on the machine that it runs on, is nobody's result. */
class CensusRunnerFaultsTest extends CensusRunnerSetting {
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
}
