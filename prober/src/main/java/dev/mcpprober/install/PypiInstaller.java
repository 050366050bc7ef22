package dev.mcpprober.install;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.attribution.Attributor;
import dev.mcpprober.attribution.InstalledTree;
import dev.mcpprober.attribution.SdkAttribution;
import dev.mcpprober.install.InstallWork.Ready;
import dev.mcpprober.install.InstallWork.Result;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.Fault;
import dev.mcpprober.model.PackageUrl;
import dev.mcpprober.model.Target;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.GatewayEvidence;
import dev.mcpprober.sandbox.Sandbox;
import dev.mcpprober.sandbox.SandboxImages;
import dev.mcpprober.sandbox.SandboxImages.SandboxImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Installs PyPI packages with uv: first a lock in one sandbox, then exactly what it names into a virtual environment in another.
 * Python 3.13, or 3.11 where 3.13 is excluded by the metadata of the package or of what it depends on.
 */
final class PypiInstaller {
    static final List<String> IMAGES = List.of("python:3.13", "python:3.11");
    private static final String VENV = InstallWork.APP + "/venv";
    private static final int NO_SOLUTION = 1;
    /** Each may cost a request to the engine. */
    private static final int MAX_DISTRIBUTIONS = 3_000;

    private final SandboxImages images;
    private final InstallWork work;
    private JsonNode answer;

    PypiInstaller(SandboxImages images, InstallWork work) {
        this.images = images;
        this.work = work;
    }

    Result install() throws EngineException, InterruptedException, IOException {
        if (work.request.lock().isPresent()) {
            return locked(work.request.lock().get().text());
        }
        InstallOutcome first = null;
        List<String> excluded = new ArrayList<>();
        for (String name : IMAGES) {
            SandboxImage image = images.require(name);
            Optional<InstallOutcome> unresolved = resolve(image);
            if (unresolved.isEmpty()) {
                Optional<InstallRecord> earlier = work.purl.isEmpty() ? Optional.empty() : work.earlier.find(work.purl);
                return earlier.isPresent() ? Result.earlier(earlier.get()) : install(image);
            }
            first = first == null ? unresolved.get() : first;
            boolean runtime = unresolved.get() instanceof InstallOutcome.UnsupportedRuntime;
            // A dependency that excludes this Python shows as "no solution" too.
            boolean perhaps = unresolved.get() instanceof InstallOutcome.NoVersionMatches && obstacle().isEmpty();
            if (!runtime && !perhaps) {
                return Result.failed(unresolved.get());
            }
            work.note(name + ": " + unresolved.get().detail());
            excluded.add(answer.path("python").asText());
        }
        return Result.failed(first instanceof InstallOutcome.UnsupportedRuntime
                ? new InstallOutcome.UnsupportedRuntime(first.detail() + "; here are " + String.join(" and ", excluded)) : first);
    }

    /** Nothing is resolved: what was right then is installed, on the Python that it was right for. */
    private Result locked(String lock) throws EngineException, InterruptedException, IOException {
        String base = work.request.like().flatMap(InstallRecord::program).map(InstallRecord.Program::baseName).orElse(IMAGES.get(0));
        answer = Json.object().put("lock", lock);
        note(lock);
        return install(images.require(base));
    }

    private Optional<InstallOutcome> resolve(SandboxImage image) throws EngineException, InterruptedException {
        List<String> before = work.evidence().blockedHosts();
        answer = null;
        List<String> argv = List.of("python3", "-c", InstallWork.resource("pypi-resolve.py"), work.network.pythonIndex(), requirement(),
                work.local.isPresent() ? "" : url().name(), before());
        InstallStep step;
        try (Sandbox sandbox = work.sandbox(image, argv)) {
            step = work.run(sandbox);
        }
        if (step.stopped() == InstallStep.Stop.TIMEOUT && work.evidence().registryFailed()) {
            throw new EngineException(new Fault.RegistryUnreachable("the Python index through the gateway did not answer in time"));
        }
        Optional<InstallOutcome> limit = step.limitReached(work.limits);
        if (limit.isPresent()) {
            return limit;
        }
        if (step.killed().isPresent()) {
            // Builds run beside it, as the same user: what it printed may be theirs.
            return Optional.of(new InstallOutcome.BuildFailed("the resolver was ended by " + step.killed().get() + " while builds ran"));
        }
        if (!(Json.parse(step.stdout()) instanceof Json.Parsed.Value value) || !value.node().isObject()) {
            if (step.succeeded()) {
                return Optional.of(new InstallOutcome.BuildFailed("a build wrote into the resolver's answer"));
            }
            throw new EngineException(new Fault.ProberDefect("the Python resolver ended with " + step.how() + " and no answer: " + step.log()));
        }
        answer = value.node();
        if (work.local.isEmpty()) {
            int status = answer.path("status").asInt();
            if (status == 404 || status == 410) {
                return Optional.of(new InstallOutcome.NotFound("the Python index has no project " + url().name()));
            }
            if (status != 200) {
                throw new EngineException(new Fault.RegistryUnreachable("the Python index through the gateway: "
                        + (status == 0 ? "no answer" : "status " + status) + " for " + url().name()));
            }
        }
        if (answer.path("uv").asInt(-1) == 0) {
            note(answer.path("lock").asText());
            return excluded();
        }
        GatewayEvidence evidence = work.evidence();
        return Optional.of(unresolved(evidence, evidence.blockedHosts().stream().filter(host -> !before.contains(host)).toList()));
    }

