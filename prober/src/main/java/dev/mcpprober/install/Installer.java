package dev.mcpprober.install;

import dev.mcpprober.io.Json;
import dev.mcpprober.model.PackageUrl;
import dev.mcpprober.model.Registry;
import dev.mcpprober.model.Target;
import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.GatewayEvidence;
import dev.mcpprober.sandbox.ImageEngine;
import dev.mcpprober.sandbox.InstallNetwork;
import dev.mcpprober.sandbox.RegistryAccess;
import dev.mcpprober.sandbox.Sandbox;
import dev.mcpprober.sandbox.SandboxImages;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Installs packages into images that can be probed. Everything that belongs to the package runs in a hardened container whose only
 * neighbour is the registry gateway. Safe for use by many threads.
 */
public final class Installer {
    /** Where an installed server is run: a place that is writable in a probe sandbox. */
    public static final String WORKDIR = "/tmp";
    /** Every image of an install has it. */
    public static final String IMAGE_LABEL = InstallCache.LABEL_KEY;
    private static final String USER = "10001:10001";
    private static final int MAX_SERVED = 2_000;

    private final ImageEngine engine;
    private final SandboxImages images;
    private final RegistryAccess registries;
    private final InstallLimits limits;
    private final InstallCache cache;
    private final String tool;
    private final Redactor redactor;
    private final Map<String, String> labels;

    /** Why what lies at a path of this machine is no package that could be installed; empty where it may be one. Needs no engine. */
    public static Optional<String> noPackage(Path path) throws IOException {
        try {
            LocalPackage.kind(path);
            return Optional.empty();
        } catch (LocalPackage.Refused e) {
            return Optional.of(e.getMessage());
        }
    }

    /**
     * @param cacheFolder records of earlier installs on this machine, for reuse of their images
     * @param tool        name and version of this program, for labels and records
     * @param redactor    what is taken out of texts before they are kept
     */
    public Installer(ImageEngine engine, SandboxImages images, RegistryAccess registries, InstallLimits limits, Path cacheFolder, String tool, Redactor redactor) {
        this(engine, images, registries, limits, new InstallCache(cacheFolder), tool + " installer " + InstallCache.INSTALLER, redactor, Map.of());
    }

    private Installer(ImageEngine engine, SandboxImages images, RegistryAccess registries, InstallLimits limits, InstallCache cache, String tool,
                      Redactor redactor, Map<String, String> labels) {
        this.engine = engine;
        this.images = images;
        this.registries = registries;
        this.limits = limits;
        this.cache = cache;
        this.redactor = redactor;
        this.tool = tool;
        this.labels = Map.copyOf(labels);
    }

    /** The same, whose images bear more labels. */
    public Installer withLabels(Map<String, String> more) {
        return new Installer(engine, images, registries, limits, cache, tool, redactor, more);
    }

    /**
     * Installs, or finds the image of an earlier install of the same. What the package does wrong is an outcome of the record.
     *
     * @throws EngineException when the engine, this machine or the registry failed: says nothing of the package
     * @throws IOException     when this machine cannot read or write its own files, e.g. because its disk is full: says nothing of it either
     */
    public InstallRecord install(InstallRequest request) throws EngineException, InterruptedException, IOException {
        long started = System.nanoTime();
        if (!(request.target() instanceof Target.OnDisk onDisk)) {
            return withArguments(install(request, Optional.empty()), request).redacted(redactor);
        }
        try (LocalPackage local = LocalPackage.stage(onDisk.path(), limits)) {
            return withArguments(install(request, Optional.of(local)), request).redacted(redactor);
        } catch (LocalPackage.Refused e) {
            return refused(request, e.outcome(), (System.nanoTime() - started) / 1e9).redacted(redactor);
        }
    }

    /** The record of an earlier install, where its image can still be used. */
    public boolean stillThere(InstallRecord record) throws EngineException {
        return record.usable() && InstallCache.present(record, "", engine);
    }

    /** Whether an image bears the labels of this installer: somebody else's, found and used again, does not. False also where it is gone. */
    public boolean made(String image) throws EngineException {
        return engine.findImage(image).filter(found -> found.labels().entrySet().containsAll(labels.entrySet())).isPresent();
    }

