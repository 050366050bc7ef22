package dev.mcpprober.sandbox.docker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.NotFoundException;
import dev.mcpprober.model.Fault;
import dev.mcpprober.model.Registry;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.GatewayEvidence;
import dev.mcpprober.sandbox.GatewayEvidence.Kind;
import dev.mcpprober.sandbox.InstallNetwork;
import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The gateway with registries on this machine: no test here needs a real one. */
class RegistryGatewayIT {
    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static ImageStore images;
    private static DockerClient client;
    private static String node;
    private static String python;
    private static FakeRegistry registry;
    private static RegistryGateway gateway;

    @BeforeAll
    static void start() throws Exception {
        images = ImageStore.open(line -> { });
        client = images.client();
        node = images.require("node:22").id();
        python = images.require("python:3.13").id();
        registry = new FakeRegistry();
        gateway = RegistryGateway.start(images, hosts(registry), Engines.runId());
    }

    @AfterAll
    static void stop() {
        gateway.close();
        registry.close();
        images.close();
    }

    private static RegistryHosts hosts(FakeRegistry registry) {
        return new RegistryHosts(registry.npm(), true, registry.python(), List.of());
    }

    private static String run(String image, InstallNetwork network, String shell) throws EngineException {
        List<String> variables = network.environment().entrySet().stream().map(e -> "export " + e.getKey() + "=" + e.getValue()).toList();
        List<String> argv = List.of("sh", "-c", String.join("; ", variables) + "; cd /tmp; " + shell + " 2>&1");
        return new HelperRun(image, argv, network.name(), InstallNetworks.nameServer(client, network.name()), Map.of()).run(client, LIMIT).output();
    }

    @Test
    void installsFromAMirrorWithAPathAndAPasswordAndTellsWhatWasFetched() throws Exception {
        try (InstallNetwork network = gateway.open()) {
            String npm = run(node, network, "npm install --no-audit --no-fund --registry " + network.npmRegistry() + " foo && ls node_modules");
            assertTrue(npm.contains("added 1 package") && npm.endsWith("foo\n"), npm);
            String uv = run(python, network, "uv venv -q v && uv pip install -p v --default-index " + network.pythonIndex() + " bar");
            assertTrue(uv.contains("+ bar==1.0"), uv);
            String pip = run(python, network, "$(command -v python3) -m venv w && sh -c 'exec w/bin/python -m pip install --disable-pip-version-check"
                    + " --trusted-host gw --index-url " + network.pythonIndex() + " bar'");
            assertTrue(pip.contains("Successfully installed bar-1.0"), pip);

            GatewayEvidence evidence = network.evidence();
            assertTrue(evidence.complete());
            assertTrue(evidence.served().stream().anyMatch(s -> s.registry() == Registry.NPM && s.kind() == Kind.FILE && s.name().equals("foo")
                    && s.version().equals("1.0.0") && s.status() == 200), evidence.toString());
            assertTrue(evidence.served().stream().anyMatch(s -> s.registry() == Registry.PYPI && s.kind() == Kind.FILE && s.name().equals("bar")
                    && s.version().equals("1.0") && s.cached()), evidence.toString());
            assertEquals(List.of(), evidence.blockedHosts());
            assertFalse(gateway.describe().contains("p%40ss"), "the password shows in " + gateway.describe());
        }
    }

