package dev.mcpprober.transcript;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import dev.mcpprober.io.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/** Reads a transcript back. Every failure names the file and the line. */
public final class TranscriptReader {
    private TranscriptReader() {}

    /** @throws IOException when the file is missing, cut short, of another format version, or holds a line that is no event */
    public static Transcript read(Path file) throws IOException {
        int number = 1;
        // Not line by line: a line may have tens of MiB, and would be in memory twice before it is understood.
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file), 1 << 16);
                MappingIterator<JsonNode> values = Json.stream(in)) {
            if (!values.hasNextValue()) {
                throw new IOException("empty");
            }
            TranscriptHeader header = EventJson.header(object(values.nextValue()));
            List<Event> events = new ArrayList<>();
            for (number++; values.hasNextValue(); number++) {
                events.add(EventJson.fromJson(object(values.nextValue())));
            }
            return new Transcript(header, events);
        } catch (JsonProcessingException e) {
            throw new IOException("transcript " + file + ", line " + number + ": " + e.getOriginalMessage(), e);
        } catch (IOException | RuntimeException e) {
            throw new IOException("transcript " + file + ", line " + number + ": " + e.getMessage(), e);
        }
    }

    private static JsonNode object(JsonNode node) throws IOException {
        if (!node.isObject()) {
            throw new IOException("not a JSON object");
        }
        return node;
    }
}
