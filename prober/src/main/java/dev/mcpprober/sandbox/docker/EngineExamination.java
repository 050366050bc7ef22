package dev.mcpprober.sandbox.docker;

import dev.mcpprober.model.Fault;
import dev.mcpprober.model.Printable;
import dev.mcpprober.sandbox.EngineException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Looks at everything that installing and probing stand on, and changes nothing: no engine is set up, no image made. */
public final class EngineExamination {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final long GIB = 1L << 30;
    private static final long MIN_STORAGE = 4 * GIB;
    private final List<Item> items = new ArrayList<>();

    private EngineExamination() {}

    /** @param remedy what to do where it is not {@code ok}; no address of a registry is in any of the texts */
    public record Item(String what, boolean ok, String detail, String remedy) {}

    public static List<Item> make() {
        EngineExamination examination = new EngineExamination();
        examination.engine();
        examination.certificates();
        return examination.items;
    }

    private void add(String what, boolean ok, String detail, String remedy) {
        items.add(new Item(what, ok, Printable.text(detail, 600), ok ? "" : remedy));
    }

    private void engine() {
        try (DockerEngine engine = DockerEngine.connect("doctor-" + UUID.randomUUID().toString().substring(0, 8))) {
            String described = engine.describe();
            add("engine", true, described, "");
            add("engine limits", !described.contains(" without "), described.contains(" without ") ? "not enforced: " + described.substring(described.indexOf(" without ") + 1)
                    : "memory, swap, pids and cpu are enforced", "servers are not held to these limits, so that results may depend on the machine; use a kernel with these cgroup controllers");
            storage(engine);
            try (ImageStore images = ImageStore.open(line -> { })) {
                images(images);
                registries(images);
            }
        } catch (EngineException e) {
            add("engine", false, e.fault().kind() + ": " + e.fault().detail(), remedy(e.fault()));
            add("images", false, "cannot be looked for without an engine", "mend the engine first");
        }
    }

    private static String remedy(Fault fault) {
        return fault instanceof Fault.EngineForbidden ? "add this user to the group that owns the engine's socket, or run as one that may use it"
                : "start it, set DOCKER_HOST to where it listens, or run prober/bin/engine-setup (as root on Debian or Ubuntu); prober check --cmd needs none";
    }

    private void storage(DockerEngine engine) throws EngineException {
        Optional<Path> storage = engine.storage();
        if (storage.isEmpty() || !Files.isDirectory(storage.get())) {
            add("engine storage", true, "is on another machine or out of this user's sight", "");
            return;
        }
        try {
            long free = Files.getFileStore(storage.get()).getUsableSpace();
            add("engine storage", free >= MIN_STORAGE, String.format(Locale.ROOT, "%.1f GiB free at %s", (double) free / GIB, storage.get()),
                    "make room: images of installed packages stay for reuse; at least 4 GiB should be free");
        } catch (IOException e) {
            add("engine storage", true, "cannot be looked at by this user", "");
        }
    }

    private void images(ImageStore images) throws EngineException {
        for (String name : ImageStore.names()) {
            ImageStore.Presence presence = images.look(name);
            add("image " + name, presence == ImageStore.Presence.READY, presence.words(), "prober images build makes it; the first check or census does so too");
        }
    }

    private void registries(ImageStore images) {
        String remedy = "name it as the client's own configuration does: npm_config_registry or .npmrc, PIP_INDEX_URL or pip.conf; behind a proxy set HTTPS_PROXY";
        try {
            HostScript.Result result = HostScript.run(images.images().resolve("registries"), List.of(), Map.of(), LIMIT, line -> { });
            if (result.exit() != 0) {
                add("registries", false, "images/registries: " + result.lastError(), remedy);
                return;
            }
            RegistryHosts hosts = RegistryHosts.parse(result.output());
            String inImages = "no client on this machine names one; those in the images will be asked";
            add("npm registry", true, hosts.npm().isEmpty() ? inImages : hosts.npmRewrite() ? "of this user's configuration" : "npm's own default", "");
            boolean silent = result.lastError().contains("did not answer");
            add("Python index", !silent, silent ? result.lastError() : hosts.python().isEmpty() ? inImages : "named by this user's clients, and it answers", remedy);
        } catch (EngineException e) {
            add("registries", false, e.fault().detail(), remedy);
        }
    }

    private void certificates() {
        for (String name : List.of("SSL_CERT_FILE", "CURL_CA_BUNDLE")) {
            String file = System.getenv(name);
            if (file != null && !file.isBlank() && !Files.isRegularFile(Path.of(file))) {
                add("certificates", false, name + " names a file that is not there", "correct or unset " + name);
                return;
            }
        }
        Optional<Path> bundle = RegistryGateway.hostCertificates();
        add("certificates", bundle.isPresent(), bundle.map(file -> "the gateway trusts what this host trusts: " + file).orElse("no CA bundle in any of the usual places"),
                "install ca-certificates, or name a bundle by SSL_CERT_FILE");
    }
}
