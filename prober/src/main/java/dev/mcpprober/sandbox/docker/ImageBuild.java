package dev.mcpprober.sandbox.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.command.BuildImageCmd;
import com.github.dockerjava.api.model.BuildResponseItem;
import dev.mcpprober.io.Folders;
import dev.mcpprober.model.Fault;
import dev.mcpprober.model.Printable;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.SandboxImages.BaseOrigin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** One run of the engine's builder. */
final class ImageBuild {
    private static final Duration LIMIT = Duration.ofMinutes(15);
    private static final List<String> PROXY_VARIABLES = List.of("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy");
    private static final int MAX_LINE = 300;

    private final DockerClient client;
    private final Path images;
    private final Consumer<String> progress;

    ImageBuild(DockerClient client, Path images, Consumer<String> progress) {
        this.client = client;
        this.images = images;
        this.progress = progress;
    }

    /** @param reference what {@code FROM} gets */
    record Base(String reference, String id, BaseOrigin origin) {}

    void build(ImageRecipe recipe, Base base, String tag) throws EngineException {
        progress.accept("image " + recipe.name() + ": building " + tag);
        Path context = null;
        try {
            context = Files.createTempDirectory("mcp-prober-build");
            fill(context, recipe, base);
            run(context, recipe, base, tag);
        } catch (IOException e) {
            throw new EngineException(new Fault.ImageUnavailable(recipe.name(), "its build context: " + e.getMessage()), e);
        } finally {
            delete(context);
        }
    }

    private void fill(Path context, ImageRecipe recipe, Base base) throws IOException, EngineException {
        try (Stream<Path> files = Files.walk(recipe.folder())) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = context.resolve(recipe.folder().relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
        String kind = recipe.folder().getFileName().toString();
        HostScript.Result fetched = HostScript.run(images.resolve("fetch"), List.of(kind), registries(kind, base), LIMIT, progress);
        if (fetched.exit() != 0) {
            throw new EngineException(new Fault.ImageUnavailable(recipe.name(), fetched.lastError()));
        }
        for (String line : fetched.output().lines().toList()) {
            String[] nameAndFile = line.split("\t", 2);
            Files.copy(Path.of(nameAndFile[1]), context.resolve(nameAndFile[0]));
        }
    }

    /** Where no client on this host can say which registry to ask, an official base brings one that can. */
    private Map<String, String> registries(String kind, Base base) throws EngineException {
        if (base.origin() == BaseOrigin.BOOTSTRAPPED) {
            return Map.of();
        }
        Map<String, String> environment = new HashMap<>();
        if (kind.equals("node")) {
            ClientDefaults.npm(client, base.id()).ifPresent(url -> environment.put("PROBER_NPM_REGISTRY_DEFAULT", url));
        } else if (kind.equals("python")) {
            ClientDefaults.pythonIndex(client, base.id()).ifPresent(url -> environment.put("PROBER_PYPI_INDEX_DEFAULT", url));
        }
        return environment;
    }

    private void run(Path context, ImageRecipe recipe, Base base, String tag) throws EngineException {
        Steps steps = new Steps();
        try (BuildImageCmd build = client.buildImageCmd(context.resolve("Dockerfile").toFile())) {
            build.withBaseDirectory(context.toFile()).withTags(Set.of(tag)).withForcerm(true).withPull(false)
                    .withBuildArg("BASE", base.reference())
                    .withLabels(Map.of("dev.mcpprober.image", recipe.name(), "dev.mcpprober.origin", base.origin().name().toLowerCase(java.util.Locale.ROOT),
                            "dev.mcpprober.base-id", base.id()));
            for (String variable : PROXY_VARIABLES) {
                Optional.ofNullable(System.getenv(variable)).ifPresent(value -> build.withBuildArg(variable, value));
            }
            EngineCalls.call("build", () -> build.exec(steps));
            boolean ended;
            try {
                ended = steps.awaitCompletion(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            } catch (RuntimeException e) {
                throw new EngineException(EngineCalls.faultOf("build", e), e);
            }
            if (!ended || !steps.failure.isEmpty()) {
                throw new EngineException(new Fault.ImageUnavailable(recipe.name(), ended ? steps.failure + steps.lastLine()
                        : "its build did not end within " + LIMIT.toMinutes() + " minutes"));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EngineException(new Fault.Interrupted("while image " + recipe.name() + " was built"), e);
        }
    }

    private static void delete(Path folder) {
        if (folder == null) {
            return;
        }
        try {
            Folders.delete(folder);
        } catch (IOException e) {
            // A temporary folder that stays behind harms nothing.
        }
    }

    private static final class Steps extends ResultCallback.Adapter<BuildResponseItem> {
        private volatile String failure = "";
        private volatile String last = "";

        @Override
        public void onNext(BuildResponseItem item) {
            if (item.getErrorDetail() != null) {
                failure = Printable.text(String.valueOf(item.getErrorDetail().getMessage()), MAX_LINE);
            }
            String line = item.getStream() == null ? "" : item.getStream().strip();
            if (!line.isEmpty()) {
                last = Printable.text(line, MAX_LINE);
            }
        }

        String lastLine() {
            return last.isEmpty() ? "" : " (" + last + ")";
        }
    }
}
