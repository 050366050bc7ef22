package dev.mcpprober.census;

import dev.mcpprober.install.Installer;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.ImageEngine;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;

/**
 * Removes images of installs, on an engine whose storage is full: the oldest that nobody needs at once. They can all be made again. The engine
 * itself refuses those that a container is made of.
 */
public final class ImagePruner implements DiskGuard.Pruner {
    /** Other probers may be about to use what they have just made. */
    private static final Duration YOUNG = Duration.ofHours(1);

    private final ImageEngine engine;
    private final InstalledImages images;
    private final Clock clock;

    public ImagePruner(ImageEngine engine, InstalledImages images, Clock clock) {
        this.engine = engine;
        this.images = images;
        this.clock = clock;
    }

    @Override
    public synchronized Optional<String> one() {
        try {
            for (ImageEngine.Labelled image : engine.imagesWith(Installer.IMAGE_LABEL)) {
                boolean dispensable = image.created().isBefore(clock.instant().minus(YOUNG)) || images.isSpare(image.id());
                if (dispensable && images.removeNow(image.id())) {
                    return Optional.of("image " + image.id());
                }
            }
        } catch (EngineException e) {
            // Whether the engine works at all shows in the next attempt.
        }
        return Optional.empty();
    }
}
