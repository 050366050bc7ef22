package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.Json;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/** A tools/call and how it was met. */
record Met(SessionLog log, Exchange exchange, Reading reading) {
    private static final int MAX_TEXTS = 200;
    /** A shorter value may stand in any text. */
    private static final int MIN_QUOTED = 3;
    /** What two calls are told at two times may differ in: numbers, times, ids. */
    private static final Pattern VOLATILE = Pattern.compile("[\\w:.\\-]*\\d[\\w:.\\-]*");

    static Optional<Met> of(SessionLog log, StepView step) {
        return log.exchanges(step).stream().findFirst().map(exchange -> new Met(log, exchange, Reactions.toCall(log, step, exchange)));
    }

    /** By a tool error or a JSON-RPC error, with its id. */
    boolean refused() {
        return (reading.observed().equals(Observed.TOOL_ERROR) || reading.observed().equals(Observed.PROTOCOL_ERROR)) && exchange.answer() != null;
    }

    /** With a result that is no refusal. */
    boolean ran() {
        return !refused() && reading.result() != null && reading.result().isObject();
    }

    /** Both were refused in the same channel with the same code. */
    boolean sameChannel(Met other) {
        return refused() && other.refused() && reading.observed().equals(other.reading.observed()) && Objects.equals(reading.code(), other.reading.code());
    }

    /** Refused just as {@code other} was: same channel, same code and, but for the arguments and what changes from call to call, same words. */
    boolean refusedLike(Met other) {
        return sameChannel(other) && steadyWords().equals(other.steadyWords());
    }

    /** What the answer says, without the values that were sent. */
    String words() {
        return ArgumentMask.mask(answer(), exchange.params().path("arguments"));
    }

    /** The same, and where the answer is JSON only its texts: its keys stand in every answer of the tool. */
    String prose() {
        if (!(Json.parse(answer()) instanceof Json.Parsed.Value value) || !value.node().isContainerNode()) {
            return words();
        }
        List<String> texts = new ArrayList<>();
        texts(value.node(), texts);
        return ArgumentMask.mask(String.join("\n", texts), exchange.params().path("arguments"));
    }

    /** The answer repeats the value of an argument, but not that of {@code property}. */
    boolean quotesAnother(String property) {
        JsonNode arguments = exchange.params().path("arguments");
        String said = answer();
        if (arguments.has(property) && !ArgumentMask.mask(said, Json.object().set(property, arguments.get(property))).equals(said)) {
            return false;
        }
        for (Iterator<Map.Entry<String, JsonNode>> each = arguments.fields(); each.hasNext();) {
            Map.Entry<String, JsonNode> argument = each.next();
            String value = argument.getValue().asText();
            if (!argument.getKey().equals(property) && value.length() >= MIN_QUOTED && argument.getValue().isTextual() && said.contains(value)) {
                return true;
            }
        }
        return false;
    }

    private String answer() {
        if (exchange.answer() == null) {
            return "";
        }
        JsonNode node = exchange.answer().response().node();
        JsonNode error = node.path("error");
        return reading.observed().equals(Observed.PROTOCOL_ERROR) ? error.path("message").asText() + (error.has("data") ? " " + Json.write(error.get("data")) : "")
                : said(CallResult.of(node.path("result")));
    }

    private static void texts(JsonNode node, List<String> out) {
        if (node.isTextual()) {
            out.add(node.textValue());
        }
        for (Iterator<JsonNode> each = node.elements(); each.hasNext() && out.size() < MAX_TEXTS;) {
            texts(each.next(), out);
        }
    }

    private static String said(CallResult result) {
        JsonNode structured = result.structured();
        return structured.isMissingNode() || structured.isNull() ? result.text() : result.text() + " " + Json.write(structured);
    }

    private String steadyWords() {
        return VOLATILE.matcher(words()).replaceAll("0").strip();
    }
}
