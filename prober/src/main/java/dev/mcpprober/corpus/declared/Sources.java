package dev.mcpprober.corpus.declared;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.corpus.FrameException;
import dev.mcpprober.io.Json;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.GZIPInputStream;

/**
 * Reads the sources of a frame, an entry at a time: the official registry's format as one JSON text (an array of entries, or pages with
 * a member {@code servers}) or as JSON lines, a client's {@code mcpServers}, a CSV table, or a list of package URLs.
 */
public final class Sources {
    private Sources() {}

    /** @throws FrameException when the file as a whole cannot be read; an entry that is wrong is counted instead */
    public static void read(Path file, Declarations into) throws FrameException {
        String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
        try {
            if (name.endsWith(".csv")) {
                CsvSource.read(file, into);
            } else if (name.endsWith(".txt")) {
                list(file, into);
            } else if (name.endsWith(".jsonl") || name.endsWith(".ndjson") || name.endsWith(".jsonl.gz")) {
                lines(file, into);
            } else if (name.endsWith(".json") || name.endsWith(".json.gz")) {
                json(file, into);
            } else if (!Files.exists(file)) {
                throw new FrameException(file + ": no such file or folder");
            } else {
                throw new FrameException(file + ": by its name none of .json, .jsonl (each also .gz), .csv, .txt; rename it by what it holds");
            }
        } catch (FrameException e) {
            throw e;
        } catch (JsonProcessingException e) {
            String place = e.getLocation() == null ? "" : ", line " + e.getLocation().getLineNr();
            throw new FrameException(file + place + ": not JSON: " + Json.problem(e), e);
        } catch (NoSuchFileException e) {
            throw new FrameException(file + ": no such file", e);
        } catch (IOException e) {
            throw new FrameException(file + ": cannot be read: " + e.getMessage(), e);
        }
    }

    private static InputStream open(Path file) throws IOException {
        InputStream in = Files.newInputStream(file);
        return file.toString().toLowerCase(Locale.ROOT).endsWith(".gz") ? new GZIPInputStream(in, 1 << 16) : in;
    }

    /** Streams the arrays that hold the entries, so that a registry of any size is never in memory. Pages may stand one after another. */
    private static void json(Path file, Declarations into) throws IOException {
        try (InputStream in = open(file); JsonParser tokens = Json.strangersTokens(in)) {
            int entries = 0;
            JsonToken first = tokens.nextToken();
            do {
                if (first == JsonToken.START_ARRAY) {
                    entries = entries(tokens, file, into, entries);
                } else if (first == JsonToken.START_OBJECT) {
                    entries = object(tokens, file, into, entries);
                } else {
                    throw new FrameException(file + ": neither a JSON array nor an object");
                }
                first = tokens.nextToken();
            } while (first != null);
        }
    }

    /** @param before entries of the file that were read before; returned with those that were read now */
    private static int object(JsonParser tokens, Path file, Declarations into, int before) throws IOException {
        boolean found = false;
        int entries = before;
        while (tokens.nextToken() == JsonToken.FIELD_NAME) {
            String member = tokens.currentName();
            JsonToken value = tokens.nextToken();
            if (member.equals("servers") && value == JsonToken.START_ARRAY) {
                entries = entries(tokens, file, into, entries);
                found = true;
            } else if ((member.equals("mcpServers") || member.equals("servers")) && value == JsonToken.START_OBJECT) {
                settings(tokens, file, into);
                found = true;
            } else {
                tokens.skipChildren();
            }
        }
        if (!found) {
            throw new FrameException(file + ": has neither \"servers\" (a page of the registry) nor \"mcpServers\" (settings of a client)");
        }
        return entries;
    }

    /** Member by member: a name that stands twice is two entries, of which a tree would hold one. */
    private static void settings(JsonParser tokens, Path file, Declarations into) throws IOException {
        while (tokens.nextToken() == JsonToken.FIELD_NAME) {
            String name = tokens.currentName();
            String place = file.getFileName() + " server " + name;
            tokens.nextToken();
            Json.Parsed parsed = EntryText.next(tokens);
            if (parsed instanceof Json.Parsed.Value value) {
                ClientConfig.read(name, value.node(), place, into);
            } else {
                into.malformed(place, reason(parsed));
            }
        }
    }

    private static int entries(JsonParser tokens, Path file, Declarations into, int before) throws IOException {
        int number = before;
        for (JsonToken token = tokens.nextToken(); token != null && token != JsonToken.END_ARRAY; token = tokens.nextToken()) {
            number++;
            String place = file.getFileName() + " entry " + number;
            if (token == JsonToken.START_OBJECT) {
                entry(EntryText.next(tokens), place, into);
            } else {
                tokens.skipChildren();
                into.malformed(place, "not an object");
            }
        }
        return number;
    }

    private static void entry(Json.Parsed parsed, String place, Declarations into) {
        if (parsed instanceof Json.Parsed.Value value && value.node().isObject()) {
            entry(value.node(), place, into);
        } else {
            into.malformed(place, parsed instanceof Json.Parsed.Value ? "not an object" : reason(parsed));
        }
    }

    private static String reason(Json.Parsed parsed) {
        return parsed instanceof Json.Parsed.OverLimit over ? over.reason() : "not JSON: " + ((Json.Parsed.Malformed) parsed).reason().split("\n", 2)[0];
    }

    private static void entry(JsonNode node, String place, Declarations into) {
        if (node.path("servers").isArray()) {
            int number = 0;
            for (JsonNode inner : node.path("servers")) {
                number++;
                entry(inner, place + "." + number, into);
            }
            return;
        }
        try {
            into.add(ServerJson.read(node, place));
        } catch (IllegalArgumentException e) {
            into.malformed(place, e.getMessage());
        }
    }

    private static void lines(Path file, Declarations into) throws IOException {
        int number = 0;
        try (InputStream in = open(file); LimitedLines lines = new LimitedLines(in)) {
            for (LimitedLines.Line line = lines.next(); line != null; line = lines.next()) {
                number++;
                String place = file.getFileName() + " line " + number;
                if (line.problem() != null) {
                    into.malformed(place, line.problem());
                } else if (!line.text().isBlank()) {
                    entry(Json.parse(line.text()), place, into);
                }
            }
        }
    }

    /** One target a line, as on the command line; what follows {@code #} is a comment. */
    private static void list(Path file, Declarations into) throws IOException {
        int number = 0;
        try (InputStream in = open(file); LimitedLines lines = new LimitedLines(in)) {
            for (LimitedLines.Line line = lines.next(); line != null; line = lines.next()) {
                number++;
                String place = file.getFileName() + " line " + number;
                if (line.problem() != null) {
                    into.malformed(place, line.problem());
                    continue;
                }
                String text = line.text().replaceFirst("(^|\\s)#.*", "").strip();
                if (!text.isEmpty()) {
                    ListedTarget.add(text, text, place, into);
                }
            }
        }
    }
}
