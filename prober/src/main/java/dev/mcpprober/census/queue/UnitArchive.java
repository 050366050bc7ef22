package dev.mcpprober.census.queue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/** The run folder of one unit as bytes. */
final class UnitArchive {
    /** A unit's transcripts are capped by the session's own limits; this is far above them. */
    private static final long LIMIT = 512L << 20;

    private UnitArchive() {}

    static byte[] pack(Path folder) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes); Stream<Path> walk = Files.walk(folder)) {
            // What is big in there is compressed already.
            zip.setLevel(1);
            List<Path> files = walk.filter(Files::isRegularFile).filter(file -> !file.getFileName().toString().equals("run.lock")).sorted().toList();
            for (Path file : files) {
                zip.putNextEntry(new ZipEntry(folder.relativize(file).toString()));
                Files.copy(file, zip);
                zip.closeEntry();
            }
        }
        return bytes.toByteArray();
    }

    /** @throws IOException also when the archive would write outside of {@code folder} */
    static void unpack(byte[] archive, Path folder) throws IOException {
        long total = 0;
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(archive))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = folder.resolve(entry.getName()).normalize();
                if (!file.startsWith(folder) || entry.isDirectory()) {
                    throw new IOException("the archive of a unit holds an entry that is no file of it: " + entry.getName());
                }
                Files.createDirectories(file.getParent());
                total += Files.copy(zip, file);
                if (total > LIMIT) {
                    throw new IOException("the archive of a unit holds more than " + (LIMIT >> 20) + " MiB");
                }
            }
        }
    }
}
