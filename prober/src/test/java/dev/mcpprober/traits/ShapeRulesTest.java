package dev.mcpprober.traits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.Era;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.Transcript;
import dev.mcpprober.transcript.TranscriptHeader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ShapeRulesTest {
    private static final ShapeRules RULES = ShapeRules.read();

    static List<ShapeRules.Rule> rules() {
        return RULES.rules();
    }

    private static FailureShape sorted(String text) {
        return RULES.sort(new FailedCall("p", "t", FailedCall.TOOL_ERROR, null, text, List.of(), 1, 2));
    }

    @ParameterizedTest
    @MethodSource("rules")
    void aRuleDecidesItsOwnExamplesAlone(ShapeRules.Rule rule) {
        assertTrue(ShapeRules.SHAPES.contains(rule.shape()), rule.shape());
        assertTrue(!rule.examples().isEmpty() || !rule.codes().isEmpty(), "no example");
        for (String example : rule.examples()) {
            FailureShape shape = sorted(example);
            assertEquals(rule.id() + " " + rule.shape(), shape.rule() + " " + shape.shape(), example);
        }
    }

    @Test
    void idsAreUniqueAndEveryBaselineCodeHasARule() {
        Set<String> ids = new HashSet<>();
        rules().forEach(rule -> assertTrue(ids.add(rule.id()), rule.id()));
        Set<String> shapes = new HashSet<>();
        rules().forEach(rule -> shapes.add(rule.shape()));
        assertEquals(new HashSet<>(ShapeRules.SHAPES), shapes);
        assertEquals("failure-shape@1", RULES.label());
    }

    /** Texts that look like something they are not, or like several things. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "Unexpected token < in JSON at position 0                | cannot-tell",
            "max_tokens is required                                  | invalid_input",
            "Error executing tool git_status: /tmp/x                 | cannot-tell",
            "                                                        | cannot-tell",
            "Nothing to do                                           | cannot-tell",
            "EACCES: permission denied, mkdir '/data'                | permission_denied",
            "Could not determine your location automatically.        | cannot-tell",
            "Unauthorized. Please approve the device in the app      | cannot-tell",
            "timeout must be a positive number                       | invalid_input",
            "The tool box was not found at home                      | cannot-tell",
            "503 Service Unavailable                                 | retryable_transient_error",
            "TypeError: x is not a function                          | cannot-tell",
            "open /tmp/x: no such file or directory                  | resource_not_found",
    })
    void lookAlikesAreNotTakenForTheRealThing(String text, String shape) {
        FailureShape sorted = sorted(text == null ? "" : text);
        assertEquals(shape, sorted.shape(), sorted.rule());
    }

    @Test
    void rulesOfOneGroupThatDisagreeDecideNothingAndAreNamed() {
        FailureShape shape = sorted("HTTP 403 Forbidden: your API key is invalid");
        assertEquals(ShapeRules.CANNOT_TELL, shape.shape());
        assertEquals("conflict:credential-missing+permission", shape.rule());
    }

    private final List<Event> events = new ArrayList<>();

    private Transcript transcript(String... exchanges) {
        events.add(new Event.Started(0, 0, List.of("s")));
        for (int i = 0; i < exchanges.length; i++) {
            events.add(new Event.StepBegan(events.size(), 0, "s" + i, "tools-call-unknown", Map.of()));
            events.add(new Event.Sent(events.size(), 0, "s" + i, bytes("{\"jsonrpc\":\"2.0\",\"id\":" + i + ",\"method\":\"tools/call\",\"params\":{\"name\":\"book\"}}\n")));
            byte[] answer = bytes("{\"jsonrpc\":\"2.0\",\"id\":" + i + "," + exchanges[i] + "}");
            events.add(new Event.Received(events.size(), 0, answer, true, answer.length));
        }
        return new Transcript(new TranscriptHeader("a", "0".repeat(64), "t", "legacy", "legacy-full@1", Era.LEGACY, "2025-11-25", List.of("s"), "", "none", "v",
                "2026-12-01T00:00:00Z", 1, 1, 1), events);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void failedCallsAreThoseThatTheProtocolCallsFailed() {
        List<FailedCall> calls = FailedCalls.of(transcript("\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"fine\"}]}",
                "\"result\":{\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"image\"},{\"type\":\"text\",\"text\":\"b\"}]}",
                "\"error\":{\"code\":-32602,\"message\":\"no\"}", "\"result\":{\"isError\":\"true\",\"content\":[]}", "\"result\":null", "\"error\":{\"code\":1.5}",
                "\"result\":{\"isError\":false,\"content\":[{\"type\":\"text\",\"text\":\"Error: nope\"}]}"));
        assertEquals(List.of("tool-error a\nb null", "protocol-error no -32602", "protocol-error  null"),
                calls.stream().map(call -> call.channel() + " " + call.text() + " " + call.code()).toList());
        assertEquals("tools-call-unknown", calls.get(0).probe());
        assertEquals("book", calls.get(0).tool());
        assertTrue(events.get(calls.get(0).event()) instanceof Event.Received && events.get(calls.get(0).sentAt()) instanceof Event.Sent);
    }

    /** 2^64 - 32601 is -32601 where the upper bits are dropped. */
    @Test
    void aCodeIsReadAsObservationsReadIt() {
        List<FailedCall> calls = FailedCalls.of(transcript("\"error\":{\"code\":18446744073709519015,\"message\":\"a\"}", "\"error\":{\"code\":-32602.0,\"message\":\"b\"}",
                "\"error\":{\"code\":1e400,\"message\":\"c\"}", "\"error\":{\"code\":\"-32601\",\"message\":\"d\"}", "\"error\":{\"code\":-9223372036854775808,\"message\":\"e\"}"));
        assertEquals(List.of("a null", "b -32602", "c null", "d null", "e -9223372036854775808"), calls.stream().map(call -> call.text() + " " + call.code()).toList());
    }

    @Test
    void whatAFailureCarriesAlreadyIsNamedWithItsPlace() {
        List<FailureShape> shapes = RULES.of(transcript(
                "\"result\":{\"isError\":true,\"content\":[],\"structuredContent\":{\"error\":{\"retry_after\":30,\"errorCode\":\"E7\",\"request-id\":\"r\"}},\"_meta\":{\"x\":{\"traceId\":\"t\"}},"
                        + "\"hint\":\"wait\"}",
                "\"result\":{\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"{\\\"code\\\":\\\"X\\\",\\\"retryable\\\":false,\\\"codes\\\":[1],\\\"hint\\\":null}\"}]}",
                "\"error\":{\"code\":-32000,\"message\":\"no\",\"data\":{\"suggestion\":\"ask\"},\"reference_id\":7}",
                "\"result\":{\"isError\":true,\"content\":[{\"type\":\"text\",\"text\":\"retry after 30 s\"}]}"));
        assertEquals(List.of("code@structured", "guidance@beside", "id@meta", "id@structured", "retry-hint@structured"), shapes.get(0).lookAlikes());
        assertEquals(List.of("code@json-text", "retry-hint@json-text"), shapes.get(1).lookAlikes());
        assertEquals(List.of("guidance@error-data", "id@beside"), shapes.get(2).lookAlikes());
        assertEquals(List.of("retry-hint@prose"), shapes.get(3).lookAlikes());
        assertEquals(List.of(), shapes.get(3).keys());
        assertEquals(List.of("id@prose"), sorted("Request: POST /x\nID: 35532116-83ce-4456-a7a8-99f5ca2954df").lookAlikes());
        assertEquals(List.of(), sorted("The id: 7 is unknown; the request identifies nothing. Retry it.").lookAlikes());
        assertEquals(List.of("errorCode", "hint", "request-id", "retry_after", "traceId"), shapes.get(0).keys());
    }

    @Test
    void hostileTextsCostLittle() {
        Assertions.assertTimeoutPreemptively(Duration.ofSeconds(20), () -> {
            for (String bit : List.of("a", "tool ", "tool 'x", "api key ", "is ", "/", "missing 'a' or ", "file ", "timeout ", "\"path\": [ ", "A_", "x not ")) {
                assertFalse(sorted(bit.repeat(4_000 / bit.length())).rule().isEmpty());
            }
        });
    }
}
