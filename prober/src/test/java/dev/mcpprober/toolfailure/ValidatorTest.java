package dev.mcpprober.toolfailure;

import static dev.mcpprober.toolfailure.Statement.AGENT_GUIDANCE_STRING;
import static dev.mcpprober.toolfailure.Statement.CLASS_ENUM;
import static dev.mcpprober.toolfailure.Statement.CODE_BASELINE;
import static dev.mcpprober.toolfailure.Statement.CODE_CLASS_CONSISTENT;
import static dev.mcpprober.toolfailure.Statement.CODE_STRING;
import static dev.mcpprober.toolfailure.Statement.CORRELATION_ID_NO_SENSITIVE;
import static dev.mcpprober.toolfailure.Statement.CORRELATION_ID_PRESENT;
import static dev.mcpprober.toolfailure.Statement.RETRYABLE_ONLY_RELIABILITY;
import static dev.mcpprober.toolfailure.Statement.RETRY_NOT_BEFORE_EPOCH_MS;
import static dev.mcpprober.toolfailure.Statement.RETRY_NOT_BEFORE_PAIRED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.io.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValidatorTest {
    private static final String AT = "2026-12-01T00:00:00Z";
    private static final String GOOD = "\"class\":\"reliability\",\"code\":\"retryable_transient_error\",\"retryable\":true,\"retryNotBefore\":1796083200000,"
            + "\"correlationId\":\"f-81a2c4\",\"agentGuidance\":\"Try again later.\"";
    private static final Canary SECRET = new Canary(Finding.Kind.ARGUMENT, "Zoë/Müller 7");

    private static List<Finding> judge(String value, Canary... canaries) {
        return Validator.judge(ExactJson.parse(value).orElseThrow(), new Validator.Surroundings(AT, List.of(canaries)));
    }

    /** {@code state}, or {@code state kind}. */
    private static String of(List<Finding> findings, Statement statement) {
        List<Finding> found = findings.stream().filter(f -> f.statement() == statement).toList();
        assertEquals(1, found.size(), statement + " has one finding");
        return found.get(0).state() + (found.get(0).kind() == null ? "" : " " + found.get(0).kind().id());
    }

    /** The faults of an object, e.g. {@code class-enum missing}. */
    private static String faults(List<Finding> findings) {
        assertEquals(Statement.values().length, findings.size());
        return findings.stream().filter(f -> f.state() == Finding.State.VIOLATES)
                .map(f -> f.statement().id().substring("sep-3313-".length()) + " " + f.kind().id()).collect(Collectors.joining(", "));
    }

    private static List<Finding> with(String name, String json) {
        String members = GOOD.replaceFirst("\"" + name + "\":(\"[^\"]*\"|[^,]*),?", "").replaceFirst(",$", "");
        return judge("{" + members + (json == null ? "" : ",\"" + name + "\":" + json) + "}");
    }

    @Test
    void aGoodObjectKeepsEveryStatement() {
        List<Finding> findings = judge("{" + GOOD + "}", SECRET);
        findings.forEach(f -> assertEquals(Finding.State.PRESENT, f.state(), f.toString()));
        assertEquals("", faults(judge("{\"class\":\"governance\",\"code\":\"auth_required\",\"correlationId\":\"x\",\"extra\":{\"deep\":[1]}}")));
    }

    @Test
    void eachMemberAlone() {
        assertEquals("class-enum missing", faults(judge("{\"code\":\"auth_required\",\"correlationId\":\"x\"}")));
        assertEquals("class-enum type", faults(with("class", "7")));
        assertEquals("class-enum unknown-value", faults(with("class", "\"transient\"")));
        assertEquals("class-enum unknown-value", faults(with("class", "\"Reliability\"")));
        assertEquals("class-enum unknown-value", faults(with("class", "\"reliability \"")));
        assertEquals("code-string missing", faults(with("code", null)));
        assertEquals("code-string type", faults(with("code", "null")));
        assertEquals("correlation-id-present missing", faults(with("correlationId", null)));
        assertEquals("correlation-id-present type", faults(with("correlationId", "12")));
        assertEquals("correlation-id-present empty", faults(with("correlationId", "\"\"")));
        assertEquals("correlation-id-present empty", faults(with("correlationId", "\" \\t\"")));
        assertEquals("", faults(with("agentGuidance", null)));
        assertEquals("agent-guidance-string type", faults(with("agentGuidance", "[\"a\"]")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "[]", "[\"capability\"]", "\"capability\"", "1", "true"})
    void aValueThatIsNoObjectIsOneFaultAndNotTen(String value) {
        assertEquals("class-enum no-object", faults(judge(value)));
        assertEquals("UNDECIDED", of(judge(value), CODE_STRING));
        assertEquals("UNDECIDED", of(judge(value), CORRELATION_ID_PRESENT));
    }

    @Test
    void codesAreOpen() {
        assertEquals("PRESENT own-code", of(with("code", "\"quota_exceeded\""), CODE_BASELINE));
        assertEquals("PRESENT", of(with("code", "\"quota_exceeded\""), CODE_CLASS_CONSISTENT));
        assertEquals("PRESENT own-code", of(with("code", "\"\""), CODE_BASELINE));
        for (String code : List.of("authRequired", "AUTH_REQUIRED", "auth-required", "Auth Required")) {
            assertEquals("code-baseline respelled", faults(judge("{\"class\":\"governance\",\"code\":\"" + code + "\",\"correlationId\":\"x\"}")), code);
        }
        assertEquals("UNDECIDED", of(with("code", "3"), CODE_BASELINE));
    }

    @ParameterizedTest
    @CsvSource({"capability, invalid_input, PRESENT", "reliability, retryable_transient_error, PRESENT", "governance, permission_denied, PRESENT",
        "capability, permission_denied, PRESENT", "reliability, permission_denied, VIOLATES wrong-class", "capability, auth_required, VIOLATES wrong-class",
        "governance, invalid_input, VIOLATES wrong-class", "reliability, own_code, PRESENT", "transient, auth_required, UNDECIDED"})
    void codesGoWithTheirClass(String failureClass, String code, String expected) {
        assertEquals(expected, of(judge("{\"class\":\"" + failureClass + "\",\"code\":\"" + code + "\",\"correlationId\":\"x\"}"), CODE_CLASS_CONSISTENT));
    }

    @ParameterizedTest
    @CsvSource({"reliability, true, PRESENT", "reliability, false, PRESENT", "capability, true, VIOLATES wrong-class", "governance, true, VIOLATES wrong-class",
        "governance, false, PRESENT", "Capability, true, UNDECIDED", "Capability, false, PRESENT", "reliability, '\"false\"', VIOLATES type",
        "reliability, null, VIOLATES type", "governance, 1, VIOLATES type"})
    void retryableIsForReliability(String failureClass, String retryable, String expected) {
        String object = "{\"class\":\"" + failureClass + "\",\"code\":\"c\",\"correlationId\":\"x\"";
        assertEquals(expected, of(judge(object + ",\"retryable\":" + retryable + "}"), RETRYABLE_ONLY_RELIABILITY));
        assertEquals("ABSENT", of(judge(object + "}"), RETRYABLE_ONLY_RELIABILITY));
    }

    @Test
    void aTimeGoesWithRetryableTrue() {
        assertEquals("VIOLATES unpaired", of(with("retryable", null), RETRY_NOT_BEFORE_PAIRED));
        assertEquals("VIOLATES unpaired", of(with("retryable", "false"), RETRY_NOT_BEFORE_PAIRED));
        assertEquals("UNDECIDED", of(with("retryable", "\"true\""), RETRY_NOT_BEFORE_PAIRED));
        assertEquals("ABSENT", of(with("retryNotBefore", null), RETRY_NOT_BEFORE_PAIRED));
    }

    /** AT is 1796083200000; ten years later is 2111702400000 by the count of days used. */
    @ParameterizedTest
    @CsvSource({"1796083200000, PRESENT", "1.7960832e12, PRESENT", "1796083200000.5, PRESENT", "1000000000000, PRESENT", "999999999999.9, VIOLATES too-small",
        "1796083200, VIOLATES too-small", "30000, VIOLATES too-small", "0, VIOLATES too-small", "-1796083200000, VIOLATES too-small", "1e-400, VIOLATES too-small",
        "2111702400000, PRESENT", "2111702400001, VIOLATES far-future", "9007199254740993, VIOLATES far-future", "1e400, VIOLATES far-future",
        "1e99999999999, VIOLATES far-future", "'\"1796083200000\"', VIOLATES type", "null, VIOLATES type", "'\"2026-12-01T00:00:00Z\"', VIOLATES type"})
    void timesAreMillisecondsSince1970(String time, String expected) {
        assertEquals(expected, of(with("retryNotBefore", time), RETRY_NOT_BEFORE_EPOCH_MS));
        assertEquals("ABSENT", of(with("retryNotBefore", null), RETRY_NOT_BEFORE_EPOCH_MS));
    }

    @Test
    void withoutAStartNoTimeIsTooFarOff() {
        for (String at : List.of("", "yesterday", "+999999999-12-31T23:59:59Z")) {
            List<Finding> findings = Validator.judge(ExactJson.parse("{\"retryNotBefore\":9007199254740993}").orElseThrow(), new Validator.Surroundings(at, List.of()));
            assertEquals("PRESENT", of(findings, RETRY_NOT_BEFORE_EPOCH_MS), at);
        }
    }

    private static String secret(String id, Canary canary) {
        return of(judge("{\"correlationId\":" + Json.write(com.fasterxml.jackson.databind.node.TextNode.valueOf(id)) + "}", canary), CORRELATION_ID_NO_SENSITIVE);
    }

    @Test
    void whatWasSentIsFoundInEveryDisguise() {
        byte[] bytes = SECRET.text().getBytes(StandardCharsets.UTF_8);
        List<String> ids = new ArrayList<>(List.of("req-" + SECRET.text(), SECRET.text().toUpperCase(java.util.Locale.ROOT), "Zo%C3%AB%2fM%c3%bcller%207", "100%-zo%C3%AB/M%C3%BCller 7",
                "Zo\\u00eb\\/M\\u00fcller 7", "0x" + HexFormat.of().formatHex(bytes), HexFormat.of().withUpperCase().formatHex(bytes)));
        for (int before = 0; before < 5; before++) {
            byte[] around = ("abcde".substring(0, before) + SECRET.text() + "!").getBytes(StandardCharsets.UTF_8);
            ids.add("id:" + Base64.getEncoder().encodeToString(around));
            ids.add(Base64.getUrlEncoder().withoutPadding().encodeToString(around) + ".sig");
        }
        ids.add("eyJhbGciOiJub25lIn0." + Base64.getUrlEncoder().withoutPadding().encodeToString(("{\"sub\":\"" + SECRET.text() + "\"}").getBytes(StandardCharsets.UTF_8)) + ".");
        for (String id : ids) {
            assertEquals("VIOLATES argument", secret(id, SECRET), id);
        }
        assertEquals("VIOLATES client-info", secret("mcp-prober-77", new Canary(Finding.Kind.CLIENT_INFO, "mcp-prober")));
    }

    @Test
    void opaqueIdsHoldNothing() {
        Random random = new Random(3313);
        for (int i = 0; i < 2_000; i++) {
            byte[] bytes = new byte[16];
            random.nextBytes(bytes);
            assertEquals("PRESENT", secret(HexFormat.of().formatHex(bytes), SECRET));
            assertEquals("PRESENT", secret(Base64.getEncoder().encodeToString(bytes), new Canary(Finding.Kind.ARGUMENT, "mcp-prober")));
        }
        assertEquals("PRESENT", secret("a1b2-77", new Canary(Finding.Kind.ARGUMENT, "77")), "short texts are left out");
        assertEquals("UNDECIDED", secret(" ", SECRET));
        assertEquals("UNDECIDED", of(judge("{}", SECRET), CORRELATION_ID_NO_SENSITIVE));
    }

    @Test
    void wordsStayShortAndNothingThrows() {
        String giant = "\"" + "x".repeat(3_000_000) + "\"";
        String deep = "[".repeat(900) + "]".repeat(900);
        for (String name : List.of("class", "code", "retryable", "retryNotBefore", "correlationId", "agentGuidance")) {
            for (String value : List.of(giant, deep, "{}", "-0", "1e99999999999", "\"\\ud800\"", "\"%\"", "\"\\\\u12\"", "\"%ff%fe\"")) {
                with(name, value).forEach(f -> assertTrue(f.words().length() < 400, f.statement().id()));
                judge("{\"" + name + "\":" + value + "}", SECRET);
            }
        }
        assertEquals("VIOLATES type", of(with("agentGuidance", deep), AGENT_GUIDANCE_STRING));
        assertEquals("VIOLATES type", of(with("class", deep), CLASS_ENUM));
    }
}
