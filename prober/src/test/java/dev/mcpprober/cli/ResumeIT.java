package dev.mcpprober.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.dataset.PackageChecker;
import dev.mcpprober.run.Coverage;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.LedgerReader;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.sandbox.docker.Leftovers;
import dev.mcpprober.sandbox.docker.TcpBridge;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A census that is killed, interrupted or left by its engine, and run again to the end: the same as one that nobody disturbed. */
class ResumeIT {
    private static final List<String> FIXTURES = List.of("py-banner", "npm-two-bins", "py-module-only", "npm-bin-mcp", "npm-exit-silent");
    private static final Duration PROMISED = Duration.ofSeconds(10);

    /** Moments at which a census is disturbed, by what it wrote since it opened the folder. */
    private static final Predicate<List<LedgerEvent>> INSTALLING = since -> opens(since, LedgerEvent.INSTALL::equals);
    private static final Predicate<List<LedgerEvent>> PROBING = since -> since.stream().anyMatch(LedgerEvent.Completed.class::isInstance)
            && opens(since, key -> !key.equals(LedgerEvent.INSTALL));
    private static final Predicate<List<LedgerEvent>> BETWEEN_TARGETS = since -> since.stream().anyMatch(LedgerEvent.Finished.class::isInstance)
            && opens(since, key -> true);

    @TempDir(cleanup = CleanupMode.ON_SUCCESS) static Path temp;

    private static Path frame;
    private static Leftovers engine;
    private static List<String> undisturbed;
    private static Set<String> artefacts = new HashSet<>();

    @BeforeAll
    static void measureUndisturbed() throws Exception {
        engine = new Leftovers();
        StringBuilder rows = new StringBuilder("target\n");
        for (String fixture : FIXTURES) {
            copy(ProberProcess.HOME.resolveSibling("corpus").resolve("fixtures").resolve(fixture), temp.resolve(fixture));
            // A package of its own, so that its images are told from those of others who install the same fixture.
            Files.writeString(temp.resolve(fixture).resolve("marker.txt"), UUID.randomUUID().toString());
            rows.append("./").append(fixture).append('\n');
        }
        frame = Files.writeString(temp.resolve("frame.csv"), rows.append("no target\n"));
        Run run = new Run("undisturbed");
        undisturbed = run.toTheEnd();
        assertTrue(undisturbed.size() > 100, undisturbed::toString);
        assertTrue(run.lastEnd.err().contains(frame + ":7: left out: "), run.lastEnd.err());
    }

    /** A run that was given up keeps the images that it would go on with. */
    @AfterEach
    void removeImages() {
        artefacts.stream().flatMap(digest -> engine.imagesOf(digest).stream()).forEach(engine::removeImage);
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path file : (Iterable<Path>) all::iterator) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    private static boolean opens(List<LedgerEvent> since, Predicate<String> keys) {
        Set<String> open = new HashSet<>();
        for (LedgerEvent event : since) {
            if (event instanceof LedgerEvent.Started e && keys.test(e.key())) {
                open.add(e.attempt());
            } else if (event instanceof LedgerEvent.Installed e) {
                open.remove(e.attempt());
            } else if (event instanceof LedgerEvent.Completed e) {
                open.remove(e.attempt());
            } else if (event instanceof LedgerEvent.Faulted e) {
                open.remove(e.attempt());
            }
        }
        return !open.isEmpty();
    }

    /** One run folder with a cache of its own, so that installs are real, and everybody who worked on it. */
    private static final class Run {
        private final Path folder;
        private final Path cache;
        private final List<Long> pids = new ArrayList<>();
        private final Set<String> kept = new HashSet<>();
        private Map<String, String> labels = Map.of();
        private ProberProcess.Ended lastEnd;

        Run(String name) {
            folder = temp.resolve(name);
            cache = temp.resolve(name + "-cache");
        }

        ProberProcess start(Map<String, String> more) throws IOException {
            Map<String, String> environment = new HashMap<>(more);
            environment.put("PROBER_CACHE", cache.toString());
            ProberProcess prober = new ProberProcess(temp, environment, "census", "run", frame.toString(), "--to", folder.toString(), "--workers", "2", "--profile", "quick");
            pids.add(prober.pid());
            return prober;
        }

