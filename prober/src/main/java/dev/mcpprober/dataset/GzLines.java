package dev.mcpprober.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.AtomicFiles;
import dev.mcpprober.io.Json;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/** Gzipped JSON lines that get their name when they are whole. Equal lines are equal bytes: the JDK writes no time into the header. */
final class GzLines implements Closeable {
    private final Path file;
    private final Path temporary;
    private final OutputStream out;

    GzLines(Path file) throws IOException {
        this.file = file;
        Files.createDirectories(file.getParent());
        this.temporary = file.resolveSibling("." + file.getFileName() + ".tmp");
        this.out = new GZIPOutputStream(Files.newOutputStream(temporary), 1 << 16);
    }

    void add(JsonNode node) throws IOException {
        try {
            out.write(Json.write(node).getBytes(StandardCharsets.UTF_8));
            out.write('\n');
        } catch (IOException e) {
            throw new IOException(file + ": cannot be written: " + e.getMessage(), e);
        }
    }

    Path finish() throws IOException {
        try {
            out.close();
            AtomicFiles.moveInPlace(temporary, file);
        } catch (IOException e) {
            throw new IOException(file + ": cannot be written: " + e.getMessage(), e);
        }
        return file;
    }

    @Override
    public void close() throws IOException {
        try {
            out.close();
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