    @Test
    void namesEveryHostThatAnInstallTriedAndLetsNothingThrough() throws Exception {
        try (InstallNetwork network = gateway.open()) {
            String output = run(node, network, """
                    cat > t.js <<'END'
                    const http = require('http'), https = require('https');
                    const say = what => e => console.log(what, e.statusCode ?? e.code ?? e.message);
                    https.get({host: 'by-dns.example', agent: new https.Agent()}, say('dns')).on('error', say('dns'));
                    https.get('https://by-proxy.example/x').on('error', () => console.log('proxy failed'));
                    const c = http.request({host: 'gw', port: 3128, method: 'CONNECT', path: 'by-connect.example:443', agent: new http.Agent()});
                    c.on('connect', r => { console.log('connect', r.statusCode); r.socket.destroy(); }).on('error', say('connect')).end();
                    for (const port of [3128, 4873, 3141])
                      http.get({host: 'gw', port, path: 'http://by-request.example/foo', headers: {host: 'x'}, agent: new http.Agent()}, r => { say('request')(r); r.resume(); });
                    http.get({host: 'gw', port: 4873, path: '/foo', headers: {host: 'by-header.example'}, agent: new http.Agent()}, r => { say('header')(r); r.resume(); });
                    for (const path of ['/../foo', '/foo/%2e%2e/bar', '//foo', '/-/v1/search?text=x', '/foo?x=' + encodeURIComponent('\\n{"ip":"1.2.3.4"}')])
                      http.get({host: 'gw', port: 4873, path, agent: new http.Agent(), headers: {'X-Secret': '1'}}, r => { say(path)(r); r.resume(); });
                    http.request({host: 'gw', port: 4873, path: '/foo', method: 'PUT', agent: new http.Agent()}, r => { say('put')(r); r.resume(); }).end('x');
                    END
                    node t.js""");
            assertTrue(output.contains("connect 403") && output.contains("proxy failed"), output);
            assertFalse(output.contains("Warning"), output);
            assertEquals(3, output.lines().filter("request 403"::equals).count(), output);
            assertTrue(output.contains("header 403") && output.contains("put 403"), output);
            assertTrue(output.contains("//foo 403") && output.contains("/-/v1/search?text=x 403") && output.contains("/foo/%2e%2e/bar 403"), output);

            GatewayEvidence evidence = network.evidence();
            List<String> expected = new ArrayList<>(List.of("by-connect.example", "by-header.example", "by-proxy.example",
                    "by-request.example"));
            // Engines from 25 on do not pass look-ups of internal networks to any name server; then the proxy variables must do.
            if (evidence.blockedHosts().contains("by-dns.example")) {
                expected.add(1, "by-dns.example");
            } else {
                assertTrue(InstallNetworks.major(client.versionCmd().exec().getVersion()) >= 25, evidence.toString());
            }
            assertEquals(expected, evidence.blockedHosts());
            assertTrue(evidence.refused().contains("PUT /foo"), evidence.toString());
            assertEquals(List.of(), registry.requests().stream().filter(r -> r.contains("X-Secret")).toList(), "headers of an install reached a registry");
            assertTrue(evidence.served().stream().allMatch(s -> s.name().equals("foo")), evidence.toString());
        }
    }

    /** The design's claim, tried from an install's place rather than by the self-test: addresses, not names. */
    @Test
    void anInstallReachesNoAddressButTheGateway() throws Exception {
        try (ServerSocket host = new ServerSocket(0); InstallNetwork network = gateway.open()) {
            List<String> addresses = new ArrayList<>();
            for (NetworkInterface card : Collections.list(NetworkInterface.getNetworkInterfaces())) {
                card.getInterfaceAddresses().stream().map(a -> a.getAddress()).filter(a -> a instanceof Inet4Address && !a.isLoopbackAddress())
                        .forEach(a -> addresses.add(a.getHostAddress()));
            }
            addresses.add(InstallNetworks.inspect(client, network.name()).getIpam().getConfig().get(0).getSubnet().replaceFirst("\\d+/\\d+$", "1"));
            String program = """
                    import socket
                    from concurrent.futures import ThreadPoolExecutor
                    def attempt(where):
                      try:
                        # A busy kernel may call a socket writable, without an error, that has no peer.
                        with socket.create_connection(where, 6) as s: s.getpeername()
                        return "connected"
                      except ConnectionRefusedError: return "refused"
                      except OSError as e: return "no"
                    print(attempt(("gw", 4873)), attempt(("gw", 3141)))
                    print(sorted(set(ThreadPoolExecutor(32).map(lambda a: attempt((a, %d)), %s))))
                    try: print(socket.getaddrinfo("localhost.example", 80))
                    except OSError: print("no name")
                    """.formatted(host.getLocalPort(), addresses.stream().map(a -> "'" + a + "'").toList());
            assertEquals("connected connected\n['no']\nno name\n", run(python, network, "cat >t.py <<'END'\n" + program + "END\npython3 t.py"));
        }
    }

    @Test
    void tunnelsThroughTheHostsProxy() throws Exception {
        try (FakeProxy proxy = new FakeProxy();
             RegistryGateway own = RegistryGateway.start(images, hosts(registry), Engines.runId(),
                     Map.of("HTTPS_PROXY", proxy.url(), "HTTP_PROXY", proxy.url(), "NO_PROXY", "other.example"));
             InstallNetwork network = own.open()) {
            String npm = run(node, network, "npm install --no-audit --no-fund --registry " + network.npmRegistry() + " foo");
            assertTrue(npm.contains("added 1 package"), npm);
            assertTrue(proxy.tunnels().contains("localhost:" + registry.port()), proxy.tunnels().toString());
        }
    }

