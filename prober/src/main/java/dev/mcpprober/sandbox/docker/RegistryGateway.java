package dev.mcpprober.sandbox.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.LogContainerCmd;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.AccessMode;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.LogConfig;
import com.github.dockerjava.api.model.StreamType;
import com.github.dockerjava.api.model.Volume;
import dev.mcpprober.model.Fault;
import dev.mcpprober.model.Printable;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.GatewayEvidence;
import dev.mcpprober.sandbox.InstallNetwork;
import dev.mcpprober.sandbox.RegistryAccess;
import dev.mcpprober.sandbox.SandboxImages.SandboxImage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * The gateway's container and the networks of installs. One gateway per run; one network per install in flight, used again by
 * later installs. All of it carries the run's labels, but for the cache volume, which outlives runs.
 */
public final class RegistryGateway implements RegistryAccess {
    private static final String CACHE_VOLUME = "mcp-prober-registry-cache";
    private static final String CACHE_SIZE = "PROBER_REGISTRY_CACHE";
    private static final String CACHE_LABEL = "dev.mcpprober.cache";
    private static final String BUNDLE_IN_IMAGE = "/etc/ssl/certs/ca-certificates.crt";
    private static final long MEMORY = 512L << 20;
    private static final int MAX_LOG = 16 << 20;
    private static final int MAX_LAST_WORDS = 2000;
    private static final int LOG_SECONDS = 60;
    private static final Duration MARK_LIMIT = Duration.ofSeconds(2);
    private static final Duration NETWORK_LIMIT = Duration.ofSeconds(5);

    private final DockerClient client;
    private final RegistryHosts hosts;
    private final SandboxImage image;
    /** In names of containers and networks: a run may come to need a second gateway while installs still hold networks of the first. */
    private final String name;
    private final Map<String, String> hostEnvironment;
    private final Map<String, String> labels;
    private final Deque<Net> free = new ArrayDeque<>();
    private final List<Net> all = new ArrayList<>();
    private final Thread hook = new Thread(this::remove, "gateway-shutdown");
    private String container;
    private String outerAddress;
    private volatile boolean closed;

    private record Net(String id, String name, String subnet) {}

    private RegistryGateway(ImageStore images, RegistryHosts hosts, String runId, Map<String, String> hostEnvironment) throws EngineException {
        this.client = images.client();
        this.hosts = hosts;
        this.image = images.require("gateway");
        this.name = runId + "-" + UUID.randomUUID().toString().substring(0, 4);
        this.hostEnvironment = hostEnvironment;
        this.labels = Reaper.ownerOf(client).labels(runId);
    }

    /**
     * Starts the gateway of a run and proves that an install can reach nothing else. Uses {@code images}' connection to the engine,
     * so it must be closed before that.
     *
     * @param runId for labels and names: letters, digits, {@code .}, {@code _} and {@code -}
     */
    public static RegistryGateway start(ImageStore images, RegistryHosts hosts, String runId) throws EngineException {
        return start(images, hosts, runId, System.getenv());
    }

    /** @param hostEnvironment where proxies are taken from */
    static RegistryGateway start(ImageStore images, RegistryHosts hosts, String runId, Map<String, String> hostEnvironment) throws EngineException {
        RegistryGateway gateway = new RegistryGateway(images, hosts, runId, hostEnvironment);
        Runtime.getRuntime().addShutdownHook(gateway.hook);
        boolean ready = false;
        try {
            gateway.launch();
            gateway.prove();
            ready = true;
            return gateway;
        } finally {
            if (!ready) {
                gateway.close();
            }
        }
    }

    private void launch() throws EngineException {
        List<String> environment = environment();
        String egress = EngineCalls.whole("create network", () -> client.createNetworkCmd().withName("mcp-prober-" + name + "-egress")
                .withDriver("bridge").withLabels(labels).withCheckDuplicate(true).exec().getId());
        all.add(new Net(egress, "egress", ""));
        requireOpen();
        ensureCacheVolume();
        List<Bind> binds = new ArrayList<>(List.of(new Bind(CACHE_VOLUME, new Volume("/cache"))));
        hostCertificates().ifPresent(file -> binds.add(new Bind(file.toString(), new Volume(BUNDLE_IN_IMAGE), AccessMode.ro)));
        HostConfig host = HostConfig.newHostConfig()
                .withNetworkMode(egress)
                .withReadonlyRootfs(true)
                .withCapDrop(Capability.ALL)
                .withSecurityOpts(List.of("no-new-privileges"))
                .withInit(true)
                .withPidsLimit(256L)
                .withMemory(MEMORY).withMemorySwap(MEMORY)
                .withTmpFs(Map.of("/tmp", "rw,nosuid,nodev,noexec,size=64m,mode=1777"))
                // Between networks it must never be a router, whatever the host is.
                .withSysctls(Map.of("net.ipv4.ip_forward", "0"))
                .withExtraHosts("host.docker.internal:host-gateway")
                .withBinds(binds)
                .withLogConfig(new LogConfig(LogConfig.LoggingType.JSON_FILE, Map.of("max-size", "64m", "max-file", "4")));
        requireOpen();
        container = EngineCalls.whole("create the gateway", () -> client.createContainerCmd(image.id())
                .withName(InstallNetworks.gatewayName(name)).withEnv(environment).withLabels(labels).withHostConfig(host).exec().getId());
        requireOpen();
        EngineCalls.call("start the gateway", () -> client.startContainerCmd(container).exec());
    }