    /**
     * Removes the image of an install, and what this machine remembers of it: it is installed again when it is asked for again.
     *
     * @throws EngineException also where a sandbox is still made of it
     */
    public void discard(String image) throws EngineException {
        Optional<ImageEngine.ImageInfo> found = engine.findImage(image);
        if (found.isPresent()) {
            engine.removeImage(image);
            cache.forget(found.get().labels().getOrDefault(InstallCache.LABEL_KEY, ""), image);
        }
    }

    private InstallRecord install(InstallRequest request, Optional<LocalPackage> local) throws EngineException, InterruptedException, IOException {
        Optional<String> known = keyBefore(request, local);
        if (known.isPresent()) {
            Optional<InstallRecord> earlier = cache.find(known.get(), engine);
            if (earlier.isPresent()) {
                return reused(earlier.get(), request);
            }
        }
        try (InstallNetwork network = registries.open()) {
            // A request for an exact version was looked up before; only one that left it open is looked up once it is known.
            InstallWork work = new InstallWork(engine, network, request, limits, local,
                    purl -> known.isPresent() ? Optional.empty() : cache.find(key(purl, request, PackageUrl.parse(purl).registry()), engine));
            work.digest = local.map(LocalPackage::digest).orElse("");
            InstallWork.Result result = work.registry() == Registry.NPM ? new NpmInstaller(images, work).install() : new PypiInstaller(images, work).install();
            if (result.earlier().isPresent()) {
                return reused(result.earlier().get(), request);
            }
            if (result.ready().isEmpty()) {
                return record(work, result.outcome(), Optional.empty());
            }
            try (Sandbox sandbox = result.ready().get().sandbox()) {
                String key = known.isPresent() ? known.get() : key(work.purl, request, work.registry());
                InstallRecord.Program program = commit(work, result.ready().get(), sandbox, key);
                boolean recorded = false;
                try {
                    InstallRecord record = record(work, result.outcome(), Optional.of(program));
                    cache.keep(key, record.redacted(redactor));
                    recorded = true;
                    return record;
                } finally {
                    if (!recorded) {
                        removeUnrecorded(program.image());
                    }
                }
            }
        }
    }

    /** An image that nobody knows would stay for good: its install is a fault, and made again. */
    private void removeUnrecorded(String image) {
        try {
            engine.removeImage(image);
        } catch (EngineException e) {
            // The fault that is on its way tells of the engine.
        }
    }

    /** The key of a request that names its artefact exactly. */
    private Optional<String> keyBefore(InstallRequest request, Optional<LocalPackage> local) throws EngineException {
        if (local.isPresent()) {
            return Optional.of(key(local.get().digest(), request, local.get().registry()));
        }
        Target.InRegistry target = (Target.InRegistry) request.target();
        return target.url().version().isEmpty() ? Optional.empty() : Optional.of(key(target.url().purl(), request, target.url().registry()));
    }

    private String key(String what, InstallRequest request, Registry registry) throws EngineException {
        String base = registry == Registry.NPM ? NpmInstaller.IMAGES.get(0) : PypiInstaller.IMAGES.get(0);
        String locked = request.lock().map(lock -> " by " + lock.sha256()).orElse("");
        return InstallCache.key(what + locked, request.when(), images.require(base).id());
    }

    private InstallRecord.Program commit(InstallWork work, InstallWork.Ready ready, Sandbox sandbox, String key) throws EngineException {
        Map<String, String> all = new TreeMap<>(labels);
        all.put(InstallCache.LABEL_KEY, key);
        all.put(InstallCache.LABEL_PURL, work.purl);
        all.put(InstallCache.LABEL_DIGEST, work.digest);
        all.put(InstallCache.LABEL_TREE, InstallRecord.digestOf(work.tree));
        all.put(InstallCache.LABEL_ARGV, Json.write(Json.mapper().valueToTree(ready.entry().argv())));
        all.put(InstallCache.LABEL_TOOL, tool);
        String image = engine.commit(sandbox, new ImageEngine.ImageConfig(ready.entry().argv(), ready.env(), USER, WORKDIR, all));
        return new InstallRecord.Program(image, ready.entry(), WORKDIR, ready.sdk(), ready.base().name(), ready.base().id(),
                ready.base().origin().name().toLowerCase(Locale.ROOT), tool, false, ready.caveat());
    }

