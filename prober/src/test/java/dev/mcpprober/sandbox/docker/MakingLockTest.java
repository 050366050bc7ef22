package dev.mcpprober.sandbox.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import java.io.IOException;
import java.nio.file.Files;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MakingLockTest {
    private final String image = "test:" + UUID.randomUUID();
    private final CountDownLatch waiting = new CountDownLatch(1);
    private final CountDownLatch taken = new CountDownLatch(1);
    private final AtomicReference<EngineException> failure = new AtomicReference<>();

    @AfterEach
    void remove() throws IOException {
        Files.deleteIfExists(MakingLock.file(image));
    }

    private Thread taker() {
        Thread thread = new Thread(() -> {
            try (MakingLock lock = MakingLock.take(image, waiting::countDown)) {
                taken.countDown();
            } catch (EngineException e) {
                failure.set(e);
            }
        });
        thread.start();
        return thread;
    }

    @Test
    void oneOfThisProgramAtATime() throws Exception {
        Thread other;
        try (MakingLock lock = MakingLock.take(image, () -> { })) {
            other = taker();
            assertFalse(taken.await(200, TimeUnit.MILLISECONDS));
        }
        other.join();
        assertEquals(0, taken.getCount());
    }

    @Test
    void oneOfThisMachineAtATimeAndWhoeverWaitsSaysSo() throws Exception {
        Process holder = new ProcessBuilder(ProcessHandle.current().info().command().orElse("java"), "-cp", System.getProperty("java.class.path"),
                "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"), MakingLockTest.class.getName(), image).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try {
            assertEquals('h', holder.getInputStream().read());
            Thread waiter = taker();
            waiting.await();
            assertFalse(taken.await(200, TimeUnit.MILLISECONDS));
            holder.destroyForcibly();
            waiter.join();
            assertEquals(0, taken.getCount(), "a lock ends with its process");
        } finally {
            holder.destroyForcibly();
        }
    }

    @Test
    void whoeverWaitsCanBeToldToStop() throws Exception {
        try (MakingLock lock = MakingLock.take(image, () -> { })) {
            Thread waiter = taker();
            waiter.interrupt();
            waiter.join();
        }
        assertInstanceOf(Fault.Interrupted.class, failure.get().fault());
        try (MakingLock again = MakingLock.take(image, () -> { })) {
            assertTrue(Files.exists(MakingLock.file(image)));
        }
    }

    @Test
    void whereNoLockCanBeHadTheWorkGoesOn() throws Exception {
        Files.createDirectory(MakingLock.file(image));
        MakingLock.take(image, () -> { }).close();
        MakingLock.take(image, () -> { }).close();
    }

    /** @param args the image; holds its lock until it is killed */
    public static void main(String[] args) throws Exception {
        try (MakingLock lock = MakingLock.take(args[0], () -> { })) {
            System.out.println("held");
            Thread.sleep(60_000);
        }
    }
}
