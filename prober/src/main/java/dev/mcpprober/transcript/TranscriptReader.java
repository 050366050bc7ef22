package dev.mcpprober.transcript;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;

/** Reads a transcript back. Every failure names the file and the line. */
public final class TranscriptReader {
    private TranscriptReader() {}

    /** @throws IOException when the file is missing, cut short, of another format version, or holds a line that is no event */
    public static Transcript read(Path file) throws IOException {
        List<Event> events = new ArrayList<>();
        TranscriptHeader header = each(file, Long.MAX_VALUE, "transcript " + file + ", ", events::add);
        inOrder(events);
        return new Transcript(header, events);
    }

    /**
     * A transcript from strangers: event by event, so that one is in memory at a time.
     *
     * @param largest bytes that it may have when it is unpacked
     * @throws IOException as {@link #read} does, and where it is larger
     */
    public static TranscriptHeader readEach(Path file, long largest, Consumer<Event> events) throws IOException {
        return each(file, largest, "", events);
    }

    private static TranscriptHeader each(Path file, long largest, String where, Consumer<Event> events) throws IOException {
        int number = 1;
        // Not line by line: a line may have tens of MiB, and would be in memory twice before it is understood.
        try (InputStream in = new Bounded(new GZIPInputStream(Files.newInputStream(file), 1 << 16), largest); MappingIterator<JsonNode> values = Json.stream(in)) {
            if (!values.hasNextValue()) {
                throw new IOException("empty");
            }
            TranscriptHeader header = EventJson.header(object(values.nextValue()));
            for (number++; values.hasNextValue(); number++) {
                events.accept(EventJson.fromJson(object(values.nextValue())));
            }
            return header;
        } catch (JsonProcessingException e) {
            throw new IOException(where + "line " + number + ": " + e.getOriginalMessage(), e);
        } catch (IOException | RuntimeException e) {
            throw new IOException(where + "line " + number + ": " + e.getMessage(), e);
        }
    }

    /** Ends with a failure where there is more than there may be: a few bytes can be unpacked without end. */
    private static final class Bounded extends FilterInputStream {
        private final long largest;
        private long read;

        Bounded(InputStream in, long largest) {
            super(in);
            this.largest = largest;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            int count = super.read(bytes, offset, length);
            read += Math.max(0, count);
            if (read > largest) {
                throw new IOException("unpacked it has more than " + largest + " bytes");
            }
            return count;
        }
    }

    /**
     * The header, and of the events only the beginnings and ends of steps, so that nothing that a server wrote is ever in memory.
     *
     * @throws IOException as {@link #read} does
     */
    public static TranscriptHeader readSteps(Path file, Consumer<Event> steps) throws IOException {
        int number = 1;
        try (JsonParser in = Json.tokens(new GZIPInputStream(Files.newInputStream(file), 1 << 16))) {
            if (in.nextToken() == null) {
                throw new IOException("empty");
            }
            TranscriptHeader header = EventJson.header((JsonNode) in.readValueAsTree());
            for (number++; in.nextToken() != null; number++) {
                ObjectNode event = withoutBytes(in);
                if (event.path("e").asText().startsWith("step-")) {
                    steps.accept(EventJson.fromJson(event));
                }
            }
            return header;
        } catch (JsonProcessingException e) {
            throw new IOException("transcript " + file + ", line " + number + ": " + e.getOriginalMessage(), e);
        } catch (IOException | RuntimeException e) {
            throw new IOException("transcript " + file + ", line " + number + ": " + e.getMessage(), e);
        }
    }

    /** A value that the parser has not read is one that it passes over. */
    private static ObjectNode withoutBytes(JsonParser in) throws IOException {
        if (in.currentToken() != JsonToken.START_OBJECT) {
            throw new IOException("not a JSON object");
        }
        ObjectNode object = Json.object();
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            String name = in.currentName();
            in.nextToken();
            if (!name.equals("text") && !name.equals("b64")) {
                object.set(name, in.readValueAsTree());
            }
        }
        return object;
    }

    /** Stderr stands at the end of a file that secrets were taken out of. */
    private static void inOrder(List<Event> events) {
        for (int i = 1; i < events.size(); i++) {
            if (events.get(i).index() < events.get(i - 1).index()) {
                events.sort(Comparator.comparingInt(Event::index));
                return;
            }
        }
    }

    private static JsonNode object(JsonNode node) throws IOException {
        if (!node.isObject()) {
            throw new IOException("not a JSON object");
        }
        return node;
    }
}
