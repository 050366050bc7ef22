package dev.mcpprober.sandbox.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.CommitCmd;
import com.github.dockerjava.api.command.CreateContainerCmd;
import com.github.dockerjava.api.command.InspectImageResponse;
import com.github.dockerjava.api.exception.BadRequestException;
import com.github.dockerjava.api.exception.NotFoundException;
import com.github.dockerjava.api.model.Info;
import dev.mcpprober.model.Fault;
import dev.mcpprober.model.Printable;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.ImageEngine;
import dev.mcpprober.sandbox.Sandbox;
import dev.mcpprober.sandbox.SandboxPolicy;
import dev.mcpprober.sandbox.SandboxSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Sandboxes as containers of a Docker engine: the one that {@code DOCKER_HOST} names, else the one on the default socket.
 * {@link #close()} removes every container that was made here, and runs by itself when the program ends, by Ctrl-C too.
 */
public final class DockerEngine implements ImageEngine {
    /** Starting a container on a machine with many others takes a minute; committing a large one longer. */
    private static final Duration ANSWER_LIMIT = Duration.ofMinutes(5);
    private static final Duration CLOSE_LIMIT = Duration.ofMinutes(1);
    /** A program stopped by Ctrl-C may take ten seconds. */
    private static final Duration SHUTDOWN_LIMIT = Duration.ofSeconds(9);

    private final String runId;
    private final EngineAddress address;
    private final DockerClient client;
    private final Archives archives;
    private final Loopback loopback;
    private final Reaper reaper;
    private final EngineWatch watch;
    private final Removals removals;
    private final Map<String, String> runLabels;
    private final Set<DockerSandbox> live = ConcurrentHashMap.newKeySet();
    private final Thread hook = new Thread(() -> closeAll(SHUTDOWN_LIMIT), "engine-shutdown");
    private volatile String description;
    private volatile boolean closing;

    private DockerEngine(String runId, EngineAddress address, Loopback loopback) throws EngineException {
        this.runId = runId;
        this.address = address;
        this.client = DockerClients.connect(address, ANSWER_LIMIT);
        this.archives = new Archives(client, address);
        this.loopback = loopback;
        this.reaper = new Reaper(client);
        this.removals = new Removals(client);
        this.runLabels = Reaper.ownerOf(client).labels(runId);
        this.watch = EngineWatch.of(address, runId);
    }

    /** @param runId names the run in labels: letters, digits, dot, dash and underscore */
    public static DockerEngine connect(String runId) throws EngineException {
        return connect(runId, System.getenv());
    }

    static DockerEngine connect(String runId, Map<String, String> environment) throws EngineException {
        return connect(runId, environment, ProberHome.imageFile("hosts"));
    }

    /** @param hosts an {@code /etc/hosts} for containers without a network */
    static DockerEngine connect(String runId, Map<String, String> environment, Path hosts) throws EngineException {
        if (!runId.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
            throw new IllegalArgumentException("not a run id: " + Printable.text(runId, 100));
        }
        EngineAddress address = EngineAddress.of(environment);
        try {
            address.connect().close(); // says exactly why an engine cannot be used, which docker-java does not
        } catch (IOException e) {
            throw new EngineException(new Fault.EngineUnavailable("the engine hung up: " + e.getMessage()), e);
        }
        DockerEngine engine = new DockerEngine(runId, address, Loopback.of(address, hosts));
        EngineCalls.call("ping", () -> engine.client.pingCmd().exec());
        Runtime.getRuntime().addShutdownHook(engine.hook);
        return engine;
    }

    DockerClient client() {
        return client;
    }

    /** For everything else that is created in this run, so that the reaper finds it. */
    Map<String, String> runLabels() {
        return runLabels;
    }

    public Reaper reaper() {
        return reaper;
    }

    @Override
    public Sandbox create(SandboxSpec spec) throws EngineException {
        Map<String, String> labels = new HashMap<>(spec.labels());
        labels.putAll(runLabels);
        return removals.unlessClosed(() -> {
            DockerSandbox sandbox = new DockerSandbox(client, address, watch, createContainer(spec, labels), spec, this::remove);
            live.add(sandbox);
            return sandbox;
        });
    }

    private String createContainer(SandboxSpec spec, Map<String, String> labels) throws EngineException {
        String network = spec.policy().network();
        boolean none = network.equals(SandboxPolicy.NO_NETWORK);
        String nameServer = none ? "" : InstallNetworks.nameServer(client, network);
        boolean shortWay = none && loopback.isShort();
        try {
            return create(spec, nameServer, shortWay, labels);
        } catch (EngineException e) {
            if (shortWay && e.getCause() instanceof BadRequestException) {
                loopback.giveUp();
                return create(spec, nameServer, false, labels);
            }
            throw e;
        }
    }

    private String create(SandboxSpec spec, String nameServer, boolean shortWay, Map<String, String> labels) throws EngineException {
        CreateContainerCmd container = Hardening.apply(client.createContainerCmd(spec.image()), spec, nameServer, labels);
        try {
            return EngineCalls.whole("create", () -> (shortWay ? loopback.apply(container) : container).exec().getId());
        } catch (EngineException e) {
            if (e.getCause() instanceof NotFoundException) {
                throw new EngineException(new Fault.ImageUnavailable(spec.image(), e.fault().detail()), e.getCause());
            }
            throw e;
        }
    }

    private void remove(DockerSandbox sandbox) {
        live.remove(sandbox);
        // A network can only be given back once its containers are gone, so whoever has one waits.
        removals.remove(sandbox.id(), !closing && !sandbox.spec().policy().network().equals(SandboxPolicy.NO_NETWORK));
    }

    @Override
    public Sandbox open(String image) throws EngineException {
        return create(new SandboxSpec(image, List.of("/never-started"), Map.of(), "/", SandboxPolicy.probe(), Map.of()));
    }

    @Override
    public String commit(Sandbox sandbox, ImageConfig config) throws EngineException {
        SandboxSpec spec = ours(sandbox).spec();
        // The engine merges the container's own environment and labels into the image. A variable without "=" keeps it out;
        // a label can only be emptied.
        List<String> env = new ArrayList<>(config.env().entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList());
        spec.env().keySet().stream().filter(key -> !config.env().containsKey(key)).forEach(env::add);
        Map<String, String> labels = new HashMap<>();
        spec.labels().keySet().forEach(key -> labels.put(key, ""));
        runLabels.keySet().forEach(key -> labels.put(key, ""));
        labels.putAll(config.labels());
        CommitCmd commit = client.commitCmd(sandbox.id()).withPause(false).withUser(config.user()).withWorkingDir(config.workdir())
                .withCmd(config.argv().toArray(String[]::new)).withEnv(env.stream().sorted().toArray(String[]::new)).withLabels(labels);
        return EngineCalls.whole("commit", commit::exec);
    }

    @Override
    public void copyIn(Sandbox sandbox, Path source, String target) throws EngineException {
        archives.copyIn(ours(sandbox), source, target);
    }

    @Override
    public void writeFile(Sandbox sandbox, String path, byte[] bytes) throws EngineException {
        archives.writeFile(ours(sandbox), path, bytes);
    }

    @Override
    public Optional<FileHead> readFile(Sandbox sandbox, String path, int maxBytes) throws EngineException {
        return archives.readFile(ours(sandbox), path, maxBytes);
    }

    @Override
    public boolean walk(Sandbox sandbox, String path, TreeVisitor visitor) throws EngineException {
        return archives.walk(ours(sandbox), path, visitor);
    }

    @Override
    public long writtenBytes(Sandbox sandbox) throws EngineException {
        Number size = EngineCalls.call("inspect", () -> (Number) client.inspectContainerCmd(sandbox.id()).withSize(true).exec()
                .getRawValues().getOrDefault("SizeRw", 0));
        return size.longValue();
    }

    @Override
    public int writtenEntries(Sandbox sandbox, int limit) throws EngineException {
        return archives.countChanges(ours(sandbox), limit);
    }

    @Override
    public Optional<ImageInfo> findImage(String image) throws EngineException {
        try {
            InspectImageResponse found = EngineCalls.call("inspect image", () -> client.inspectImageCmd(image).exec());
            Map<String, String> labels = found.getConfig() == null ? null : found.getConfig().getLabels();
            return Optional.of(new ImageInfo(found.getId(), labels == null ? Map.of() : labels, found.getSize()));
        } catch (EngineException e) {
            if (e.getCause() instanceof NotFoundException) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public void removeImage(String image) throws EngineException {
        awaitRemovals(); // an engine keeps an image as long as a container is made of it
        Reaper.removeImage(client, image);
    }

    @Override
    public List<Labelled> imagesWith(String label) throws EngineException {
        return reaper.imagesWith(label);
    }

    /** A label for images that only this process uses: what it leaves of them is removed when another prober starts. */
    public Map<String, String> imageOwner() {
        return Map.of(RunOwner.OWNER_LABEL, runLabels.get(RunOwner.OWNER_LABEL));
    }

    /** Ids of the images that bear {@link #imageOwner}. */
    public List<String> ownImages() throws EngineException {
        return imagesWith(RunOwner.OWNER_LABEL).stream().filter(image -> image.labels().entrySet().containsAll(imageOwner().entrySet())).map(Labelled::id).toList();
    }

    /** Waits until the containers of closed sandboxes are gone. */
    public void awaitRemovals() {
        removals.await();
    }

    private static DockerSandbox ours(Sandbox sandbox) {
        return (DockerSandbox) sandbox;
    }

    @Override
    public String describe() {
        String known = description;
        if (known == null) {
            try {
                Info info = EngineCalls.call("info", () -> client.infoCmd().exec());
                known = describe(info);
                description = known;
            } catch (EngineException e) {
                return "docker (" + e.fault().detail() + ")";
            }
        }
        return known;
    }

    /** Where the engine keeps images and containers, on the engine's machine; empty where it does not say. */
    public Optional<Path> storage() throws EngineException {
        return Optional.ofNullable(EngineCalls.call("info", () -> client.infoCmd().exec()).getDockerRootDir()).map(Path::of);
    }

    /** Limits that this engine's kernel does not enforce are named: results may depend on them. */
    private static String describe(Info info) {
        StringBuilder text = new StringBuilder("docker " + info.getServerVersion() + " cgroup v"
                + Optional.ofNullable(info.getCGroupVersion()).orElse("1") + " " + info.getRawValues().getOrDefault("DefaultRuntime", "runc"));
        Map<String, Object> limits = new HashMap<>();
        limits.put("memory limit", info.getMemoryLimit());
        limits.put("swap limit", info.getSwapLimit());
        limits.put("pids limit", info.getRawValues().get("PidsLimit"));
        limits.put("cpu limit", info.getRawValues().get("CpuCfsQuota"));
        limits.entrySet().stream().filter(limit -> Boolean.FALSE.equals(limit.getValue())).map(Map.Entry::getKey).sorted()
                .forEach(limit -> text.append(" without ").append(limit));
        return Printable.text(text.toString());
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The program is ending; the hook does the same.
        }
        closeAll(CLOSE_LIMIT);
    }

    /** The one that comes second waits for the first, because the program ends when the shutdown hook returns. */
    private synchronized void closeAll(Duration limit) {
        if (closing) {
            return;
        }
        closing = true;
        boolean told = Thread.interrupted(); // who is told to stop closes all the same
        long end = System.nanoTime() + limit.toNanos();
        removals.refuseNew(limit.dividedBy(3));
        live.forEach(Sandbox::close);
        removals.finish(Duration.ofNanos(end - System.nanoTime()).dividedBy(2));
        watch.close();
        // The last look finds what could not be removed, and networks. It may not hold up the end where the engine hangs.
        Thread last = new Thread(this::reap, "engine-reap");
        last.setDaemon(true);
        try {
            EngineCalls.awaitWhole(Duration.ofNanos(end - System.nanoTime()).dividedBy(2)); // what a slow engine is still at is not there to be seen
            last.start();
            last.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
            client.close();
        } catch (InterruptedException e) {
            told = true;
        } catch (IOException e) {
            // Connections end with the process.
        }
        if (told) {
            Thread.currentThread().interrupt();
        }
    }

    private void reap() {
        try {
            reaper.reapRun(runId);
        } catch (EngineException e) {
            // What is left is recognised by its label at the next start.
        }
    }
}
