package dev.mcpprober.corpus.declared;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.mcpprober.io.Json;
import java.io.IOException;
import java.io.StringWriter;

/**
 * Takes one value out of a stream of JSON as text, to be read by itself: what is wrong with it costs that value alone, and one that is
 * beyond the limits is stepped over without being held.
 */
final class EntryText {
    private EntryText() {}

    /** The value at the parser's token, which moves to its end. */
    static Json.Parsed next(JsonParser tokens) throws IOException {
        StringWriter text = new StringWriter();
        String problem = null;
        int depth = 0;
        int count = 0;
        try (JsonGenerator out = Json.mapper().createGenerator(text)) {
            out.disable(JsonGenerator.Feature.AUTO_CLOSE_JSON_CONTENT);
            for (JsonToken token = tokens.currentToken(); token != null; token = tokens.nextToken()) {
                depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                problem = problem == null ? problem(depth, ++count, text.getBuffer().length()) : problem;
                if (problem == null) {
                    write(token, tokens, out);
                }
                if (depth == 0) {
                    break;
                }
            }
        }
        return problem == null ? Json.parse(text.toString()) : new Json.Parsed.OverLimit(problem);
    }

    /** A number is copied as it is written, and not understood. */
    private static void write(JsonToken token, JsonParser tokens, JsonGenerator out) throws IOException {
        if (token.isNumeric()) {
            out.writeNumber(tokens.getText());
        } else {
            out.copyCurrentEvent(tokens);
        }
    }

    private static String problem(int depth, int count, int length) {
        return depth > Json.MAX_NESTING - 1 ? "nested more than " + (Json.MAX_NESTING - 1) + " deep"
                : count > Json.MAX_TOKENS ? "more than " + Json.MAX_TOKENS + " names and values"
                : length > LimitedLines.LIMIT ? "longer than " + (LimitedLines.LIMIT >> 20) + " MiB" : null;
    }
}
