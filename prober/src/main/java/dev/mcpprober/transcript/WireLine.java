package dev.mcpprober.transcript;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.io.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One line of stdout, read as strictly as the wire demands: bytes decoded as UTF-8 without replacement, one JSON value and
 * nothing after it. A byte order mark and a carriage return are noted and read past.
 *
 * @param text     decoded text without mark and carriage return; decoded with replacement where {@code badUtf8At >= 0}
 * @param badUtf8At offset of the first byte that is no UTF-8, or -1
 * @param bom      the line began with a UTF-8 byte order mark
 * @param cr       the line ended in a carriage return
 * @param content  what the text is
 */
public record WireLine(String text, int badUtf8At, boolean bom, boolean cr, Content content) {
    private static final int LONG = 1 << 16;

    /** What a line holds. */
    public sealed interface Content {
        /** White space only. */
        record Blank() implements Content {}

        /** No JSON value, or more than one. */
        record NotJson(String reason) implements Content {}

        /** Perhaps JSON, but past a limit of our reader. */
        record OverLimit(String reason) implements Content {}

        /** A JSON value that is no JSON-RPC message, e.g. {@code 42} or {@code {"level":"info"}}. */
        record NotAMessage(JsonNode value) implements Content {}

        /** One message. */
        record Single(Message message) implements Content {}

        /** A JSON array of at least one message and nothing else. */
        record Batch(List<Message> messages) implements Content {
            public Batch {
                messages = List.copyOf(messages);
            }
        }
    }

    /** Reads a line that arrived whole. Never throws. */
    public static WireLine read(byte[] bytes) {
        int from = 0;
        int to = bytes.length;
        boolean bom = to >= 3 && bytes[0] == (byte) 0xEF && bytes[1] == (byte) 0xBB && bytes[2] == (byte) 0xBF;
        if (bom) {
            from = 3;
        }
        boolean cr = to > from && bytes[to - 1] == '\r';
        if (cr) {
            to--;
        }
        int fault = Utf8.firstFault(bytes, from, to);
        // A line may have tens of MiB: then its text, which the fast way of String makes without a buffer, is made after the parser is done.
        boolean early = fault < 0 && to - from >= LONG;
        Json.Parsed parsed = early ? Json.parseUtf8(bytes, from, to - from) : null;
        String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        return new WireLine(text, fault, bom, cr, classify(text, early ? parsed : Json.parse(text)));
    }

    private static Content classify(String text, Json.Parsed parsed) {
        if (text.isBlank()) {
            return new Content.Blank();
        }
        if (parsed instanceof Json.Parsed.OverLimit over) {
            return new Content.OverLimit(over.reason());
        }
        if (parsed instanceof Json.Parsed.Malformed malformed) {
            return new Content.NotJson(malformed.reason());
        }
        JsonNode node = ((Json.Parsed.Value) parsed).node();
        if (node.isArray() && !node.isEmpty()) {
            List<Message> messages = new ArrayList<>();
            for (JsonNode element : node) {
                Message message = Message.of(element);
                if (message == null) {
                    return new Content.NotAMessage(node);
                }
                messages.add(message);
            }
            return new Content.Batch(messages);
        }
        Message message = Message.of(node);
        return message == null ? new Content.NotAMessage(node) : new Content.Single(message);
    }

    /** The messages of the line, in order; empty where it holds none. */
    public List<Message> messages() {
        if (content instanceof Content.Single single) {
            return List.of(single.message());
        }
        return content instanceof Content.Batch batch ? batch.messages() : List.of();
    }
}