        List<LedgerEvent> ledger() throws IOException {
            List<LedgerEvent> events = new ArrayList<>();
            if (Files.exists(new RunFolder(folder).ledger())) {
                LedgerReader.read(new RunFolder(folder).ledger(), events::add);
            }
            return events;
        }

        /** What the process has written so far. */
        private List<LedgerEvent> since(long pid) throws IOException {
            List<LedgerEvent> events = ledger();
            for (int i = events.size() - 1; i >= 0; i--) {
                if (events.get(i) instanceof LedgerEvent.Opened opened && opened.pid() == pid) {
                    return events.subList(i, events.size());
                }
            }
            return List.of();
        }

        void await(ProberProcess prober, Predicate<List<LedgerEvent>> moment) throws Exception {
            while (!moment.test(since(prober.pid()))) {
                assertTrue(prober.isAlive(), () -> "the census ended before the moment came\n" + text(prober));
                Thread.sleep(10);
            }
        }

        private static String text(ProberProcess prober) {
            try {
                return prober.soFar();
            } catch (IOException e) {
                return e.toString();
            }
        }

        void remember() throws IOException {
            for (LedgerEvent event : ledger()) {
                if (event instanceof LedgerEvent.Completed e) {
                    kept.add(e.attempt());
                } else if (event instanceof LedgerEvent.Installed e) {
                    kept.add(e.attempt());
                }
            }
        }

        void killedAt(Predicate<List<LedgerEvent>> moment) throws Exception {
            try (ProberProcess prober = start(Map.of())) {
                await(prober, moment);
                engine.labelsOf(prober.pid()).ifPresent(found -> labels = found);
                prober.signal("KILL");
                assertEquals(128 + 9, prober.await().status());
            }
            remember();
        }

        /** Runs it to its end and returns its verdicts, after a look at whether all is well with the folder and the engine. */
        List<String> toTheEnd() throws Exception {
            return toTheEnd(prober -> { });
        }

        List<String> toTheEnd(Disturbance meanwhile) throws Exception {
            try (ProberProcess prober = start(Map.of())) {
                meanwhile.happen(prober);
                lastEnd = prober.await();
            }
            assertEquals(0, lastEnd.status(), lastEnd::toString);
            ProberProcess.Ended verified = ProberProcess.run(temp, Map.of(), "census", "verify", folder.toString());
            assertEquals(0, verified.status(), verified::toString);
            RunFolder files = new RunFolder(folder);
            assertEquals(new Coverage(6, 1, 0, 0, 1, 4), files.readLedger().coverage(files.readFrame().stream().map(row -> row.target()).toList()));
            PackageChecker dataset = PackageChecker.check(files.dataset());
            assertEquals(List.of(), dataset.problems);
            dataset.tables.get("targets").stream().map(target -> target.get("integrity")).filter(digest -> !digest.isEmpty()).forEach(artefacts::add);
            nothingTwiceNothingLost(dataset);
            artefacts.forEach(digest -> assertEquals(List.of(), engine.imagesOf(digest), "an image of a server that is finished"));
            for (long pid : pids) {
                assertEquals(List.of(), engine.of(pid));
            }
            return verdicts(dataset);
        }

        /** What the killed processes had asked the engine for is there only now. */
        void finishedLate(ProberProcess prober) throws Exception {
            await(prober, since -> opens(since, key -> !key.equals(LedgerEvent.INSTALL))); // it has cleared away what it found at its start
            boolean planted = false;
            while (!planted) {
                assertTrue(prober.isAlive(), () -> "no image was there to be copied\n" + text(prober));
                for (String digest : artefacts) {
                    planted = planted || engine.finishLate(labels, digest);
                }
            }
        }

        private void nothingTwiceNothingLost(PackageChecker dataset) throws IOException {
            Set<String> results = new HashSet<>();
            for (LedgerEvent event : ledger()) {
                if (event instanceof LedgerEvent.Completed e) {
                    assertTrue(results.add(e.key()), () -> "measured twice: " + e);
                } else if (event instanceof LedgerEvent.Installed e) {
                    assertTrue(results.add(e.target()), () -> "installed twice: " + e);
                } else if (event instanceof LedgerEvent.Finished e) {
                    assertTrue(results.add("finished " + e.target()), () -> "finished twice: " + e);
                }
            }
            List<String> counting = dataset.tables.get("attempts").stream().filter(row -> row.get("counts").equals("true")).map(row -> row.get("attempt")).toList();
            Set<String> lost = new HashSet<>(kept);
            lost.removeAll(counting);
            assertEquals(Set.of(), lost);
        }
    }

