package dev.mcpprober.sandbox.docker;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.Sandbox;
import dev.mcpprober.sandbox.StdioChannel;
import dev.mcpprober.sandbox.StdioChannel.Happening;
import dev.mcpprober.sandbox.Taken;
import dev.mcpprober.sandbox.Termination;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Stdio of real containers. Limits are generous upper bounds, no claims about speed. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AttachSocketIT {
    private static final Duration LONG = Duration.ofSeconds(90);
    private static DockerEngine engine;

    @BeforeAll
    static void connect() throws EngineException {
        engine = Engines.connect();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    @Test
    void halfCloseReachesTheServerAndItsLastWordsArrive() throws Exception {
        halfClose(engine);
    }

    @Test
    void theSameOverTcp() throws Exception {
        try (TcpBridge bridge = new TcpBridge(); DockerEngine tcp = DockerEngine.connect(Engines.runId(), bridge.environment())) {
            halfClose(tcp);
        }
    }

    private static void halfClose(DockerEngine on) throws Exception {
        try (Sandbox sandbox = on.create(Engines.python("""
                import sys
                data = sys.stdin.buffer.read()
                print(len(data), flush=True)
                print('bye', file=sys.stderr)
                sys.exit(7)"""))) {
            StdioChannel stdio = sandbox.start();
            stdio.send("hello ".getBytes(StandardCharsets.UTF_8));
            stdio.send("wörld\n".getBytes(StandardCharsets.UTF_8));
            stdio.closeStdin();
            Taken taken = new Taken(stdio);
            assertTrue(taken.toEnd(LONG));
            assertEquals("13\n", taken.out());
            assertEquals("bye\n", taken.err());
            assertEquals(Optional.of(new Termination.Exited(7)), sandbox.awaitExit(LONG));
            assertFalse(taken.has(Happening.Lost.class));
        }
    }

    @Test
    void noFirstByteIsLost() throws Exception {
        for (int i = 0; i < 25; i++) {
            try (Sandbox sandbox = engine.create(Engines.spec("/bin/echo", "first", "words", Integer.toString(i)))) {
                Taken taken = new Taken(sandbox.start());
                assertTrue(taken.toEnd(LONG));
                assertEquals("first words " + i + "\n", taken.out());
                assertEquals(Optional.of(new Termination.Exited(0)), sandbox.awaitExit(LONG));
            }
        }
    }

    @Test
    void aLineOf20MegabytesArrivesWhole() throws Exception {
        int size = 20_000_000;
        try (Sandbox sandbox = engine.create(Engines.python("""
                import sys
                block = bytes(range(32, 127)) * 1000
                data = (block * (%d // len(block) + 1))[:%d]
                sys.stdout.buffer.write(data + b'\\n')""".formatted(size, size)))) {
            Taken taken = new Taken(sandbox.start());
            assertTrue(taken.toEnd(LONG));
            byte[] expected = new byte[size + 1];
            for (int i = 0; i < size; i++) {
                expected[i] = (byte) (32 + i % 95);
            }
            expected[size] = '\n';
            assertArrayEquals(expected, taken.stdout.toByteArray());
        }
    }

    @Test
    void aLineOf20MegabytesReachesTheServerWhole() throws Exception {
        byte[] line = new byte[20_000_000];
        Arrays.fill(line, (byte) 'x');
        line[line.length - 1] = '\n';
        try (Sandbox sandbox = engine.create(Engines.python("""
                import sys
                line = sys.stdin.buffer.readline()
                print(len(line), line.count(b'x'), sys.stdin.buffer.read())"""))) {
            StdioChannel stdio = sandbox.start();
            stdio.send(line);
            stdio.closeStdin();
            Taken taken = new Taken(stdio);
            assertTrue(taken.toEnd(LONG));
            assertEquals("20000000 19999999 b''\n", taken.out());
        }
    }

    @Test
    void stdoutAndStderrAreKeptApart() throws Exception {
        try (Sandbox sandbox = engine.create(Engines.python("""
                import os
                for i in range(4000):
                    os.write(1, b'out %d %s\\n' % (i, b'o' * (i % 5000)))
                    os.write(2, b'err %d %s\\n' % (i, b'e' * (i * 7 % 5000)))"""))) {
            Taken taken = new Taken(sandbox.start());
            assertTrue(taken.toEnd(LONG));
            List<String> out = taken.out().lines().toList();
            List<String> err = taken.err().lines().toList();
            assertEquals(4000, out.size());
            assertEquals(4000, err.size());
            for (int i = 0; i < 4000; i++) {
                assertEquals("out " + i + " " + "o".repeat(i % 5000), out.get(i));
                assertEquals("err " + i + " " + "e".repeat(i * 7 % 5000), err.get(i));
            }
        }
    }

    @Test
    void aFloodIsHeldBackAndAllOfItArrives() throws Exception {
        long megabytes = 256;
        try (Sandbox sandbox = engine.create(Engines.python("""
                import os
                block = b'f' * 65536
                for i in range(%d * 16):
                    done = 0
                    while done < len(block):
                        done += os.write(1, block[done:])""".formatted(megabytes)))) {
            long before = usedHeap();
            StdioChannel stdio = sandbox.start();
            assertEquals(Optional.empty(), sandbox.awaitExit(Duration.ofSeconds(4)), "it must be made to wait while nothing is taken");
            long highest = usedHeap() - before;
            long bytes = 0;
            boolean ended = false;
            while (!ended) {
                Happening next = stdio.poll(LONG).orElseThrow();
                if (next instanceof Happening.Stdout out) {
                    long was = bytes;
                    bytes += out.bytes().length;
                    if (bytes >> 25 != was >> 25) {
                        highest = Math.max(highest, usedHeap() - before);
                    }
                }
                ended = next instanceof Happening.StdoutEnd;
            }
            assertEquals(megabytes << 20, bytes);
            assertTrue(highest < 24 << 20, "heap grew by " + (highest >> 20) + " MiB during a flood of " + megabytes);
        }
    }

    @Test
    void aFloodOfSingleBytesIsBoundedToo() throws Exception {
        try (Sandbox sandbox = engine.create(Engines.python("""
                import os
                while True:
                    os.write(1, b'1')
                    os.write(2, b'2')"""))) {
            long before = usedHeap();
            sandbox.start();
            assertEquals(Optional.empty(), sandbox.awaitExit(Duration.ofSeconds(6)));
            long grown = usedHeap() - before;
            assertTrue(grown < 24 << 20, "heap grew by " + (grown >> 20) + " MiB");
        }
    }

    private static long usedHeap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    @Test
    void sixteenAtOnce() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(16);
        try {
            CountDownLatch allAttached = new CountDownLatch(16);
            List<Future<String>> answers = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                int number = i;
                answers.add(pool.submit(() -> {
                    try (Sandbox sandbox = engine.create(Engines.spec("/bin/cat"))) {
                        StdioChannel stdio = sandbox.start();
                        allAttached.countDown();
                        assertTrue(allAttached.await(120, TimeUnit.SECONDS));
                        stdio.send(("I am " + number + "\n").getBytes(StandardCharsets.UTF_8));
                        Taken taken = new Taken(stdio);
                        assertTrue(taken.until(LONG, t -> t.out().endsWith("\n")));
                        stdio.closeStdin();
                        assertTrue(taken.toEnd(LONG));
                        assertEquals(Optional.of(new Termination.Exited(0)), sandbox.awaitExit(LONG));
                        return taken.out();
                    }
                }));
            }
            for (int i = 0; i < 16; i++) {
                assertEquals("I am " + i + "\n", answers.get(i).get());
            }
        } finally {
            pool.shutdownNow();
        }
    }

    @Test
    void aServerThatNeverReadsDoesNotBlockUsAndCloseFreesEveryThread() throws Exception {
        try (Sandbox sandbox = engine.create(Engines.python("""
                import time
                print('up', flush=True)
                time.sleep(1000)"""))) {
            StdioChannel stdio = sandbox.start();
            for (int i = 0; i < 64; i++) {
                stdio.send(new byte[1 << 20]);
            }
            Taken taken = new Taken(stdio);
            assertTrue(taken.until(LONG, t -> t.out().equals("up\n")));
            assertEquals(2, threadsOf(sandbox));
            stdio.close();
            for (int i = 0; i < 500 && threadsOf(sandbox) > 0; i++) {
                Thread.sleep(10);
            }
            assertEquals(0, threadsOf(sandbox));
            assertInstanceOf(Happening.Lost.class, stdio.poll(Duration.ofSeconds(60)).orElseThrow());
        }
    }

    private static long threadsOf(Sandbox sandbox) {
        String id = sandbox.id().substring(0, 12);
        return Thread.getAllStackTraces().keySet().stream().filter(t -> t.getName().endsWith(id)).count();
    }

    @Test
    void aFailureToSendIsToldOnceAndOnlyWhenTheServerIsGone() throws Exception {
        try (Sandbox sandbox = engine.create(Engines.spec("/bin/true"))) {
            StdioChannel stdio = sandbox.start();
            Taken taken = new Taken(stdio);
            assertTrue(taken.toEnd(LONG));
            for (int i = 0; i < 4; i++) {
                stdio.send(new byte[1 << 20]);
                taken.until(Duration.ofMillis(500), t -> false);
            }
            assertEquals(List.of(Happening.StdoutEnd.class, Happening.StderrEnd.class, Happening.SendFailed.class),
                    taken.events.stream().map(Object::getClass).toList());
        }
    }

    @Test
    void anUnknownContainerIsTheEnginesError() throws Exception {
        EngineException e = assertThrows(EngineException.class, () -> AttachSocket.open(EngineAddress.of(System.getenv()),
                "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", Optional::empty));
        assertInstanceOf(Fault.EngineError.class, e.fault());
        assertTrue(e.fault().detail().contains("No such container"), e.fault().detail());
    }

    @Test
    void aBrokenConnectionIsNotTheServersEnd() throws Exception {
        try (TcpBridge bridge = new TcpBridge(); DockerEngine tcp = DockerEngine.connect(Engines.runId(), bridge.environment());
                Sandbox sandbox = tcp.create(Engines.python("import time; print('up', flush=True); time.sleep(1000)"))) {
            Taken taken = new Taken(sandbox.start());
            assertTrue(taken.until(LONG, t -> t.out().equals("up\n")));
            bridge.breakConnections();
            assertTrue(taken.toEnd(LONG));
            assertEquals(List.of(Happening.Lost.class), taken.events.stream().map(Object::getClass).toList());
        }
    }

    /** The engine closes the server's stdin when the connection breaks, so a well-behaved server ends in consequence, and may have ended before anybody looks. */
    @Test
    void norIsOneThatIsLookedIntoLate() throws Exception {
        try (TcpBridge bridge = new TcpBridge(); DockerEngine tcp = DockerEngine.connect(Engines.runId(), bridge.environment());
                Sandbox sandbox = tcp.create(Engines.python("import sys, time; print('up', flush=True); sys.stdin.read(); time.sleep(0.5)"))) {
            Taken taken = new Taken(sandbox.start());
            assertTrue(taken.until(LONG, t -> t.out().equals("up\n")));
            bridge.halt(true);
            bridge.breakConnections();
            for (int i = 0; i < 3000 && !Engines.stateOf(engine, sandbox.id()).equals(Optional.of("exited")); i++) {
                Thread.sleep(10);
            }
            assertEquals(Optional.of("exited"), Engines.stateOf(engine, sandbox.id()));
            bridge.halt(false);
            assertTrue(taken.toEnd(LONG));
            assertEquals(List.of(Happening.Lost.class), taken.events.stream().map(Object::getClass).toList());
        }
    }

    @Test
    void whatEndsByItselfHasEndedOverTcpToo() throws Exception {
        try (TcpBridge bridge = new TcpBridge(); DockerEngine tcp = DockerEngine.connect(Engines.runId(), bridge.environment())) {
            for (int i = 0; i < 10; i++) {
                try (Sandbox sandbox = tcp.create(Engines.spec("sh", "-c", "exit 7"))) {
                    Taken taken = new Taken(sandbox.start());
                    assertTrue(taken.toEnd(LONG));
                    assertEquals(List.of(Happening.StdoutEnd.class, Happening.StderrEnd.class), taken.events.stream().map(Object::getClass).toList());
                    assertEquals(Optional.of(new Termination.Exited(7)), sandbox.awaitExit(LONG));
                }
            }
        }
    }

    @Test
    void anEngineThatStopsIsNotTheServersEnd() throws Exception {
        DockerEngine tcp;
        Sandbox sandbox;
        StdioChannel stdio;
        try (TcpBridge bridge = new TcpBridge()) {
            tcp = DockerEngine.connect(Engines.runId(), bridge.environment());
            sandbox = tcp.create(Engines.spec("/bin/cat"));
            stdio = sandbox.start();
        }
        Taken taken = new Taken(stdio);
        assertTrue(taken.toEnd(LONG));
        assertEquals(List.of(Happening.Lost.class), taken.events.stream().map(Object::getClass).toList());
        EngineException e = assertThrows(EngineException.class, () -> sandbox.awaitExit(LONG));
        assertInstanceOf(Fault.EngineUnavailable.class, e.fault(), e.getMessage());
        sandbox.close();
        tcp.close();
        Reaper.removeContainer(engine.client(), sandbox.id());
    }
}