    private InstallRecord record(InstallWork work, InstallOutcome outcome, Optional<InstallRecord.Program> program) throws EngineException {
        InstallRecord.Artefact artefact = new InstallRecord.Artefact(work.request.target().label(), work.registry(), work.purl, work.name, work.version,
                work.digest, work.request.when());
        return new InstallRecord(artefact, outcome, program, work.scripts, work.lock, work.tree, traffic(work), work.seconds(), work.logTail());
    }

    private static InstallRecord.Traffic traffic(InstallWork work) throws EngineException {
        GatewayEvidence evidence = work.evidence();
        Map<String, InstallRecord.Served> files = new LinkedHashMap<>();
        int documents = 0;
        boolean whole = evidence.complete();
        for (GatewayEvidence.Served served : evidence.served()) {
            if (served.kind() == GatewayEvidence.Kind.DOCUMENT && served.status() == 200) {
                documents++;
                continue;
            }
            String key = served.name() + " " + served.file() + " " + served.status();
            if (files.size() >= MAX_SERVED && !files.containsKey(key)) {
                whole = false;
                continue;
            }
            // The same file may be asked for more than once, for its head or a part of it: the fullest answer counts.
            files.merge(key, file(served, work.integrity), (a, b) -> a.bytes() >= b.bytes() ? a : b);
        }
        return new InstallRecord.Traffic(List.copyOf(files.values()), documents, evidence.blockedHosts(), evidence.refused(), whole);
    }

    private static InstallRecord.Served file(GatewayEvidence.Served served, Map<String, String> integrities) {
        String integrity = integrities.getOrDefault(served.file(), integrities.getOrDefault(served.name() + "@" + served.version(), ""));
        String name = served.registry() == Registry.PYPI ? PackageUrl.normalPythonName(served.name()) : served.name();
        return new InstallRecord.Served(name, served.version(), served.file(), integrity.matches("[0-9a-f]{64}") ? "sha256:" + integrity : integrity,
                served.status(), served.bytes());
    }

    private static InstallRecord refused(InstallRequest request, InstallOutcome outcome, double seconds) {
        return new InstallRecord(new InstallRecord.Artefact(request.target().label(), Registry.LOCAL, "", "", "", "", request.when()), outcome, Optional.empty(),
                InstallRecord.Scripts.NONE, InstallRecord.Lock.NONE, List.of(), InstallRecord.Traffic.NONE, seconds, "");
    }

    private static InstallRecord reused(InstallRecord earlier, InstallRequest request) {
        InstallRecord.Program program = earlier.program().orElseThrow();
        InstallRecord.Artefact artefact = earlier.artefact();
        return new InstallRecord(new InstallRecord.Artefact(request.target().label(), artefact.registry(), artefact.purl(), artefact.name(), artefact.version(),
                artefact.digest(), artefact.asOf()), earlier.outcome(), Optional.of(new InstallRecord.Program(program.image(), program.entry(), program.workdir(),
                program.sdk(), program.baseName(), program.baseImage(), program.baseOrigin(), program.installer(), true, program.caveat())), earlier.scripts(),
                earlier.lock(), earlier.tree(), earlier.traffic(), earlier.seconds(), earlier.logTail());
    }

    /** The image is the same whatever the arguments are; they are added to what the record says is run. */
    private static InstallRecord withArguments(InstallRecord record, InstallRequest request) {
        return new InstallRecord(record.artefact(), record.outcome(), record.program().map(p -> new InstallRecord.Program(p.image(),
                p.entry().withArguments(request.args()), p.workdir(), p.sdk(), p.baseName(), p.baseImage(), p.baseOrigin(), p.installer(), p.reused(), p.caveat())),
                record.scripts(), record.lock(), record.tree(), record.traffic(), record.seconds(), record.logTail());
    }
}
