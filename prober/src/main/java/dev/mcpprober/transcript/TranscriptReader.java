package dev.mcpprober.transcript;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
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
        int number = 0;
        try (BufferedReader in = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file), 1 << 16), StandardCharsets.UTF_8))) {
            String first = in.readLine();
            number = 1;
            if (first == null) {
                throw new IOException("empty");
            }
            TranscriptHeader header = EventJson.header(parse(first));
            List<Event> events = new ArrayList<>();
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                number++;
                events.add(EventJson.fromJson(parse(line)));
            }
            return new Transcript(header, events);
        } catch (IOException | RuntimeException e) {
            throw new IOException("transcript " + file + ", line " + number + ": " + e.getMessage(), e);
        }
    }

    private static JsonNode parse(String line) throws IOException {
        Json.Parsed parsed = Json.parse(line);
        if (parsed instanceof Json.Parsed.Value value && value.node().isObject()) {
            return value.node();
        }
        throw new IOException("not a JSON object");
    }
}