    private List<String> environment() throws EngineException {
        Stream<String> own = Stream.of("BLOB_CACHE=" + cacheSize(hostEnvironment), "NPM_REGISTRY_URL=" + hosts.npm(), "NPM_REWRITE=" + (hosts.npmRewrite() ? "yes" : "no"),
                "PYPI_INDEX_URL=" + hosts.python(), "PYPI_FILES_HOSTS=" + String.join(" ", hosts.files()));
        Stream<String> proxies = Stream.of("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy")
                .flatMap(name -> Optional.ofNullable(hostEnvironment.get(name)).filter(v -> !v.isBlank()).map(v -> name + "=" + v).stream());
        return Stream.concat(own, proxies).toList();
    }

    /** Upper bound of the cache of packages, as nginx writes sizes. */
    static String cacheSize(Map<String, String> environment) throws EngineException {
        String size = environment.getOrDefault(CACHE_SIZE, "");
        if (size.isEmpty()) {
            return "10g";
        }
        if (!size.matches("[1-9][0-9]{0,5}[mg]")) {
            throw new EngineException(new Fault.EngineError("start the gateway", CACHE_SIZE + ": \"" + Printable.text(size, 40) + "\" is no size such as 500m or 4g"));
        }
        return size;
    }

    /** The host's certificates, where they are where the usual distributions have them. */
    static Optional<Path> hostCertificates() {
        return Stream.of(System.getenv("SSL_CERT_FILE"), System.getenv("CURL_CA_BUNDLE"), "/etc/ssl/certs/ca-certificates.crt",
                        "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem")
                .filter(Objects::nonNull).filter(f -> !f.isBlank()).map(Path::of).filter(Files::isRegularFile).map(Path::toAbsolutePath).findFirst();
    }

    private void ensureCacheVolume() throws EngineException {
        EngineCalls.call("create the cache volume", () -> {
            try {
                return client.inspectVolumeCmd(CACHE_VOLUME).exec().getName();
            } catch (NotFoundException e) {
                return client.createVolumeCmd().withName(CACHE_VOLUME).withLabels(Map.of(CACHE_LABEL, "1")).exec().getName();
            }
        });
    }

    private void prove() throws EngineException {
        outerAddress = EngineCalls.call("inspect the gateway", () -> client.inspectContainerCmd(container).exec().getNetworkSettings().getNetworks()
                .values().iterator().next().getIpAddress());
        try (InstallNetwork first = open()) {
            String npmHost = hosts.npmHost();
            List<String> names = npmHost.matches("(?i)[a-z0-9.-]*\\.[a-z0-9-]*[a-z][a-z0-9-]*") ? List.of(npmHost) : List.of();
            new EgressSelfTest(client, image.id(), first.name(), outerAddress, names, labels).run();
        } catch (EngineException e) {
            throw new EngineException(withReason(e.fault()), e);
        }
    }

    /** A gateway that ended at once says why in its log; that is what its user needs to read. */
    private Fault withReason(Fault fault) throws EngineException {
        if (runs()) {
            return fault;
        }
        return new Fault.RegistryUnreachable("the registry gateway ended at once: " + String.join("; ", lastWords()));
    }

    /** False once its container has ended or is gone: it never ends by itself. */
    public boolean runs() throws EngineException {
        return EngineCalls.call("inspect the gateway", () -> {
            try {
                return Boolean.TRUE.equals(client.inspectContainerCmd(container).exec().getState().getRunning());
            } catch (NotFoundException e) {
                return false;
            }
        });
    }

    private List<String> lastWords() throws EngineException {
        LogLines lines = new LogLines(StreamType.STDERR, MAX_LAST_WORDS);
        follow(client.logContainerCmd(container).withStdErr(true).withTail(5), lines);
        return lines.lines().stream().map(Printable::text).toList();
    }

    @Override
    public synchronized InstallNetwork open() throws EngineException {
        requireOpen();
        Net net = free.poll();
        if (net == null) {
            String network = "mcp-prober-" + name + "-install-" + all.size();
            String id = InstallNetworks.create(client, network, labels);
            all.add(new Net(id, network, ""));
            InstallNetworks.join(client, id, container);
            net = new Net(id, network, InstallNetworks.subnet(client, id));
            all.set(all.size() - 1, net);
        }
        return new Lease(net, Since.now());
    }

    /** The end of the program does not wait for a gateway that is being started: what is made after it would stay. */
    private void requireOpen() throws EngineException {
        if (closed) {
            throw new EngineException(new Fault.Interrupted("the registry gateway is closed"));
        }
    }

