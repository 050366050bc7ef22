package dev.mcpprober.install;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.attribution.Attributor;
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
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Installs npm packages. First npm's own resolver says what the request stands for, in a sandbox where nothing of the package runs;
 * then npm installs exactly that, with its install scripts. Where the script of a dependency fails, a second sandbox installs it
 * without scripts.
 */
final class NpmInstaller {
    static final List<String> IMAGES = List.of("node:22", "node:24", "node:20");
    private static final String MODULES = InstallWork.APP + "/node_modules";

    private final SandboxImages images;
    private final InstallWork work;
    private JsonNode resolved;

    NpmInstaller(SandboxImages images, InstallWork work) {
        this.images = images;
        this.work = work;
    }

    Result install() throws EngineException, InterruptedException, IOException {
        List<String> tried = new ArrayList<>();
        List<String> left = new ArrayList<>(IMAGES);
        while (true) {
            SandboxImage image = images.require(left.remove(0));
            Optional<InstallOutcome> unresolved = resolve(image);
            if (unresolved.isPresent()) {
                return Result.failed(unresolved.get());
            }
            String engines = resolved.path("engines").path("node").asText("");
            String node = resolved.path("node").asText("");
            if (NodeRange.allows(engines, node)) {
                Optional<InstallRecord> earlier = work.purl.isEmpty() ? Optional.empty() : work.earlier.find(work.purl);
                return earlier.isPresent() ? Result.earlier(earlier.get()) : install(image);
            }
            tried.add(node);
            if (left.isEmpty()) {
                return Result.failed(new InstallOutcome.UnsupportedRuntime("wants Node " + engines + "; here are " + String.join(" and ", tried)));
            }
            // An image is made when it is first asked for: one that may do comes before one that cannot.
            left.sort(Comparator.comparing(name -> !NodeRange.allows(engines, name.replace("node:", "") + ".99.99")));
        }
    }

    private Optional<InstallOutcome> resolve(SandboxImage image) throws EngineException, InterruptedException {
        List<String> argv = List.of("node", "--input-type=module", "-e", InstallWork.resource("npm-resolve.mjs"), "--", spec(), work.network.npmRegistry(), before());
        try (Sandbox sandbox = work.sandbox(image, argv)) {
            InstallStep step = work.run(sandbox);
            if (step.stopped() == InstallStep.Stop.TIMEOUT) {
                // Nothing of the package runs here: it is the registry that is slow.
                throw new EngineException(new Fault.RegistryUnreachable("no answer for " + spec() + " within " + work.limits.time().toSeconds() + " s"));
            }
            Optional<InstallOutcome> limit = step.limitReached(work.limits);
            if (limit.isPresent()) {
                return limit;
            }
            if (!(Json.parse(step.stdout()) instanceof Json.Parsed.Value value) || !value.node().isObject()) {
                throw new EngineException(new Fault.ProberDefect("npm's resolver ended with " + step.how() + " and no answer: " + step.log()));
            }
            resolved = value.node();
        }
        if (resolved.has("code")) {
            return Optional.of(unresolved(resolved.path("code").asText(), resolved.path("message").asText()));
        }
        work.name = resolved.path("name").asText("");
        work.version = resolved.path("version").asText("");
        if (work.name.isEmpty()) {
            return Optional.of(new InstallOutcome.BuildFailed("package.json has no name"));
        }
        if (work.local.isEmpty()) {
            work.purl = url().withVersion(work.version).purl();
            work.digest = resolved.path("integrity").asText("");
        }
        return Optional.empty();
    }

    private InstallOutcome unresolved(String code, String message) throws EngineException {
        if (code.equals("E404") && work.local.isEmpty()) {
            return new InstallOutcome.NotFound("the npm registry has no package " + url().name());
        }
        if (work.local.isPresent() && code.equals("ENOSPC")) {
            return new InstallOutcome.TooLarge("does not fit into the temporary folder when unpacked: " + message);
        }
        if (work.local.isPresent()) {
            return new InstallOutcome.BuildFailed("not a package that npm can read: " + code + ": " + message);
        }
        return new NpmFailure(code, message).classify(List.of(), false);
    }

