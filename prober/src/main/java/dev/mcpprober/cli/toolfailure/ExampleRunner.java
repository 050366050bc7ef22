package dev.mcpprober.cli.toolfailure;

import dev.mcpprober.model.Era;
import dev.mcpprober.observation.Extractor;
import dev.mcpprober.rules.Grader;
import dev.mcpprober.rules.RuleSet;
import dev.mcpprober.toolfailure.ExactJson;
import dev.mcpprober.toolfailure.client.Answer;
import dev.mcpprober.toolfailure.conformance.ClientJudge;
import dev.mcpprober.toolfailure.conformance.Example;
import dev.mcpprober.toolfailure.relay.Losses;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.StepOutcome;
import dev.mcpprober.transcript.Transcript;
import dev.mcpprober.transcript.TranscriptHeader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Gives each example to what judges the real thing: a server's go the way of a transcript through extractor and rule set. */
public final class ExampleRunner {
    private final RuleSet rules;

    /** @param rules rule set tool-failure */
    public ExampleRunner(RuleSet rules) {
        this.rules = rules;
    }

    /** The verdict that the example gets. */
    public String verdict(Example example) {
        if (example instanceof Example.OfClient client) {
            return ClientJudge.judge(client.check(), client.given());
        } else if (example instanceof Example.OfRelay relay) {
            Answer came = relay.came().member("error").<Answer>map(Answer.ProtocolError::new)
                    .orElseGet(() -> new Answer.Result(relay.came().member("result").orElse(new ExactJson.Null())));
            return Losses.between(relay.sent(), came).isEmpty() ? "pass" : "fail";
        }
        Example.OfServer server = (Example.OfServer) example;
        return Grader.grade(rules, Extractor.extract(List.of(new Tape(server).transcript()))).stream()
                .filter(graded -> graded.observation().subject().check().equals(server.check())).map(graded -> graded.verdict().word()).findFirst().orElse("no verdict");
    }

    /** The session that an example would be seen in. */
    private static final class Tape {
        private final List<Event> events = new ArrayList<>(List.of(new Event.Started(0, 0, List.of("example"))));
        private int id;

        Tape(Example.OfServer example) {
            exchange("server-initialize", "initialize", "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"mcp-prober\",\"version\":\"1\"}}",
                    "\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"example\",\"version\":\"1\"}}");
            exchange("tools-list", "tools/list", "{}", "\"result\":{\"tools\":[{\"name\":\"book\",\"inputSchema\":{\"type\":\"object\"}}]}");
            example.responses().forEach(response -> exchange("valid-twin", "tools/call", "{\"name\":\"book\",\"arguments\":" + example.arguments() + "}", response));
        }

        private void exchange(String probe, String method, String params, String outcome) {
            String step = probe + ++id;
            events.add(new Event.StepBegan(events.size(), events.size(), step, probe, Map.of("id", String.valueOf(id))));
            events.add(new Event.Sent(events.size(), events.size(), step,
                    bytes("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"" + method + "\",\"params\":" + params + "}\n")));
            byte[] answer = bytes("{\"jsonrpc\":\"2.0\",\"id\":" + id + "," + outcome + "}");
            events.add(new Event.Received(events.size(), events.size(), answer, true, answer.length));
            events.add(new Event.StepEnded(events.size(), events.size(), step, StepOutcome.REPLIED, ""));
        }

        private static byte[] bytes(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }

        Transcript transcript() {
            return new Transcript(new TranscriptHeader("example", "0".repeat(64), "example", "legacy", "legacy-full@1", Era.LEGACY, "2025-11-25", List.of("example"), "",
                    "none", "example", Instant.ofEpochMilli(ClientJudge.FAILED_AT).toString(), 1, 1, 1), events);
        }
    }
}
