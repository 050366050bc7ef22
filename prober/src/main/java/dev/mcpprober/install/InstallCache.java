package dev.mcpprober.install;

import dev.mcpprober.io.AtomicFiles;
import dev.mcpprober.io.Digests;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.ImageEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Records of earlier installs on this machine, by what they installed. A record counts only while its image is there and its labels
 * still say the same; so deleting images or this folder is safe at any time.
 */
final class InstallCache {
    /** Raised when what an install does or leaves changes, so that older images are not used. */
    static final String INSTALLER = "1";
    static final String LABEL_KEY = "dev.mcpprober.install.key";
    static final String LABEL_PURL = "dev.mcpprober.install.purl";
    static final String LABEL_DIGEST = "dev.mcpprober.install.digest";
    static final String LABEL_TREE = "dev.mcpprober.install.tree";
    static final String LABEL_ARGV = "dev.mcpprober.install.argv";
    static final String LABEL_TOOL = "dev.mcpprober.install.tool";

    private final Path folder;

    InstallCache(Path folder) {
        this.folder = folder;
    }

    /** @param what names the artefact: a package URL with a version (which a registry never gives twice), or the digest of local files */
    static String key(String what, String asOf, String baseImage) {
        return Digests.sha256(String.join("\n", INSTALLER, what, asOf, baseImage));
    }

    Optional<InstallRecord> find(String key, ImageEngine engine) throws EngineException {
        Path file = file(key);
        try {
            if (!Files.exists(file)) {
                return Optional.empty();
            }
            InstallRecord record = InstallDocument.read(Files.readAllBytes(file));
            return record.usable() && present(record, key, engine) ? Optional.of(record) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty(); // unreadable or of another version: installed again
        }
    }

    static boolean present(InstallRecord record, String key, ImageEngine engine) throws EngineException {
        Optional<ImageEngine.ImageInfo> image = engine.findImage(record.program().orElseThrow().image());
        if (image.isEmpty()) {
            return false;
        }
        Map<String, String> labels = image.get().labels();
        return (key.isEmpty() || key.equals(labels.get(LABEL_KEY))) && record.artefact().digest().equals(labels.get(LABEL_DIGEST))
                && record.treeDigest().equals(labels.get(LABEL_TREE));
    }

    /** A cache that cannot be written only costs time later. */
    void keep(String key, InstallRecord record) {
        try {
            AtomicFiles.write(file(key), InstallDocument.write(record));
        } catch (IOException e) {
            // Nothing depends on it.
        }
    }

    /** What is known of an image that is gone, unless another one took its place. */
    void forget(String key, String image) {
        if (!key.matches("[0-9a-f]{64}")) {
            return;
        }
        Path file = file(key);
        try {
            if (Files.exists(file) && InstallDocument.read(Files.readAllBytes(file)).program().filter(program -> program.image().equals(image)).isPresent()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // A record without its image counts for nothing.
        }
    }

    private Path file(String key) {
        return folder.resolve(key + ".json");
    }
}