    private InstallOutcome unresolved(GatewayEvidence evidence, List<String> blocked) throws EngineException {
        Optional<InstallOutcome> obstacle = obstacle();
        if (obstacle.isPresent()) {
            return obstacle.get();
        }
        String said = said(answer.path("said").asText());
        if (!blocked.isEmpty()) {
            return new InstallOutcome.BlockedEgress(blocked, work.name, "while resolving: " + said);
        }
        if (evidence.registryFailed()) {
            throw new EngineException(new Fault.RegistryUnreachable("the Python index through the gateway failed: " + said));
        }
        if (answer.path("uv").asInt() == NO_SOLUTION) {
            return said.startsWith("error: No solution found") ? new InstallOutcome.NoVersionMatches(said) : new InstallOutcome.BuildFailed(said);
        }
        if (evidence.served().isEmpty() && work.local.isEmpty()) {
            throw new EngineException(new Fault.RegistryUnreachable("uv got nothing from the gateway: " + said));
        }
        return new InstallOutcome.BuildFailed(said);
    }

    private Optional<InstallOutcome> obstacle() {
        String python = answer.path("python").asText();
        if (work.local.isPresent()) {
            String requires = answer.path("requiresPython").asText("");
            return answer.path("requiresPython").isTextual() && !PythonRequires.allows(requires, python)
                    ? Optional.of(new InstallOutcome.UnsupportedRuntime("the package wants Python " + requires)) : Optional.empty();
        }
        return PypiIndex.read(url().name(), answer.path("files")).obstacle(url().version(), work.request.before(), python);
    }

    /** uv leaves upper bounds of Requires-Python out of account; the package means them. */
    private Optional<InstallOutcome> excluded() {
        Optional<InstallOutcome> obstacle = work.local.isPresent() ? obstacle()
                : PypiIndex.read(url().name(), answer.path("files")).obstacle(Optional.of(work.version), Optional.empty(), answer.path("python").asText());
        return obstacle.filter(InstallOutcome.UnsupportedRuntime.class::isInstance);
    }

    private static String said(String text) {
        String stripped = text.strip();
        return stripped.length() > 1_000 ? stripped.substring(0, 1_000) + "…" : stripped;
    }

    private void note(String lock) {
        PyLock parsed = PyLock.read(lock);
        work.lock = InstallRecord.Lock.of("pylock.toml", lock);
        work.integrity = parsed.sha256();
        for (PyLock.Locked locked : parsed.packages()) {
            if (work.local.isEmpty() ? locked.name().equals(url().name()) : locked.digest().isEmpty()) {
                work.name = locked.name();
                work.version = locked.version();
                work.digest = work.local.isEmpty() ? locked.digest() : work.digest;
            }
        }
        if (work.local.isEmpty()) {
            work.purl = url().withVersion(work.version).purl();
        }
    }

    private PackageUrl url() {
        return ((Target.InRegistry) work.request.target()).url();
    }

    private String requirement() {
        return work.local.map(local -> local.inside(InstallWork.INPUT)).orElseGet(() -> url().name() + url().version().map(v -> "==" + v).orElse(""));
    }

    private String before() {
        return work.request.before().map(Object::toString).orElse("");
    }

    private Result install(SandboxImage image) throws EngineException, InterruptedException, IOException {
        List<String> before = work.evidence().blockedHosts();
        List<String> argv = new ArrayList<>(List.of("/bin/sh", "-c", InstallWork.resource("pypi-install.sh"), "pypi-install", "python3", work.network.pythonIndex()));
        if (!before().isEmpty() && work.request.lock().isEmpty()) {
            argv.addAll(List.of("--exclude-newer", before()));
        }
        Sandbox sandbox = work.sandbox(image, argv);
        boolean handedOn = false;
        try {
            work.engine.writeFile(sandbox, InstallWork.APP + "/pylock.toml", answer.path("lock").asText().getBytes(StandardCharsets.UTF_8));
            InstallStep step = work.run(sandbox);
            Result result = step.succeeded() ? finish(image, sandbox) : Result.failed(notInstalled(image, step, before));
            handedOn = result.ready().isPresent();
            return result;
        } finally {
            if (!handedOn) {
                sandbox.close();
            }
        }
    }

