package dev.mcpprober.traits;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * A tools/call that failed by the protocol's own account: a result with {@code isError: true}, or a JSON-RPC error. What only its text calls a
 * failure is not one here.
 *
 * @param probe   what the call was made for, as the session's script names it
 * @param tool    name that was called; empty where the call had none
 * @param channel {@code tool-error} or {@code protocol-error}
 * @param code    of a JSON-RPC error; null where there is none, or it is no integer
 * @param text    what the failure says to its reader: the text blocks, or the error's message; raw, cut
 * @param places  JSON values that came with it, by where they stood
 * @param sentAt  event of the request
 * @param event   event of the answer
 */
public record FailedCall(String probe, String tool, String channel, Long code, String text, List<Placed> places, int sentAt, int event) {
    public static final String TOOL_ERROR = "tool-error";
    public static final String PROTOCOL_ERROR = "protocol-error";

    public FailedCall {
        places = List.copyOf(places);
    }

    /** @param place one of {@link LookAlikes#PLACES} */
    record Placed(String place, JsonNode value) {}
}
