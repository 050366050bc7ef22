package dev.mcpprober.census;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class InstalledImagesTest {
    private final List<String> removed = new CopyOnWriteArrayList<>();

    @Test
    void theLastWhoLetsGoOfAFinishedImageRemovesIt() throws Exception {
        try (InstalledImages images = new InstalledImages(removed::add, false)) {
            images.hold("a");
            images.hold("a");
            images.hold("b");
            images.release("a", true);
            images.release("b", false);
            assertFalse(images.removeNow("a"), "somebody holds it");
            images.discard(List.of("a", "left"));
            images.release("a", true);
        }
        assertEquals(Set.of("a", "left"), Set.copyOf(removed));
    }

    /** A bundle of a check starts the server from its image; a full disk is another matter. */
    @Test
    void whatSomebodyElseMadeIsOnlyBorrowed() throws Exception {
        try (InstalledImages images = new InstalledImages(new InstalledImages.Removal() {
            @Override
            public void remove(String image) {
                removed.add(image);
            }

            @Override
            public boolean made(String image) {
                return !image.startsWith("theirs");
            }
        }, false)) {
            for (String image : List.of("ours", "theirs", "theirs-and-old")) {
                images.hold(image);
                images.release(image, true);
            }
        }
        assertEquals(List.of("ours"), removed);
        try (InstalledImages images = new InstalledImages(removed::add, false)) {
            assertTrue(images.removeNow("theirs-and-old"));
        }
        assertEquals(List.of("ours", "theirs-and-old"), removed);
    }

    @Test
    void keptImagesStay() throws Exception {
        try (InstalledImages images = new InstalledImages(removed::add, true)) {
            images.hold("a");
            images.release("a", true);
            images.discard(List.of("left"));
        }
        assertEquals(List.of(), removed);
    }

    @Test
    void whatTheEngineKeepsIsTriedAgain() throws Exception {
        List<String> asked = new CopyOnWriteArrayList<>();
        try (InstalledImages images = new InstalledImages(image -> {
            asked.add(image);
            if (asked.size() == 1) {
                throw new EngineException(new Fault.EngineError("remove image", "a container uses it"));
            }
            removed.add(image);
        }, false)) {
            images.hold("a");
            images.release("a", true);
        }
        assertEquals(List.of("a"), removed);
    }

    @Test
    void whoWantsAnImageThatIsBeingRemovedWaitsUntilItIsGone() throws Exception {
        CountDownLatch removing = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        try (InstalledImages images = new InstalledImages(image -> {
            removing.countDown();
            try {
                go.await();
            } catch (InterruptedException e) {
                throw new EngineException(new Fault.Interrupted("test"));
            }
            removed.add(image);
        }, false)) {
            images.hold("a");
            images.release("a", true);
            removing.await();
            List<String> whenHeld = new CopyOnWriteArrayList<>(List.of("nothing"));
            Thread other = new Thread(() -> {
                try {
                    images.hold("a");
                    whenHeld.addAll(removed);
                } catch (InterruptedException e) {
                    return;
                }
            });
            other.start();
            while (other.getState() != Thread.State.WAITING) {
                Thread.sleep(2);
            }
            go.countDown();
            other.join();
            assertEquals(List.of("nothing", "a"), whenHeld);
            assertFalse(images.removeNow("a"));
        }
    }
}
