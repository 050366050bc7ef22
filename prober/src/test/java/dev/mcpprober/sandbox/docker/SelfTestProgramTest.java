package dev.mcpprober.sandbox.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The program by which an install network is tested, run on this host. */
class SelfTestProgramTest {
    private static final String PROGRAM = Path.of(System.getProperty("prober.home", ".")).toAbsolutePath().resolveSibling("images/gateway/selftest.pl").normalize().toString();
    /** The first two calls begin nothing, as it looks on a busy host: the socket is writable, without an error and without a peer. */
    private static final String NOT_BEGUN = "BEGIN { my $n = 0; *CORE::GLOBAL::connect = sub (*$) { return CORE::connect($_[0], $_[1]) if $n++ > 1; $! = Errno::EINPROGRESS(); 0 } }";
    private static final String NEVER_A_PEER = "BEGIN { *CORE::GLOBAL::getpeername = sub (*) { undef } }";

    private static String run(String before, String target) throws Exception {
        List<String> command = new ArrayList<>(List.of("perl", "-MErrno", "-e", before + " do shift; die $@ if $@", PROGRAM, "try=" + target));
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            assumeTrue(false, "no perl on this machine: " + e.getMessage());
            throw e;
        }
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return out.lines().filter(line -> line.startsWith("try ")).findFirst().orElse(out).replaceFirst("^try " + target + " ", "");
    }

    private static int closedPort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void whoAnswersIsReached() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            assertEquals("connected", run("", "127.0.0.1:" + socket.getLocalPort()));
            assertEquals("connected", run(NOT_BEGUN, "127.0.0.1:" + socket.getLocalPort()));
        }
        assertEquals("refused", run("", "127.0.0.1:" + closedPort()));
    }

    @Test
    void aWritableSocketWithoutAPeerIsNoConnection() throws Exception {
        assertEquals("refused", run(NOT_BEGUN, "127.0.0.1:" + closedPort()), "asked again");
    }

    @Test
    void whatStaysUnclearCountsAsALeak() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            assertEquals("connected", run(NEVER_A_PEER, "127.0.0.1:" + socket.getLocalPort()));
        }
    }
}
