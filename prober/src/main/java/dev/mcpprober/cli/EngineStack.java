package dev.mcpprober.cli;

import dev.mcpprober.install.InstallLimits;
import dev.mcpprober.install.Installer;
import dev.mcpprober.redaction.CredentialRules;
import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.InstallNetwork;
import dev.mcpprober.sandbox.RegistryAccess;
import dev.mcpprober.sandbox.docker.DockerEngine;
import dev.mcpprober.sandbox.docker.EngineSetup;
import dev.mcpprober.sandbox.docker.ImageStore;
import dev.mcpprober.sandbox.docker.RegistryGateway;
import dev.mcpprober.sandbox.docker.RegistryHosts;
import java.nio.file.Path;
import java.util.UUID;
import java.util.function.Consumer;

/** Everything that stands on a container engine, set up as it is needed; the gateway only when something has to be installed. */
public final class EngineStack implements AutoCloseable {
    private final DockerEngine engine;
    private final ImageStore images;
    private final LazyGateway gateway;

    private EngineStack(DockerEngine engine, ImageStore images, LazyGateway gateway) {
        this.engine = engine;
        this.images = images;
        this.gateway = gateway;
    }

    /** Finds or sets up an engine and clears away what earlier, killed runs left. {@code say} gets lines for the user. */
    public static EngineStack open(Consumer<String> say) throws EngineException {
        EngineSetup.require();
        String runId = "run-" + UUID.randomUUID().toString().substring(0, 12);
        DockerEngine engine = DockerEngine.connect(runId);
        boolean opened = false;
        try {
            engine.reaper().reapStale();
            ImageStore images = ImageStore.open(say);
            EngineStack stack = new EngineStack(engine, images, new LazyGateway(images, runId, say));
            opened = true;
            return stack;
        } finally {
            if (!opened) {
                engine.close();
            }
        }
    }

    public DockerEngine engine() {
        return engine;
    }

    public ImageStore images() {
        return images;
    }

    public Installer installer(InstallLimits limits) {
        return installer(limits, Redactor.of(CredentialRules.bundled()));
    }

    /** @param redactor what is taken out of install logs before they are kept */
    public Installer installer(InstallLimits limits, Redactor redactor) {
        return new Installer(engine, images, gateway, limits, cacheFolder().resolve("installs"), "mcp-prober " + ProberVersion.get(), redactor);
    }

    /** {@code PROBER_CACHE}, else the user's cache folder. */
    static Path cacheFolder() {
        String own = System.getenv("PROBER_CACHE");
        if (own != null && !own.isEmpty()) {
            return Path.of(own);
        }
        String xdg = System.getenv("XDG_CACHE_HOME");
        return (xdg != null && !xdg.isEmpty() ? Path.of(xdg) : Path.of(System.getProperty("user.home"), ".cache")).resolve("mcp-prober");
    }

    @Override
    public void close() {
        gateway.close();
        images.close();
        clearAgain();
        engine.close();
    }

    /** What a prober was killed at is finished by the engine alone, perhaps after this one began. */
    private void clearAgain() {
        try {
            engine.reaper().reapStale();
        } catch (EngineException e) {
            // Found at the next start.
        }
    }

    /** Starts the gateway when the first install asks for a network. */
    private static final class LazyGateway implements RegistryAccess {
        private final ImageStore images;
        private final String runId;
        private final Consumer<String> say;
        private RegistryGateway started;

        LazyGateway(ImageStore images, String runId, Consumer<String> say) {
            this.images = images;
            this.runId = runId;
            this.say = say;
        }

        @Override
        public InstallNetwork open() throws EngineException {
            return started().open();
        }

        /** A gateway that somebody ended is replaced: installs through it have been faults. */
        private synchronized RegistryGateway started() throws EngineException {
            if (started != null && !started.runs()) {
                say.accept("the registry gateway has ended; starting another one");
                started.close();
                started = null;
            }
            if (started == null) {
                say.accept("starting the registry gateway, the only thing that a sandbox can reach while installing, and testing that it is");
                started = RegistryGateway.start(images, RegistryHosts.resolve(images), runId);
            }
            return started;
        }

        @Override
        public synchronized String describe() {
            return started == null ? "not started" : started.describe();
        }

        @Override
        public synchronized void close() {
            if (started != null) {
                started.close();
            }
        }
    }
}
