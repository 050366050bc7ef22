package dev.mcpprober.sandbox.local;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.Sandbox;
import dev.mcpprober.sandbox.SandboxPolicy;
import dev.mcpprober.sandbox.SandboxSpec;
import dev.mcpprober.sandbox.StdioChannel;
import dev.mcpprober.sandbox.StdioChannel.Happening;
import dev.mcpprober.sandbox.Taken;
import dev.mcpprober.sandbox.Termination;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LocalEngineTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static LocalEngine engine;

    @TempDir
    Path folder;

    @BeforeAll
    static void open() {
        engine = new LocalEngine();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    private SandboxSpec spec(String... argv) {
        Map<String, String> env = new HashMap<>(System.getenv());
        env.put("FOLDER", folder.toString());
        return new SandboxSpec("", List.of(argv), env, folder.toString(), SandboxPolicy.probe(), Map.of());
    }

    private Sandbox python(String program) throws Exception {
        boolean there;
        try {
            there = new ProcessBuilder("python3", "-c", "").redirectErrorStream(true).start().waitFor() == 0;
        } catch (IOException e) {
            there = false;
        }
        assumeTrue(there, "SKIPPED: python3 is not on this machine");
        return engine.create(spec("python3", "-c", program));
    }

    private Sandbox shell(String program) throws Exception {
        return engine.create(spec("sh", "-c", program));
    }

    @Test
    void halfCloseReachesTheServerAndItsLastWordsArrive() throws Exception {
        try (Sandbox sandbox = python("""
                import sys
                data = sys.stdin.buffer.read()
                print(len(data), flush=True)
                print('bye', file=sys.stderr)
                sys.exit(7)""")) {
            StdioChannel stdio = sandbox.start();
            stdio.send("hello wörld\n".getBytes(StandardCharsets.UTF_8));
            stdio.closeStdin();
            Taken taken = new Taken(stdio);
            assertTrue(taken.toEnd(LONG));
            assertEquals("13\n", taken.out());
            assertEquals("bye\n", taken.err());
            assertEquals(Optional.of(new Termination.Exited(7)), sandbox.awaitExit(LONG));
        }
    }

    @Test
    void aSignalThatIsNotOursIsToldFromAStatus() throws Exception {
        try (Sandbox sandbox = shell("kill -SEGV $$")) {
            sandbox.start();
            assertEquals(Optional.of(new Termination.Signalled(11)), sandbox.awaitExit(LONG));
        }
        try (Sandbox sandbox = shell("exit 3")) {
            sandbox.start();
            assertEquals(Optional.of(new Termination.Exited(3)), sandbox.awaitExit(LONG));
        }
    }

    @Test
    void afterOurSignalWeHaveStoppedIt() throws Exception {
        try (Sandbox sandbox = python("""
                import signal, sys, time
                def leave(*_):
                    print('leaving', flush=True)
                    sys.exit(9)
                signal.signal(signal.SIGTERM, leave)
                print('up', flush=True)
                time.sleep(1000)""")) {
            Taken taken = new Taken(sandbox.start());
            assertTrue(taken.until(LONG, t -> t.out().equals("up\n")));
            sandbox.signal(Sandbox.Signal.SIGTERM);
            assertTrue(taken.toEnd(LONG));
            assertEquals("up\nleaving\n", taken.out(), "what it says after the signal is not lost");
            assertEquals(Optional.of(new Termination.Stopped()), sandbox.awaitExit(LONG));
        }
    }

    @Test
    void aServerThatIgnoresSigtermEndsBySigkill() throws Exception {
        try (Sandbox sandbox = python("""
                import signal, time
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                print('up', flush=True)
                time.sleep(1000)""")) {
            Taken taken = new Taken(sandbox.start());
            assertTrue(taken.until(LONG, t -> t.out().equals("up\n")));
            sandbox.signal(Sandbox.Signal.SIGTERM);
            assertEquals(Optional.empty(), sandbox.awaitExit(Duration.ofMillis(300)));
            sandbox.signal(Sandbox.Signal.SIGKILL);
            assertEquals(Optional.of(new Termination.Stopped()), sandbox.awaitExit(LONG));
        }
    }

    @Test
    void stdoutMayEndWhileTheServerLives() throws Exception {
        try (Sandbox sandbox = python("""
                import os, sys
                os.close(1)
                sys.stdin.read()
                os._exit(5)""")) {
            StdioChannel stdio = sandbox.start();
            Taken taken = new Taken(stdio);
            assertTrue(taken.until(LONG, t -> t.has(Happening.StdoutEnd.class)));
            assertFalse(taken.has(Happening.StderrEnd.class));
            assertEquals(Optional.empty(), sandbox.awaitExit(Duration.ZERO));
            stdio.closeStdin();
            assertEquals(Optional.of(new Termination.Exited(5)), sandbox.awaitExit(LONG));
        }
    }

    @Test
    void anEndIsSeenAlthoughAChildKeepsStdoutOpen() throws Exception {
        try (Sandbox sandbox = shell("sleep 1000 & exit 4")) {
            sandbox.start();
            assertEquals(Optional.of(new Termination.Exited(4)), sandbox.awaitExit(LONG));
        }
    }

    @Test
    void aFloodWithoutNewlineIsHeldBackAndAllOfItArrives() throws Exception {
        try (Sandbox sandbox = python("""
                import os
                block = b'f' * 65536
                for i in range(1600):
                    done = 0
                    while done < len(block):
                        done += os.write(2, block[done:])""")) {
            long before = usedHeap();
            StdioChannel stdio = sandbox.start();
            assertEquals(Optional.empty(), sandbox.awaitExit(Duration.ofSeconds(1)), "it must be made to wait while nothing is taken");
            long grown = usedHeap() - before;
            assertTrue(grown < 16 << 20, "heap grew by " + (grown >> 20) + " MiB");
            long bytes = 0;
            boolean ended = false;
            while (!ended) {
                Happening next = stdio.poll(LONG).orElseThrow();
                bytes += next instanceof Happening.Stderr err ? err.bytes().length : 0;
                ended = next instanceof Happening.StderrEnd;
            }
            assertEquals(100L << 20, bytes);
            assertEquals(Optional.of(new Termination.Exited(0)), sandbox.awaitExit(LONG));
        }
    }

    private static long usedHeap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    @Test
    void aServerThatNeverReadsDoesNotBlockUs() throws Exception {
        try (Sandbox sandbox = shell("echo up; exec sleep 1000")) {
            StdioChannel stdio = sandbox.start();
            for (int i = 0; i < 32; i++) {
                stdio.send(new byte[1 << 20]);
            }
            assertTrue(new Taken(stdio).until(LONG, t -> t.out().equals("up\n")));
        }
    }

    @Test
    void aServerThatClosesItsStdinIsTold() throws Exception {
        try (Sandbox sandbox = shell("exec <&-; echo closed; exec sleep 1000")) {
            StdioChannel stdio = sandbox.start();
            Taken taken = new Taken(stdio);
            assertTrue(taken.until(LONG, t -> t.out().equals("closed\n")));
            stdio.send("x\n".getBytes(StandardCharsets.UTF_8));
            stdio.send("y\n".getBytes(StandardCharsets.UTF_8));
            assertTrue(taken.until(LONG, t -> t.has(Happening.SendFailed.class)));
            assertFalse(taken.until(Duration.ofMillis(200), t -> t.events.size() > 1), "told once, and it lives on");
        }
    }

    @Test
    void closeKillsChildrenAndDaemonsAndFreesEveryThread() throws Exception {
        assumeTrue(Files.isReadable(Path.of("/proc/self/environ")), "SKIPPED: daemons are only found on Linux");
        long child;
        long daemon;
        long pid;
        try (Sandbox sandbox = python("""
                import os, subprocess, sys, time
                child = subprocess.Popen(['sleep', '1000'])
                if os.fork() == 0:
                    os.setsid()
                    if os.fork() == 0:
                        null = os.open('/dev/null', os.O_RDWR)
                        for fd in 0, 1, 2:
                            os.dup2(null, fd)
                        open(os.environ['FOLDER'] + '/daemon', 'w').write(str(os.getpid()) + '\\n')
                        time.sleep(1000)
                    os._exit(0)
                os.wait()
                print(child.pid, flush=True)
                sys.stdin.read()""")) {
            Taken taken = new Taken(sandbox.start());
            assertTrue(taken.until(LONG, t -> t.out().endsWith("\n")));
            pid = Long.parseLong(sandbox.id().replace("process ", ""));
            child = Long.parseLong(taken.out().trim());
            daemon = awaitNumber(folder.resolve("daemon"));
            assertTrue(isAlive(child) && isAlive(daemon));
        }
        assertFalse(isAlive(child));
        assertFalse(isAlive(daemon));
        for (int i = 0; i < 500 && threadsOf(pid) > 0; i++) {
            Thread.sleep(10);
        }
        assertEquals(0, threadsOf(pid));
    }

    private static long awaitNumber(Path file) throws Exception {
        for (int i = 0; i < 1000; i++) {
            if (Files.exists(file) && Files.readString(file).endsWith("\n")) {
                return Long.parseLong(Files.readString(file).trim());
            }
            Thread.sleep(10);
        }
        throw new AssertionError(file + " was not written");
    }

    /** A killed process whose parent does not ask for its status remains as a zombie: dead all the same. */
    private static boolean isAlive(long pid) throws IOException {
        Path stat = Path.of("/proc/" + pid + "/stat");
        return Files.exists(stat) && !Files.readString(stat).contains(") Z ");
    }

    private static long threadsOf(long pid) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(t -> t.getName().startsWith("local-") && t.getName().endsWith("-" + pid)).count();
    }

    @Test
    void aProgramThatCannotBeRunIsNoServersDoing() throws Exception {
        try (Sandbox sandbox = engine.create(spec("no-such-program-anywhere", "--flag"))) {
            EngineException e = assertThrows(EngineException.class, sandbox::start);
            assertInstanceOf(Fault.EngineError.class, e.fault());
            assertEquals("cannot run \"no-such-program-anywhere\": No such file or directory", e.fault().detail());
        }
        EngineException e = assertThrows(EngineException.class, () -> engine.create(
                new SandboxSpec("", List.of("true"), Map.of(), folder.resolve("nowhere").toString(), SandboxPolicy.probe(), Map.of())));
        assertTrue(e.fault().detail().contains("nowhere"), e.fault().detail());
    }

    @Test
    void theEnvironmentIsTheGivenOne() throws Exception {
        try (Sandbox sandbox = engine.create(new SandboxSpec("", List.of("/usr/bin/env"), Map.of("ONLY", "this"), "/",
                SandboxPolicy.probe(), Map.of()))) {
            Taken taken = new Taken(sandbox.start());
            assertTrue(taken.toEnd(LONG));
            assertEquals(List.of("MCP_PROBER_SANDBOX", "ONLY"), taken.out().lines().map(l -> l.substring(0, l.indexOf('='))).sorted().toList());
        }
    }

    @Test
    void aClosedEngineStartsNothing() throws Exception {
        LocalEngine other = new LocalEngine();
        Sandbox before = other.create(spec("sleep", "1000"));
        before.start();
        long pid = Long.parseLong(before.id().replace("process ", ""));
        other.close();
        assertFalse(isAlive(pid));
        Sandbox after = other.create(spec("sleep", "1000"));
        assertInstanceOf(Fault.Interrupted.class, assertThrows(EngineException.class, after::start).fault());
    }
}
