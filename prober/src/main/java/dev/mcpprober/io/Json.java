package dev.mcpprober.io;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The one JSON mapper: strict grammar, nothing after the value, and limits that are reported as limits of ours. */
public final class Json {
    /** Digits of one number; more is legal JSON (RFC 8259 sets no limit) but quadratic to read. */
    public static final int MAX_NUMBER_DIGITS = 20_000;
    public static final int MAX_NESTING = 1_000;
    /** Braces, brackets, names and values of one text; each may cost a hundred bytes of memory, however few it has on the wire. */
    public static final int MAX_TOKENS = 500_000;
    private static final int MAX_STRING = 64 << 20;

    private static final ObjectMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNumberLength(MAX_NUMBER_DIGITS).maxNestingDepth(MAX_NESTING).maxStringLength(MAX_STRING).maxTokenCount(MAX_TOKENS).build())
                    .build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final ObjectMapper STRICT = JsonMapper.builder(MAPPER.getFactory().rebuild().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

    private static final ObjectMapper STREAMS = JsonMapper.builder(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_NESTING).maxStringLength(MAX_STRING).build()).build()).build();

    /** For files of others: an entry that is beyond our limits is to be stepped over, so that those of the tokens alone are wider. */
    private static final JsonFactory STRANGERS = JsonFactory.builder().streamReadConstraints(StreamReadConstraints.builder()
            .maxNestingDepth(100_000).maxNumberLength(16 << 20).maxStringLength(16 << 20).maxNameLength(16 << 20).build()).build();

    private Json() {}

    /** What reading a text gave. */
    public sealed interface Parsed {
        record Value(JsonNode node) implements Parsed {}

        /** The text is not one JSON value. */
        record Malformed(String reason) implements Parsed {}

        /** The text may well be JSON, but passes a limit of this reader: no ground to blame the writer. */
        record OverLimit(String reason) implements Parsed {}
    }

    /** What is wrong with a text, in a line: without the excerpts of the parser, and without where something began, which it tells by settings of its own. */
    public static String problem(JsonProcessingException e) {
        return String.valueOf(e.getOriginalMessage()).replaceFirst("(?s)( \\(start marker at|\n).*", "");
    }

    /** Reads one JSON value that is the whole text (white space around it allowed). */
    public static Parsed parse(String text) {
        return parse(new StringReader(text));
    }

    /** The same for UTF-8 that is known to be valid, without its text in memory. */
    public static Parsed parseUtf8(byte[] bytes, int offset, int length) {
        // Through a reader: given bytes, the parser would look for other encodings.
        return parse(new InputStreamReader(new ByteArrayInputStream(bytes, offset, length), StandardCharsets.UTF_8));
    }

    private static Parsed parse(Reader text) {
        try {
            JsonNode node = MAPPER.readTree(text);
            return node == null || node.isMissingNode() ? new Parsed.Malformed("empty") : new Parsed.Value(node);
        } catch (StreamConstraintsException e) {
            return new Parsed.OverLimit(e.getOriginalMessage());
        } catch (JsonProcessingException e) {
            return new Parsed.Malformed(problem(e));
        } catch (IOException e) {
            throw new UncheckedIOException("memory can be read", e);
        }
    }

    /** Values one after another, as in files of this program, of any number. */
    public static MappingIterator<JsonNode> stream(InputStream in) throws IOException {
        return STREAMS.readerFor(JsonNode.class).readValues(in);
    }

    /** The same as tokens, for reading a part of each value only. */
    public static JsonParser tokens(InputStream in) throws IOException {
        return STREAMS.createParser(in);
    }

    /** The same of a file that is not ours, to be read entry by entry; the parser makes no trees. */
    public static JsonParser strangersTokens(InputStream in) throws IOException {
        return STRANGERS.createParser(in);
    }

    public static ObjectMapper mapper() {
        return MAPPER;
    }

    /** The same, and no name twice in an object: of two values one reader takes the first, another the last. */
    public static ObjectMapper strict() {
        return STRICT;
    }

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** Compact text of a value; non-ASCII stays as it is, lone surrogates are escaped so that the bytes are UTF-8. */
    public static String write(JsonNode node) {
        try {
            return escapeLoneSurrogates(MAPPER.writeValueAsString(node));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a JSON tree can be written", e);
        }
    }

    static String escapeLoneSurrogates(String text) {
        StringBuilder out = null;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean paired = Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1));
            if (paired) {
                if (out != null) {
                    out.append(c).append(text.charAt(i + 1));
                }
                i++;
            } else if (Character.isSurrogate(c)) {
                if (out == null) {
                    out = new StringBuilder(text.length() + 16).append(text, 0, i);
                }
                out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else if (out != null) {
                out.append(c);
            }
        }
        return out == null ? text : out.toString();
    }
}
