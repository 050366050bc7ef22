package dev.mcpprober.sandbox.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineWatchTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir Path folder;

    /** An engine that tells events and answers pings as a test says. */
    private final class Engine implements AutoCloseable {
        final ServerSocketChannel listener;
        final List<SocketChannel> listening = new CopyOnWriteArrayList<>();
        volatile CountDownLatch answers = new CountDownLatch(0);

        Engine() throws IOException {
            listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(folder.resolve("s")));
            background(() -> {
                while (true) {
                    SocketChannel channel = listener.accept();
                    background(() -> serve(channel));
                }
            });
        }

        private void background(Work work) {
            Thread thread = new Thread(() -> {
                try {
                    work.run();
                } catch (IOException | InterruptedException e) {
                    // The test is over.
                }
            });
            thread.setDaemon(true);
            thread.start();
        }

        private void serve(SocketChannel channel) throws IOException, InterruptedException {
            ByteBuffer request = ByteBuffer.allocate(4096);
            channel.read(request);
            boolean events = new String(request.array(), 0, request.position(), StandardCharsets.US_ASCII).startsWith("GET /events");
            if (!events) {
                answers.await();
            }
            write(channel, "HTTP/1.0 200 OK\r\n\r\n" + (events ? "" : "OK"));
            if (events) {
                listening.add(channel);
            } else {
                channel.close();
            }
        }

        private static void write(SocketChannel channel, String text) throws IOException {
            channel.write(StandardCharsets.US_ASCII.encode(text));
        }

        void tell(String container, String action, String attributes) throws IOException, InterruptedException {
            while (listening.isEmpty()) {
                Thread.sleep(1);
            }
            write(listening.get(listening.size() - 1), "{\"status\":\"" + action + "\",\"id\":\"" + container + "\",\"Type\":\"container\",\"Action\":\"" + action
                    + "\",\"Actor\":{\"ID\":\"" + container + "\",\"Attributes\":{" + attributes + "}}}\n");
        }

        @Override
        public void close() throws IOException {
            listener.close();
            for (SocketChannel channel : listening) {
                channel.close();
            }
        }

        EngineAddress address() {
            return new EngineAddress(URI.create("unix://" + folder.resolve("s")), folder.resolve("s"), null, 0);
        }
    }

    private interface Work {
        void run() throws IOException, InterruptedException;
    }

    private Engine engine;
    private EngineWatch watch;

    @BeforeEach
    void start() throws Exception {
        engine = new Engine();
        watch = EngineWatch.of(engine.address(), "run-1");
    }

    @AfterEach
    void stop() throws Exception {
        watch.close();
        engine.close();
    }

    @Test
    void whatTheEngineSaysOfAContainerIsKnownByItsEnd() throws Exception {
        EngineWatch.Account killed = watch.follow("a");
        EngineWatch.Account starved = watch.follow("b");
        EngineWatch.Account ended = watch.follow("c");
        engine.tell("a", "kill", "\"signal\":\"9\"");
        engine.tell("a", "die", "\"exitCode\":\"137\"");
        engine.tell("other", "kill", "\"signal\":\"9\"");
        engine.tell("b", "die", "");
        engine.tell("b", "oom", "");
        engine.tell("c", "die", "");
        killed.awaitDeath(LONG);
        assertEquals("9", killed.signal());
        assertFalse(killed.oom());
        assertTrue(starved.awaitOom(LONG));
        ended.awaitDeath(LONG);
        assertEquals("", ended.signal());
        assertFalse(ended.lost());
    }

    @Test
    void containersOfAnEngineThatWasGoneAreLostAndLaterOnesAreNot() throws Exception {
        EngineWatch.Account before = watch.follow("a");
        engine.tell("a", "die", "");
        before.awaitDeath(LONG);
        assertFalse(before.lost());
        EngineWatch.Account meanwhile = watch.follow("b");
        engine.listening.remove(0).close();
        meanwhile.awaitDeath(LONG);
        assertTrue(meanwhile.lost());
        EngineWatch.Account after = watch.follow("c");
        engine.tell("c", "kill", "\"signal\":\"15\"");
        engine.tell("c", "die", "");
        after.awaitDeath(LONG);
        assertEquals("15", after.signal());
    }

    @Test
    void anEngineThatDoesNotAnswerStandsStill() throws Exception {
        long before = System.nanoTime();
        assertEquals(Duration.ZERO, watch.heldUp(before));
        engine.answers = new CountDownLatch(1);
        while (watch.heldUp(before).isZero()) {
            Thread.sleep(50);
        }
        assertTrue(watch.heldUp(before).compareTo(EngineWatch.STANDSTILL) >= 0);
        engine.answers.countDown();
        long resumed = System.nanoTime();
        while (!watch.heldUp(resumed).isZero()) {
            Thread.sleep(50);
            resumed = System.nanoTime();
        }
        assertTrue(watch.heldUp(before).compareTo(EngineWatch.STANDSTILL) >= 0, "what is over is remembered");
    }
}
