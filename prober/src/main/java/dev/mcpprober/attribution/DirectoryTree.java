package dev.mcpprober.attribution;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A tree on this machine. Paths of the tree are below {@code root}; nothing outside it is read, links included. */
public final class DirectoryTree implements InstalledTree {
    private static final int MAX_NAMES = 100_000;
    private final Path root;

    /** @throws IOException when {@code root} is not there */
    public DirectoryTree(Path root) throws IOException {
        this.root = root.toRealPath();
    }

    @Override
    public Optional<Entry> stat(String path) throws IOException {
        Optional<Path> real = real(path);
        if (real.isEmpty()) {
            return Optional.empty();
        }
        BasicFileAttributes attributes = Files.readAttributes(real.get(), BasicFileAttributes.class);
        return Optional.of(new Entry(kind(attributes), attributes.isRegularFile() ? attributes.size() : 0));
    }

    private static Kind kind(BasicFileAttributes attributes) {
        return attributes.isRegularFile() ? Kind.FILE : attributes.isDirectory() ? Kind.FOLDER : Kind.OTHER;
    }

    @Override
    public List<Child> list(String folder) throws IOException {
        Optional<Path> real = real(folder);
        List<Child> children = new ArrayList<>();
        if (real.isEmpty() || !Files.isDirectory(real.get()) || !Files.isReadable(real.get())) {
            return children;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(real.get())) {
            for (Path entry : entries) {
                if (children.size() == MAX_NAMES) {
                    break;
                }
                BasicFileAttributes attributes = Files.readAttributes(entry, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
                children.add(new Child(entry.getFileName().toString(), kind(attributes), attributes.isRegularFile() ? attributes.size() : 0));
            }
        }
        children.sort(Comparator.comparing(Child::name));
        return children;
    }

    @Override
    public String realPath(String path) throws IOException {
        Optional<Path> real = real(path);
        return real.isEmpty() ? path : "/" + root.relativize(real.get()).toString().replace('\\', '/');
    }

    @Override
    public byte[] head(String path, int length) throws IOException {
        Optional<Path> file = readable(path);
        if (file.isEmpty()) {
            return new byte[0];
        }
        try (InputStream in = Files.newInputStream(file.get())) {
            return in.readNBytes(length);
        }
    }

    @Override
    public void stream(String path, long limit, Piece reader) throws IOException {
        Optional<Path> file = readable(path);
        if (file.isEmpty()) {
            return;
        }
        byte[] buffer = new byte[1 << 16];
        try (InputStream in = Files.newInputStream(file.get())) {
            long left = limit;
            for (int n = in.read(buffer); n >= 0 && left > 0; n = in.read(buffer)) {
                reader.take(buffer, (int) Math.min(n, left));
                left -= n;
            }
        }
    }

    private Optional<Path> readable(String path) {
        return real(path).filter(file -> Files.isRegularFile(file) && Files.isReadable(file));
    }

    private Optional<Path> real(String path) {
        try {
            Path found = root.resolve(path.replaceFirst("^/+", "")).toRealPath();
            return found.startsWith(root) ? Optional.of(found) : Optional.empty();
        } catch (IOException | InvalidPathException e) {
            return Optional.empty();
        }
    }
}
