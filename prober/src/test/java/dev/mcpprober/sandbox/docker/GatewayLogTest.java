package dev.mcpprober.sandbox.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.dockerjava.api.model.Frame;
import com.github.dockerjava.api.model.StreamType;
import dev.mcpprober.model.Registry;
import dev.mcpprober.sandbox.GatewayEvidence;
import dev.mcpprober.sandbox.GatewayEvidence.Kind;
import dev.mcpprober.sandbox.GatewayEvidence.Served;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GatewayLogTest {
    private static final Instant START = Instant.ofEpochSecond(1_000_000);
    private static final String SUBNET = "172.19.0.0/16";

    private static String line(double time, String ip, int port, String host, String request, String path, int status) {
        return """
                {"t":%.3f,"ip":"%s","port":%d,"host":"%s","request":"%s","path":"%s","status":%d,"upstream":"%d","cache":"MISS","bytes":12,"seconds":0.1}"""
                .formatted(time, ip, port, host, request, path, status, status);
    }

    private static GatewayEvidence read(String... lines) {
        return GatewayLog.read(List.of(lines), SUBNET, START, true);
    }

    private static String get(int port, String path) {
        return line(1_000_001, "172.19.0.3", port, "gw:" + port, "GET " + path + " HTTP/1.1", path, 200);
    }

    @ParameterizedTest
    @CsvSource({
        "4873, /foo, NPM, DOCUMENT, foo, '', ''",
        "4873, /@scope%2ffoo, NPM, DOCUMENT, @scope/foo, '', ''",
        "4873, /foo/-/foo-1.2.3-beta.1.tgz, NPM, FILE, foo, 1.2.3-beta.1, foo-1.2.3-beta.1.tgz",
        "4873, /@s/foo/-/foo-1.2.3.tgz, NPM, FILE, @s/foo, 1.2.3, foo-1.2.3.tgz",
        "4873, /@s%2ffoo/-/foo-1.2.3.tgz, NPM, FILE, @s/foo, 1.2.3, foo-1.2.3.tgz",
        "4873, /foo/-/odd.tgz, NPM, FILE, foo, '', odd.tgz",
        "3141, /simple/foo-bar/, PYPI, DOCUMENT, foo-bar, '', ''",
        "3141, /-files-1/packages/aa/bb/Foo_Bar-1.0.post1-py3-none-any.whl, PYPI, FILE, Foo_Bar, 1.0.post1, Foo_Bar-1.0.post1-py3-none-any.whl",
        "3141, /-files-1/packages/aa/foo-1.0-2-cp311-abi3-linux_x86_64.whl.metadata, PYPI, FILE, foo, 1.0, foo-1.0-2-cp311-abi3-linux_x86_64.whl.metadata",
        "3141, /packages/foo-bar-1.0.tar.gz, PYPI, FILE, foo-bar, 1.0, foo-bar-1.0.tar.gz",
        "3141, /packages/foo-1.0%2Blocal.tar.gz, PYPI, FILE, foo, 1.0+local, foo-1.0+local.tar.gz"})
    void tellsWhatWasAskedFor(int port, String path, Registry registry, Kind kind, String name, String version, String file) {
        Served served = read(get(port, path)).served().get(0);
        assertEquals(List.of(registry, kind, name, version, file), List.of(served.registry(), served.kind(), served.name(), served.version(), served.file()));
        assertEquals(Instant.ofEpochSecond(1_000_001), served.time());
    }

    @Test
    void leavesOutOtherInstallsAndEarlierOnes() {
        GatewayEvidence evidence = read(
                line(999_999.9, "172.19.0.3", 4873, "gw:4873", "GET /early HTTP/1.1", "/early", 200),
                line(1_000_001, "172.20.0.3", 4873, "gw:4873", "GET /other HTTP/1.1", "/other", 200),
                line(1_000_001, "172.19.0.3", 4873, "gw:4873", "GET /ours HTTP/1.1", "/ours", 200),
                "{\"t\":1000000,\"ip\":\"172.19.0.3\",\"port\":53,\"dns\":\"In.The.Same.Second\"}",
                "not a line of the log");
        assertEquals(List.of("ours"), evidence.served().stream().map(Served::name).toList());
        assertEquals(List.of("in.the.same.second"), evidence.blockedHosts());
    }

    @ParameterizedTest
    @CsvSource({
        "3128, '', CONNECT a.example:443 HTTP/1.1, a.example",
        "3128, b.example, GET http://b.example/x HTTP/1.1, b.example",
        "4873, x, GET http://user:secret@C.example:8080/x HTTP/1.1, c.example",
        "4873, d.example:4873, GET /foo HTTP/1.1, d.example",
        "3128, '', \\\\u0016\\\\u0003\\\\u0001, ''",
        "4873, gw:4873, GET http://gw:4873/foo HTTP/1.1, ''"})
    void namesTheHostThatWasWanted(int port, String host, String request, String wanted) {
        GatewayEvidence evidence = read(line(1_000_001, "172.19.0.3", port, host, request, "", 403));
        assertEquals(wanted.isEmpty() ? List.of() : List.of(wanted), evidence.blockedHosts());
        assertEquals(wanted.isEmpty() ? 1 : 0, evidence.refused().size());
    }

    @Test
    void theGatewaysOwnNameAndReverseLookUpsAreNobodysAttempt() {
        assertEquals(List.of(), read("{\"t\":1000001,\"ip\":\"172.19.0.3\",\"dns\":\"gw\"}",
                "{\"t\":1000001,\"ip\":\"172.19.0.3\",\"dns\":\"2.0.19.172.in-addr.arpa\"}").blockedHosts());
    }

    @Test
    void aRegistrysFailureIsToldFromItsNo() {
        assertTrue(read(line(1_000_001, "172.19.0.3", 4873, "gw:4873", "GET /foo HTTP/1.1", "/foo", 502)).registryFailed());
        assertTrue(read(line(1_000_001, "172.19.0.3", 4873, "gw:4873", "GET /foo HTTP/1.1", "/foo", 429)).registryFailed());
        assertFalse(read(line(1_000_001, "172.19.0.3", 4873, "gw:4873", "GET /foo HTTP/1.1", "/foo", 404)).registryFailed());
    }

    @Test
    void whatTheGatewayItselfRefusesForItsNumberIsNoFailureOfTheRegistry() {
        for (int status : new int[] {429, 503}) {
            String own = line(1_000_001, "172.19.0.3", 4873, "gw:4873", "GET /foo HTTP/1.1", "/foo", status).replace("\"upstream\":\"" + status + "\"", "\"upstream\":\"\"");
            assertFalse(read(own).registryFailed(), own);
            assertTrue(read(own, line(1_000_001, "172.19.0.3", 4873, "gw:4873", "GET /foo HTTP/1.1", "/foo", status)).registryFailed());
        }
    }

    @Test
    void theLinesOfOneInstallAreNotPushedOutByAnothers() {
        LogLines log = new LogLines(StreamType.STDOUT, 1_000, line -> GatewayLog.isOf(line, SUBNET));
        String other = line(1_000_001, "172.20.0.3", 4873, "gw:4873", "GET /\"ip\":\"172.19.0.3\" HTTP/1.1", "/other", 200) + "\n";
        byte[] bytes = (other.repeat(50) + get(4873, "/ours") + "\n" + other.repeat(50)).getBytes(StandardCharsets.UTF_8);
        for (int at = 0; at < bytes.length; at += 100) {
            log.onNext(new Frame(StreamType.STDOUT, Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + 100))));
        }
        assertTrue(log.complete());
        assertEquals(List.of(get(4873, "/ours")), log.lines());
        for (int i = 0; i < 50; i++) {
            log.onNext(new Frame(StreamType.STDOUT, (get(4873, "/ours") + "\n").getBytes(StandardCharsets.UTF_8)));
        }
        assertFalse(log.complete());
    }

    @Test
    void aFloodIsBoundedAndSaid() {
        GatewayEvidence flood = GatewayLog.read(IntStream.range(0, 60_000).mapToObj(i -> get(4873, "/p" + i)).toList(), SUBNET, START, true);
        assertEquals(50_000, flood.served().size());
        assertFalse(flood.complete());
        List<String> names = IntStream.range(0, 1_000).mapToObj(i -> "{\"t\":1000001,\"ip\":\"172.19.0.3\",\"dns\":\"h" + i + ".example\"}").toList();
        assertEquals(200, GatewayLog.read(names, SUBNET, START, true).blockedHosts().size());
    }

    @ParameterizedTest
    @CsvSource({"172.19.0.3, 172.19.0.0/16, true", "172.20.0.3, 172.19.0.0/16, false", "192.168.16.1, 192.168.16.0/20, true", "192.168.32.1, 192.168.16.0/20, false",
        "::1, 172.19.0.0/16, false", "999.1.1.1, 0.0.0.0/0, false", "1.2.3.4, 0.0.0.0/0, true"})
    void subnets(String address, String subnet, boolean within) {
        assertEquals(within, Ipv4.within(address, subnet));
    }
}
