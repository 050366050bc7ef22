package dev.mcpprober.transcript;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.AtomicFiles;
import dev.mcpprober.io.Json;
import dev.mcpprober.redaction.Redactor;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;

/**
 * Writes a transcript as gzipped JSON lines, event by event, under a temporary name. {@link #finish()} syncs it and gives it its
 * name; a writer closed without that leaves nothing behind, so a file that has its name is whole.
 */
public final class TranscriptWriter implements AutoCloseable {
    private static final int BUFFER = 1 << 16;
    private final Path file;
    private final Path temporary;
    private final OutputStream out;
    private final EventRedaction redaction;
    private boolean finished;

    /** Keeps everything as it came. */
    public TranscriptWriter(Path file, TranscriptHeader header) throws IOException {
        this(file, header, Redactor.NONE);
    }

    /** Takes out what {@code redactor} finds before it is written; the header says by which rules. */
    public TranscriptWriter(Path file, TranscriptHeader header, Redactor redactor) throws IOException {
        this.file = file;
        this.redaction = new EventRedaction(redactor);
        Files.createDirectories(file.toAbsolutePath().getParent());
        this.temporary = file.resolveSibling("." + file.getFileName() + ".tmp");
        // The GZIP header of the JDK carries no time, so equal events give equal bytes.
        this.out = new BufferedOutputStream(new GZIPOutputStream(Files.newOutputStream(temporary), BUFFER), BUFFER);
        line(EventJson.header(redaction.header(header)));
    }

    /** Writes a transcript as it is. */
    public static void write(Path file, Transcript transcript) throws IOException {
        try (TranscriptWriter out = new TranscriptWriter(file, transcript.header())) {
            for (Event event : transcript.events()) {
                out.write(event);
            }
            out.finish();
        }
    }

    public void write(Event event) throws IOException {
        Optional<Event> now = redaction.take(event);
        if (now.isPresent()) {
            put(now.get());
        }
    }

    private void put(Event event) throws IOException {
        EventJson.write(event, out);
        out.write('\n');
    }

    private void line(ObjectNode node) throws IOException {
        out.write(Json.write(node).getBytes(StandardCharsets.UTF_8));
        out.write('\n');
    }

    /** Ends the file and gives it its name. */
    public void finish() throws IOException {
        for (Event event : redaction.rest()) {
            put(event);
        }
        out.close();
        AtomicFiles.moveInPlace(temporary, file);
        finished = true;
    }

    @Override
    public void close() throws IOException {
        if (!finished) {
            try {
                out.close();
            } finally {
                Files.deleteIfExists(temporary);
            }
        }
    }
}