    @Test
    void twoInstallsAtATimeAreNoNeighbours() throws Exception {
        try (InstallNetwork one = gateway.open();
             InstallNetwork two = gateway.open()) {
            assertFalse(one.name().equals(two.name()));
            String listener = client.createContainerCmd(python).withEntrypoint("python3").withCmd("-m", "http.server", "8000")
                    .withHostConfig(com.github.dockerjava.api.model.HostConfig.newHostConfig().withNetworkMode(one.name())).exec().getId();
            try {
                client.startContainerCmd(listener).exec();
                String address = client.inspectContainerCmd(listener).exec().getNetworkSettings().getNetworks().values().iterator().next().getIpAddress();
                String probe = "python3 -c 'import socket, time\n"
                        + "for i in range(100):\n"
                        + "  try: socket.create_connection((\"" + address + "\", 8000), 2); print(\"connected\"); break\n"
                        + "  except ConnectionRefusedError: time.sleep(0.1)\n"
                        + "  except OSError as e: print(\"unreachable\"); break'";
                assertEquals("connected\n", run(python, one, probe), "the listener can be reached on its own network");
                assertEquals("unreachable\n", run(python, two, probe));
            } finally {
                client.removeContainerCmd(listener).withForce(true).exec();
            }
        }
    }

    @Test
    void aNetworkGivenBackStartsItsEvidenceAnew() throws Exception {
        String name;
        try (InstallNetwork network = gateway.open()) {
            name = network.name();
            run(node, network, "npm view --registry " + network.npmRegistry() + " foo version");
            assertFalse(network.evidence().served().isEmpty());
        }
        List<InstallNetwork> later = new ArrayList<>();
        try {
            do {
                later.add(gateway.open());
            } while (!later.get(later.size() - 1).name().equals(name));
            assertEquals(List.of(), later.get(later.size() - 1).evidence().served());
        } finally {
            later.forEach(InstallNetwork::close);
        }
    }

    @Test
    void failsClosedOnANetworkThatReachesTheHost() throws Exception {
        String gatewayId = client.inspectContainerCmd(gateway.containerName()).exec().getId();
        String leaky = client.createNetworkCmd().withName("mcp-prober-leaky-" + Engines.runId()).withInternal(true).exec().getId();
        try {
            InstallNetworks.join(client, leaky, gatewayId);
            EngineException leak = assertThrows(EngineException.class, () ->
                    new EgressSelfTest(client, images.require("gateway").id(), leaky, "198.51.100.9", List.of(), Map.of()).run());
            assertInstanceOf(Fault.SandboxLeaks.class, leak.fault());
            assertTrue(leak.fault().detail().contains("connected"), leak.fault().detail());
        } finally {
            client.disconnectFromNetworkCmd().withNetworkId(leaky).withContainerId(gatewayId).withForce(true).exec();
            client.removeNetworkCmd(leaky).exec();
        }
    }

    @Test
    void aRegistryThatIsDownIsTheRegistrysFault() throws Exception {
        int dead;
        try (ServerSocket socket = new ServerSocket(0)) {
            dead = socket.getLocalPort();
        }
        RegistryHosts hosts = new RegistryHosts("http://localhost:" + dead, true, "http://localhost:" + dead + "/simple", List.of());
        try (RegistryGateway own = RegistryGateway.start(images, hosts, Engines.runId()); InstallNetwork network = own.open()) {
            run(node, network, "npm view --fetch-retries 0 --registry " + network.npmRegistry() + " foo version");
            assertTrue(network.evidence().registryFailed(), network.evidence().toString());
        }
    }

    @Test
    void anAddressThatCannotBeUsedIsSaid() {
        RegistryHosts hosts = new RegistryHosts("http://a b;}/", false, "http://localhost/simple", List.of());
        EngineException e = assertThrows(EngineException.class, () -> RegistryGateway.start(images, hosts, Engines.runId()));
        assertTrue(e.fault().detail().contains("npm has a host that cannot be used"), e.fault().detail());
    }

    @Test
    void closingRemovesAllButTheCache() throws Exception {
        String runId = Engines.runId();
        RegistryGateway own = RegistryGateway.start(images, hosts(registry), runId);
        String container = own.containerName();
        String network = own.open().name();
        client.inspectContainerCmd(container).exec();
        own.close();
        assertThrows(NotFoundException.class, () -> client.inspectContainerCmd(container).exec());
        assertThrows(NotFoundException.class, () -> client.inspectNetworkCmd().withNetworkId(network).exec());
        assertTrue(client.listNetworksCmd().withFilter("label", List.of(RunOwner.RUN_LABEL + "=" + runId)).exec().isEmpty());
        client.inspectVolumeCmd("mcp-prober-registry-cache").exec();
    }
}
