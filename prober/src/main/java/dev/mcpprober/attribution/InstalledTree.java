package dev.mcpprober.attribution;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Read access to the files of an installed package, wherever they are. Paths are absolute, with {@code /}; links are followed
 * inside the tree. Names and contents are hostile. Every method throws {@link IOException} when the tree cannot be reached
 * any more (never because a file is missing or unreadable).
 */
public interface InstalledTree {
    /** What is at a path. Empty when nothing is. */
    Optional<Entry> stat(String path) throws IOException;

    /** What is in a folder, by name; empty when there is no such folder. Bounded by the implementation. Links are not followed. */
    List<Child> list(String folder) throws IOException;

    /** The path with every link resolved; the path itself when nothing is there. */
    String realPath(String path) throws IOException;

    /** Up to {@code length} bytes from {@code offset}; fewer at the end of the file, none when it is missing or unreadable. */
    byte[] read(String path, long offset, int length) throws IOException;

    /** @param size bytes of a file, 0 for a folder */
    record Entry(Kind kind, long size) {}

    /** @param kind {@link Kind#OTHER} for a link, whatever it points to */
    record Child(String name, Kind kind, long size) {}

    enum Kind { FILE, FOLDER, OTHER }

    default boolean isFile(String path) throws IOException {
        return stat(path).filter(entry -> entry.kind() == Kind.FILE).isPresent();
    }

    default boolean isFolder(String path) throws IOException {
        return stat(path).filter(entry -> entry.kind() == Kind.FOLDER).isPresent();
    }

    /** A whole file of at most {@code limit} bytes as text, broken UTF-8 replaced. Empty when missing or larger. */
    default Optional<String> text(String path, int limit) throws IOException {
        Optional<Entry> entry = stat(path);
        if (entry.isEmpty() || entry.get().kind() != Kind.FILE || entry.get().size() > limit) {
            return Optional.empty();
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream((int) entry.get().size());
        while (bytes.size() <= limit) {
            byte[] part = read(path, bytes.size(), 1 << 20);
            if (part.length == 0) {
                return Optional.of(bytes.toString(StandardCharsets.UTF_8));
            }
            bytes.writeBytes(part);
        }
        return Optional.empty();
    }
}
