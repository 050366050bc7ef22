package dev.mcpprober.install;

import dev.mcpprober.attribution.SdkAttribution;
import dev.mcpprober.model.Fault;
import dev.mcpprober.model.Registry;
import dev.mcpprober.model.Target;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.GatewayEvidence;
import dev.mcpprober.sandbox.ImageEngine;
import dev.mcpprober.sandbox.InstallNetwork;
import dev.mcpprober.sandbox.Sandbox;
import dev.mcpprober.sandbox.SandboxImages.SandboxImage;
import dev.mcpprober.sandbox.SandboxPolicy;
import dev.mcpprober.sandbox.SandboxSpec;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One install under way: where it runs, how long it may, and what is known of it so far. For one thread. */
final class InstallWork {
    static final String APP = "/srv/app";
    static final String INPUT = APP + "/.prober-in";
    private static final long MIN_FREE_KIB = 64 << 10;
    private static final Duration LOOK = Duration.ofSeconds(60);
    private static final Pattern FREE = Pattern.compile("(?m)^prober-free +(\\d{1,15}) +(\\d{1,15}) *$");

    final ImageEngine engine;
    final InstallNetwork network;
    final InstallRequest request;
    final InstallLimits limits;
    final Optional<LocalPackage> local;
    final Earlier earlier;
    private final long started = System.nanoTime();
    private final long deadline;
    private final StringBuilder log = new StringBuilder();

    String name = "";
    String version = "";
    String purl = "";
    String digest = "";
    InstallRecord.Lock lock = InstallRecord.Lock.NONE;
    InstallRecord.Scripts scripts = InstallRecord.Scripts.NONE;
    List<String> tree = List.of();
    /** Of each file that a lockfile names: npm by {@code name@version}, PyPI by file name. */
    Map<String, String> integrity = Map.of();

    InstallWork(ImageEngine engine, InstallNetwork network, InstallRequest request, InstallLimits limits, Optional<LocalPackage> local, Earlier earlier) {
        this.engine = engine;
        this.earlier = earlier;
        this.network = network;
        this.request = request;
        this.limits = limits;
        this.local = local;
        this.deadline = started + limits.time().toNanos();
    }

    /** What an ecosystem's installer leaves for the image. */
    record Ready(EntryPoint entry, SdkAttribution sdk, SandboxImage base, Map<String, String> env, Sandbox sandbox, Optional<InstallOutcome> caveat) {}

    /** An outcome that ends the install, or what is ready to be kept, or an earlier install of the same. */
    record Result(InstallOutcome outcome, Optional<Ready> ready, Optional<InstallRecord> earlier) {
        static Result failed(InstallOutcome outcome) {
            return new Result(outcome, Optional.empty(), Optional.empty());
        }

        static Result ready(InstallOutcome outcome, Ready ready) {
            return new Result(outcome, Optional.of(ready), Optional.empty());
        }

        static Result earlier(InstallRecord record) {
            return new Result(record.outcome(), Optional.empty(), Optional.of(record));
        }
    }

    /** Looks for an earlier install of the version that a request turned out to mean. */
    @FunctionalInterface
    interface Earlier {
        Optional<InstallRecord> find(String purl) throws EngineException;
    }

    Registry registry() {
        return local.map(LocalPackage::registry).orElseGet(() -> ((Target.InRegistry) request.target()).url().registry());
    }

    /** A sandbox on the install network that was not started. The caller closes it. */
    Sandbox sandbox(SandboxImage image, List<String> argv) throws EngineException {
        SandboxPolicy standard = SandboxPolicy.install(network.name());
        SandboxPolicy policy = new SandboxPolicy(standard.network(), limits.memoryBytes(), limits.cpus(), limits.pids(), standard.readOnlyRoot(),
                standard.user(), standard.tmpfs(), standard.runtime());
        Map<String, String> env = new HashMap<>(network.environment());
        env.put("HOME", "/home/mcp");
        env.put("TMPDIR", "/tmp");
        env.put("LANG", "C.UTF-8");
        Sandbox sandbox = engine.create(new SandboxSpec(image.id(), argv, env, APP, policy, Map.of()));
        boolean ready = false;
        try {
            if (local.isPresent()) {
                engine.copyIn(sandbox, local.get().staged(), INPUT);
            }
            ready = true;
            return sandbox;
        } finally {
            if (!ready) {
                sandbox.close();
            }
        }
    }

    InstallStep run(Sandbox sandbox) throws EngineException, InterruptedException {
        InstallStep step = InstallStep.run(engine, sandbox, limits, deadline);
        log.append(step.log());
        if (log.length() > 4 * limits.logBytes()) {
            log.delete(0, log.length() - 4 * limits.logBytes());
        }
        return step;
    }

    void note(String line) {
        log.append("[mcp-prober] ").append(line).append('\n');
    }

    GatewayEvidence evidence() throws EngineException {
        return network.evidence();
    }

    double seconds() {
        return (System.nanoTime() - started) / 1e9;
    }

    String logTail() {
        String text = log.toString();
        return text.length() <= limits.logBytes() ? text : text.substring(text.length() - limits.logBytes());
    }

    /**
     * The space that an install script of ours found left: {@code prober-free APP-KIB TMP-KIB}. The package may have written such a line
     * too, so what it says of this machine is asked again where nothing of the package runs.
     *
     * @throws EngineException when it is this machine's disk that is full
     * @return true when the sandbox's own temporary folder is full
     */
    boolean outOfSpace(SandboxImage image, String stdout) throws EngineException, InterruptedException {
        Matcher said = FREE.matcher(stdout);
        boolean temporaryFull = false;
        boolean diskFull = false;
        while (said.find()) {
            diskFull |= Long.parseLong(said.group(1)) < MIN_FREE_KIB;
            temporaryFull |= Long.parseLong(said.group(2)) < 1024;
        }
        if (diskFull) {
            Matcher trueFree = FREE.matcher(freeSpace(image));
            if (trueFree.find() && Long.parseLong(trueFree.group(1)) < MIN_FREE_KIB) {
                throw new EngineException(new Fault.HostDiskFull("the engine's storage has " + trueFree.group(1) + " KiB left: free some, then try again"));
            }
        }
        return temporaryFull;
    }

    private String freeSpace(SandboxImage image) throws EngineException, InterruptedException {
        List<String> argv = List.of("/bin/sh", "-c", "printf 'prober-free %s 0\\n' \"$(df --output=avail -k / | tail -n 1)\"");
        try (Sandbox sandbox = engine.create(new SandboxSpec(image.id(), argv, Map.of(), "/", SandboxPolicy.probe(), Map.of()))) {
            return InstallStep.run(engine, sandbox, limits, System.nanoTime() + LOOK.toNanos()).stdout();
        }
    }

    static String resource(String file) {
        try (InputStream in = InstallWork.class.getResourceAsStream(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("resource " + file, e);
        }
    }
}
