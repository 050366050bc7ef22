package dev.mcpprober.sandbox.docker;

import com.github.dockerjava.api.DockerClient;
import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.ImageEngine.FileHead;
import dev.mcpprober.sandbox.ImageEngine.TreeEntry;
import dev.mcpprober.sandbox.ImageEngine.TreeVisitor;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/** Files in and out of containers through the engine's archive interface. */
final class Archives {
    private static final int READ_SECONDS = 600;
    private static final int MAX_LINKS = 8;
    /** Once in each change that the engine lists. In a file's name the second quotation mark would come escaped. */
    private static final byte[] CHANGE = "\"Kind\":".getBytes(StandardCharsets.US_ASCII);

    private final DockerClient client;
    private final EngineAddress engine;

    Archives(DockerClient client, EngineAddress engine) {
        this.client = client;
        this.engine = engine;
    }

    void copyIn(DockerSandbox sandbox, Path source, String target) throws EngineException {
        Path tar = null;
        try {
            tar = Files.createTempFile("mcp-prober-", ".tar");
            LocalTar.write(source, nameOf(target), sandbox.spec().policy().user(), tar);
            try (InputStream in = Files.newInputStream(tar)) {
                send(sandbox, target, in);
            }
        } catch (IOException e) {
            throw new EngineException(LocalTar.faultOf(source, e), e);
        } finally {
            deleteQuietly(tar);
        }
    }

    void writeFile(DockerSandbox sandbox, String path, byte[] bytes) throws EngineException {
        try {
            send(sandbox, path, new ByteArrayInputStream(LocalTar.single(nameOf(path), bytes, sandbox.spec().policy().user())));
        } catch (IOException e) {
            throw new EngineException(new Fault.ProberDefect("cannot make an archive of " + path + ": " + e), e);
        }
    }

    private void send(DockerSandbox sandbox, String target, InputStream tar) throws EngineException {
        EngineCalls.call("copy in", () -> client.copyArchiveToContainerCmd(sandbox.id()).withTarInputStream(tar)
                .withRemotePath(parentOf(target)).exec());
    }

    private static String parentOf(String path) {
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? "/" : path.substring(0, slash);
    }

    private static String nameOf(String path) {
        if (!path.startsWith("/") || path.endsWith("/")) {
            throw new IllegalArgumentException("not an absolute path of a file: " + path);
        }
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static void deleteQuietly(Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            // In the system's temporary folder, which is somebody's to clean.
        }
    }

    Optional<FileHead> readFile(DockerSandbox sandbox, String path, int maxBytes) throws EngineException {
        String at = path;
        for (int links = 0; links <= MAX_LINKS; links++) {
            Found found = new Found();
            walk(sandbox, at, (entry, content) -> {
                found.entry = entry;
                found.bytes = entry.kind() == TreeEntry.Kind.FILE ? content.head(maxBytes) : null;
                return false;
            });
            if (found.bytes != null) {
                return Optional.of(new FileHead(found.bytes, found.entry.size()));
            }
            if (found.entry == null || found.entry.kind() != TreeEntry.Kind.LINK) {
                return Optional.empty();
            }
            String link = found.entry.link();
            at = link.startsWith("/") ? link : parentOf(at) + "/" + link;
        }
        return Optional.empty();
    }

