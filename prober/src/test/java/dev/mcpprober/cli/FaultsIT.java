package dev.mcpprober.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mcpprober.bench.soak.Outcome;
import dev.mcpprober.io.Json;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.LedgerReader;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.sandbox.docker.Leftovers;
import dev.mcpprober.sandbox.docker.TcpBridge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** What others do to containers, gateway and engine of a census while it works: a fault, measured again, and never a server's doing. */
class FaultsIT {
    /** One that never answers, so that there is time to meddle with it, and one that works. */
    private static final List<String> FIXTURES = List.of("npm-hang", "npm-two-bins");

    private static final Predicate<LedgerEvent.Faulted> STOOD_STILL = fault -> fault.detail().contains("stood still");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS) static Path temp;

    private static Path frame;
    private static Leftovers engine;
    private static Outcome undisturbed;
    private static final List<Path> RUNS = new ArrayList<>();

    @BeforeAll
    static void measureUndisturbed() throws Exception {
        engine = new Leftovers();
        StringBuilder rows = new StringBuilder("target\n");
        for (String fixture : FIXTURES) {
            Path from = ProberProcess.HOME.resolveSibling("corpus").resolve("fixtures").resolve(fixture);
            try (Stream<Path> all = Files.walk(from)) {
                for (Path file : (Iterable<Path>) all::iterator) {
                    Files.copy(file, temp.resolve(fixture).resolve(from.relativize(file).toString()));
                }
            }
            // A package of its own, so that its images are told from those of others who install the same fixture.
            Files.writeString(temp.resolve(fixture).resolve("marker.txt"), UUID.randomUUID().toString());
            rows.append("./").append(fixture).append('\n');
        }
        frame = Files.writeString(temp.resolve("frame.csv"), rows);
        try (ProberProcess prober = start("undisturbed", "undisturbed-cache", Map.of())) {
            undisturbed = theSame(prober, "undisturbed");
        }
        assertEquals(Map.of(), undisturbed.faults());
    }

    @AfterAll
    static void clean() throws IOException {
        for (Path run : RUNS) {
            try (Stream<Path> files = Files.isDirectory(run.resolve("installs")) ? Files.list(run.resolve("installs")) : Stream.empty()) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    String digest = Json.mapper().readTree(file.toFile()).path("artefactDigest").asText();
                    engine.imagesOf(digest).forEach(engine::removeImage);
                }
            }
        }
        engine.close();
    }

    /** A cache of its own makes real installs; that of the undisturbed run makes none. */
    private static ProberProcess start(String name, String cache, Map<String, String> more, String... options) throws IOException {
        Map<String, String> environment = new HashMap<>(more);
        environment.put("PROBER_CACHE", temp.resolve(cache).toString());
        RUNS.add(temp.resolve(name));
        List<String> arguments = new ArrayList<>(List.of("census", "run", frame.toString(), "--to", temp.resolve(name).toString(), "--workers", "2",
                "--profile", "quick", "--start-timeout", "6", "--request-timeout", "5", "--keep-images"));
        arguments.addAll(List.of(options));
        return new ProberProcess(temp, environment, arguments.toArray(String[]::new));
    }

    private static List<LedgerEvent> ledger(String name) throws IOException {
        List<LedgerEvent> events = new ArrayList<>();
        Path file = new RunFolder(temp.resolve(name)).ledger();
        if (Files.exists(file)) {
            LedgerReader.read(file, events::add);
        }
        return events;
    }

    private static Stream<LedgerEvent.Faulted> faults(String name) throws IOException {
        return ledger(name).stream().filter(LedgerEvent.Faulted.class::isInstance).map(LedgerEvent.Faulted.class::cast);
    }

    private static void await(ProberProcess prober, Moment moment) throws Exception {
        while (!moment.isHere()) {
            assertTrue(prober.isAlive(), "the census ended before the moment came");
            Thread.sleep(10);
        }
    }

    private interface Moment {
        boolean isHere() throws Exception;
    }

    /** The census ends by itself with everything measured, and says what the undisturbed one said. */
    private static Outcome theSame(ProberProcess prober, String name) throws Exception {
        ProberProcess.Ended ended = prober.await();
        assertEquals(0, ended.status(), ended::toString);
        Outcome outcome = Outcome.of(temp.resolve(name));
        assertEquals(List.of(), outcome.problems());
        assertEquals(List.of(), outcome.twice());
        if (undisturbed != null) {
            assertEquals(undisturbed.targets(), outcome.targets());
            assertEquals(undisturbed.verdicts(), outcome.verdicts());
        }
        assertEquals(List.of(), engine.of(prober.pid()));
        return outcome;
    }

    @Test
    void aServersContainerThatSomebodyKillsIsNoCrashOfIt() throws Exception {
        try (ProberProcess prober = start("probe", "undisturbed-cache", Map.of())) {
            await(prober, () -> engine.kill(prober.pid(), Leftovers.Use.PROBE));
            theSame(prober, "probe");
        }
        assertTrue(faults("probe").anyMatch(fault -> fault.kind().equals("engine-error") && fault.detail().contains("signal 9 through the engine")),
                () -> "no fault of the kill");
    }

    @Test
    void anInstallThatSomebodyKillsIsNoFailureOfThePackage() throws Exception {
        try (ProberProcess prober = start("install", "install-cache", Map.of())) {
            await(prober, () -> engine.kill(prober.pid(), Leftovers.Use.INSTALL));
            theSame(prober, "install");
        }
        assertTrue(faults("install").anyMatch(fault -> fault.kind().equals("engine-error") && fault.key().equals(LedgerEvent.INSTALL)), () -> "no fault of the kill");
    }

    @Test
    void aGatewayThatSomebodyKillsIsReplaced() throws Exception {
        try (ProberProcess prober = start("gateway", "gateway-cache", Map.of())) {
            await(prober, () -> engine.runs(prober.pid(), Leftovers.Use.INSTALL) && engine.kill(prober.pid(), Leftovers.Use.GATEWAY));
            theSame(prober, "gateway");
        }
        assertTrue(faults("gateway").anyMatch(fault -> fault.kind().equals("registry-unreachable")), () -> "no fault of the gateway");
    }

    @Test
    void silenceOfAnEngineIsNoSilenceOfAServer() throws Exception {
        try (TcpBridge bridge = new TcpBridge(); ProberProcess prober = start("slow", "undisturbed-cache", bridge.environment())) {
            await(prober, () -> engine.runs(prober.pid(), "/hang/server.js"));
            // Longer than a server is given for its first answer, which is more on a busy machine. Where the answer that the container was started is held
            // back, too, no wait for the server has begun: now and then something gets through.
            for (int i = 0; i < 80 && faults("slow").noneMatch(STOOD_STILL); i++) {
                bridge.halt(true);
                Thread.sleep(1_000);
                if (i % 20 == 19) {
                    bridge.halt(false);
                    Thread.sleep(500);
                }
            }
            bridge.halt(false);
            theSame(prober, "slow");
        }
        assertTrue(faults("slow").anyMatch(STOOD_STILL), () -> "no fault of the standstill");
    }

    @Test
    void aRunFolderWhoseDiskFillsUpMakesTheCensusWait() throws Exception {
        assumeTrue(System.getProperty("user.name").equals("root"), "only root can mount a small disk");
        Path disk = Files.createDirectories(temp.resolve("small"));
        command("mount", "-t", "tmpfs", "-o", "size=320m", "tmpfs", disk.toString());
        try (ProberProcess prober = start("small/run", "undisturbed-cache", Map.of())) {
            await(prober, () -> engine.runs(prober.pid(), "/hang/server.js"));
            Path filler = disk.resolve("filler");
            command("sh", "-c", "cat /dev/zero > " + filler + " || true");
            await(prober, () -> prober.soFar().contains("paused for at most"));
            Files.delete(filler);
            theSame(prober, "small/run");
        } finally {
            command("umount", "-l", disk.toString());
        }
    }

    private static void command(String... words) throws Exception {
        assertEquals(0, new ProcessBuilder(words).inheritIO().start().waitFor(), String.join(" ", words));
    }
}
