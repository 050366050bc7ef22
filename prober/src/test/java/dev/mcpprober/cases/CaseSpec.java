package dev.mcpprober.cases;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.model.ProtocolRevision;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A generated case: a good server, and in what it is not.
 *
 * @param name         of the folder
 * @param revision     legacy revision that it speaks, or null for none
 * @param takesOffer   it speaks every legacy revision that is offered
 * @param modern       it speaks 2026-07-28
 * @param capabilities JSON of what it declares
 * @param tools        JSON of what it lists
 * @param keep         sessions whose transcripts make up the case; all when empty
 * @param twist        takes messages before the server does
 * @param polish       changes the reply to a request before it is written
 * @param start        what the server writes before it is asked, and how it takes the end of stdin
 */
record CaseSpec(String name, ProtocolRevision revision, boolean takesOffer, boolean modern, String capabilities, String tools, List<String> keep,
                CaseServer.Twist twist, BiConsumer<JsonNode, ObjectNode> polish, Consumer<dev.mcpprober.session.ScriptedServer> start) {
    static CaseSpec of(String name, char letter) {
        boolean modern = letter == 'E';
        return new CaseSpec(name, modern ? null : CaseTools.revision(letter), false, modern, "{\"tools\":{}}", CaseTools.ALL, List.of(),
                (message, server) -> false, (message, reply) -> { }, server -> { });
    }

    CaseSpec dual() {
        return new CaseSpec(name, CaseTools.revision('D'), true, true, capabilities, tools, keep, twist, polish, start);
    }

    CaseSpec allRevisions() {
        return new CaseSpec(name, revision, true, modern, capabilities, tools, keep, twist, polish, start);
    }

    CaseSpec capabilities(String json) {
        return new CaseSpec(name, revision, takesOffer, modern, json, tools, keep, twist, polish, start);
    }

    CaseSpec tools(String json) {
        return new CaseSpec(name, revision, takesOffer, modern, capabilities, json, keep, twist, polish, start);
    }

    /** Only these sessions, and those that continue them, are kept. */
    CaseSpec keep(String... sessions) {
        return new CaseSpec(name, revision, takesOffer, modern, capabilities, tools, List.of(sessions), twist, polish, start);
    }

    CaseSpec start(Consumer<dev.mcpprober.session.ScriptedServer> what) {
        return new CaseSpec(name, revision, takesOffer, modern, capabilities, tools, keep, twist, polish, what);
    }

    CaseSpec twist(CaseServer.Twist what) {
        return new CaseSpec(name, revision, takesOffer, modern, capabilities, tools, keep, what, polish, start);
    }

    /** Messages of this method are taken by {@code what}. */
    CaseSpec on(String method, BiConsumer<JsonNode, dev.mcpprober.session.ScriptedServer> what) {
        return twist((message, server) -> {
            boolean taken = message.path("method").asText().equals(method);
            if (taken) {
                what.accept(message, server);
            }
            return taken;
        });
    }

    CaseSpec polish(BiConsumer<JsonNode, ObjectNode> what) {
        return new CaseSpec(name, revision, takesOffer, modern, capabilities, tools, keep, twist, what, start);
    }

    /** Changes the result of this method. */
    CaseSpec result(String method, Consumer<ObjectNode> what) {
        return polish((message, reply) -> {
            if (message.path("method").asText().equals(method) && reply.path("result").isObject()) {
                what.accept((ObjectNode) reply.get("result"));
            }
        });
    }

    /** Answers this method with an error of this code. */
    CaseSpec refuses(String method, int code) {
        return on(method, (message, server) -> server.fail(message.path("id"), code));
    }
}
