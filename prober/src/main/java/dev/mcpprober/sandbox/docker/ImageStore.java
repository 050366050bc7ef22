package dev.mcpprober.sandbox.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.NotFoundException;
import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.SandboxImages;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Builds the images of {@code images/} where they are missing. The base is the bootstrapped one where this engine has it, else
 * the official one, pulled where it is not there, else one bootstrapped now.
 */
public final class ImageStore implements SandboxImages, AutoCloseable {
    private static final Duration BOOTSTRAP_LIMIT = Duration.ofMinutes(20);

    private final DockerClient client;
    private final Path images;
    private final Consumer<String> progress;
    private final Map<String, SandboxImage> made = new ConcurrentHashMap<>();

    ImageStore(DockerClient client, Path images, Consumer<String> progress) {
        this.client = client;
        this.images = images;
        this.progress = progress;
    }

    /** @param progress gets one printable line for each step of what takes time; none when every image is there */
    public static ImageStore open(Consumer<String> progress) throws EngineException {
        return new ImageStore(DockerClients.connect(EngineAddress.of(System.getenv()), null), ProberHome.images(), progress);
    }

    /** Every image that there is. */
    public static List<String> names() {
        return ImageRecipe.NAMES.stream().sorted().toList();
    }

    /** The connection, for what else is made of these images. Closed with this store. */
    DockerClient client() {
        return client;
    }

    Path images() {
        return images;
    }

    Consumer<String> progress() {
        return progress;
    }

    @Override
    public SandboxImage require(String name) throws EngineException {
        SandboxImage image = made.get(name);
        if (image == null) {
            image = make(recipe(name));
            made.put(name, image);
        }
        return image;
    }

    /** What there is of an image. */
    public enum Presence {
        READY("is there"), BASE_ONLY("its base is there, itself it is not"), MISSING("neither itself nor its base is there");

        private final String words;

        Presence(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    /** Looks without making anything. */
    Presence look(String name) throws EngineException {
        ImageRecipe recipe = recipe(name);
        Optional<ImageBuild.Base> base = baseThere(recipe);
        return base.isEmpty() ? Presence.MISSING : find(recipe.tag(base.get().id())).isPresent() ? Presence.READY : Presence.BASE_ONLY;
    }

    private ImageRecipe recipe(String name) throws EngineException {
        try {
            return ImageRecipe.read(images, name);
        } catch (IOException e) {
            throw new EngineException(new Fault.ProberDefect("image " + name + ": " + e.getMessage()), e);
        }
    }

    private SandboxImage make(ImageRecipe recipe) throws EngineException {
        Optional<SandboxImage> there = there(recipe);
        if (there.isPresent()) {
            return there.get();
        }
        String waiting = "image " + recipe.name() + ": another program of this machine is making it; waiting";
        try (MakingLock lock = MakingLock.take(recipe.name(), () -> progress.accept(waiting))) {
            return makeAlone(recipe);
        }
    }

    private Optional<SandboxImage> there(ImageRecipe recipe) throws EngineException {
        Optional<ImageBuild.Base> base = baseThere(recipe);
        return base.isEmpty() ? Optional.empty() : of(recipe, base.get());
    }

    private Optional<SandboxImage> of(ImageRecipe recipe, ImageBuild.Base base) throws EngineException {
        String tag = recipe.tag(base.id());
        return find(tag).map(id -> new SandboxImage(recipe.name(), tag, id, base.origin(), base.id()));
    }

    private Optional<ImageBuild.Base> baseThere(ImageRecipe recipe) throws EngineException {
        Optional<ImageBuild.Base> base = here(recipe.bootstrappedBase(), BaseOrigin.BOOTSTRAPPED);
        return base.isPresent() ? base : here(recipe.officialReference(), BaseOrigin.OFFICIAL);
    }

    private SandboxImage makeAlone(ImageRecipe recipe) throws EngineException {
        ImageBuild.Base base = base(recipe);
        Optional<SandboxImage> image = of(recipe, base);
        if (image.isEmpty()) {
            new ImageBuild(client, images, progress).build(recipe, base, recipe.tag(base.id()));
            image = of(recipe, base);
        }
        return image.orElseThrow(() -> missing(recipe, "it was built"));
    }

    private ImageBuild.Base base(ImageRecipe recipe) throws EngineException {
        Optional<ImageBuild.Base> base = baseThere(recipe);
        if (base.isPresent()) {
            return base.get();
        }
        progress.accept("image " + recipe.name() + ": pulling " + recipe.officialBase());
        Optional<String> whyNot = new BasePull(client).pull(recipe.officialReference());
        if (whyNot.isEmpty()) {
            return here(recipe.officialReference(), BaseOrigin.OFFICIAL).orElseThrow(() -> missing(recipe, "its base was pulled"));
        }
        progress.accept("image " + recipe.name() + ": that base cannot be had (" + whyNot.get() + "); making one from Debian packages");
        HostScript.Result result = HostScript.run(images.resolve("bootstrap"), List.of(recipe.name()), Map.of(), BOOTSTRAP_LIMIT, progress);
        if (result.exit() != 0) {
            throw new EngineException(new Fault.ImageUnavailable(recipe.name(), "its base could neither be pulled (" + whyNot.get()
                    + ") nor made (" + result.lastError() + ")"));
        }
        return here(recipe.bootstrappedBase(), BaseOrigin.BOOTSTRAPPED).orElseThrow(() -> missing(recipe, "its base was made"));
    }

    private Optional<ImageBuild.Base> here(String reference, BaseOrigin origin) throws EngineException {
        return find(reference).map(id -> new ImageBuild.Base(reference, id, origin));
    }

    private Optional<String> find(String reference) throws EngineException {
        return EngineCalls.call("look for an image", () -> {
            try {
                return Optional.of(client.inspectImageCmd(reference).exec().getId());
            } catch (NotFoundException e) {
                return Optional.empty();
            }
        });
    }

    private static EngineException missing(ImageRecipe recipe, String after) {
        return new EngineException(new Fault.ImageUnavailable(recipe.name(), after + ", but the engine does not have it"));
    }

    @Override
    public void close() {
        try {
            client.close();
        } catch (IOException e) {
            // A connection that cannot be closed is none any more.
        }
    }
}
