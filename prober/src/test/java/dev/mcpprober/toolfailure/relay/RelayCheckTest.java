package dev.mcpprober.toolfailure.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.Era;
import dev.mcpprober.toolfailure.ExactJson;
import dev.mcpprober.toolfailure.client.Answer;
import dev.mcpprober.toolfailure.client.ClientClock;
import dev.mcpprober.toolfailure.client.ClientSession;
import dev.mcpprober.toolfailure.wire.Lines;
import dev.mcpprober.toolfailure.wire.MemoryLines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RelayCheckTest {
    private static final RelayCheck.Pass LEGACY = new RelayCheck.Pass(Era.LEGACY, Era.LEGACY);
    private static final RelayCheck.Pass MODERN = new RelayCheck.Pass(Era.MODERN, Era.MODERN);
    private static final ClientSession.Settings SETTINGS = new ClientSession.Settings(Duration.ofMillis(50), Duration.ofMillis(50), "test");

    /** Puts something between the prober and a scripted server in this process. */
    private static RelayCheck check(Function<Lines, Lines> relay) {
        List<String> called = new ArrayList<>();
        return new RelayCheck(new RelayCheck.Bench() {
            @Override public Lines relay(RelayCheck.Pass pass) {
                called.clear();
                ScriptedServer server = new ScriptedServer(Set.of(pass.server()), called::add);
                return relay.apply(new MemoryLines(line -> MemoryLines.lines(server.answers(line).toArray(String[]::new))));
            }

            @Override public List<String> called() {
                return List.copyOf(called);
            }
        }, SETTINGS, ClientClock.SYSTEM);
    }

    /** A relay that rewrites each line of the server. */
    private static Function<Lines, Lines> rewriting(UnaryOperator<String> rewrite) {
        return server -> new MemoryLines(line -> {
            server.send(line);
            List<Lines.Arrival> out = new ArrayList<>();
            try {
                for (Lines.Arrival next = server.next(Duration.ZERO); next instanceof Lines.Arrival.Line text; next = server.next(Duration.ZERO)) {
                    out.add(new Lines.Arrival.Line(rewrite.apply(text.text())));
                }
            } catch (java.io.IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return out;
        });
    }

    private static Set<String> kinds(RelayCheck.Outcome outcome) {
        return outcome.rows().stream().flatMap(row -> row.losses().stream()).map(loss -> loss.kind().id()).collect(Collectors.toCollection(TreeSet::new));
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void ourRelayPreservesEveryCaseInBothEras(Era era) throws Exception {
        RelayCheck.Outcome outcome = check(server -> new RelayedLines(server, note -> { })).run(new RelayCheck.Pass(era, era));
        assertTrue(outcome.noSession().isEmpty(), outcome.noSession().toString());
        assertEquals(RelayCase.ALL.size() + 1, outcome.rows().size());
        assertEquals(Set.of(), kinds(outcome));
        assertTrue(outcome.preserved());
    }

    @Test
    void noRelayAtAllPreservesEverything() throws Exception {
        for (RelayCheck.Pass pass : List.of(LEGACY, MODERN)) {
            assertTrue(check(server -> server).run(pass).preserved());
        }
    }

    @Test
    void aRelayThatDoesNotTranslateErasHasNothingToPreserveThere() throws Exception {
        RelayCheck.Outcome outcome = check(server -> new RelayedLines(server, note -> { })).run(new RelayCheck.Pass(Era.MODERN, Era.LEGACY));
        assertTrue(outcome.noSession().isPresent());
        assertFalse(outcome.preserved());
        assertTrue(check(server -> server).run(new RelayCheck.Pass(Era.LEGACY, Era.MODERN)).noSession().orElseThrow().contains("-32022"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "1e3         | 1000.0 | number-rewritten",
            "1e3         | 1000   | number-rewritten",
            "1000.0      | 1000   | number-rewritten",
            "-0          | 0      | number-rewritten",
            "0.10        | 0.1    | number-rewritten",
            "9007199254740993 | 9007199254740992 | value-changed",
            "1e400       | null   | value-changed",
            "1e99999999999 | 1e99999999998 | value-changed",
            "\"a\"       | \"A\"  | value-changed",
            "true        | 1      | value-changed",
            "[1]         | [1,2]  | value-changed",
            "{\"a\":1}   | {}     | member-dropped",
            "{}          | {\"a\":1} | member-added",
            "{\"a\":[{\"b\":1}]} | {\"a\":[{\"b\":2}]} | value-changed",
    })
    void differencesAreNamed(String before, String after, String kind) {
        List<Loss> losses = Losses.between(result(before), new Answer.Result(result(after)));
        assertEquals(List.of(kind), losses.stream().map(loss -> loss.kind().id()).toList(), losses.toString());
        assertEquals(List.of(), Losses.between(result(before), new Answer.Result(result(before))));
    }

    private static ExactJson result(String object) {
        return ExactJson.parse("{\"isError\":true,\"_meta\":{\"io.modelcontextprotocol/toolFailure\":" + object + "}}").orElseThrow();
    }

    @Test
    void whitespaceEscapesAndTheOrderOfMembersAreNoDifference() {
        ExactJson came = ExactJson.parse("{ \"_meta\": {\"x\":1, \"io.modelcontextprotocol/toolFailure\" :{\"b\":\"\\u0041\\/\", \"a\":1 } },\"isError\":true}").orElseThrow();
        assertEquals(List.of(), Losses.between(result("{\"a\":1,\"b\":\"A/\"}"), new Answer.Result(came)));
    }

    @Test
    void whatIsGoneIsSaidWithWhereItWent() {
        String key = "\"io.modelcontextprotocol/toolFailure\":{}";
        assertEquals("key-moved", kind("{\"isError\":true,\"structuredContent\":{\"a/b\":[{" + key + "}]}}"));
        assertTrue(Losses.between(result("{}"), new Answer.Result(ExactJson.parse("{\"isError\":true,\"structuredContent\":{\"a/b\":[{" + key + "}]}}").orElseThrow()))
                .get(0).words().contains("/result/structuredContent/a~1b/0"));
        assertEquals("key-dropped", kind("{\"isError\":true,\"_meta\":{}}"));
        assertEquals("meta-dropped", kind("{\"isError\":true}"));
        assertEquals("error-flag", kind("{\"_meta\":{" + key + "}}"));
    }

    private static String kind(String came) {
        return Losses.between(result("{}"), new Answer.Result(ExactJson.parse(came).orElseThrow())).get(0).kind().id();
    }

    @Test
    void badRelaysAreToldApart() throws Exception {
        assertEquals(Set.of("meta-dropped"), kinds(check(rewriting(line -> line.replaceAll("\"_meta\":", "\"meta\":"))).run(LEGACY))
                .stream().map(kind -> kind.equals("key-moved") ? "meta-dropped" : kind).collect(Collectors.toSet()));
        assertTrue(kinds(check(rewriting(line -> line.replace("1e3", "1000.0"))).run(MODERN)).contains("number-rewritten"));
        assertTrue(kinds(check(rewriting(line -> line.replace("\"isError\":true,", ""))).run(LEGACY)).contains("error-flag"));
    }

    @Test
    void aRelayThatStopsAnsweringIsGivenUpSoon() throws Exception {
        Function<Lines, Lines> mute = server -> new MemoryLines(line -> {
            if (line.contains("tools/call")) {
                return List.of();
            }
            server.send(line);
            try {
                return server.next(Duration.ZERO) instanceof Lines.Arrival.Line text ? List.of(text) : List.of();
            } catch (java.io.IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        RelayCheck.Outcome outcome = check(mute).run(LEGACY);
        assertEquals(2, outcome.rows().size());
        assertEquals(RelayCase.ALL.size() - 2, outcome.unasked());
        assertEquals(Set.of("no-answer"), kinds(outcome));
        assertFalse(outcome.preserved());
    }

    /** Answers are handed to whoever asked first, whatever their ids: right as long as they come in order. */
    @Test
    void aRelayThatMixesUpAnswersIsFound() throws Exception {
        List<String> asked = new ArrayList<>();
        Function<Lines, Lines> mixing = server -> new MemoryLines(line -> {
            ExactJson frame = ExactJson.parse(line).orElseThrow();
            frame.member("id").ifPresent(id -> asked.add(id.json()));
            server.send(line);
            List<Lines.Arrival> out = new ArrayList<>();
            try {
                for (Lines.Arrival next = server.next(Duration.ZERO); next instanceof Lines.Arrival.Line text; next = server.next(Duration.ZERO)) {
                    out.add(new Lines.Arrival.Line(text.text().replaceFirst("\"id\":\\d+", "\"id\":" + asked.remove(0))));
                }
            } catch (java.io.IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
            return out;
        });
        RelayCheck.Outcome outcome = check(mixing).run(LEGACY);
        assertEquals(List.of("two-at-once"), outcome.rows().stream().filter(row -> !row.losses().isEmpty()).map(row -> row.asked().name()).toList());
        assertTrue(kinds(outcome).contains("value-changed"), kinds(outcome).toString());
    }

    @Test
    void callsAreCountedAtTheServer() throws Exception {
        Function<Lines, Lines> twice = server -> new MemoryLines(line -> {
            server.send(line);
            try {
                Lines.Arrival answer = server.next(Duration.ZERO);
                if (line.contains("tools/call")) {
                    server.send(line);
                    server.next(Duration.ZERO);
                }
                return answer instanceof Lines.Arrival.Line text ? List.of(text) : List.of();
            } catch (java.io.IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        assertTrue(kinds(check(twice).run(LEGACY)).contains("called-again"));
    }
}