    private PackageUrl url() {
        return ((Target.InRegistry) work.request.target()).url();
    }

    private String spec() {
        return work.local.map(local -> "file:" + local.inside(InstallWork.INPUT)).orElseGet(() -> url().name() + url().version().map(v -> "@" + v).orElse(""));
    }

    private String before() {
        return work.request.before().map(Object::toString).orElse("");
    }

    private Result install(SandboxImage image) throws EngineException, InterruptedException, IOException {
        List<String> before = work.evidence().blockedHosts();
        Sandbox sandbox = work.sandbox(image, argv(true));
        boolean handedOn = false;
        try {
            locked(sandbox);
            InstallStep step = work.run(sandbox);
            if (step.succeeded()) {
                Result result = finish(image, sandbox, Optional.empty());
                handedOn = result.ready().isPresent();
                return result;
            }
            Optional<InstallOutcome> limit = step.limitReached(work.limits);
            if (limit.isPresent()) {
                return Result.failed(limit.get());
            }
            boolean full = work.outOfSpace(image, step.stdout());
            if (step.killed().isPresent()) {
                return Result.failed(new InstallOutcome.InstallScriptFailed("", "npm was ended by " + step.killed().get() + " while install scripts ran"));
            }
            NpmFailure failure = NpmFailure.read(step.stdout());
            GatewayEvidence evidence = work.evidence();
            List<String> blocked = evidence.blockedHosts().stream().filter(host -> !before.contains(host)).toList();
            if (full) {
                return Result.failed(new InstallOutcome.TooLarge("filled the temporary folder: " + failure.said()));
            }
            if (failure.wantsGit()) {
                return Result.failed(failure.classify(gitHosts(image, before), evidence.registryFailed()));
            }
            if (!failure.ofScript()) {
                return Result.failed(failure.classify(blocked, evidence.registryFailed()));
            }
            return withoutScripts(image, scriptFailure(failure, step.log(), blocked));
        } finally {
            if (!handedOn) {
                sandbox.close();
            }
        }
    }

    /** The hosts that npm wants to clone from. */
    private List<String> gitHosts(SandboxImage image, List<String> before) throws EngineException, InterruptedException {
        List<String> argv = new ArrayList<>(List.of("/usr/bin/env", "PROBER_ASK_GIT=1"));
        argv.addAll(argv(false));
        try (Sandbox sandbox = work.sandbox(image, argv)) {
            work.run(sandbox);
        }
        return work.evidence().blockedHosts().stream().filter(host -> !before.contains(host)).toList();
    }

    private record ScriptFailure(InstallOutcome outcome, String packageName, boolean own) {}

    private ScriptFailure scriptFailure(NpmFailure failure, String log, List<String> blocked) {
        Optional<String> folder = NpmFailure.folderOfScript(log);
        String name = folder.map(path -> path.substring(path.lastIndexOf("node_modules/") + "node_modules/".length())).orElse("");
        boolean own = folder.isEmpty() || folder.get().equals(MODULES + "/" + work.name);
        String status = "an install script of " + (name.isEmpty() ? "a package" : name) + " ended with " + failure.code();
        InstallOutcome outcome = blocked.isEmpty() ? new InstallOutcome.InstallScriptFailed(name, status) : new InstallOutcome.BlockedEgress(blocked, name, status);
        return new ScriptFailure(outcome, name, own);
    }

    /**
     * The second try. A package whose own script failed is not usable even if its files are there: what the script would have made is
     * missing. Where it was a dependency's script, the server may well do without.
     */
    private Result withoutScripts(SandboxImage image, ScriptFailure failure) throws EngineException, InterruptedException, IOException {
        work.note(failure.outcome().detail() + "; second try without scripts");
        Sandbox sandbox = work.sandbox(image, argv(false));
        boolean handedOn = false;
        try {
            locked(sandbox);
            InstallStep step = work.run(sandbox);
            Optional<InstallOutcome> limit = step.limitReached(work.limits);
            Result second = limit.isPresent() ? Result.failed(limit.get()) : step.succeeded() ? finish(image, sandbox, Optional.of(failure.outcome()))
                    : Result.failed(NpmFailure.read(step.stdout()).classify(List.of(), work.evidence().registryFailed()));
            work.scripts = new InstallRecord.Scripts(work.scripts.packages(), failure.packageName().isEmpty() ? "unknown" : failure.packageName(),
                    second.outcome().kind());
            if (failure.own() || second.ready().isEmpty()) {
                return Result.failed(failure.outcome());
            }
            handedOn = true;
            return second;
        } finally {
            if (!handedOn) {
                sandbox.close();
            }
        }
    }

