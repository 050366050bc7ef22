package dev.mcpprober.census;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.census.queue.QueueCensus;
import dev.mcpprober.census.queue.QueueDatabase;
import dev.mcpprober.census.queue.QueueException;
import dev.mcpprober.census.queue.QueueWorker;
import dev.mcpprober.corpus.Frame;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.LedgerReader;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.RunInfo;
import dev.mcpprober.run.TargetState;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real PostgreSQL, real worker processes, one of them killed in the middle of its units. */
@Timeout(180)
final class QueueIT {
    private static EmbeddedPostgres postgres;

    @TempDir Path temp;
    private String url;
    private final List<Process> workers = new ArrayList<>();
    private final Queue<String> said = new ConcurrentLinkedQueue<>();

    @BeforeAll
    static void postgres() throws IOException {
        postgres = EmbeddedPostgres.start();
    }

    @AfterAll
    static void end() throws IOException {
        postgres.close();
    }

    @BeforeEach
    void database() throws SQLException {
        String name = "q" + System.nanoTime();
        try (Connection connection = DriverManager.getConnection(postgres.getJdbcUrl("postgres", "postgres")); Statement statement = connection.createStatement()) {
            statement.execute("create database " + name);
        }
        url = postgres.getJdbcUrl("postgres", name);
    }

    @AfterEach
    void stop() {
        workers.forEach(Process::destroyForcibly);
    }

