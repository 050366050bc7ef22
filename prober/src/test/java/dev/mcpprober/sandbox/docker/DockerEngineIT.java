package dev.mcpprober.sandbox.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.Sandbox;
import dev.mcpprober.sandbox.SandboxPolicy;
import dev.mcpprober.sandbox.SandboxSpec;
import dev.mcpprober.sandbox.StdioChannel;
import dev.mcpprober.sandbox.StdioChannel.Happening;
import dev.mcpprober.sandbox.Taken;
import dev.mcpprober.sandbox.Termination;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Lifecycle, isolation and ends of real containers. */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DockerEngineIT {
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

    private record Ran(String out, String err, Termination end) {}

    private static Ran run(SandboxSpec spec) throws Exception {
        return run(engine, spec);
    }

    private static Ran run(DockerEngine on, SandboxSpec spec) throws Exception {
        try (Sandbox sandbox = on.create(spec)) {
            StdioChannel stdio = sandbox.start();
            stdio.closeStdin();
            Taken taken = new Taken(stdio);
            assertTrue(taken.toEnd(LONG));
            return new Ran(taken.out(), taken.err(), sandbox.awaitExit(LONG).orElseThrow());
        }
    }

    private static SandboxSpec with(SandboxSpec spec, SandboxPolicy policy) {
        return new SandboxSpec(spec.image(), spec.argv(), spec.env(), spec.workdir(), policy, spec.labels());
    }

    private static SandboxPolicy memory(long mebibytes) {
        SandboxPolicy probe = SandboxPolicy.probe();
        return new SandboxPolicy(probe.network(), mebibytes << 20, probe.cpus(), probe.pids(), probe.readOnlyRoot(), probe.user(),
                probe.tmpfs(), probe.runtime());
    }

    @Test
    void nothingButWhatThePolicyGives() throws Exception {
        Ran ran = run(Engines.python("""
                import os, socket
                status = dict(line.split(':', 1) for line in open('/proc/self/status'))
                for key in 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb', 'NoNewPrivs', 'Seccomp', 'Uid', 'Gid':
                    print(key, status[key].split()[0])
                print('net', sorted(os.listdir('/sys/class/net')))
                print('cwd', os.getcwd(), 'home', os.environ.get('HOME'), 'env', sorted(os.environ))
                for path in '/x', '/etc/x', '/srv/x', '/tmp/x', '/home/mcp/x':
                    try:
                        open(path, 'w').close()
                        print(path, 'written')
                    except OSError as e:
                        print(path, e.strerror)
                for address in '192.0.2.1', '172.17.0.1', '10.0.0.1':
                    try:
                        socket.create_connection((address, 2375), 2)
                        print(address, 'CONNECTED')
                    except OSError as e:
                        print(address, e.strerror)
                """));
        assertEquals("", ran.err());
        assertEquals(new Termination.Exited(0), ran.end());
        List<String> lines = ran.out().lines().toList();
        assertEquals(List.of("CapPrm 0000000000000000", "CapEff 0000000000000000", "CapBnd 0000000000000000", "CapAmb 0000000000000000",
                "NoNewPrivs 1", "Seccomp 2", "Uid 10001", "Gid 10001", "net ['lo']"), lines.subList(0, 9));
        assertTrue(lines.get(9).startsWith("cwd /tmp home "), lines.get(9));
        assertEquals(List.of("/x Read-only file system", "/etc/x Read-only file system", "/srv/x Read-only file system", "/tmp/x written",
                "/home/mcp/x written", "192.0.2.1 Network is unreachable", "172.17.0.1 Network is unreachable",
                "10.0.0.1 Network is unreachable"), lines.subList(10, 18));
    }

    private static void assertLoopbackOnly(DockerEngine on) throws Exception {
        Ran ran = run(on, Engines.python("""
                import os, socket, time
                server = socket.create_server(('127.0.0.1', 0))
                with socket.create_connection(('localhost', server.getsockname()[1]), 2):
                    print('connected')
                print(sorted({a[4][0] for a in socket.getaddrinfo('localhost', 80)}))
                begin = time.monotonic()
                try:
                    print(socket.getaddrinfo('registry.invalid', 443))
                except socket.gaierror as e:
                    print(e.args[0] == socket.EAI_AGAIN, time.monotonic() - begin < 2)
                print(sorted(os.listdir('/sys/class/net')))
                """));
        assertEquals("", ran.err());
        assertEquals("connected\n['127.0.0.1', '::1']\nTrue True\n['lo']\n", ran.out());
    }

    @Test
    void withoutANetworkThereIsStillALoopbackWithItsName() throws Exception {
        assertLoopbackOnly(engine);
    }

    @Test
    void theLoopbackIsThereOnAnEngineThatDoesNotSeeOurFiles(@TempDir Path folder) throws Exception {
        Path hosts = Files.writeString(folder.resolve("hosts"), "127.0.0.1 localhost\n");
        try (DockerEngine other = DockerEngine.connect(Engines.runId(), System.getenv(), hosts)) {
            Files.delete(hosts);
            assertLoopbackOnly(other);
        }
    }

    @Test
    void aThreadThatIsToldToStopWhileItCreatesLeavesNothing() throws Exception {
        List<String> left = new ArrayList<>();
        for (int delay = 0; delay < 60; delay += 4) {
            DockerEngine other = Engines.connect();
            SandboxSpec spec = Engines.spec("true");
            Thread creating = new Thread(() -> {
                try {
                    other.create(spec).start();
                } catch (EngineException e) {
                    // It was told to stop.
                }
            });
            creating.start();
            Thread.sleep(delay);
            creating.interrupt();
            other.close();
            creating.join();
            Thread.sleep(300);
            engine.client().listContainersCmd().withShowAll(true).withLabelFilter(other.runLabels()).exec()
                    .forEach(container -> left.add(container.getId() + " " + container.getState()));
            engine.reaper().reapRun(other.runLabels().get(RunOwner.RUN_LABEL));
        }
        assertEquals(List.of(), left);
    }

    @Test
    void whatIsWrittenIsCountedAndWhatCannotBeSaysSo() throws Exception {
        SandboxPolicy probe = SandboxPolicy.probe();
        SandboxPolicy writable = new SandboxPolicy(probe.network(), probe.memoryBytes(), probe.cpus(), probe.pids(), false, probe.user(), probe.tmpfs(), probe.runtime());
        try (Sandbox sandbox = engine.create(with(Engines.python("""
                import os
                os.mkdir('/srv/app/many')
                for i in range(50):
                    open('/srv/app/many/"Kind":%d' % i, 'w').close()
                open('/srv/app/many/big', 'w').truncate(3 << 30)
                """), writable))) {
            sandbox.start().closeStdin();
            sandbox.awaitExit(LONG).orElseThrow();
            assertTrue(engine.writtenBytes(sandbox) >= 3L << 30);
            int entries = engine.writtenEntries(sandbox, 1_000);
            assertTrue(entries >= 52 && entries < 80, "52 and the folders above them: " + entries);
            assertTrue(engine.writtenEntries(sandbox, 10) > 10);
        }
        try (Sandbox sandbox = engine.create(with(Engines.python("""
                import os
                os.chdir('/srv/app')
                for _ in range(40):
                    os.mkdir('d' * 200)
                    os.chdir('d' * 200)
                """), writable))) {
            sandbox.start().closeStdin();
            sandbox.awaitExit(LONG).orElseThrow();
            assertTrue(engine.writtenBytes(sandbox) < 0);
        }
    }

    @Test
    void processesAreLimited() throws Exception {
        Ran ran = run(Engines.python("""
                import os, time
                made = 0
                try:
                    while made < 1000:
                        if os.fork() == 0:
                            time.sleep(60)
                        made += 1
                except OSError as e:
                    print('stopped', made < 256, e.strerror, flush=True)
                os._exit(0)"""));
        assertEquals("stopped True Resource temporarily unavailable\n", ran.out());
    }

    @Test
    void everyWayToEndIsTold() throws Exception {
        assertEquals(new Termination.Exited(3), run(Engines.python("raise SystemExit(3)")).end());
        assertEquals(new Termination.Signalled(11), run(Engines.python("import os; os.kill(os.getpid(), 11)")).end());
        assertEquals(new Termination.Signalled(9), run(Engines.python("import os; os.kill(os.getpid(), 9)")).end());
        Ran missing = run(Engines.spec("/no/such/program"));
        assertEquals(new Termination.Exited(127), missing.end());
        assertTrue(missing.err().contains("/no/such/program"), missing.err());
    }

    /** Engine 20.10 now and then loses its own OOM event under load (1 of 160 seen): what is not told then is a plain kill, nothing else. */
    @Test
    void anOomKillIsToldUnlessTheEngineLosesIt() throws Exception {
        List<Termination> ends = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ends.add(run(with(Engines.python("x = bytearray(1 << 30)\nprint(len(x))"), memory(64))).end());
        }
        ends.forEach(end -> assertTrue(end.equals(new Termination.OomKilled()) || end.equals(new Termination.Signalled(9)), ends.toString()));
        assertTrue(ends.stream().filter(new Termination.OomKilled()::equals).count() >= 3, ends.toString());
    }

    @Test
    void anOomKillOfAChildAloneIsNotTheServers() throws Exception {
        Ran ran = run(with(Engines.python("""
                import subprocess, sys
                print(subprocess.run([sys.executable, '-c', 'x = bytearray(1 << 30)']).returncode)
                sys.exit(4)"""), memory(64)));
        assertEquals("-9\n", ran.out());
        assertEquals(new Termination.Exited(4), ran.end());
    }

    @Test
    void ourSignalsStopIt() throws Exception {
        try (Sandbox sandbox = engine.create(Engines.python("""
                import signal, sys, time
                signal.signal(signal.SIGTERM, lambda *_: (print('leaving', flush=True), sys.exit(9)))
                print('up', flush=True)
                time.sleep(1000)"""))) {
            Taken taken = new Taken(sandbox.start());
            assertTrue(taken.until(LONG, t -> t.out().equals("up\n")));
            assertEquals(Optional.empty(), sandbox.awaitExit(Duration.ofMillis(50)));
            sandbox.signal(Sandbox.Signal.SIGTERM);
            assertTrue(taken.toEnd(LONG));
            assertEquals("up\nleaving\n", taken.out());
            assertEquals(Optional.of(new Termination.Stopped()), sandbox.awaitExit(LONG));
            sandbox.signal(Sandbox.Signal.SIGKILL); // has ended: nothing happens
        }
    }

    @Test
    void aFloodThatNobodyTakesDoesNotBlockASignal() throws Exception {
        try (Sandbox sandbox = engine.create(Engines.python("""
                import os, signal
                signal.signal(signal.SIGTERM, signal.SIG_IGN)
                while True:
                    os.write(1, b'flood' * 1000)"""))) {
            StdioChannel stdio = sandbox.start();
            assertEquals(Optional.empty(), sandbox.awaitExit(Duration.ofSeconds(1)));
            sandbox.signal(Sandbox.Signal.SIGTERM);
            assertEquals(Optional.empty(), sandbox.awaitExit(Duration.ofMillis(300)));
            sandbox.signal(Sandbox.Signal.SIGKILL);
            assertEquals(Optional.empty(), sandbox.awaitExit(Duration.ofMillis(300)), "the engine waits for its output to be taken");
            assertTrue(new Taken(stdio).toEnd(LONG));
            assertEquals(Optional.of(new Termination.Stopped()), sandbox.awaitExit(LONG));
        }
    }

    @Test
    void aFloodThatNobodyTakesIsRemovedAtOnce() throws Exception {
        Sandbox sandbox = engine.create(Engines.python("import os\nwhile True:\n    os.write(1, b'flood' * 1000)"));
        sandbox.start();
        assertEquals(Optional.empty(), sandbox.awaitExit(Duration.ofSeconds(1)));
        sandbox.close();
        engine.awaitRemovals();
        assertEquals(Optional.empty(), Engines.stateOf(engine, sandbox.id()));
    }

    @Test
    void anEndIsSeenAfterTheChannelWasClosed() throws Exception {
        try (Sandbox sandbox = engine.create(Engines.python("import sys; sys.stdin.read(); sys.exit(6)"))) {
            sandbox.start().close();
            assertEquals(Optional.of(new Termination.Exited(6)), sandbox.awaitExit(LONG));
        }
    }

    @Test
    void streamsClosedByALivingServerAreNotItsEnd() throws Exception {
        try (Sandbox sandbox = engine.create(Engines.python("""
                import os, sys
                os.write(1, b'up\\n')
                os.close(1)
                os.close(2)
                sys.stdin.read()
                os._exit(5)"""))) {
            StdioChannel stdio = sandbox.start();
            Taken taken = new Taken(stdio);
            assertTrue(taken.until(LONG, t -> t.out().equals("up\n")));
            taken.until(Duration.ofSeconds(2), t -> false);
            assertEquals(List.of(), taken.events);
            assertEquals(Optional.empty(), sandbox.awaitExit(Duration.ZERO));
            stdio.closeStdin();
            assertEquals(Optional.of(new Termination.Exited(5)), sandbox.awaitExit(LONG));
        }
    }

    @Test
    void aMissingImageIsAFaultOfItsOwn() {
        SandboxSpec spec = new SandboxSpec("mcp-prober/no-such-image:1", List.of("true"), Map.of(), "/", SandboxPolicy.probe(), Map.of());
        EngineException e = assertThrows(EngineException.class, () -> engine.create(spec));
        assertEquals("mcp-prober/no-such-image:1", assertInstanceOf(Fault.ImageUnavailable.class, e.fault()).image());
    }

    @Test
    void aMissingNetworkIsTheEnginesError() throws Exception {
        SandboxSpec spec = with(Engines.spec("true"), SandboxPolicy.install("mcp-prober-no-such-network"));
        EngineException e = assertThrows(EngineException.class, () -> {
            try (Sandbox sandbox = engine.create(spec)) {
                sandbox.start();
            }
        });
        assertInstanceOf(Fault.EngineError.class, e.fault());
        assertTrue(e.fault().detail().contains("mcp-prober-no-such-network"), e.fault().detail());
    }

    @Test
    void closingKillsRemovesAndLetsTheReaderGo() throws Exception {
        Sandbox sandbox;
        StdioChannel stdio;
        try (DockerEngine other = Engines.connect()) {
            sandbox = other.create(Engines.spec("sleep", "1000"));
            stdio = sandbox.start();
            sandbox.close();
            sandbox.close();
            assertEquals(Optional.of(new Termination.Stopped()), sandbox.awaitExit(LONG));
            assertInstanceOf(Happening.Lost.class, stdio.poll(LONG).orElseThrow());
        }
        assertEquals(Optional.empty(), Engines.stateOf(engine, sandbox.id()));
    }

    @Test
    void aClosedEngineLeavesNothingAndCreatesNothing() throws Exception {
        DockerEngine other = Engines.connect();
        Sandbox created = other.create(Engines.spec("sleep", "1000"));
        Sandbox started = other.create(Engines.spec("sleep", "1000"));
        started.start();
        assertEquals(Optional.of("created"), Engines.stateOf(engine, created.id()));
        assertEquals(Optional.of("running"), Engines.stateOf(engine, started.id()));
        other.close();
        assertEquals(Optional.empty(), Engines.stateOf(engine, created.id()));
        assertEquals(Optional.empty(), Engines.stateOf(engine, started.id()));
        assertInstanceOf(Fault.Interrupted.class, assertThrows(EngineException.class, () -> other.create(Engines.spec("true"))).fault());
        other.close();
    }

    @Test
    void theEngineIsDescribedForProvenance() {
        assertTrue(engine.describe().matches("docker \\S+ cgroup v[12] \\S+( without .*)?"), engine.describe());
    }

    @Test
    void noEngineIsAFaultThatSaysSo() {
        EngineException e = assertThrows(EngineException.class,
                () -> DockerEngine.connect("it", Map.of("DOCKER_HOST", "unix:///tmp/mcp-prober-no-such.sock")));
        assertInstanceOf(Fault.EngineUnavailable.class, e.fault());
    }
}
