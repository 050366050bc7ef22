package dev.mcpprober.cli.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.transcript.Message;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Patterns by which a shell finds an answer on stdout. A key inside a string has a backslash before its quote, so that a brace or a
 * comma in front tells a key from text.
 */
final class Patterns {
    private static final String ERROR = "[{,] *\"error\" *: *\\{";
    private static final String IS_ERROR = "\"isError\" *: *true";
    private static final String RESULT = "[{,] *\"result\" *: *[{]";
    /** Matches no line. */
    static final String NOTHING = "^$a";

    private Patterns() {}

    /** @param yes and {@code no}: a line has the one and not the other */
    record Kind(String yes, String no) {}

    /** The message that a line is, if it is one. */
    static Optional<Message> message(byte[] line) {
        String text = new String(line, StandardCharsets.UTF_8);
        return Json.parse(text) instanceof Json.Parsed.Value value ? Optional.ofNullable(Message.of(value.node())) : Optional.empty();
    }

    /** A line that carries this id. */
    static String id(JsonNode id) {
        return "\"id\" *: *" + literal(Json.write(id)) + " *[,}]";
    }

    /** The error code of an answer; empty where it has none. */
    static String code(Message message) {
        JsonNode code = message.node().path("error").path("code");
        return code.isIntegralNumber() ? "\"code\" *: *" + literal(code.asText()) + " *[,}]" : "";
    }

    /** Which kind of answer to a request a line is; empty where it is none. */
    static Optional<Kind> kind(byte[] line) {
        Optional<Message> message = message(line);
        if (message.isEmpty() || !(message.get() instanceof Message.Response response)) {
            return Optional.empty();
        }
        Kind kind = response.hasError() ? new Kind(ERROR, NOTHING)
                : response.node().path("result").path("isError").asBoolean() ? new Kind(IS_ERROR, ERROR) : new Kind(RESULT, IS_ERROR + "|" + ERROR);
        return holds(kind.yes(), line) && !holds(kind.no(), line) ? Optional.of(kind) : Optional.empty();
    }

    /** Empty unless the recorded line itself has it: what is not true of the recorded line cannot be asked of another. */
    static String ifHeld(String pattern, byte[] line) {
        return !pattern.isEmpty() && holds(pattern, line) ? pattern : "";
    }

    private static boolean holds(String pattern, byte[] line) {
        return Pattern.compile(pattern).matcher(new String(line, StandardCharsets.ISO_8859_1)).find();
    }

    private static String literal(String text) {
        StringBuilder out = new StringBuilder();
        for (char c : text.toCharArray()) {
            // Bytes beyond ASCII are several to a character for a shell in the C locale.
            out.append(c < 0x20 || c >= 0x7f ? ".*" : ".[{}()*+?^$|\\".indexOf(c) >= 0 ? "\\" + c : String.valueOf(c));
        }
        return out.toString();
    }
}