    private InstallOutcome notInstalled(SandboxImage image, InstallStep step, List<String> before) throws EngineException, InterruptedException {
        Optional<InstallOutcome> limit = step.limitReached(work.limits);
        if (limit.isPresent()) {
            return limit.get();
        }
        if (work.outOfSpace(image, step.stdout())) {
            return new InstallOutcome.TooLarge("filled the temporary folder");
        }
        GatewayEvidence evidence = work.evidence();
        List<String> blocked = evidence.blockedHosts().stream().filter(host -> !before.contains(host)).toList();
        String said = said(lastError(step.log()));
        if (!blocked.isEmpty()) {
            return new InstallOutcome.BlockedEgress(blocked, "", "while building: " + said);
        }
        if (evidence.registryFailed()) {
            throw new EngineException(new Fault.RegistryUnreachable("the Python index through the gateway failed: " + said));
        }
        return new InstallOutcome.BuildFailed(said);
    }

    /** uv's own message, from where it begins. */
    private static String lastError(String log) {
        int at = log.indexOf("error: ");
        return at < 0 ? log : log.substring(at);
    }

    private Result finish(SandboxImage image, Sandbox sandbox) throws EngineException, IOException {
        Predicate<String> keep = path -> path.endsWith("/METADATA") || path.endsWith("/RECORD") || path.endsWith("/entry_points.txt")
                || path.endsWith(".py") && path.contains("/site-packages/" + moduleLike(work.name));
        EngineTree tree = EngineTree.read(work.engine, sandbox, InstallWork.APP, keep, work.limits.treeBytes(), work.limits.treeFiles());
        if (tree.oversized()) {
            return Result.failed(new InstallOutcome.TooLarge("more than " + (work.limits.treeBytes() >> 20) + " MiB or " + work.limits.treeFiles() + " files"));
        }
        try {
            String site = sitePackages(tree);
            String info = describe(tree, site);
            if (info.isEmpty()) {
                return Result.failed(new InstallOutcome.BuildFailed("no distribution was installed for " + work.request.target().label()));
            }
            PypiEntryPoint entry = PypiEntryPoint.of(tree, VENV, site, info, work.name);
            if (entry.found().isEmpty()) {
                return Result.failed(new InstallOutcome.NoEntryPoint(entry.reason()));
            }
            SdkAttribution sdk = Attributor.attribute(tree, entry.start());
            Map<String, String> env = Map.of("PATH", VENV + "/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME", "/home/mcp",
                    "VIRTUAL_ENV", VENV);
            return Result.ready(new InstallOutcome.Installed(""), new Ready(entry.found().get(), sdk, image, env, sandbox, Optional.empty()));
        } catch (EngineTree.EngineFailure e) {
            throw e.engine();
        }
    }

    private static String moduleLike(String name) {
        return name.toLowerCase(Locale.ROOT).replace('-', '_');
    }

    private static String sitePackages(InstalledTree tree) throws IOException {
        for (InstalledTree.Child child : tree.list(VENV + "/lib")) {
            String site = VENV + "/lib/" + child.name() + "/site-packages";
            if (child.name().startsWith("python") && tree.isFolder(site)) {
                return site;
            }
        }
        return VENV + "/lib/python3/site-packages";
    }

    /** Notes the dependency tree, and returns the target's own dist-info folder: the one that was asked for by name or path. */
    private String describe(InstalledTree tree, String site) throws IOException {
        TreeSet<String> all = new TreeSet<>();
        String own = "";
        for (InstalledTree.Child child : tree.list(site)) {
            if (!child.name().endsWith(".dist-info") || all.size() >= MAX_DISTRIBUTIONS) {
                continue;
            }
            String metadata = tree.text(site + "/" + child.name() + "/METADATA", 4 << 20).orElse("");
            String name = header(metadata, "Name").toLowerCase(Locale.ROOT).replaceAll("[-_.]+", "-");
            String version = header(metadata, "Version");
            all.add(name + "@" + version);
            if (name.equals(work.name) || work.name.isEmpty() && tree.isFile(site + "/" + child.name() + "/REQUESTED")) {
                own = site + "/" + child.name();
                work.name = name;
                work.version = version;
            }
        }
        work.tree = List.copyOf(all);
        return own;
    }

    private static String header(String metadata, String name) {
        for (String line : metadata.split("\r?\n")) {
            if (line.isEmpty()) {
                return "";
            }
            if (line.startsWith(name + ":")) {
                return line.substring(name.length() + 1).strip();
            }
        }
        return "";
    }
}