    /** npm ci wants the wishes that the lock was made of beside it. */
    private void locked(Sandbox sandbox) throws EngineException {
        if (work.request.lock().isEmpty()) {
            return;
        }
        String lock = work.request.lock().get().text();
        ObjectNode manifest = Json.object().put("private", true);
        if (Json.parse(lock) instanceof Json.Parsed.Value value) {
            manifest.set("dependencies", value.node().path("packages").path("").path("dependencies"));
        }
        work.engine.writeFile(sandbox, InstallWork.APP + "/package-lock.json", lock.getBytes(StandardCharsets.UTF_8));
        work.engine.writeFile(sandbox, InstallWork.APP + "/package.json", Json.write(manifest).getBytes(StandardCharsets.UTF_8));
    }

    private List<String> argv(boolean scripts) {
        List<String> argv = new ArrayList<>(List.of("/bin/sh", "-c", InstallWork.resource("npm-install.sh"), "npm-install",
                work.local.map(local -> local.inside(InstallWork.INPUT)).orElse(work.name + "@" + work.version),
                "--registry", work.network.npmRegistry(), "--omit=dev", "--no-audit", "--no-fund", "--no-update-notifier", "--no-progress", "--logs-max=0",
                "--fetch-retries=2", "--fetch-timeout=60000", scripts ? "--no-ignore-scripts" : "--ignore-scripts"));
        if (!before().isEmpty() && work.request.lock().isEmpty()) {
            argv.add("--before=" + before());
        }
        return argv;
    }

    private Result finish(SandboxImage image, Sandbox sandbox, Optional<InstallOutcome> caveat) throws EngineException, IOException {
        String folder = MODULES + "/" + work.name;
        Predicate<String> keep = path -> path.endsWith("/package.json") || path.endsWith("lock.json") || path.startsWith(folder + "/");
        EngineTree tree = EngineTree.read(work.engine, sandbox, InstallWork.APP, keep, work.limits.treeBytes(), work.limits.treeFiles());
        if (tree.oversized()) {
            return Result.failed(new InstallOutcome.TooLarge("more than " + (work.limits.treeBytes() >> 20) + " MiB or " + work.limits.treeFiles() + " files"));
        }
        try {
            String lock = tree.text(InstallWork.APP + "/package-lock.json", 8 << 20).orElse("");
            NpmLock parsed = NpmLock.read(lock, tree, InstallWork.APP);
            work.lock = InstallRecord.Lock.of("package-lock.json", lock);
            work.tree = parsed.tree();
            work.integrity = parsed.integrity();
            work.scripts = new InstallRecord.Scripts(parsed.scripted(), work.scripts.failed(), work.scripts.withoutScripts());
            NpmEntryPoint entry = NpmEntryPoint.of(tree, folder, MODULES);
            if (entry.found().isEmpty()) {
                return Result.failed(entry.needs().isEmpty() ? new InstallOutcome.NoEntryPoint(entry.reason()) : new InstallOutcome.UnsupportedRuntime(entry.reason()));
            }
            SdkAttribution sdk = Attributor.attribute(tree, new Attributor.Start.Node(entry.file()));
            Map<String, String> env = Map.of("PATH", MODULES + "/.bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME", "/home/mcp");
            return Result.ready(new InstallOutcome.Installed(caveat.map(c -> "without install scripts: " + c.detail()).orElse("")),
                    new Ready(entry.found().get(), sdk, image, env, sandbox, caveat));
        } catch (EngineTree.EngineFailure e) {
            throw e.engine();
        }
    }

}
