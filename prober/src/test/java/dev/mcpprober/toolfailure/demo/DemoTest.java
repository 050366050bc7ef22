package dev.mcpprober.toolfailure.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.Era;
import dev.mcpprober.toolfailure.ExactJson;
import dev.mcpprober.toolfailure.FailureClass;
import dev.mcpprober.toolfailure.client.Ground;
import dev.mcpprober.toolfailure.wire.Lines;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table tells right from wrong, on a server within this process. */
class DemoTest {
    private static final String KEY = "\"io.modelcontextprotocol/toolFailure\":";
    private static final Scenario NOT_FOUND = new Scenario("unknown-id", "no such id", "get", new ExactJson.Obj(Map.of()), Scenario.Client.TRUSTING,
            Optional.of(new Scenario.Expected(FailureClass.CAPABILITY, "resource_not_found", Optional.empty(), Scenario.When.NONE)), List.of(Ground.CAPABILITY), Scenario.End.FAILURE);
    private static final Scenario DOWN_THEN_UP = new Scenario("down-then-up", "down for one call", "get", new ExactJson.Obj(Map.of()), Scenario.Client.TRUSTING,
            Optional.of(new Scenario.Expected(FailureClass.RELIABILITY, "retryable_transient_error", Optional.of(true), Scenario.When.NONE)),
            List.of(Ground.RETRY, Ground.SUCCESS), Scenario.End.SUCCESS);

    /** Answers calls with the results given, in order, and logs as told. */
    private static final class Server implements Lines {
        private final Deque<Arrival> arrivals = new ArrayDeque<>();
        private final Deque<String> results;
        private final Consumer<String> log;
        private final List<String> logged;

        Server(List<String> results, List<String> logged, Consumer<String> log) {
            this.results = new ArrayDeque<>(results);
            this.logged = logged;
            this.log = log;
        }

        @Override
        public void send(String line) {
            ExactJson frame = ExactJson.parse(line).orElseThrow();
            String id = frame.member("id").map(ExactJson::json).orElse("");
            String method = frame.member("method").flatMap(ExactJson::asText).orElse("");
            if (method.equals("initialize")) {
                answer(id, "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}");
            } else if (method.equals("tools/list")) {
                answer(id, "{\"tools\":[{\"name\":\"get\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":{\"idempotentHint\":true}}]}");
            } else if (method.equals("tools/call")) {
                logged.forEach(log);
                answer(id, results.remove());
            }
        }

        private void answer(String id, String result) {
            arrivals.add(new Arrival.Line("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}"));
        }

        @Override
        public Arrival next(Duration limit) {
            return arrivals.isEmpty() ? new Arrival.Nothing() : arrivals.remove();
        }

        @Override
        public void endInput() {
            arrivals.add(new Arrival.Ended("the server ended with status 0"));
        }

        @Override
        public void close() {}
    }

    private static String object(String members) {
        return "{" + members + ",\"correlationId\":\"f-1\"}";
    }

    private static String error(String object) {
        return "{\"content\":[],\"isError\":true,\"_meta\":{" + KEY + object + "}}";
    }

    private static String logOf(String failureClass, String code) {
        return "{\"correlationId\":\"f-1\",\"class\":\"" + failureClass + "\",\"code\":\"" + code + "\",\"cause\":\"none in the shelf\"}";
    }

    private static Passage run(Scenario scenario, boolean relayed, List<String> results, List<String> logged) throws Exception {
        return Passage.run(scenario, Era.LEGACY, relayed, log -> new Server(results, logged, log), "test");
    }

    private static Row row(Scenario scenario, List<String> results, List<String> logged) throws Exception {
        return Row.of("server", scenario, run(scenario, false, results, logged), run(scenario, true, results, logged));
    }

    private static final String GOOD = "\"class\":\"capability\",\"code\":\"resource_not_found\"";
    private static final List<String> GOOD_LOG = List.of("ready", logOf("capability", "resource_not_found"));

    private static String problems(String members, List<String> log) throws Exception {
        return String.join("\n", row(NOT_FOUND, List.of(error(object(members))), log).problems());
    }

    @Test
    void aRightRow() throws Exception {
        Row row = row(NOT_FOUND, List.of(error(object(GOOD))), GOOD_LOG);
        assertEquals(List.of(), row.problems());
        assertEquals("capability/resource_not_found", row.classification());
        assertEquals("f-1 none in the shelf", row.logInShort());
        assertEquals("preserved to the digit (1 object)", row.relay());
        assertTrue(row.did().startsWith("1 call: stops"), row.did());
        assertTrue(row.why().startsWith("sep-3313-client-no-retry-capability-governance: "), row.why());
        assertTrue(ExactJson.parse(row.json()).isPresent());
        Stream.of(true, false).flatMap(row::transcript).forEach(line -> assertTrue(ExactJson.parse(line).isPresent(), line));
    }

    @Test
    void aRetriedRow() throws Exception {
        String down = object("\"class\":\"reliability\",\"code\":\"retryable_transient_error\",\"retryable\":true");
        Passage passage = run(DOWN_THEN_UP, true, List.of(error(down), "{\"content\":[]}"), List.of());
        assertEquals(List.of("relayed: 0 lines of the server's log match the correlationId f-1", "relayed: 0 failures in the server's log, 1 answered"),
                Judge.problems(DOWN_THEN_UP, passage));
        assertEquals(2, passage.trail().tries().size());
    }

