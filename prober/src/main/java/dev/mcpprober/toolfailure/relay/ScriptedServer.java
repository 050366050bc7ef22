package dev.mcpprober.toolfailure.relay;

import dev.mcpprober.model.Era;
import dev.mcpprober.model.ProtocolRevision;
import dev.mcpprober.toolfailure.ExactJson;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The server that a relay under test relays: it has a tool for each {@link RelayCase} and answers with that result, character by character.
 * A call with the argument {@code hold} is answered only after the next one, so that answers come out of order.
 */
public final class ScriptedServer {
    private static final String PREFIX = "io.modelcontextprotocol/";
    private static final String INFO = "{\"name\":\"mcp-prober-scripted-server\",\"version\":\"1\"}";

    private final Set<Era> eras;
    private final Consumer<String> called;
    private String held = "";

    /**
     * @param eras   eras that it serves
     * @param called is told the name of the tool at each call
     */
    public ScriptedServer(Set<Era> eras, Consumer<String> called) {
        this.eras = Set.copyOf(eras);
        this.called = called;
    }

    /** The lines that answer one line, in order. */
    public List<String> answers(String line) {
        String answer = answer(line).orElse("");
        if (answer.isEmpty()) {
            return List.of();
        }
        if (held.isEmpty() && holds(line)) {
            held = answer;
            return List.of();
        }
        String late = held;
        held = "";
        return late.isEmpty() ? List.of(answer) : List.of(answer, late);
    }

    private static boolean holds(String line) {
        return ExactJson.parse(line).flatMap(request -> request.member("params")).flatMap(params -> params.member("arguments")).flatMap(arguments -> arguments.member("hold"))
                .isPresent();
    }

    private Optional<String> answer(String line) {
        ExactJson request = ExactJson.parse(line).orElse(new ExactJson.Null());
        Optional<ExactJson> id = request.member("id").filter(value -> !(value instanceof ExactJson.Null));
        Optional<String> method = request.member("method").flatMap(ExactJson::asText);
        if (id.isEmpty() || method.isEmpty()) {
            return Optional.empty();
        }
        boolean modern = request.member("params").flatMap(params -> params.member("_meta")).flatMap(meta -> meta.member(PREFIX + "protocolVersion")).isPresent();
        return Optional.of("{\"jsonrpc\":\"2.0\",\"id\":" + id.get().json() + "," + outcome(method.get(), request.member("params").orElse(new ExactJson.Null()), modern) + "}");
    }

    private String outcome(String method, ExactJson params, boolean modern) {
        if (modern && !eras.contains(Era.MODERN)) {
            return error(-32601, "Method not found");
        }
        if (!modern && !eras.contains(Era.LEGACY)) {
            return "\"error\":{\"code\":-32022,\"message\":\"Unsupported protocol version\",\"data\":{\"supported\":[\"" + ProtocolRevision.V2026_07_28.date() + "\"]}}";
        }
        return switch (method) {
            case "initialize" -> "\"result\":{\"protocolVersion\":\"" + offered(params) + "\",\"capabilities\":{\"tools\":{}},\"serverInfo\":" + INFO + "}";
            case "server/discover" -> result("\"supportedVersions\":[\"" + ProtocolRevision.V2026_07_28.date() + "\"],\"capabilities\":{\"tools\":{}},"
                    + "\"ttlMs\":0,\"cacheScope\":\"private\",\"_meta\":{\"" + PREFIX + "serverInfo\":" + INFO + "}", true);
            case "ping" -> modern ? error(-32601, "Method not found") : "\"result\":{}";
            case "tools/list" -> result("\"tools\":[" + String.join(",", RelayCase.ALL.stream().map(ScriptedServer::tool).toList()) + "]"
                    + (modern ? ",\"ttlMs\":0,\"cacheScope\":\"private\"" : ""), modern);
            case "tools/call" -> call(params, modern);
            default -> error(-32601, "Method not found");
        };
    }

    private String call(ExactJson params, boolean modern) {
        String name = params.member("name").flatMap(ExactJson::asText).orElse("");
        Optional<RelayCase> wanted = RelayCase.ALL.stream().filter(one -> one.name().equals(name)).findFirst();
        wanted.ifPresent(one -> called.accept(one.name()));
        // What the modern era asks of every result is put in front, so that the case's own text stays as it is.
        return wanted.map(one -> "\"result\":" + (modern ? "{\"resultType\":\"complete\"," + one.result().substring(1) : one.result()))
                .orElse(error(-32602, "Unknown tool"));
    }

    /** A legacy client gets the revision that it offers. */
    private static String offered(ExactJson params) {
        return params.member("protocolVersion").flatMap(ExactJson::asText).flatMap(ProtocolRevision::of).filter(known -> known.era() == Era.LEGACY)
                .orElse(ProtocolRevision.V2025_11_25).date();
    }

    private static String tool(RelayCase one) {
        return "{\"name\":\"" + one.name() + "\",\"inputSchema\":{\"type\":\"object\"}}";
    }

    private static String result(String members, boolean modern) {
        return "\"result\":{" + (modern ? "\"resultType\":\"complete\"," : "") + members + "}";
    }

    private static String error(int code, String message) {
        return "\"error\":{\"code\":" + code + ",\"message\":\"" + message + "\"}";
    }
}
