package dev.mcpprober.sandbox.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.ImageEngine;
import dev.mcpprober.sandbox.Sandbox;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a stopped or killed prober leaves behind. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReaperIT {
    private static DockerEngine engine;

    @BeforeAll
    static void connect() throws EngineException {
        engine = Engines.connect();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    private static List<Optional<String>> statesOf(OtherProber other) {
        return other.made.stream().limit(3).map(id -> Engines.stateOf(engine, id)).toList();
    }

    private static final List<Optional<String>> ALIVE = List.of(Optional.of("created"), Optional.of("running"), Optional.of("running"));
    private static final List<Optional<String>> GONE = List.of(Optional.empty(), Optional.empty(), Optional.empty());

    private static boolean networkExists(OtherProber other) {
        return engine.client().listNetworksCmd().withFilter("label", List.of(RunOwner.RUN_LABEL)).exec().stream()
                .anyMatch(network -> network.getId().equals(other.made.get(3)));
    }

    private static String image(Map<String, String> labels) throws EngineException {
        try (Sandbox sandbox = engine.open(Engines.image())) {
            return engine.commit(sandbox, new ImageEngine.ImageConfig(List.of("true"), Map.of(), "10001:10001", "/tmp", labels));
        }
    }

    /** What a worker of a queue that was killed has installed. */
    @Test
    void imagesOfAProcessThatIsGoneAreRemovedAndOthersAreLeftAlone() throws Exception {
        RunOwner here = RunOwner.thisProcess();
        RunOwner gone = new RunOwner(here.host(), here.boot(), here.pid(), "at another time");
        RunOwner elsewhere = new RunOwner("another host", here.boot(), here.pid(), here.start());
        String killed = image(Map.of(RunOwner.OWNER_LABEL, gone.label()));
        List<String> others = List.of(image(Map.of(RunOwner.OWNER_LABEL, elsewhere.label())), image(engine.imageOwner()), image(Map.of("nobodys", "1")));
        try {
            assertTrue(engine.ownImages().contains(others.get(1)) && !engine.ownImages().contains(others.get(0)));
            engine.reaper().reapStale();
            assertTrue(engine.findImage(killed).isEmpty());
            for (String other : others) {
                assertTrue(engine.findImage(other).isPresent(), other);
            }
        } finally {
            for (String other : others) {
                engine.removeImage(other);
            }
        }
    }

    @Test
    void anImageGoesWithoutTheOneThatItWasMadeOf() throws Exception {
        String nameless = image(Map.of("nobodys", "1"));
        try {
            String made;
            try (Sandbox sandbox = engine.open(nameless)) {
                made = engine.commit(sandbox, new ImageEngine.ImageConfig(List.of("true"), Map.of(), "10001:10001", "/tmp", Map.of()));
            }
            engine.removeImage(made);
            assertTrue(engine.findImage(made).isEmpty());
            assertTrue(engine.findImage(nameless).isPresent(), "others may use it");
        } finally {
            engine.removeImage(nameless);
        }
    }

    @Test
    void leftoversOfAKilledProberAreRemovedAndALiveOnesAreLeftAlone() throws Exception {
        String liveRun = Engines.runId();
        try (OtherProber killed = new OtherProber(Engines.runId()); OtherProber live = new OtherProber(liveRun)) {
            killed.signal("KILL");
            killed.awaitEnd();
            assertEquals(ALIVE, statesOf(killed));
            assertTrue(networkExists(killed));

            Reaper.Reaped reaped = engine.reaper().reapStale();
            assertEquals(List.of(), reaped.failures());
            assertTrue(reaped.containers() >= 3 && reaped.networks() >= 1, reaped.toString());
            assertEquals(GONE, statesOf(killed));
            assertFalse(networkExists(killed));

            assertEquals(ALIVE, statesOf(live));
            // An engine can hang as long as somebody alive is attached to a flood and does not take it.
            live.signal("KILL");
            live.awaitEnd();
            assertEquals(new Reaper.Reaped(3, 1, List.of()), engine.reaper().reapRun(liveRun));
            assertEquals(GONE, statesOf(live));
        }
    }

    /** A worker in a container sees other process ids than whoever comes after it. */
    @Test
    void leftoversOfAProberInAContainerGoWithTheContainer() throws Exception {
        try (Sandbox worker = engine.create(Engines.spec("sleep", "1000"))) {
            RunOwner contained = new RunOwner("container-" + worker.id(), "-", 1, "1");
            worker.start();
            String left = image(Map.of(RunOwner.OWNER_LABEL, contained.label()));
            engine.reaper().reapStale();
            assertTrue(engine.findImage(left).isPresent(), "its container runs");
            worker.close();
            for (int i = 0; i < 3000 && Engines.stateOf(engine, worker.id()).isPresent(); i++) {
                Thread.sleep(10); // it is removed in the background
            }
            engine.reaper().reapStale();
            assertTrue(engine.findImage(left).isEmpty(), "its container is gone");
        }
    }

    @Test
    void ctrlCRemovesEverythingWithinTenSeconds() throws Exception {
        String run = Engines.runId();
        try (OtherProber other = new OtherProber(run)) {
            assertEquals(ALIVE, statesOf(other));
            long begin = System.nanoTime();
            other.signal("INT");
            other.awaitEnd();
            assertEquals(GONE, statesOf(other));
            assertFalse(networkExists(other));
            long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
            assertTrue(seconds <= Duration.ofSeconds(10).toSeconds(), seconds + " s");
        } finally {
            engine.reaper().reapRun(run);
        }
    }
}
