package dev.mcpprober.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.sandbox.StdioChannel.Happening;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HappeningQueueTest {
    private final HappeningQueue queue = new HappeningQueue(1000);

    private static Happening out(int size) {
        return new Happening.Stdout(1, new byte[size]);
    }

    private CompletableFuture<Boolean> putElsewhere(Happening happening) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return queue.put(happening);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void keepsTheOrderOfArrival() throws Exception {
        Happening first = out(1);
        Happening second = new Happening.StderrEnd(2);
        queue.put(first);
        queue.putAtOnce(second);
        assertEquals(Optional.of(first), queue.poll(Duration.ZERO));
        assertEquals(Optional.of(second), queue.poll(Duration.ZERO));
        assertEquals(Optional.empty(), queue.poll(Duration.ofMillis(5)));
    }

    @Test
    void aFullQueueMakesTheProducerWait() throws Exception {
        queue.put(out(800));
        CompletableFuture<Boolean> waiting = putElsewhere(out(800));
        Thread.sleep(50);
        assertFalse(waiting.isDone());
        queue.poll(Duration.ZERO);
        assertTrue(waiting.get(10, TimeUnit.SECONDS));
    }

    @Test
    void anEntryLargerThanTheQueueIsLetInAlone() throws Exception {
        assertTrue(queue.put(out(5000)));
        CompletableFuture<Boolean> waiting = putElsewhere(out(1));
        Thread.sleep(50);
        assertFalse(waiting.isDone());
        queue.poll(Duration.ZERO);
        assertTrue(waiting.get(10, TimeUnit.SECONDS));
    }

    @Test
    void endsAreLetIntoAFullQueue() throws Exception {
        queue.put(out(1000));
        assertTrue(queue.putAtOnce(new Happening.StdoutEnd(1)));
    }

    @Test
    void tinyPiecesCountWithTheirOverhead() throws Exception {
        int let = 0;
        while (let < 1000 && !putElsewhere(out(1)).completeOnTimeout(false, 200, TimeUnit.MILLISECONDS).get().equals(false)) {
            let++;
        }
        assertTrue(let > 0 && let < 20, let + " pieces of one byte in a queue of 1000");
    }

    @Test
    void closingLetsEverybodyGo() throws Exception {
        queue.put(out(1000));
        CompletableFuture<Boolean> waiting = putElsewhere(out(1000));
        Thread.sleep(20);
        queue.close();
        assertFalse(waiting.get(10, TimeUnit.SECONDS));
        assertInstanceOf(Happening.Lost.class, queue.poll(Duration.ofSeconds(20)).orElseThrow());
        assertFalse(queue.putAtOnce(new Happening.StdoutEnd(1)));
    }
}
