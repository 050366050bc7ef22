package dev.mcpprober.sandbox.docker;

import dev.mcpprober.model.Fault;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/** Archives of files of this host, as the engine wants them. */
final class LocalTar {
    private static final int FOLDER_MODE = 0755;
    private static final int FILE_MODE = 0644;
    private static final int PROGRAM_MODE = 0755;

    private LocalTar() {}

    /** @param user uid:gid that own everything in it */
    static void write(Path source, String name, String user, Path tar) throws IOException {
        Path root = source.toRealPath();
        try (OutputStream out = Files.newOutputStream(tar); TarArchiveOutputStream archive = open(out)) {
            Files.walkFileTree(root, new SimpleFileVisitor<>() {
                @Override public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                    put(archive, new TarArchiveEntry(nameOf(folder) + "/"), FOLDER_MODE, user);
                    archive.closeArchiveEntry();
                    return FileVisitResult.CONTINUE;
                }

                @Override public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    if (attributes.isSymbolicLink()) {
                        TarArchiveEntry link = new TarArchiveEntry(nameOf(file), TarConstants.LF_SYMLINK);
                        link.setLinkName(Files.readSymbolicLink(file).toString());
                        put(archive, link, FOLDER_MODE, user);
                        archive.closeArchiveEntry();
                    } else if (attributes.isRegularFile()) {
                        TarArchiveEntry entry = new TarArchiveEntry(nameOf(file));
                        entry.setSize(attributes.size());
                        put(archive, entry, Files.isExecutable(file) ? PROGRAM_MODE : FILE_MODE, user);
                        Files.copy(file, archive);
                        archive.closeArchiveEntry();
                    }
                    return FileVisitResult.CONTINUE;
                }

                private String nameOf(Path path) {
                    return path.equals(root) ? name : name + "/" + root.relativize(path).toString().replace('\\', '/');
                }
            });
        }
    }

    static byte[] single(String name, byte[] bytes, String user) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length + 2048);
        try (TarArchiveOutputStream archive = open(out)) {
            TarArchiveEntry entry = new TarArchiveEntry(name);
            entry.setSize(bytes.length);
            put(archive, entry, FILE_MODE, user);
            archive.write(bytes);
            archive.closeArchiveEntry();
        }
        return out.toByteArray();
    }

    private static TarArchiveOutputStream open(OutputStream out) {
        TarArchiveOutputStream archive = new TarArchiveOutputStream(out, "UTF-8");
        archive.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
        archive.setBigNumberMode(TarArchiveOutputStream.BIGNUMBER_POSIX);
        archive.setAddPaxHeadersForNonAsciiNames(true);
        return archive;
    }

    private static void put(TarArchiveOutputStream archive, TarArchiveEntry entry, int mode, String user) throws IOException {
        String[] ids = user.split(":");
        entry.setMode(mode);
        entry.setUserId(Integer.parseInt(ids[0]));
        entry.setGroupId(Integer.parseInt(ids[ids.length - 1]));
        archive.putArchiveEntry(entry);
    }

    static Fault faultOf(Path source, IOException e) {
        if (String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT).contains("no space left on device")) {
            return new Fault.HostDiskFull("the temporary folder " + System.getProperty("java.io.tmpdir") + ": " + e.getMessage());
        }
        return new Fault.EngineError("copy in", "cannot read " + source + ": " + e);
    }
}
