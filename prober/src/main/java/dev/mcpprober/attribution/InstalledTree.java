package dev.mcpprober.attribution;

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

    /** At most {@code length} bytes from the start of a file; none when it is missing or unreadable. */
    byte[] head(String path, int length) throws IOException;

    /** Hands at most {@code limit} bytes of a file to {@code reader}, in pieces, in order. Nothing when it is missing or unreadable. */
    void stream(String path, long limit, Piece reader) throws IOException;

    /** Takes a piece of a file. The array may be used again afterwards. */
    @FunctionalInterface
    interface Piece {
        void take(byte[] bytes, int length) throws IOException;
    }

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
        byte[] bytes = head(path, limit);
        return bytes.length < entry.get().size() ? Optional.empty() : Optional.of(new String(bytes, StandardCharsets.UTF_8));
    }
}
