package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.model.Era;
import dev.mcpprober.toolfailure.ExactJson;
import dev.mcpprober.toolfailure.ToolFailure;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.Message;
import dev.mcpprober.transcript.Transcript;
import dev.mcpprober.transcript.WireLine;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * The answer to a tools/call that has the toolFailure key somewhere, or an error in answer to another request that has it.
 *
 * @param event  the line that it came in
 * @param value  what the key holds in {@code _meta} of the result, to the lexeme; null where it stands only elsewhere
 * @param strays JSON pointers to the objects that have the key and should not
 */
record FailureReply(Exchange exchange, int event, JsonNode response, ExactJson value, List<String> strays) {
    private static final String PLACE = "/result/_meta";
    private static final int MAX_STRAYS = 12;

    FailureReply {
        strays = List.copyOf(strays);
    }

    /** All of one session. They are read from its bytes: a parsed tree has lost how numbers were written. */
    static List<FailureReply> of(SessionLog log, Transcript transcript) {
        List<FailureReply> out = new ArrayList<>();
        for (Exchange exchange : log.exchanges()) {
            boolean call = exchange.method().equals("tools/call");
            Exchange.Reply reply = exchange.readable();
            // A result of another method may well name the key, e.g. to say that the server knows it.
            if (reply != null && (call ? !asksForInput(log, reply) : reply.response().node().has("error"))) {
                List<String> places = new ArrayList<>();
                search(reply.response().node(), new ArrayDeque<>(), places);
                boolean inPlace = call && reply.response().node().path("result").path("_meta").has(ToolFailure.KEY);
                if (call) {
                    places.remove(PLACE);
                }
                if (inPlace || !places.isEmpty()) {
                    ExactJson value = inPlace ? exact(transcript, reply) : null;
                    out.add(new FailureReply(exchange, reply.event(), reply.response().node(), value, places));
                }
            }
        }
        return out;
    }

    /** Such a result is no CallToolResult, and the proposal says nothing of it. */
    private static boolean asksForInput(SessionLog log, Exchange.Reply reply) {
        return log.era() == Era.MODERN && CallResult.of(reply.response().node().path("result")).inputRequired();
    }

    private static void search(JsonNode node, Deque<String> path, List<String> out) {
        if (node.has(ToolFailure.KEY) && out.size() < MAX_STRAYS) {
            out.add(path.isEmpty() ? "/" : "/" + String.join("/", (Iterable<String>) path::descendingIterator));
        }
        int index = 0;
        for (Iterator<JsonNode> items = node.isArray() ? node.elements() : List.<JsonNode>of().iterator(); items.hasNext(); index++) {
            path.push(String.valueOf(index));
            search(items.next(), path, out);
            path.pop();
        }
        for (Iterator<Map.Entry<String, JsonNode>> members = node.fields(); members.hasNext();) {
            Map.Entry<String, JsonNode> member = members.next();
            if (!member.getKey().equals(ToolFailure.KEY)) {
                path.push(member.getKey().replace("~", "~0").replace("/", "~1"));
                search(member.getValue(), path, out);
                path.pop();
            }
        }
    }

    private static ExactJson exact(Transcript transcript, Exchange.Reply reply) {
        WireLine line = WireLine.read(((Event.Received) transcript.events().get(reply.event())).bytes());
        ExactJson whole = ExactJson.parse(line.text()).orElse(new ExactJson.Null());
        List<Message> messages = line.messages();
        ExactJson response = whole instanceof ExactJson.Arr batch ? batch.items().get(messages.indexOf(reply.response())) : whole;
        return member(member(member(response, "result"), "_meta"), ToolFailure.KEY);
    }

    private static ExactJson member(ExactJson object, String name) {
        return object instanceof ExactJson.Obj o ? o.members().getOrDefault(name, new ExactJson.Null()) : new ExactJson.Null();
    }

    private CallResult result() {
        return CallResult.of(response.path("result"));
    }

    /** The result is an error, or says so in the wrong type. */
    boolean onError() {
        return result().claimsError();
    }

    /** Of a result that is no error: whether its text nevertheless reports one. */
    boolean textReportsError() {
        ObjectNode bare = response.path("result").deepCopy();
        bare.remove("_meta");
        return ErrorSigns.in(CallResult.of(bare), "").any();
    }

    /** The object to judge: in place, and on an error. */
    boolean judged() {
        return value != null && onError();
    }

    List<Integer> witness() {
        return List.of(exchange.sentAt(), event);
    }
}
