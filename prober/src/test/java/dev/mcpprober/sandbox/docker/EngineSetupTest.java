package dev.mcpprober.sandbox.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing here sets an engine up: each case ends before that, or runs a script of its own. */
class EngineSetupTest {
    @TempDir
    Path temp;

    private record Said(int exit, String text) {}

    private Said script(Map<String, String> environment, String... before) throws Exception {
        List<String> command = new ArrayList<>(List.of(before));
        command.add(ProberHome.folder().resolve("bin/engine-setup").toString());
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().remove("DOCKER_HOST");
        builder.environment().remove("DOCKER_TLS_VERIFY");
        builder.environment().putAll(environment);
        Process process = builder.start();
        String text = new String(process.getInputStream().readAllBytes());
        assertTrue(process.waitFor(60, TimeUnit.SECONDS));
        return new Said(process.exitValue(), text);
    }

    @ParameterizedTest
    @EnumSource(EngineSetup.State.class)
    void everyExitStatusHasItsState(EngineSetup.State state) throws Exception {
        int status = switch (state) {
            case READY -> 0;
            case NO_PERMISSION -> 11;
            case SETUP_FORBIDDEN -> 12;
            case NO_SETUP_HERE -> 13;
            case HOST_UNREACHABLE -> 14;
            case SETUP_FAILED -> 15;
        };
        Path fake = temp.resolve("setup");
        Files.writeString(fake, "#!/bin/sh\nexit " + status + "\n");
        Files.setPosixFilePermissions(fake, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertEquals(state, EngineSetup.ensure(fake));
        assertEquals(state == EngineSetup.State.NO_PERMISSION ? "engine-forbidden" : "engine-unavailable", state.fault().kind());
    }

    @ParameterizedTest
    @ValueSource(strings = {"tcp://127.0.0.1:1", "unix:///nowhere/docker.sock", "ssh://somebody@example", "nonsense"})
    void aDockerHostThatDoesNotAnswerIsNeverReplaced(String host) throws Exception {
        Said said = script(Map.of("DOCKER_HOST", host));
        assertEquals(14, said.exit(), said.text());
        assertTrue(said.text().contains("DOCKER_HOST=" + host), said.text());
    }

    @Test
    void aSocketThatNobodyListensOnIsNoEngine() throws Exception {
        Path socket = temp.resolve("stale.sock");
        ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket)).close();
        assertEquals(14, script(Map.of("DOCKER_HOST", "unix://" + socket)).exit());
    }

    @Test
    void aSocketThatMayNotBeUsedIsToldFromNoEngine() throws Exception {
        assumeTrue(isRoot(), "needs root, to become somebody else");
        // Not under the temporary folder: others may not enter it.
        Path socket = Path.of("/tmp", "mcp-prober-test-" + ProcessHandle.current().pid() + ".sock");
        try (ServerSocketChannel listener = ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(socket))) {
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-------"));
            Said said = script(Map.of("DOCKER_HOST", "unix://" + socket), "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "bash");
            assertEquals(11, said.exit(), said.text());
            assertTrue(said.text().contains("usermod -aG"), said.text());
        } finally {
            Files.deleteIfExists(socket);
        }
    }

    @Test
    void withoutAnEngineSetupMayBeForbiddenAndNeedsRoot() throws Exception {
        assumeTrue(isRoot(), "needs root, to hide this machine's engine");
        // In a mount namespace of its own, /run is empty, so that there is no engine whatever this machine has.
        String hide = "mount -t tmpfs none /run && exec ";
        Said forbidden = script(Map.of("PROBER_NO_ENGINE_SETUP", "1"), "unshare", "-m", "sh", "-c", hide + "\"$0\"");
        assumeTrue(!forbidden.text().contains("unshare"), "this machine allows no mount namespace: " + forbidden.text());
        assertEquals(12, forbidden.exit(), forbidden.text());
        assertTrue(forbidden.text().contains("apt-get install"), forbidden.text());
        Said noRoot = script(Map.of(), "unshare", "-m", "sh", "-c", hide + "setpriv --reuid=65534 --regid=65534 --clear-groups bash \"$0\"");
        assertEquals(13, noRoot.exit(), noRoot.text());
    }

    private static boolean isRoot() throws IOException {
        return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
    }
}