    @Test
    void everyFaultOfAServerShows() throws Exception {
        assertTrue(problems("\"class\":\"capability\",\"code\":\"invalid_input\"", GOOD_LOG).contains("code is invalid_input, expected resource_not_found"));
        assertTrue(problems(GOOD + ",\"retryable\":false", GOOD_LOG).contains("retryable is false, expected absent"));
        assertTrue(problems(GOOD + ",\"retryNotBefore\":1796083200000", GOOD_LOG).contains("sep-3313-retry-not-before-paired"));
        assertTrue(problems("\"class\":\"governance\",\"code\":\"resource_not_found\"", GOOD_LOG).contains("the client's grounds are [GOVERNANCE], expected [CAPABILITY]"));
        assertTrue(problems(GOOD, List.of()).contains("0 lines of the server's log match the correlationId f-1"));
        assertTrue(problems(GOOD, List.of(logOf("governance", "auth_required"))).contains("0 lines of the server's log match"), "the id alone is no match");
        assertTrue(problems(GOOD, List.of(GOOD_LOG.get(1), GOOD_LOG.get(1))).contains("2 lines of the server's log match"));
        Row onSuccess = row(NOT_FOUND, List.of("{\"content\":[],\"_meta\":{" + KEY + object(GOOD) + "}}"), GOOD_LOG);
        assertTrue(onSuccess.problems().contains("direct: the key on something that is no error"), onSuccess.problems().toString());
        assertTrue(onSuccess.problems().contains("direct: the end is SUCCESS, expected FAILURE"), onSuccess.problems().toString());
        Row opaque = row(NOT_FOUND, List.of("{\"content\":[],\"isError\":true}"), List.of());
        assertTrue(opaque.problems().contains("direct: an error without the key"), opaque.problems().toString());
        assertFalse(opaque.right());
    }

    @Test
    void whatARelayLosesShows() throws Exception {
        Passage whole = run(NOT_FOUND, true, List.of(error(object(GOOD + ",\"n\":1e3"))), GOOD_LOG);
        assertEquals(List.of(), Judge.problems(NOT_FOUND, whole));
        assertTrue(edited(whole, "1e3", "1000.0").contains("came out of the relay as a result with {"));
        assertTrue(edited(whole, KEY, "\"other\":").contains("as a result without the key"));
        assertTrue(edited(whole, "\"isError\":true", "\"isError\":false").isEmpty(), "looked at by the client, which saw it before the edit");
        assertTrue(edited(whole, "\"result\":{\"content\"", "\"error\":{\"content\"").contains("as a protocol error"));
        assertTrue(edited(whole, "dev.mcpprober/relay", "x").contains("its own key into _meta of 0 results"));
        List<Passage.Passed> same = whole.lines().stream().map(line -> new Passage.Passed(line.at(), line.server(), line.sent(), line.line().replace("\"id\":700", "\"id\":"))).toList();
        assertTrue(String.join("\n", RelayWatch.problems(new Passage(whole.revision(), true, whole.trail(), same, whole.log()))).contains("the client's id behind the relay too"));
        List<Passage.Passed> shorter = whole.lines().stream().filter(line -> line.server() || line.sent() || !line.line().contains("isError")).toList();
        Passage lost = new Passage(whole.revision(), true, whole.trail(), shorter, whole.log());
        assertTrue(RelayWatch.problems(lost).get(0).contains("the server sent 3 responses, the client got 2"), RelayWatch.problems(lost).toString());
    }

    /** Problems of the relay once what it gave the client reads otherwise. */
    private static String edited(Passage passage, String from, String to) {
        List<Passage.Passed> lines = new ArrayList<>();
        passage.lines().forEach(line -> lines.add(line.server() || line.sent() ? line
                : new Passage.Passed(line.at(), false, false, line.line().replace(from, to))));
        return String.join("\n", RelayWatch.problems(new Passage(passage.revision(), true, passage.trail(), lines, passage.log())));
    }

    @Test
    void hostileTextsStayTexts() throws Exception {
        String hostile = "a\\u001b[2Jb|c<script>`x`\\nd \\u202e";
        Row row = row(NOT_FOUND, List.of(error("{\"class\":\"capability\",\"code\":\"" + hostile + "\",\"correlationId\":\"" + hostile + "\"}")),
                List.of("{\"correlationId\":\"" + hostile + "\",\"class\":\"capability\",\"code\":\"" + hostile + "\",\"cause\":\"" + hostile + "\"}"));
        String table = String.join("\n", DemoTable.lines(List.of(row)));
        String report = DemoReport.markdown(List.of(row), List.of("server: <b>"), "1", "now");
        for (String text : List.of(table, report)) {
            assertTrue(text.chars().noneMatch(c -> c == 0x1b || c == 0x202e), text);
        }
        assertFalse(report.contains("<script") || report.contains("<b>"), report);
        assertTrue(report.lines().filter(line -> line.startsWith("| WRONG")).count() == 1, report);
        assertTrue(row.transcript(false).noneMatch(line -> line.indexOf(0x1b) >= 0 || line.indexOf('\n') >= 0));
    }

    @Test
    void cellsAreWrapped() {
        assertEquals(List.of("one two", "three"), DemoTable.wrap("one two three", 8));
        assertEquals(List.of("down-", "then-up"), DemoTable.wrap("down-then-up", 8));
        assertEquals(List.of("abcdefgh", "ij kl"), DemoTable.wrap("abcdefghij kl", 8));
        assertEquals(List.of("exactly8", "x"), DemoTable.wrap("exactly8 x", 8));
        assertEquals(List.of(""), DemoTable.wrap("", 8));
    }
}
