package dev.mcpprober.sandbox.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineAddressTest {
    @TempDir
    Path folder;

    @Test
    void dockerHostIsHonoured() throws Exception {
        assertEquals(Path.of("/var/run/docker.sock"), EngineAddress.of(Map.of()).unixSocket());
        assertEquals(Path.of("/run/user/7/docker.sock"), EngineAddress.of(Map.of("DOCKER_HOST", "unix:///run/user/7/docker.sock")).unixSocket());
        EngineAddress tcp = EngineAddress.of(Map.of("DOCKER_HOST", "tcp://engine.example:4000"));
        assertEquals("engine.example", tcp.host());
        assertEquals(4000, tcp.port());
        assertEquals("engine.example:4000", tcp.httpHost());
        assertEquals(2375, EngineAddress.of(Map.of("DOCKER_HOST", "tcp://10.0.0.1")).port());
        assertEquals("::1", EngineAddress.of(Map.of("DOCKER_HOST", "tcp://[::1]:4000")).host());
    }

    @Test
    void whatCannotBeUsedIsRefusedWithAReason() {
        for (String text : List.of("ssh://engine.example", "npipe:////./pipe/docker_engine", "/var/run/docker.sock", "tcp://host:1/path", "unix://", "::")) {
            EngineException e = assertThrows(EngineException.class, () -> EngineAddress.of(Map.of("DOCKER_HOST", text)), text);
            assertInstanceOf(Fault.EngineUnavailable.class, e.fault());
            assertTrue(e.fault().detail().contains("DOCKER_HOST=" + text), e.fault().detail());
        }
        EngineException e = assertThrows(EngineException.class,
                () -> EngineAddress.of(Map.of("DOCKER_HOST", "tcp://engine.example:2376", "DOCKER_TLS_VERIFY", "1")));
        assertTrue(e.fault().detail().contains("TLS"), e.fault().detail());
    }

    @Test
    void noSocketAndAStaleSocketAreToldApart() throws Exception {
        EngineException none = assertThrows(EngineException.class,
                () -> EngineAddress.parse("unix://" + folder.resolve("none.sock"), false).connect());
        assertInstanceOf(Fault.EngineUnavailable.class, none.fault());
        assertTrue(none.fault().detail().contains("there is no such socket"), none.fault().detail());

        Path stale = folder.resolve("stale.sock");
        ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(stale)).close();
        assertTrue(Files.exists(stale));
        EngineException dead = assertThrows(EngineException.class, () -> EngineAddress.parse("unix://" + stale, false).connect());
        assertInstanceOf(Fault.EngineUnavailable.class, dead.fault());
        assertTrue(dead.fault().detail().contains("nothing listens"), dead.fault().detail());
    }

    @Test
    void aThreadThatIsToldToStopIsNoFaultOfTheEngine() throws Exception {
        Path socket = folder.resolve("mute.sock");
        try (ServerSocketChannel mute = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket))) {
            EngineAddress address = EngineAddress.parse("unix://" + socket, false);
            Thread caller = Thread.currentThread();
            Thread engine = new Thread(() -> {
                try {
                    mute.accept().read(ByteBuffer.allocate(1000)); // and says nothing
                } catch (IOException e) {
                    // The caller goes without an answer either way.
                }
                caller.interrupt();
            });
            engine.start();
            EngineException asking = assertThrows(EngineException.class, () -> RawExchange.get(address, "/", "ask"));
            engine.join();
            assertTrue(Thread.interrupted());
            assertEquals(new Fault.Interrupted("the prober is stopping, during ask"), asking.fault());

            Thread.currentThread().interrupt();
            EngineException connecting = assertThrows(EngineException.class, address::connect);
            assertTrue(Thread.interrupted());
            assertInstanceOf(Fault.Interrupted.class, connecting.fault());
        }
    }

    @Test
    void aClosedPortIsAnUnavailableEngine() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        EngineException e = assertThrows(EngineException.class, () -> EngineAddress.parse("tcp://127.0.0.1:" + port, false).connect());
        assertInstanceOf(Fault.EngineUnavailable.class, e.fault());
    }
}