    String containerName() {
        return InstallNetworks.gatewayName(name);
    }

    private synchronized void giveBack(Net net) {
        if (!closed) {
            free.add(net);
        }
    }

    @Override
    public String describe() {
        return hosts + ", gateway " + image.id() + " (" + image.origin().name().toLowerCase(java.util.Locale.ROOT) + " base)";
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The program is ending; the hook does the same.
        }
        remove();
    }

    private synchronized void remove() {
        if (closed) {
            return;
        }
        closed = true;
        if (container != null) {
            quietly(() -> client.removeContainerCmd(container).withForce(true).exec());
        }
        // At the program's end the installs' containers are removed meanwhile by another thread; a network goes after them.
        long end = System.nanoTime() + NETWORK_LIMIT.toNanos();
        List<Net> left = new ArrayList<>(all);
        while (!left.isEmpty()) {
            left.removeIf(net -> quietly(() -> client.removeNetworkCmd(net.id()).exec()));
            if (System.nanoTime() > end) {
                return; // the reaper finds them by their label
            }
            LockSupport.parkNanos(left.isEmpty() ? 0 : Duration.ofMillis(100).toNanos());
        }
    }

    private static boolean quietly(Runnable removal) {
        try {
            removal.run();
            return true;
        } catch (NotFoundException e) {
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    private void follow(LogContainerCmd command, LogLines lines) throws EngineException {
        EngineCalls.call("read the gateway's log", () -> command.exec(lines));
        try {
            if (!lines.awaitCompletion(LOG_SECONDS, TimeUnit.SECONDS)) {
                throw new EngineException(new Fault.EngineError("read the gateway's log", "no end within " + LOG_SECONDS + " s"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EngineException(new Fault.Interrupted("while the gateway's log was read"), e);
        }
    }

    /** False where the engine is elsewhere, so that its bridges cannot be reached from here. */
    private boolean sendMark(String path) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(outerAddress, GatewayLog.PROXY_PORT), (int) MARK_LIMIT.toMillis());
            socket.setSoTimeout((int) MARK_LIMIT.toMillis());
            socket.getOutputStream().write(("GET " + path + " HTTP/1.0\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
            return socket.getInputStream().read() >= 0;
        } catch (IOException e) {
            return false;
        }
    }

    private final class Lease implements InstallNetwork {
        private final Net net;
        private final Since since;
        private boolean returned;

        Lease(Net net, Since since) {
            this.net = net;
            this.since = since;
        }

        @Override
        public String name() {
            return net.name();
        }

        @Override
        public String npmRegistry() {
            return "http://" + GatewayLog.ALIAS + ":" + GatewayLog.NPM_PORT + "/";
        }

        @Override
        public String pythonIndex() {
            return "http://" + GatewayLog.ALIAS + ":" + GatewayLog.PYTHON_PORT + hosts.pythonPath() + "/";
        }

        @Override
        public Map<String, String> environment() {
            String nowhere = "http://" + GatewayLog.ALIAS + ":" + GatewayLog.PROXY_PORT;
            String direct = GatewayLog.ALIAS + ",localhost,127.0.0.1,::1";
            // Node.js looks at proxy variables only when told to, and then warns that this is new.
            return Map.of("http_proxy", nowhere, "https_proxy", nowhere, "HTTP_PROXY", nowhere, "HTTPS_PROXY", nowhere,
                    "no_proxy", direct, "NO_PROXY", direct, "NODE_USE_ENV_PROXY", "1", "NODE_OPTIONS", "--disable-warning=UNDICI-EHPA");
        }

        /** What the install asked for last may still be on its way into the log: a request of our own, made now, comes after it. */
        @Override
        public GatewayEvidence evidence() throws EngineException {
            if (!runs()) {
                throw new EngineException(new Fault.RegistryUnreachable("the registry gateway ended during an install"));
            }
            if (since.setBackBy(Since.now())) {
                throw new EngineException(new Fault.EngineError("read the gateway's log", "this machine's clock was set back during an install, so that what"
                        + " the log has of it cannot be told by time"));
            }
            String mark = "/" + UUID.randomUUID();
            boolean marked = sendMark(mark);
            long end = System.nanoTime() + MARK_LIMIT.toNanos();
            while (true) {
                // Another install's flood must not push this one's lines out.
                LogLines log = new LogLines(StreamType.STDOUT, MAX_LOG, line -> GatewayLog.isOf(line, net.subnet()) || line.contains(mark));
                follow(client.logContainerCmd(container).withStdOut(true).withSince((int) since.wall().getEpochSecond()), log);
                List<String> lines = log.lines();
                boolean whole = !marked || lines.stream().anyMatch(line -> line.contains(mark));
                if (whole || !log.complete() || System.nanoTime() > end) {
                    return GatewayLog.read(lines, net.subnet(), since.wall(), whole && log.complete());
                }
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
        }

        @Override
        public void close() {
            if (!returned) {
                returned = true;
                giveBack(net);
            }
        }
    }
}