    private interface Disturbance {
        void happen(ProberProcess prober) throws Exception;
    }

    /** What was seen and what it is worth, without what differs between any two runs: times, witnesses and texts. */
    private static List<String> verdicts(PackageChecker dataset) {
        Map<String, String> words = new HashMap<>();
        dataset.tables.get("verdicts").forEach(row -> words.put(row.get("target_id") + " " + row.get("observation"), row.get("rule_set") + " " + row.get("verdict")));
        return dataset.tables.get("observations").stream().map(row -> String.join(" | ", row.get("target_id"), row.get("session"), row.get("check"),
                row.get("revision"), row.get("tool_text"), row.get("property_text"), row.get("primary"), row.get("observed"), row.get("code"),
                words.get(row.get("target_id") + " " + row.get("observation")))).sorted().toList();
    }

    @Test
    void killedThreeTimes() throws Exception {
        Run run = new Run("killed");
        run.killedAt(INSTALLING);
        run.killedAt(PROBING);
        run.killedAt(BETWEEN_TARGETS);
        assertFalse(run.kept.isEmpty());
        assertFalse(run.labels.isEmpty(), "what was killed had containers");
        assertEquals(undisturbed, run.toTheEnd(run::finishedLate));
        assertTrue(run.ledger().stream().filter(LedgerEvent.Faulted.class::isInstance).map(LedgerEvent.Faulted.class::cast)
                .allMatch(fault -> fault.kind().equals("interrupted")), () -> "other faults than those of the kills");
    }

    @Test
    void interruptedWhileInstallingAndWhileProbing() throws Exception {
        Run run = new Run("interrupted");
        for (Predicate<List<LedgerEvent>> moment : List.of(INSTALLING, PROBING)) {
            try (ProberProcess prober = run.start(Map.of())) {
                run.await(prober, moment);
                long begin = System.nanoTime();
                prober.signal("INT");
                ProberProcess.Ended ended = prober.await();
                assertEquals(List.of(), engine.of(prober.pid()), ended::toString);
                Duration took = Duration.ofNanos(System.nanoTime() - begin);
                assertTrue(took.compareTo(PROMISED) <= 0, () -> took + "\n" + ended);
                assertEquals(128 + 2, ended.status(), ended::toString);
                assertTrue(ended.err().contains("the same command goes on"), ended::toString);
            }
            assertTrue(run.ledger().get(run.ledger().size() - 1) instanceof LedgerEvent.Closed closed && closed.reason().equals("stopped on request"),
                    () -> "the ledger does not say that the run was stopped");
            run.remember();
        }
        assertEquals(undisturbed, run.toTheEnd());
    }

    @Test
    void anEngineThatGoesAwayIsNoResult() throws Exception {
        Run run = new Run("left");
        try (TcpBridge bridge = new TcpBridge(); ProberProcess prober = run.start(bridge.environment())) {
            run.await(prober, PROBING);
            bridge.close();
            ProberProcess.Ended ended = prober.await();
            assertEquals(4, ended.status(), ended::toString);
            assertTrue(ended.err().contains("the same command goes on"), ended::toString);
        }
        run.remember();
        assertEquals(undisturbed, run.toTheEnd());
    }

    @Test
    void whereNobodyListensNothingIsRecorded() throws Exception {
        Path socket = temp.resolve("s");
        ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket)).close();
        assertTrue(Files.exists(socket));
        for (String address : List.of("unix://" + socket, "tcp://127.0.0.1:1")) {
            Run run = new Run("nobody");
            try (ProberProcess prober = run.start(Map.of("DOCKER_HOST", address))) {
                ProberProcess.Ended ended = prober.await();
                assertEquals(3, ended.status(), ended::toString);
                assertTrue(ended.err().contains("engine-unavailable: no engine answers where DOCKER_HOST says"), ended::toString);
                assertEquals("", ended.out());
            }
            assertFalse(Files.exists(run.folder));
        }
    }
}
