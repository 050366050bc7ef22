package dev.mcpprober.sandbox;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An engine that also keeps images and can look into a sandbox from outside. What is read here comes from the engine's archive
 * interface, not from programs inside the sandbox, so that hostile code which ran there has no say in it.
 */
public interface ImageEngine extends SandboxEngine {
    /** A sandbox of {@code image} that is never started: for reading its files. */
    Sandbox open(String image) throws EngineException;

    /**
     * Keeps the root file system of {@code sandbox}, whose process has ended, as an image. Neither tmpfs mounts nor the environment
     * and labels of the sandbox go into it, only what {@code config} says (beside what its own base image had).
     *
     * @return the image's id, {@code sha256:…}
     */
    String commit(Sandbox sandbox, ImageConfig config) throws EngineException;

    /**
     * Copies a file or folder of this host into a sandbox that was not started, as {@code target}, whose parent folder is there,
     * owned by the sandbox's user. Symbolic links below {@code source} are copied as links and never followed; anything but files,
     * folders and links is left out. Does not reach tmpfs mounts.
     */
    void copyIn(Sandbox sandbox, Path source, String target) throws EngineException;

    /** Writes one file (mode 0644, owned by the sandbox's user) into an existing folder of a sandbox that was not started. */
    void writeFile(Sandbox sandbox, String path, byte[] bytes) throws EngineException;

    /** At most {@code maxBytes} of a file, links followed inside the sandbox; empty where there is no regular file. */
    Optional<FileHead> readFile(Sandbox sandbox, String path, int maxBytes) throws EngineException;

    /**
     * Shows every entry at and below {@code path} to {@code visitor}, in the engine's order. A sparse file may claim any size, and
     * skipping it means reading it: a visitor that sees one it does not want to wait for ends the walk.
     *
     * @return false where {@code path} does not exist
     */
    boolean walk(Sandbox sandbox, String path, TreeVisitor visitor) throws EngineException;

    /**
     * Bytes in files that the sandbox has written beyond its image, tmpfs mounts left out; sparse files count in full. Negative where the
     * engine cannot count them, as when a path is longer than the kernel takes in one piece.
     */
    long writtenBytes(Sandbox sandbox) throws EngineException;

    /** Files and folders that the sandbox has made beyond its image, tmpfs mounts left out; counted no further than just beyond {@code limit}. */
    int writtenEntries(Sandbox sandbox, int limit) throws EngineException;

    /** Empty where the engine has no such image (id or tag). */
    Optional<ImageInfo> findImage(String image) throws EngineException;

    /** Does nothing when it is not there. @throws EngineException also where the engine keeps it, e.g. because a container is made of it */
    void removeImage(String image) throws EngineException;

    /** Every image that has the label, whatever its value, oldest first. */
    List<Labelled> imagesWith(String label) throws EngineException;

    /** An image of a list. */
    record Labelled(String id, Map<String, String> labels, Instant created) {
        public Labelled {
            labels = Map.copyOf(labels);
        }
    }

    /** What a committed image says of itself. */
    record ImageConfig(List<String> argv, Map<String, String> env, String user, String workdir, Map<String, String> labels) {
        public ImageConfig {
            argv = List.copyOf(argv);
            env = Map.copyOf(env);
            labels = Map.copyOf(labels);
        }
    }

    /** @param id {@code sha256:…} */
    record ImageInfo(String id, Map<String, String> labels, long bytes) {
        public ImageInfo {
            labels = Map.copyOf(labels);
        }
    }

    /** @param size of the whole file; more than {@code bytes.length} where the cap cut it */
    record FileHead(byte[] bytes, long size) {
        public boolean truncated() {
            return size > bytes.length;
        }
    }

    /** @param path relative to the walk's root, without a leading slash; the root itself is the empty string
     *  @param link target of a symbolic link as written, else empty */
    record TreeEntry(String path, Kind kind, long size, int mode, String link) {
        public enum Kind { FILE, FOLDER, LINK, OTHER }
    }

    /** Sees the entries of a {@link #walk}. */
    @FunctionalInterface
    interface TreeVisitor {
        /**
         * @param content reads the entry's bytes; only valid during this call
         * @return false to end the walk
         */
        boolean visit(TreeEntry entry, Content content) throws IOException;
    }

    /** The bytes of a file in a walk, read once from start to end. */
    @FunctionalInterface
    interface Content {
        /** The next bytes, as {@link java.io.InputStream#read(byte[], int, int)} gives them; -1 at the end. */
        int read(byte[] into, int offset, int length) throws IOException;

        /** At most {@code maxBytes} from where reading stands. */
        default byte[] head(int maxBytes) throws IOException {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            byte[] buffer = new byte[Math.max(1, Math.min(maxBytes, 1 << 16))];
            while (bytes.size() < maxBytes) {
                int n = read(buffer, 0, Math.min(buffer.length, maxBytes - bytes.size()));
                if (n < 0) {
                    break;
                }
                bytes.write(buffer, 0, n);
            }
            return bytes.toByteArray();
        }
    }
}
