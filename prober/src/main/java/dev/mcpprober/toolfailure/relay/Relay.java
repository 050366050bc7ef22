package dev.mcpprober.toolfailure.relay;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.mcpprober.io.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A relay between a client and a server that preserves results: it numbers requests anew, so that their ids are its own towards the server,
 * and puts a mark of its own into {@code _meta} of results, and copies all the rest of a line character by character. It works alike
 * in both eras, since it looks at nothing that differs between them. It never answers in the server's stead while the server lives, never
 * sends a call twice, and turns no result into an error. Not for use by several threads.
 */
public final class Relay {
    /** The relay's own key in {@code _meta} of results: {@code {"id": N}}, the id that the server knew the request by. */
    public static final String MARK = "dev.mcpprober/relay";
    private static final int MAX_PENDING = 100_000;
    private static final int INTERNAL_ERROR = -32603;

    /** What is to be done about a line. */
    public sealed interface Output {
        record ToServer(String line) implements Output {}

        record ToClient(String line) implements Output {}

        /** For the relay's log; may quote either side, raw. */
        record Note(String text) implements Output {}
    }

    /** Requests under way: our id, as the server knows it, to the client's, as written. */
    private final Map<Long, String> pending = new LinkedHashMap<>();
    private long lastId;

    public Relay() {
        this(0);
    }

    /** @param lastId its own ids count from the next one */
    Relay(long lastId) {
        this.lastId = lastId;
    }

    /** A line of the client's. */
    public List<Output> fromClient(String line) {
        return relay(line, true);
    }

    /** A line of the server's. */
    public List<Output> fromServer(String line) {
        return relay(line, false);
    }

    /** The server is gone: whoever still waits is told so, since no answer will come. */
    public List<Output> serverEnded(String how) {
        List<Output> out = new ArrayList<>();
        for (String id : pending.values()) {
            out.add(new Output.ToClient("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"error\":{\"code\":" + INTERNAL_ERROR + ",\"message\":"
                    + Json.write(TextNode.valueOf("the server behind this relay is gone: " + how)) + "}}"));
        }
        pending.clear();
        return out;
    }

    private List<Output> relay(String line, boolean fromClient) {
        String whose = fromClient ? "client" : "server";
        if (line.isBlank()) {
            return List.of();
        }
        if (Json.parse(line) instanceof Json.Parsed.Malformed malformed) {
            return List.of(new Output.Note("dropped a line of the " + whose + " that is no JSON (" + malformed.reason() + "): " + line));
        }
        JsonText.Span whole = JsonText.whole(line);
        if (!JsonText.isArray(line, whole)) {
            return message(whole.of(line), fromClient).map(text -> List.of(sent(text, fromClient)))
                    .orElseGet(() -> List.of(new Output.Note("dropped an answer of the " + whose + " to nothing that was asked: " + line)));
        }
        List<String> kept = new ArrayList<>();
        for (JsonText.Span item : JsonText.items(line, whole)) {
            message(item.of(line), fromClient).ifPresent(kept::add);
        }
        return kept.isEmpty() ? List.of(new Output.Note("dropped a batch of the " + whose + " with nothing to relay: " + line))
                : List.of(sent("[" + String.join(",", kept) + "]", fromClient));
    }

    private static Output sent(String line, boolean fromClient) {
        return fromClient ? new Output.ToServer(line) : new Output.ToClient(line);
    }

    /** The message as the other side gets it; empty where it gets none. */
    private Optional<String> message(String text, boolean fromClient) {
        JsonText.Span whole = JsonText.whole(text);
        Optional<JsonText.Span> id = JsonText.member(text, whole, "id").filter(span -> !span.of(text).equals("null"));
        boolean asks = JsonText.member(text, whole, "method").isPresent();
        if (fromClient) {
            return Optional.of(asks ? id.isPresent() ? request(text, id.get()) : notification(text, whole) : text);
        }
        // Requests and notifications of the server keep what they have: there is one client, and its ids are not ours to give.
        return asks || id.isEmpty() ? Optional.of(text) : answer(text, whole, id.get());
    }

    private String request(String text, JsonText.Span id) {
        if (pending.size() >= MAX_PENDING) {
            pending.remove(pending.keySet().iterator().next());
        }
        pending.put(++lastId, id.of(text));
        return new Edits().replace(id, Long.toString(lastId)).in(text);
    }

    /** A cancellation names a request, which the server knows by another id. */
    private String notification(String text, JsonText.Span whole) {
        Optional<JsonText.Span> named = JsonText.member(text, whole, "params").flatMap(params -> JsonText.member(text, params, "requestId"));
        boolean cancels = JsonText.member(text, whole, "method").map(span -> span.of(text)).orElse("").equals("\"notifications/cancelled\"");
        if (!cancels || named.isEmpty()) {
            return text;
        }
        String theirs = named.get().of(text);
        return pending.entrySet().stream().filter(entry -> entry.getValue().equals(theirs)).findFirst()
                .map(entry -> new Edits().replace(named.get(), Long.toString(entry.getKey())).in(text)).orElse(text);
    }

    private Optional<String> answer(String text, JsonText.Span whole, JsonText.Span id) {
        Long ours = number(id.of(text));
        String theirs = ours == null ? null : pending.remove(ours);
        if (theirs == null) {
            return Optional.empty();
        }
        Edits edits = new Edits().replace(id, theirs);
        JsonText.member(text, whole, "result").filter(result -> JsonText.isObject(text, result)).ifPresent(result -> mark(text, result, ours, edits));
        return Optional.of(edits.in(text));
    }

    private static Long number(String id) {
        try {
            return Long.valueOf(id);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    /** Puts the mark into {@code _meta}, which is made where the result has none. Other keys there stay, whoever wrote them. */
    private static void mark(String text, JsonText.Span result, long id, Edits edits) {
        String mark = "\"" + MARK + "\":{\"id\":" + id + "}";
        Optional<JsonText.Span> meta = JsonText.member(text, result, "_meta");
        if (meta.isEmpty()) {
            edits.insert(result.from() + 1, "\"_meta\":{" + mark + "}" + (JsonText.members(text, result).isEmpty() ? "" : ","));
            return;
        }
        Optional<JsonText.Span> old = JsonText.member(text, meta.get(), MARK);
        if (old.isPresent()) {
            edits.replace(old.get(), "{\"id\":" + id + "}");
        } else if (JsonText.isObject(text, meta.get())) {
            edits.insert(meta.get().from() + 1, mark + (JsonText.members(text, meta.get()).isEmpty() ? "" : ","));
        }
    }
}
