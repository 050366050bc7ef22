package dev.mcpprober.corpus.declared;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.Json;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** A page of a registry as far as fetching it needs: that it is one, and which comes next. Its entries are stepped over. */
final class PageText {
    private PageText() {}

    /**
     * The cursor of the page after this one, or empty where it is the last.
     *
     * @throws IllegalArgumentException saying why the text is no page
     */
    static Optional<String> next(InputStream in) throws IOException {
        boolean servers = false;
        Optional<String> cursor = Optional.empty();
        try (JsonParser tokens = Json.strangersTokens(in)) {
            if (tokens.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("no JSON object");
            }
            while (tokens.nextToken() == JsonToken.FIELD_NAME) {
                String member = tokens.currentName();
                JsonToken value = tokens.nextToken();
                if (member.equals("metadata") && value == JsonToken.START_OBJECT) {
                    cursor = cursor(EntryText.next(tokens));
                } else {
                    servers |= member.equals("servers") && value == JsonToken.START_ARRAY;
                    tokens.skipChildren();
                }
            }
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not JSON", e);
        }
        if (!servers) {
            throw new IllegalArgumentException("no list \"servers\"");
        }
        return cursor;
    }

    /** A cursor that is no text is no end: a frame that lacks its rest would look like a whole one. */
    private static Optional<String> cursor(Json.Parsed metadata) {
        if (!(metadata instanceof Json.Parsed.Value value)) {
            throw new IllegalArgumentException("its metadata cannot be read");
        }
        JsonNode cursor = ServerJson.member(value.node(), "nextCursor", "next_cursor");
        if (cursor.isMissingNode() || cursor.isNull()) {
            return Optional.empty();
        }
        if (!cursor.isTextual() && !cursor.isIntegralNumber()) {
            throw new IllegalArgumentException("its cursor is neither a text nor a number");
        }
        return Optional.of(cursor.asText()).filter(text -> !text.isEmpty());
    }
}
