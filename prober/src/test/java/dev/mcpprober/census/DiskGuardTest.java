package dev.mcpprober.census;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.ImageEngine;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DiskGuardTest {
    private static final long MIB = 1 << 20;
    private final List<String> said = new ArrayList<>();
    private final Deque<String> images = new ArrayDeque<>();
    private long free;

    private DiskGuard guard(Duration patience) {
        DiskGuard.Pruner pruner = () -> {
            free += images.isEmpty() ? 0 : 4 * MIB;
            return Optional.ofNullable(images.poll());
        };
        return new DiskGuard(List.of(new DiskGuard.Place("the engine's storage", Path.of("/e"), 10 * MIB, at -> free, pruner)), patience, Duration.ofMillis(1), said::add);
    }

    @Test
    void removesNoMoreThanItMust() throws Exception {
        images.addAll(List.of("a", "b", "c"));
        free = 3 * MIB;
        assertEquals(Optional.empty(), guard(Duration.ZERO).room(() -> false));
        assertEquals(List.of("c"), List.copyOf(images));
        assertEquals(2, said.size());
        assertEquals("only 3 MiB are free for the engine's storage (/e), 10 MiB are needed; removed a", said.get(0));
    }

    @Test
    void waitsUntilSomebodyMakesRoom() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        DiskGuard guard = new DiskGuard(List.of(new DiskGuard.Place("the run folder", Path.of("/r"), 10 * MIB, at -> looks.incrementAndGet() < 20 ? 0 : 11 * MIB,
                DiskGuard.Pruner.NOTHING)), Duration.ofMinutes(10), Duration.ofMillis(1), said::add);
        assertEquals(Optional.empty(), guard.room(() -> false));
        assertEquals(2, said.size(), said.toString());
        assertTrue(said.get(0).startsWith("paused for at most 10 minutes: only 0 MiB are free for the run folder (/r)"), said.get(0));
        assertEquals("there is room again; going on", said.get(1));
    }

    @Test
    void doesNotWaitForEverNorForNobody() throws Exception {
        assertTrue(guard(Duration.ofMillis(5)).room(() -> false).isPresent());
        AtomicBoolean stopping = new AtomicBoolean(true);
        assertTrue(guard(Duration.ofDays(1)).room(stopping::get).isPresent());
    }

    @Test
    void aPlaceThatCannotBeAskedIsPassedOver() throws Exception {
        DiskGuard guard = new DiskGuard(List.of(new DiskGuard.Place("x", Path.of("/x"), 1, at -> {
            throw new IOException("permission denied");
        }, DiskGuard.Pruner.NOTHING)), Duration.ZERO, said::add);
        assertEquals(Optional.empty(), guard.room(() -> false));
    }

    @Test
    void theOldestImageThatNobodyNeedsGoesFirst() throws Exception {
        Instant now = Instant.parse("2026-12-01T12:00:00Z");
        List<ImageEngine.Labelled> there = new ArrayList<>();
        for (String image : List.of("held", "in-a-container", "old", "older-than-an-hour", "kept", "young")) {
            int minutes = image.equals("young") || image.equals("kept") ? 5 : 300;
            there.add(new ImageEngine.Labelled(image, Map.of("dev.mcpprober.install.key", "k"), now.minus(Duration.ofMinutes(minutes))));
        }
        List<String> removed = new ArrayList<>();
        try (InstalledImages held = new InstalledImages(image -> {
            if (image.equals("in-a-container")) {
                throw new EngineException(new dev.mcpprober.model.Fault.EngineError("remove image", "in use"));
            }
            removed.add(image);
            there.removeIf(it -> it.id().equals(image));
        }, true)) {
            held.hold("held");
            held.hold("kept");
            held.release("kept", true);
            ImagePruner pruner = new ImagePruner(engine(there), held, Clock.fixed(now, ZoneOffset.UTC));
            assertEquals(Optional.of("image old"), pruner.one());
            assertEquals(Optional.of("image older-than-an-hour"), pruner.one());
            assertEquals(Optional.of("image kept"), pruner.one());
            assertEquals(Optional.empty(), pruner.one());
        }
        assertEquals(List.of("old", "older-than-an-hour", "kept"), removed);
    }

    private static ImageEngine engine(List<ImageEngine.Labelled> images) {
        return (ImageEngine) Proxy.newProxyInstance(DiskGuardTest.class.getClassLoader(), new Class<?>[] {ImageEngine.class}, (proxy, method, args) -> {
            assertEquals("imagesWith", method.getName());
            return List.copyOf(images);
        });
    }
}
