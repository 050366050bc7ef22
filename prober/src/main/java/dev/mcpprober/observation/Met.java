package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.Json;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/** A tools/call and how it was met. */
record Met(SessionLog log, Exchange exchange, Reading reading) {
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
        if (exchange.answer() == null) {
            return "";
        }
        JsonNode error = exchange.answer().response().node().path("error");
        String text = reading.observed().equals(Observed.PROTOCOL_ERROR) ? error.path("message").asText() + " " + (error.has("data") ? Json.write(error.get("data")) : "")
                : said(CallResult.of(exchange.answer().response().node().path("result")));
        return ArgumentMask.mask(text, exchange.params().path("arguments"));
    }

    private static String said(CallResult result) {
        JsonNode structured = result.structured();
        return structured.isMissingNode() || structured.isNull() ? result.text() : result.text() + " " + Json.write(structured);
    }

    private String steadyWords() {
        return VOLATILE.matcher(words()).replaceAll("0").strip();
    }
}
