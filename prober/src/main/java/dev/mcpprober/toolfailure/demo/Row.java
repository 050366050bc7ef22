package dev.mcpprober.toolfailure.demo;

import dev.mcpprober.toolfailure.ExactJson;
import dev.mcpprober.toolfailure.client.Answer;
import dev.mcpprober.toolfailure.client.Ground;
import dev.mcpprober.toolfailure.client.Trail;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A line of the table: one scenario on one server, without a relay and through one. Texts of the server are raw.
 *
 * @param problems what is not as it has to be; empty where all is
 */
public record Row(String server, Scenario scenario, Passage direct, Passage relayed, List<String> problems) {
    public static Row of(String server, Scenario scenario, Passage direct, Passage relayed) {
        List<String> problems = new ArrayList<>(Judge.problems(scenario, direct));
        problems.addAll(Judge.problems(scenario, relayed));
        return new Row(server, scenario, direct, relayed, problems);
    }

    public boolean right() {
        return problems.isEmpty();
    }

    /** What the first answer says: {@code class/code} and whether a retry may help. */
    public String classification() {
        Answer first = direct.trail().tries().get(0).answer();
        if (Passage.failure(first).isEmpty()) {
            return first instanceof Answer.ProtocolError refused ? "none: protocol error " + refused.error().member("code").map(ExactJson::json).orElse("") : "none: success";
        }
        ExactJson failure = Passage.failure(first).get();
        String retryable = failure.member("retryable").map(value -> ", retryable " + value.json()).orElse("");
        return text(failure, "class") + "/" + text(failure, "code") + retryable + notBefore(failure);
    }

    private String notBefore(ExactJson failure) {
        if (!(failure.member("retryNotBefore").orElse(null) instanceof ExactJson.Num time)) {
            return "";
        }
        long ms = Math.round(Double.parseDouble(time.lexeme())) - direct.sentAt(direct.trail().tries().get(0).sent());
        return ", not before " + (ms > 60_000 ? "+" + Math.round(ms / 360_000.0) / 10.0 + " h" : "+" + ms + " ms");
    }

    /** What the client did. */
    public String did() {
        List<Trail.Try> tries = direct.trail().tries();
        List<String> waits = tries.stream().limit(tries.size() - 1L).map(each -> each.waitedMs() + " ms").toList();
        return tries.size() + (tries.size() == 1 ? " call" : " calls, waited " + String.join(" and ", waits)) + ": " + direct.trail().last().decision().action().words();
    }

    /** The statements that led to it, each once. */
    public String why() {
        Set<String> words = new LinkedHashSet<>();
        for (Trail.Try each : direct.trail().tries()) {
            Ground ground = each.decision().ground();
            words.add(each.decision().statement().isEmpty() ? ground.words() : each.decision().statement() + ": " + ground.words());
        }
        return String.join(" Then: ", words);
    }

    /** What the relay did to it. */
    public String relay() {
        if (problems.stream().anyMatch(problem -> problem.startsWith("relayed: "))) {
            return "not as it has to be";
        }
        int objects = relayed.failures().size();
        return objects == 0 ? "no object, none added" : "preserved to the digit (" + objects + (objects == 1 ? " object)" : " objects)");
    }

    /** The lines of the server's log that the correlationIds of the direct run lead to. */
    public List<String> log() {
        return direct.failures().stream().flatMap(failure -> direct.log().stream().filter(line -> LogLine.matches(line, failure))).toList();
    }

    /** The same, short. */
    public String logInShort() {
        String found = log().stream().map(line -> LogLine.id(line).orElse("") + " " + LogLine.member(line, "cause").orElse("")).collect(Collectors.joining("; "));
        return found.isEmpty() ? "nothing logged, no id" : found;
    }

    private static String text(ExactJson failure, String name) {
        return failure.member(name).flatMap(ExactJson::asText).orElse("?");
    }

    /** Everything for whoever checks it: what passed, in order, and the decisions. One JSON text each. */
    public Stream<String> transcript(boolean throughRelay) {
        Passage passage = throughRelay ? relayed : direct;
        Stream<String> lines = passage.lines().stream().map(line -> "{\"at\":" + line.at() + ",\"between\":"
                + (line.server() ? "\"relay and server\"" : throughRelay ? "\"client and relay\"" : "\"client and server\"")
                + ",\"towards\":" + (line.sent() ? "\"server\"" : "\"client\"") + ",\"line\":" + json(line.line()) + "}");
        Stream<String> log = passage.log().stream().map(line -> "{\"stderr\":" + json(line) + "}");
        Stream<String> decisions = passage.trail().tries().stream().map(each -> "{\"decision\":" + json(each.decision().action().name()) + ",\"ground\":"
                + json(each.decision().ground().name()) + ",\"statement\":" + json(each.decision().statement()) + ",\"words\":" + json(each.decision().ground().words())
                + ",\"waitedMs\":" + each.waitedMs() + "}");
        return Stream.of(lines, log, decisions).flatMap(each -> each);
    }

    /** The row as one JSON text. */
    public String json() {
        return "{\"server\":" + json(server) + ",\"revision\":" + json(direct.revision()) + ",\"scenario\":" + json(scenario.id()) + ",\"cause\":" + json(scenario.cause())
                + ",\"tool\":" + json(scenario.tool()) + ",\"client\":" + json(scenario.client().name().toLowerCase(java.util.Locale.ROOT))
                + ",\"failures\":[" + direct.failures().stream().map(ExactJson::json).collect(Collectors.joining(",")) + "]"
                + ",\"grounds\":[" + direct.trail().tries().stream().map(each -> json(each.decision().ground().name())).collect(Collectors.joining(",")) + "]"
                + ",\"calls\":" + direct.trail().tries().size() + ",\"end\":" + json(scenario.end().name()) + ",\"did\":" + json(did()) + ",\"why\":" + json(why())
                + ",\"relay\":" + json(relay()) + ",\"log\":[" + log().stream().map(Row::json).collect(Collectors.joining(",")) + "]"
                + ",\"problems\":[" + problems.stream().map(Row::json).collect(Collectors.joining(",")) + "]}";
    }

    private static String json(String text) {
        return new ExactJson.Text(text).json();
    }
}
