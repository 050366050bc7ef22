package dev.mcpprober.census;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.corpus.Frame;
import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.Fault;
import dev.mcpprober.model.WorkKey;
import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.run.Coverage;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.LedgerReader;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.Sandbox;
import dev.mcpprober.sandbox.SandboxEngine;
import dev.mcpprober.sandbox.SandboxPolicy;
import dev.mcpprober.sandbox.SandboxSpec;
import dev.mcpprober.sandbox.StdioChannel;
import dev.mcpprober.sandbox.Termination;
import dev.mcpprober.session.Profile;
import dev.mcpprober.session.SessionLimits;
import dev.mcpprober.session.SessionRunner;
import dev.mcpprober.session.ToolBudget;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class ProbingSessionsTest {
    @TempDir Path temp;

    /** Sandboxes of a server that answers only {@code initialize}; counts how many are made and still there. */
    private static final class FakeEngine implements SandboxEngine {
        final AtomicInteger created = new AtomicInteger();
        final AtomicInteger alive = new AtomicInteger();
        volatile int faultAt = -1;
        boolean mute;

        @Override
        public Sandbox create(SandboxSpec spec) throws EngineException {
            if (created.incrementAndGet() == faultAt) {
                throw new EngineException(new Fault.EngineError("create", "no"));
            }
            alive.incrementAndGet();
            return new FakeServer(this);
        }

        @Override public String describe() { return "fake"; }

        @Override public void close() {}
    }

    private static final class FakeServer implements Sandbox, StdioChannel {
        private final FakeEngine engine;
        private final LinkedBlockingQueue<Happening> queue = new LinkedBlockingQueue<>();
        private boolean closed;
        private volatile boolean ended;

        FakeServer(FakeEngine engine) {
            this.engine = engine;
        }

        @Override public String id() { return "fake"; }

        @Override public StdioChannel start() {
            if (engine.mute) {
                end();
            }
            return this;
        }

        @Override
        public void send(byte[] bytes) {
            if (Json.parse(new String(bytes, StandardCharsets.UTF_8)) instanceof Json.Parsed.Value value && value.node().path("method").asText().equals("initialize")) {
                put("{\"jsonrpc\":\"2.0\",\"id\":" + value.node().get("id")
                        + ",\"result\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"serverInfo\":{\"name\":\"f\",\"version\":\"1\"}}}\n");
            } else {
                end();
            }
        }

        private void put(String line) {
            queue.add(new Happening.Stdout(System.nanoTime(), line.getBytes(StandardCharsets.UTF_8)));
        }

        private void end() {
            ended = true;
            queue.add(new Happening.StdoutEnd(System.nanoTime()));
            queue.add(new Happening.StderrEnd(System.nanoTime()));
        }

        @Override public void closeStdin() { end(); }

        @Override
        public Optional<Happening> poll(Duration limit) throws InterruptedException {
            return Optional.ofNullable(queue.poll(limit.toNanos(), TimeUnit.NANOSECONDS));
        }

        @Override public void signal(Signal signal) { end(); }

        @Override
        public Optional<Termination> awaitExit(Duration limit) {
            return ended ? Optional.of(new Termination.Exited(0)) : Optional.empty();
        }

        @Override
        public synchronized void close() {
            // Both interfaces close here; only the sandbox's last close counts, so count once.
            if (!closed) {
                closed = true;
                engine.alive.decrementAndGet();
            }
        }
    }

    @Test
    void everySandboxIsGoneAndTheRunResumes() throws Exception {
        for (Profile profile : Profile.values()) {
            FakeEngine engine = new FakeEngine();
            Path folder = temp.resolve(profile.id());
            Frame frame = FakeWorld.frame(temp, "npm:a", "npm:b");
            assertEquals(new Coverage(2, 0, 0, 0, 0, 2), census(engine, profile, folder, frame));
            assertEquals(0, engine.alive.get(), "a sandbox is left");
            assertEquals(List.of(), Verification.of(new RunFolder(folder)).problems());
            int before = engine.created.get();
            assertEquals(new Coverage(2, 0, 0, 0, 0, 2), census(engine, profile, folder, frame));
            assertEquals(before, engine.created.get());
        }
    }

    @Test
    void aServerThatNeverAnswersIsMeasuredAsNotStarted() throws Exception {
        FakeEngine engine = new FakeEngine();
        engine.mute = true;
        assertEquals(new Coverage(1, 0, 0, 0, 1, 0), census(engine, Profile.FULL, temp.resolve("mute"), FakeWorld.frame(temp, "npm:a")));
        assertEquals(0, engine.alive.get());
    }

    @Test
    void aFaultWhileCreatingAheadIsAFaultOfTheNextAttempt() throws Exception {
        FakeEngine engine = new FakeEngine();
        engine.faultAt = 2;
        assertEquals(new Coverage(1, 0, 0, 0, 0, 1), census(engine, Profile.FULL, temp.resolve("fault"), FakeWorld.frame(temp, "npm:a")));
        assertEquals(0, engine.alive.get());
    }

    @Test
    void repeatsComeAfterTheWholePlanWithKeysAndNamesOfTheirOwn() throws Exception {
        FakeEngine engine = new FakeEngine();
        Path folder = temp.resolve("repeats");
        Frame frame = FakeWorld.frame(temp, "npm:a");
        assertEquals(new Coverage(1, 0, 0, 0, 0, 1), census(engine, Profile.FULL, 1, temp.resolve("once"), frame));
        int once = engine.created.get();
        assertEquals(new Coverage(1, 0, 0, 0, 0, 1), census(engine, Profile.FULL, 3, folder, frame));
        assertEquals(0, engine.alive.get(), "a sandbox is left");
        List<String> names = new ArrayList<>();
        Set<String> keys = new HashSet<>();
        LedgerReader.read(new RunFolder(folder).ledger(), event -> {
            if (event instanceof LedgerEvent.Started started && !started.key().equals(LedgerEvent.INSTALL)) {
                names.add(started.session());
                keys.add(started.key());
            }
        });
        assertEquals(3 * once, engine.created.get() - once);
        assertEquals(3 * once, keys.size());
        List<String> plan = names.subList(0, once);
        for (int repeat = 1; repeat < 3; repeat++) {
            String mark = "~" + repeat;
            assertEquals(plan.stream().map(name -> name + mark).toList(), names.subList(repeat * once, (repeat + 1) * once));
        }
        // What is done stays done, and what went missing comes back under its own name.
        List<String> attempts = new RunFolder(folder).readLedger().of("pkg:npm/a").finished().orElseThrow().attempts();
        Files.delete(new RunFolder(folder).transcript(attempts.get(once)));
        int before = engine.created.get();
        assertEquals(new Coverage(1, 0, 0, 0, 0, 1), census(engine, Profile.FULL, 3, folder, frame));
        // One is made again, and one ahead of it that is not needed.
        assertTrue(engine.created.get() - before <= 2, engine.created.get() - before + " sandboxes");
        assertEquals(List.of(), Verification.of(new RunFolder(folder)).problems());
    }

    @Test
    void theWorkKeyHoldsWhatChangesTheMeasurement() throws Exception {
        Frame frame = FakeWorld.frame(temp, "npm:a", "npm:a,\"[\"\"x\"\"]\",,", "npm:b,,\"{\"\"K\"\":\"\"v\"\"}\",");
        WorkKey plain = key(frame.eligible().get(0), "sha512-1", "image");
        assertEquals(plain, key(frame.eligible().get(0), "sha512-1", "image"));
        assertNotEquals(plain, key(frame.eligible().get(0), "sha512-2", "image"));
        assertNotEquals(plain, key(frame.eligible().get(0), "sha512-1", "other"));
        assertNotEquals(plain, key(frame.eligible().get(1), "sha512-1", "image"));
        assertNotEquals(plain, key(frame.eligible().get(2), "sha512-1", "image"));
    }

    private static WorkKey key(FrameEntry entry, String artefact, String image) {
        try (ProbingSessions sessions = sessions(new FakeEngine(), Profile.FULL);
                TargetSessions.Sequence sequence = sessions.begin(entry, new Installation("installed", true, "t", artefact, image, List.of("x"), "/", new byte[0]))) {
            assertFalse(sequence.started());
            return sequence.next().orElseThrow().key();
        }
    }

    private static ProbingSessions sessions(SandboxEngine engine, Profile profile) {
        return sessions(engine, profile, 1);
    }

    private static ProbingSessions sessions(SandboxEngine engine, Profile profile, int times) {
        SessionLimits limits = SessionLimits.DEFAULT.withTimeouts(Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(60));
        return new ProbingSessions(new SessionRunner(engine, limits, "0.1.0", Redactor.NONE), profile, ToolBudget.DEFAULT, SandboxPolicy.probe(), times);
    }

    private Coverage census(FakeEngine engine, Profile profile, Path folder, Frame frame) throws Exception {
        return census(engine, profile, 1, folder, frame);
    }

    private Coverage census(FakeEngine engine, Profile profile, int times, Path folder, Frame frame) throws Exception {
        try (OpenRun run = FakeWorld.open(folder, frame); ProbingSessions sessions = sessions(engine, profile, times)) {
            CensusOutcome outcome = new CensusRunner(run, new FakeWorld(), sessions, DiskGuard.none(),
                    CensusRunner.Options.defaults().with(new Workers(2, 1)), Progress.SILENT).run(frame.eligible());
            assertTrue(outcome instanceof CensusOutcome.Done, outcome.toString());
            return outcome.coverage();
        }
    }
}