    private Process worker(String name) throws IOException {
        Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1", "-Xmx128m", "-cp",
                System.getProperty("java.class.path"), "dev.mcpprober.census.QueueWorkerMain", url, name).redirectErrorStream(true).start();
        workers.add(process);
        Thread reader = new Thread(() -> {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                lines.lines().forEach(said::add);
            } catch (IOException | UncheckedIOException e) {
                said.add(e.toString());
            }
        });
        reader.setDaemon(true);
        reader.start();
        return process;
    }

    private long count(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url); Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private void until(String what, String sql, long atLeast) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            try {
                if (count(sql) >= atLeast) {
                    return;
                }
            } catch (SQLException e) {
                said.add("not yet: " + e.getMessage());
            }
            assertTrue(System.nanoTime() < end, "waited in vain for " + what + "; workers said " + said);
            Thread.sleep(100);
        }
    }

    private static RunInfo info(Frame frame) {
        RunInfo info = FakeWorld.info(frame);
        return new RunInfo(info.formatVersion(), info.createdAt(), "test", info.frameFile(), info.frameHash(), info.frameRows(), info.seed(), info.profile(),
                info.settings(), info.images(), info.host());
    }

    private CensusOutcome census(Path folder, Frame frame, int expectedNew) throws Exception {
        try (QueueDatabase database = QueueDatabase.open(url, 4); OpenRun run = OpenRun.open(folder, info(frame), frame, FakeWorld.CLOCK)) {
            QueueCensus census = new QueueCensus(database, run, Duration.ofMillis(200), said::add);
            assertEquals(expectedNew, census.enqueue(frame.eligible(), entry -> -1));
            return census.collect(frame.eligible(), new Progress() { });
        }
    }

    private static Map<String, Integer> finished(Path folder) throws IOException {
        Map<String, Integer> out = new TreeMap<>();
        LedgerReader.read(new RunFolder(folder).ledger(), event -> {
            if (event instanceof LedgerEvent.Finished e) {
                out.merge(e.target() + " " + e.state(), 1, Integer::sum);
            }
        });
        return out;
    }

    @Test
    void twoWorkersOneKilledInMidUnitEveryRowOnce() throws Exception {
        String[] rows = IntStream.range(0, 30).mapToObj(i -> i % 10 == 9 ? "npm:no-install-" + i : i % 10 == 8 ? "pypi:no-start-" + i : "npm:s" + i).toArray(String[]::new);
        Frame frame = FakeWorld.frame(temp, rows);
        Path whole = temp.resolve("alone");
        try (OpenRun run = OpenRun.open(whole, info(frame), frame, FakeWorld.CLOCK)) {
            FakeWorld world = new FakeWorld();
            new CensusRunner(run, world, world, DiskGuard.none(), CensusRunner.Options.defaults(), new Progress() { }).run(frame.eligible());
        }
        Thread killer = new Thread(() -> {
            try {
                Process victim = worker("w1");
                worker("w2");
                until("a unit done by w1", "select count(*) from attempt where worker = 'w1' and outcome = 'measured'", 1);
                until("units in the hands of w1", "select count(*) from attempt where worker = 'w1' and ended_at is null", 1);
                victim.destroyForcibly().waitFor();
            } catch (Exception e) {
                said.add("killer: " + e);
            }
        });
        killer.start();
        Path folder = temp.resolve("run");
        CensusOutcome outcome = census(folder, frame, 30);
        killer.join();
        assertEquals(0, outcome.coverage().unmeasured(), said.toString());
        assertEquals(finished(whole), finished(folder), said.toString());
        Verification verification = Verification.of(new RunFolder(folder));
        assertTrue(verification.sound(), verification.problems().toString());
        assertEquals(30, count("select count(*) from result"));
        // Of the two that w1 had in its hands when it died, one may just have ended and not stand yet.
        long lost = count("select count(*) from attempt") - 30;
        assertTrue(lost >= 1 && lost <= 2 && lost >= count("select count(*) from attempt where ended_at is null"), lost + " lost; " + said);
        assertTrue(count("select count(distinct worker) from attempt where outcome = 'measured'") == 2, "both workers did some");
        // The same command again finds nothing to do.
        assertEquals(0, census(folder, frame, 0).coverage().unmeasured());
        assertEquals(30 + lost, count("select count(*) from attempt"));
    }

    @Test
    void aUnitThatKillsItsWorkersIsGivenUpAndTheOthersAreMeasured() throws Exception {
        Frame frame = FakeWorld.frame(temp, "npm:deadly", "npm:a", "npm:b");
        Thread nurse = new Thread(() -> {
            try {
                for (int i = 1; i <= 4; i++) {
                    worker("w" + i).waitFor(60, TimeUnit.SECONDS);
                }
            } catch (Exception e) {
                said.add("nurse: " + e);
            }
        });
        nurse.setDaemon(true);
        nurse.start();
        Path folder = temp.resolve("run");
        CensusOutcome outcome = census(folder, frame, 3);
        assertEquals(1, outcome.coverage().unmeasured(), said.toString());
        assertEquals(2, outcome.coverage().started());
        assertEquals(3, count("select count(*) from attempt where target like '%deadly' and ended_at is null"));
        assertTrue(new RunFolder(folder).readLedger().of("pkg:npm/deadly").lastFault().orElseThrow().detail().contains("3 workers died"));
        // The same command again takes nothing twice, what is not measured neither.
        Map<String, Integer> started = started(folder);
        assertEquals(4, started.get("pkg:npm/deadly"));
        assertEquals(1, census(folder, frame, 0).coverage().unmeasured());
        assertEquals(started, started(folder));
        assertTrue(Verification.of(new RunFolder(folder)).sound(), Verification.of(new RunFolder(folder)).problems().toString());
    }

    private static Map<String, Integer> started(Path folder) throws IOException {
        Map<String, Integer> out = new TreeMap<>();
        LedgerReader.read(new RunFolder(folder).ledger(), event -> {
            if (event instanceof LedgerEvent.Started e) {
                out.merge(e.target(), 1, Integer::sum);
            }
        });
        return out;
    }

    /** It goes away when it has said which results there are, and before it has given all of them. */
    @Test
    void aResultThatCannotBeHadIsTakenLater() throws Exception {
        Frame frame = FakeWorld.frame(temp, "npm:a", "npm:b", "npm:c");
        FakeWorld world = new FakeWorld();
        String name = url.replaceFirst("\\?.*", "").replaceFirst(".*/", "");
        try (QueueDatabase database = QueueDatabase.open(url, 4); OpenRun run = OpenRun.open(temp.resolve("run"), info(frame), frame, FakeWorld.CLOCK)) {
            QueueCensus census = new QueueCensus(database, run, Duration.ofMillis(100), said::add);
            census.enqueue(frame.eligible(), entry -> 1);
            try (QueueDatabase other = QueueDatabase.open(url, 4); QueueWorker worker = new QueueWorker(other, (unit, entry, started) -> new CensusRunner(unit, world, world,
                    DiskGuard.none(), CensusRunner.Options.defaults(), new Progress() { }).run(List.of(entry)), Map.of(),
                    new QueueWorker.Options("w", "test", 1, Duration.ofSeconds(1), 4, Duration.ofMillis(100), 3), said::add)) {
                worker.start();
                until("all results", "select count(*) from result", 3);
            }
            List<String> taken = new ArrayList<>();
            CensusOutcome outcome = census.collect(frame.eligible(), new Progress() {
                @Override
                public void finished(String target, TargetState state, String summary, boolean before, int done, int total) {
                    taken.add(target);
                    if (taken.size() == 1) {
                        cutOff(name);
                    }
                }
            });
            assertTrue(said.stream().anyMatch(line -> line.contains("the queue's database does not answer, waiting")), said.toString());
            assertEquals(List.of("pkg:npm/a", "pkg:npm/b", "pkg:npm/c"), taken);
            assertEquals(3, outcome.coverage().started(), said.toString());
        }
        assertEquals(3, finished(temp.resolve("run")).size());
        assertTrue(Verification.of(new RunFolder(temp.resolve("run"))).sound());
    }

    @Test
    void aDefectInAUnitIsSaid() throws Exception {
        Frame frame = FakeWorld.frame(temp, "npm:a");
        try (QueueDatabase database = QueueDatabase.open(url, 4); OpenRun run = OpenRun.open(temp.resolve("run"), info(frame), frame, FakeWorld.CLOCK);
                QueueWorker worker = new QueueWorker(database, (unit, entry, started) -> {
                    throw new IllegalStateException("cannot be");
                }, Map.of(), new QueueWorker.Options("w", "test", 1, Duration.ofSeconds(1), 4, Duration.ofMillis(100), 3), said::add)) {
            new QueueCensus(database, run, Duration.ofMillis(100), said::add).enqueue(frame.eligible(), entry -> 1);
            worker.start();
            until("the unit's attempt", "select count(*) from scheduled_tasks where last_failure is not null", 1);
            assertTrue(said.stream().anyMatch(line -> line.contains("pkg:npm/a: a defect of this program") && line.contains("cannot be")), said.toString());
        }
    }

    /** For a second. */
    private void cutOff(String database) {
        try {
            away(database, true);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        Thread back = new Thread(() -> {
            try {
                Thread.sleep(1000);
                away(database, false);
            } catch (InterruptedException | SQLException e) {
                said.add("back: " + e);
            }
        });
        back.start();
    }

    @Test
    void aWorkerThatIsToldToEndGivesItsUnitsBack() throws Exception {
        String[] rows = IntStream.range(0, 20).mapToObj(i -> "npm:s" + i).toArray(String[]::new);
        Frame frame = FakeWorld.frame(temp, rows);
        Thread relief = new Thread(() -> {
            try {
                Process first = worker("w1");
                until("a unit in the hands of w1", "select count(*) from attempt where worker = 'w1' and ended_at is null", 1);
                first.destroy();
                assertTrue(first.waitFor(30, TimeUnit.SECONDS));
                assertEquals(0, count("select count(*) from attempt where ended_at is null"), "nothing is left hanging");
                worker("w2");
            } catch (Exception | AssertionError e) {
                said.add("relief: " + e);
            }
        });
        relief.start();
        Path folder = temp.resolve("run");
        assertEquals(0, census(folder, frame, 20).coverage().unmeasured(), said.toString());
        relief.join();
        assertFalse(said.stream().anyMatch(line -> line.startsWith("relief:")), said.toString());
        assertTrue(Verification.of(new RunFolder(folder)).sound(), Verification.of(new RunFolder(folder)).problems().toString());
    }

    @Test
    void aUnitThatIsWorkedOnIsStillInTheQueue() throws Exception {
        Frame frame = FakeWorld.frame(temp, "npm:slow");
        FakeWorld world = new FakeWorld();
        world.takes = 700;
        try (QueueDatabase database = QueueDatabase.open(url, 4); OpenRun run = OpenRun.open(temp.resolve("run"), info(frame), frame, FakeWorld.CLOCK);
                QueueWorker worker = new QueueWorker(database, (unit, entry, started) -> new CensusRunner(unit, world, world, DiskGuard.none(),
                        CensusRunner.Options.defaults(), new Progress() { }).run(List.of(entry)), Map.of(),
                        new QueueWorker.Options("w", "test", 1, Duration.ofSeconds(1), 4, Duration.ofMillis(100), 3), said::add)) {
            QueueCensus census = new QueueCensus(database, run, Duration.ofMillis(100), said::add);
            census.enqueue(frame.eligible(), entry -> 1);
            assertFalse(worker.drained());
            worker.start();
            until("the unit in somebody's hands", "select count(*) from attempt where ended_at is null", 1);
            assertFalse(worker.drained());
            census.collect(frame.eligible(), new Progress() { });
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
            while (!worker.drained()) {
                assertTrue(System.nanoTime() < end, "never drained");
                Thread.sleep(50);
            }
        }
    }

    @Test
    void aDatabaseThatGoesAwayIsWaitedFor() throws Exception {
        Frame frame = FakeWorld.frame(temp, "npm:a", "npm:b", "npm:c");
        FakeWorld world = new FakeWorld();
        world.takes = 300;
        String name = url.replaceFirst("\\?.*", "").replaceFirst(".*/", "");
        try (QueueDatabase database = QueueDatabase.open(url, 4); OpenRun run = OpenRun.open(temp.resolve("run"), info(frame), frame, FakeWorld.CLOCK);
                QueueWorker worker = new QueueWorker(database, (unit, entry, started) -> new CensusRunner(unit, world, world, DiskGuard.none(),
                        CensusRunner.Options.defaults(), new Progress() { }).run(List.of(entry)), Map.of(),
                        new QueueWorker.Options("w", "test", 1, Duration.ofSeconds(1), 4, Duration.ofMillis(100), 3), said::add)) {
            QueueCensus census = new QueueCensus(database, run, Duration.ofMillis(100), said::add);
            census.enqueue(frame.eligible(), entry -> 1);
            worker.start();
            until("a result", "select count(*) from result", 1);
            away(name, true);
            Thread back = new Thread(() -> {
                try {
                    assertFalse(worker.drained(), "what cannot be asked is not empty");
                    away(name, false);
                } catch (SQLException | AssertionError e) {
                    said.add("back: " + e);
                }
            });
            back.start();
            CensusOutcome outcome = census.collect(frame.eligible(), new Progress() { });
            back.join();
            assertFalse(said.stream().anyMatch(line -> line.startsWith("back:")), said.toString());
            assertEquals(0, outcome.coverage().unmeasured(), said.toString());
            assertTrue(said.stream().anyMatch(line -> line.contains("the queue's database does not answer, waiting")), said.toString());
            assertEquals(3, count("select count(*) from result"));
        }
        assertTrue(Verification.of(new RunFolder(temp.resolve("run"))).sound());
    }

    @Test
    void aWorkerThatIsCutOffBreaksOffWhatOthersDoByThen() throws Exception {
        Frame frame = FakeWorld.frame(temp, "npm:a");
        FakeWorld world = new FakeWorld();
        world.takes = 120_000;
        String name = url.replaceFirst("\\?.*", "").replaceFirst(".*/", "");
        try (QueueDatabase database = QueueDatabase.open(url, 4); OpenRun run = OpenRun.open(temp.resolve("run"), info(frame), frame, FakeWorld.CLOCK);
                QueueWorker worker = new QueueWorker(database, (unit, entry, started) -> {
                    CensusRunner runner = new CensusRunner(unit, world, world, DiskGuard.none(), CensusRunner.Options.defaults(), new Progress() { });
                    started.accept(runner);
                    return runner.run(List.of(entry));
                }, Map.of(), new QueueWorker.Options("w", "test", 1, Duration.ofSeconds(1), 4, Duration.ofMillis(100), 3), said::add)) {
            QueueCensus census = new QueueCensus(database, run, Duration.ofMillis(100), said::add);
            census.enqueue(frame.eligible(), entry -> 1);
            worker.start();
            until("the unit in the worker's hands", "select count(*) from attempt where ended_at is null", 1);
            away(name, true);
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (said.stream().noneMatch(line -> line.contains("broken off, this worker has lost the queue"))) {
                assertTrue(System.nanoTime() < end, "never broken off: " + said);
                Thread.sleep(100);
            }
            world.takes = 0;
            away(name, false);
            assertEquals(0, census.collect(frame.eligible(), new Progress() { }).coverage().unmeasured(), said.toString());
            assertEquals(1, count("select count(*) from result"));
        }
    }

    @Test
    void aClockThatIsWrongIsRefused() throws Exception {
        QueueDatabase.open(url, 1, Clock.offset(Clock.systemUTC(), Duration.ofSeconds(2))).close();
        for (int seconds : List.of(-30, 30)) {
            QueueException e = assertThrows(QueueException.class, () -> QueueDatabase.open(url, 1, Clock.offset(Clock.systemUTC(), Duration.ofSeconds(seconds))));
            assertTrue(e.getMessage().contains("clock") && e.getMessage().contains("Set the clocks"), e.getMessage());
        }
    }

    /** Nobody can connect to it any more, and who was connected is cut off; or all is well again. */
    private static void away(String database, boolean away) throws SQLException {
        try (Connection connection = DriverManager.getConnection(postgres.getJdbcUrl("postgres", "postgres")); Statement statement = connection.createStatement()) {
            statement.execute("alter database " + database + " allow_connections " + !away);
            if (away) {
                statement.execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = '" + database + "'");
            }
        }
    }

    @Test
    void aDatabaseThatIsNoneIsNamedWithoutItsPassword() {
        QueueException e = assertThrows(QueueException.class, () -> QueueDatabase.open("jdbc:postgresql://127.0.0.1:1/none?user=me&password=secret", 1));
        assertTrue(e.getMessage().contains("127.0.0.1:1/none") && !e.getMessage().contains("secret"), e.getMessage());
        QueueException before = assertThrows(QueueException.class, () -> QueueDatabase.open("jdbc:postgresql://me:secret@127.0.0.1:1/none", 1));
        assertTrue(before.getMessage().contains("PGPASSWORD") && !before.getMessage().contains("secret"), before.getMessage());
        assertTrue(assertThrows(QueueException.class, () -> QueueDatabase.open("jdbc:h2:mem:x", 1)).getMessage().contains("only PostgreSQL"));
    }
}
