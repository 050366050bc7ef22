package dev.mcpprober.io;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Files that are either the old ones or the new ones whole: written beside, synced, moved. */
public final class AtomicFiles {
    private AtomicFiles() {}

    /** Writes the content of a file. */
    @FunctionalInterface
    public interface Content {
        void writeTo(OutputStream out) throws IOException;
    }

    public static void write(Path file, byte[] bytes) throws IOException {
        write(file, out -> out.write(bytes));
    }

    /** @throws IOException when the disk is full or the folder cannot be written; the old file then still stands */
    public static void write(Path file, Content content) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Path beside = file.resolveSibling("." + file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
        try {
            try (OutputStream out = Files.newOutputStream(beside)) {
                content.writeTo(out);
            }
            moveInPlace(beside, file);
        } finally {
            Files.deleteIfExists(beside);
        }
    }

    /** Syncs a finished temporary file to disk and gives it its name. */
    public static void moveInPlace(Path temporary, Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
