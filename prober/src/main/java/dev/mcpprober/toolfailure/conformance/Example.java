package dev.mcpprober.toolfailure.conformance;

import dev.mcpprober.io.YamlTree;
import dev.mcpprober.toolfailure.ExactJson;
import dev.mcpprober.toolfailure.ToolFailure;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One case for a check, good or bad, as in {@code seps/sep-3313-examples.yaml}.
 *
 * <p>The object under test is {@code base} with the members of {@code with} put in as JSON and those of {@code without} taken out;
 * {@code value} stands for the whole of it, and {@code result} for the whole result.
 */
public sealed interface Example {
    String check();

    /** What the check has to say. */
    String verdict();

    String about();

    /**
     * What a server answers to calls of one tool.
     *
     * @param responses the members of each response beside {@code jsonrpc} and {@code id}, as JSON text without braces
     * @param arguments of every call, a JSON object
     */
    record OfServer(String check, String verdict, String about, List<String> responses, String arguments) implements Example {
        public OfServer {
            responses = List.copyOf(responses);
        }
    }

    /** What a client does when a tool answers with an object; see {@link ClientJudge}. */
    record OfClient(String check, String verdict, String about, ClientJudge.Case given) implements Example {}

    /**
     * @param sent the result as the server wrote it
     * @param came the whole response as it came through the relay
     */
    record OfRelay(String check, String verdict, String about, ExactJson sent, ExactJson came) implements Example {}

    /** The bundled file. */
    static List<Example> readAll() {
        YamlTree file = YamlTree.ofResource("/seps/sep-3313-examples.yaml");
        List<Example> out = new ArrayList<>();
        file.list("server").forEach(entry -> out.add(server(entry)));
        file.list("client").forEach(entry -> out.add(client(entry)));
        file.list("relay").forEach(entry -> out.add(relay(entry)));
        return out;
    }

    private static OfServer server(YamlTree entry) {
        entry.only(List.of("check", "verdict", "about", "with", "without", "value", "result", "error", "then", "arguments"));
        List<String> responses = new ArrayList<>(List.of(response(entry, 1)));
        entry.list("then").forEach(next -> responses.add(response(next, responses.size() + 1)));
        return new OfServer(entry.text("check"), entry.text("verdict"), entry.text("about"), responses, entry.optional("arguments").orElse("{}"));
    }

    private static String response(YamlTree entry, int number) {
        return entry.optional("error").map(error -> "\"error\":" + error)
                .orElseGet(() -> "\"result\":" + entry.optional("result").orElseGet(() -> errorResult(object(entry, number))));
    }

    /** An error result with this value under the key. */
    static String errorResult(String value) {
        return "{\"content\":[{\"type\":\"text\",\"text\":\"The call failed.\"}],\"isError\":true,\"_meta\":{\"" + ToolFailure.KEY + "\":" + value + "}}";
    }

    private static String object(YamlTree entry, int number) {
        if (entry.has("value")) {
            return entry.text("value");
        }
        Map<String, String> members = new LinkedHashMap<>();
        members.put("class", "\"capability\"");
        members.put("code", "\"invalid_input\"");
        members.put("correlationId", "\"f-9d41c07e-" + number + "\"");
        members.putAll(entry.map("with"));
        entry.texts("without").forEach(members::remove);
        List<String> written = new ArrayList<>();
        members.forEach((name, value) -> written.add("\"" + name + "\":" + value));
        return "{" + String.join(",", written) + "}";
    }

    private static OfClient client(YamlTree entry) {
        entry.only(List.of("check", "verdict", "about", "with", "without", "value", "annotations", "sends", "sends-otherwise"));
        ExactJson object = json(object(entry, 1));
        List<Long> sends = entry.texts("sends").stream().map(Long::valueOf).toList();
        Optional<List<Long>> otherwise = entry.has("sends-otherwise") ? Optional.of(entry.texts("sends-otherwise").stream().map(Long::valueOf).toList()) : Optional.empty();
        return new OfClient(entry.text("check"), entry.text("verdict"), entry.text("about"),
                new ClientJudge.Case(object, json("{\"annotations\":" + entry.optional("annotations").orElse("{}") + "}"), sends, otherwise));
    }

    private static OfRelay relay(YamlTree entry) {
        entry.only(List.of("check", "verdict", "about", "sent", "came"));
        return new OfRelay(entry.text("check"), entry.text("verdict"), entry.text("about"), json(entry.text("sent")), json(entry.text("came")));
    }

    private static ExactJson json(String text) {
        return ExactJson.parse(text).orElseThrow(() -> new IllegalStateException("an example is no JSON: " + text));
    }
}