    boolean walk(DockerSandbox sandbox, String path, TreeVisitor visitor) throws EngineException {
        RawExchange answer = RawExchange.get(engine, "/containers/" + sandbox.id() + "/archive?path="
                + URLEncoder.encode(path, StandardCharsets.UTF_8), "read " + path);
        if (answer.refused()) {
            if (isMissing(answer)) {
                return false;
            }
            throw new EngineException(EngineCalls.refusal("read " + path, answer.status(), answer.refusal()));
        }
        CompletableFuture<Void> guard = RawExchange.closeAfter(answer.channel(), READ_SECONDS);
        try (EngineStream stream = new EngineStream(answer); TarArchiveInputStream tar = new TarArchiveInputStream(stream)) {
            String root = null;
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                root = root == null ? withoutSlashes(entry.getName()) : root;
                TreeEntry shown = new TreeEntry(below(root, withoutSlashes(entry.getName())), kindOf(entry), entry.getSize(),
                        entry.getMode() & 07777, entry.isSymbolicLink() ? entry.getLinkName() : "");
                if (!visitor.visit(shown, tar::read)) {
                    return true;
                }
            }
            if (!stream.endedWithMark()) {
                throw new IOException("the engine broke off the archive");
            }
            return true;
        } catch (IOException e) {
            throw new EngineException(new Fault.EngineError("read " + path, String.valueOf(e.getMessage())), e);
        } finally {
            guard.cancel(false);
        }
    }

    /** Counts what a container has changed, no further than just beyond {@code limit}; 0 where the engine cannot tell, as while files come and go. */
    int countChanges(DockerSandbox sandbox, int limit) throws EngineException {
        RawExchange answer = RawExchange.get(engine, "/containers/" + sandbox.id() + "/changes", "count changes");
        if (answer.refused()) {
            return 0;
        }
        CompletableFuture<Void> guard = RawExchange.closeAfter(answer.channel(), READ_SECONDS);
        try (EngineStream stream = new EngineStream(answer)) {
            byte[] buffer = new byte[1 << 16];
            int count = 0;
            int matched = 0;
            for (int n = stream.read(buffer, 0, buffer.length); n >= 0 && count <= limit; n = stream.read(buffer, 0, buffer.length)) {
                for (int i = 0; i < n; i++) {
                    matched = buffer[i] == CHANGE[matched] ? matched + 1 : buffer[i] == CHANGE[0] ? 1 : 0;
                    if (matched == CHANGE.length) {
                        matched = 0;
                        count++;
                    }
                }
            }
            return count;
        } catch (IOException e) {
            throw new EngineException(new Fault.EngineError("count changes", String.valueOf(e.getMessage())), e);
        } finally {
            guard.cancel(false);
        }
    }

    /** A path that leads through a file or in circles is missing too, though engines say so with another status. */
    private static boolean isMissing(RawExchange answer) {
        String text = answer.refusal();
        return !text.contains("No such container")
                && (answer.status() == 404 || text.contains("not a directory") || text.contains("too many links"));
    }

    private static TreeEntry.Kind kindOf(TarArchiveEntry entry) {
        if (entry.isSymbolicLink()) {
            return TreeEntry.Kind.LINK;
        }
        if (entry.isDirectory()) {
            return TreeEntry.Kind.FOLDER;
        }
        // A hard link's bytes are with the name that came first. TarArchiveEntry.isFile is true of pipes too.
        boolean special = entry.isLink() || entry.isFIFO() || entry.isCharacterDevice() || entry.isBlockDevice();
        return special ? TreeEntry.Kind.OTHER : TreeEntry.Kind.FILE;
    }

    private static String withoutSlashes(String name) {
        return name.replaceAll("^(\\./)?/*|/*$", "");
    }

    private static String below(String root, String name) {
        if (root.isEmpty()) {
            return name;
        }
        return name.equals(root) ? "" : name.startsWith(root + "/") ? name.substring(root.length() + 1) : name;
    }

    private static final class Found {
        private TreeEntry entry;
        private byte[] bytes;
    }

    /** The answer's body. Remembers whether it ended with a tar's end mark, because the connection's end alone does not tell a break. */
    private static final class EngineStream extends InputStream {
        private static final int END_MARK = 1024;

        private final SocketChannel channel;
        private final ByteBuffer early;
        private long zeros;

        EngineStream(RawExchange answer) {
            this.channel = answer.channel();
            this.early = answer.early();
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            int count;
            if (early.hasRemaining()) {
                count = Math.min(length, early.remaining());
                early.get(into, offset, count);
            } else {
                count = channel.read(ByteBuffer.wrap(into, offset, length));
            }
            int i = offset + count - 1;
            while (i >= offset && into[i] == 0) {
                i--;
            }
            int trailing = count < 0 ? 0 : offset + count - 1 - i;
            zeros = trailing == count ? zeros + trailing : count < 0 ? zeros : trailing;
            return count;
        }

        boolean endedWithMark() {
            return zeros >= END_MARK;
        }

        @Override
        public void close() {
            RawExchange.closeQuietly(channel);
        }
    }
}
