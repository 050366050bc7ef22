package dev.mcpprober.observation;

import static dev.mcpprober.transcript.StepOutcome.DEADLINE;
import static dev.mcpprober.transcript.StepOutcome.REPLIED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Purity, framing and encoding of stdout, over whole sessions. */
class StdoutObservationTest {
    private static final Set<String> WHEN = Set.of(Flag.BEFORE_HANDSHAKE, Flag.IN_CALL, Flag.BETWEEN_REQUESTS);

    private static Tape open() {
        return Tape.open("2025-11-25");
    }

    /** The flags that say what it is, without those that say who wrote it and when. */
    private static Set<String> kinds(Seen seen) {
        return seen.flags(Check.STDOUT_PURITY).stream().filter(flag -> !flag.startsWith("by-") && !WHEN.contains(flag)).collect(Collectors.toSet());
    }

    @Test
    void cleanOutputConforms() {
        Seen seen = open().seen();
        assertEquals("conforms", seen.observed(Check.STDOUT_PURITY));
        assertEquals("conforms", seen.observed(Check.STDOUT_FRAMING));
        assertEquals("conforms", seen.observed(Check.STDOUT_UTF8));
    }

    @Test
    void silenceIsNoPurity() {
        Seen seen = Tape.legacy("legacy", "legacy-full").step("initialize", "server-initialize").ask("initialize").end(DEADLINE).seen();
        assertEquals("nothing was written to stdout", seen.reason(Check.STDOUT_PURITY));
        assertEquals("nothing was written to stdout", seen.reason(Check.STDOUT_FRAMING));
        assertEquals("nothing was written to stdout", seen.reason(Check.STDOUT_UTF8));
    }

    @Test
    void noiseIsCountedWhereverItComes() {
        Tape before = Tape.legacy("legacy", "legacy-full").get("=== banner ===");
        Seen seen = before.handshake("server-initialize", "2025-11-25", "{}").step("stdin-eof", "stdin-eof").closeStdin().rest("bye").exits(0).end(REPLIED).seen();
        assertEquals("violates", seen.observed(Check.STDOUT_PURITY));
        assertEquals(Set.of(Flag.TEXT), kinds(seen));
        assertEquals(List.of(1, 11), seen.witness(Check.STDOUT_PURITY), "the banner and the last word after end of file");
        assertEquals("conforms", seen.observed(Check.STDOUT_FRAMING));
    }

    /** The beginning of a line is enough to tell text from a message. */
    @Test
    void aLinePastOurLimitThatBeginsAsTextIsText() {
        Seen dots = open().truncated("....", 30_000_000).seen();
        assertEquals("violates", dots.observed(Check.STDOUT_PURITY));
        assertEquals(Set.of(Flag.TEXT, Flag.PARTLY_UNREAD), kinds(dots));
        for (String begins : List.of("{\"jsonrpc\":", "  {", "[{", "   ")) {
            assertEquals("conforms", open().truncated(begins, 30_000_000).seen().observed(Check.STDOUT_PURITY), begins);
        }
        Tape asked = open().step("ping", "ping").ask("ping");
        assertEquals("not-run", asked.truncated("{\"jsonrpc\":", 30_000_000).end(DEADLINE).seen().observed(Check.PING), "it may have been the answer");
        Tape told = open().step("ping", "ping").ask("ping");
        assertEquals("no-response", told.truncated("....", 30_000_000).end(DEADLINE).seen().observed(Check.PING), "it was not");
    }

    @Test
    void jsonThatIsNoMessageIsNoise() {
        for (String line : List.of("42", "\"text\"", "{\"level\":\"info\"}", "null", "[]", "[1]", "{}")) {
            assertEquals(Set.of(Flag.JSON_NO_MESSAGE), kinds(open().get(line).seen()), line);
        }
    }

    @Test
    void smallFaultsHaveTheirOwnKinds() {
        assertEquals(Set.of(Flag.BLANK_LINE), kinds(open().get("").seen()));
        assertEquals(Set.of(Flag.CR), kinds(open().get("{\"jsonrpc\":\"2.0\",\"method\":\"x\"}\r").seen()));
        assertEquals(Set.of(Flag.BOM), kinds(open().get("\uFEFF{\"jsonrpc\":\"2.0\",\"method\":\"x\"}").seen()));
        assertEquals(Set.of(Flag.BLANK_LINE, Flag.TEXT), kinds(open().get("").get("x").seen()));
    }

    @Test
    void arraysAreMessagesInOneRevisionOnly() {
        String batch = "[{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}]";
        assertEquals("conforms", Tape.open("2025-03-26").get(batch).seen().observed(Check.STDOUT_PURITY));
        assertEquals(Set.of(Flag.BATCH), kinds(Tape.open("2024-11-05").get(batch).seen()));
        assertEquals(Set.of(Flag.BATCH), kinds(open().get(batch).seen()));
    }

    @Test
    void lineSeparatorsAndEscapesInsideStringsAreLegal() {
        Seen seen = open().get("{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{\"a\":\"b\u2028c\u2029d\u0085e\\nf\\ud83d\"}}").seen();
        assertEquals("conforms", seen.observed(Check.STDOUT_PURITY));
        assertEquals("conforms", seen.observed(Check.STDOUT_FRAMING));
        assertEquals("conforms", seen.observed(Check.STDOUT_UTF8));
    }

    @Test
    void serverRequestsAreNoImpurity() {
        assertEquals("conforms", open().get("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"roots/list\"}").seen().observed(Check.STDOUT_PURITY));
    }

    @Test
    void stderrNeverCounts() {
        assertEquals("conforms", open().stderr("noise\n").seen().observed(Check.STDOUT_PURITY));
    }

    @Test
    void aPrettyPrintedMessageIsAFramingFaultAndNoText() {
        Tape tape = Tape.legacy("legacy", "legacy-full").step("initialize", "server-initialize").ask("initialize");
        for (String line : "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 1,\n  \"result\": {\n    \"protocolVersion\": \"2025-11-25\",\n    \"x\": [\n      \"text\"\n    ]\n  }\n}".split("\n")) {
            tape.get(line);
        }
        Seen seen = tape.end(DEADLINE).seen();
        assertEquals("violates", seen.observed(Check.STDOUT_FRAMING));
        assertEquals(Set.of(Flag.MULTI_LINE), seen.flags(Check.STDOUT_FRAMING));
        assertEquals("conforms", seen.observed(Check.STDOUT_PURITY));
        assertEquals("invalid-response", seen.observed(Check.SERVER_INITIALIZE));
        assertEquals(Set.of(Flag.FRAMING), seen.flags(Check.SERVER_INITIALIZE));
    }

    @Test
    void aRawLineFeedInsideAStringIsAFramingFault() {
        Seen seen = open().step("ping", "ping").ask("ping").get("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"a\":\"one").get("two\"}}").end(DEADLINE).alive("ping").seen();
        assertEquals(Set.of(Flag.MULTI_LINE), seen.flags(Check.STDOUT_FRAMING));
        assertEquals("invalid-response", seen.observed(Check.PING));
    }

    @Test
    void twoMessagesOnOneLine() {
        Seen seen = open().step("ping", "ping").ask("ping").get("{\"jsonrpc\":\"2.0\",\"method\":\"x\"}{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}").end(DEADLINE).alive("ping").seen();
        assertEquals(Set.of(Flag.SAME_LINE), seen.flags(Check.STDOUT_FRAMING));
        assertEquals("conforms", seen.observed(Check.STDOUT_PURITY));
        assertEquals("invalid-response", seen.observed(Check.PING));
    }

    @Test
    void textGluedToAMessageIsNoise() {
        Seen seen = open().get("Done{\"jsonrpc\":\"2.0\",\"method\":\"x\"}").seen();
        assertEquals(Set.of(Flag.TEXT), kinds(seen));
        assertEquals("conforms", seen.observed(Check.STDOUT_FRAMING));
    }

    @Test
    void headersOfAnotherFraming() {
        Seen seen = Tape.legacy("legacy", "legacy-full").step("initialize", "server-initialize").ask("initialize")
                .get("Content-Length: 38\r").get("\r").rest("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}").end(DEADLINE).seen();
        assertTrue(seen.flags(Check.STDOUT_PURITY).contains(Flag.CONTENT_LENGTH));
        assertEquals("invalid-response", seen.observed(Check.SERVER_INITIALIZE));
    }

    @Test
    void aBodyWithTheNextHeaderOnItsLine() {
        Seen seen = open().step("ping", "ping").ask("ping").get("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}Content-Length: 38\r").end(DEADLINE).alive("ping").seen();
        assertEquals(Set.of(Flag.CONTENT_LENGTH), kinds(seen));
        assertEquals(Set.of(Flag.FRAMING), seen.flags(Check.PING));
    }

    @Test
    void onlyTheLastLineFeedMissing() {
        Seen seen = open().step("stdin-eof", "stdin-eof").closeStdin().rest("{\"jsonrpc\":\"2.0\",\"method\":\"x\"}").exits(0).end(REPLIED).seen();
        assertEquals(Set.of(Flag.NO_FINAL_NEWLINE), seen.flags(Check.STDOUT_FRAMING));
        assertEquals("conforms", seen.observed(Check.STDOUT_PURITY));
    }

    @Test
    void messagesThatEndInNoLineFeedAtAll() {
        Seen seen = Tape.legacy("legacy", "legacy-full").step("initialize", "server-initialize").ask("initialize").get("").end(DEADLINE)
                .step("hang-up", "startup").closeStdin().rest("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}").exits(0).end(REPLIED).seen();
        assertEquals(Set.of(Flag.UNTERMINATED), seen.flags(Check.STDOUT_FRAMING));
        assertEquals("invalid-response", seen.observed(Check.SERVER_INITIALIZE));
    }

    @Test
    void whatWeCutOffByStoppingTheServerIsNoFault() {
        Seen seen = open().rest("{\"jsonrpc\":\"2.0\",\"id\":2,\"res").terminated("stopped", 0).seen();
        assertEquals("conforms", seen.observed(Check.STDOUT_PURITY));
        Seen whole = open().rest("{\"jsonrpc\":\"2.0\",\"method\":\"x\"}").terminated("stopped", 0).seen();
        assertEquals("conforms", whole.observed(Check.STDOUT_FRAMING));
        byte[] half = {'{', '"', (byte) 0xE2, (byte) 0x80};
        assertEquals("conforms", open().get(half, false).terminated("stopped", 0).seen().observed(Check.STDOUT_UTF8));
    }

    @Test
    void invalidUtf8IsFoundByOffsetAndHidesNoMessage() {
        byte[] line = "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"a\":\"?\"}}".getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < line.length; i++) {
            line[i] = line[i] == '?' ? (byte) 0xFF : line[i];
        }
        Seen seen = open().step("ping", "ping").ask("ping").get(line, true).end(REPLIED).seen();
        assertEquals("violates", seen.observed(Check.STDOUT_UTF8));
        assertTrue(seen.detail(Check.STDOUT_UTF8).startsWith("byte 39 of the line is 0xFF"), seen.detail(Check.STDOUT_UTF8));
        assertEquals("conforms", seen.observed(Check.STDOUT_PURITY));
        assertEquals("result", seen.observed(Check.PING));
    }

    @Test
    void oneObservationForAllSessionsShownByTheRichest() {
        Seen seen = open().get("").seen(Tape.open("legacy-negative", "legacy-negative", "2025-11-25").get("x").get(""), Tape.open("legacy.2", "legacy-full", "2025-11-25"));
        assertEquals("legacy-negative", seen.row(Check.STDOUT_PURITY).subject().session());
        assertEquals("2025-11-25", seen.row(Check.STDOUT_PURITY).subject().revision());
        assertTrue(seen.detail(Check.STDOUT_PURITY).contains("(3 cases in 2 sessions)"));
    }

    @Test
    void aSessionWithoutAHandshakeCountsUnderTheRevisionOfTheOthers() {
        Tape probe = Tape.modern("modern-version", "modern-version").get("noise").step("unsupported-version", "unsupported-version").ask("server/discover").error(-32022, "x").end(REPLIED);
        Seen seen = Tape.openModern().seen(probe);
        assertEquals("modern-version", seen.row(Check.STDOUT_PURITY).subject().session());
        assertEquals("2026-07-28", seen.row(Check.STDOUT_PURITY).subject().revision());
    }

    @Test
    void linesThatOnlyLookLikeJsonDoNotCostMoreThanTheyAre() {
        Tape tape = open();
        for (int i = 0; i < 20_000; i++) {
            tape.get("{ \"not closed\": [");
        }
        Seen seen = tape.seen();
        assertTrue(seen.detail(Check.STDOUT_PURITY).contains("20000 cases"));
    }

    @Test
    void noiseIsNamedByWhoWroteItAndWhen() {
        Map<String, String> writers = new LinkedHashMap<>();
        writers.put("[dotenv@17.2.1] injecting env (0) from .env -- tip: encrypt with dotenvx", Flag.BY_DOTENV);
        writers.put("\u001b[2m[dotenv@17.0.0]\u001b[22m injecting env", Flag.BY_DOTENV);
        writers.put("npm notice New major version of npm available! 10 -> 11", Flag.BY_PACKAGE_MANAGER);
        writers.put("> server@1.0.0 start", Flag.BY_PACKAGE_MANAGER);
        writers.put("added 12 packages in 3s", Flag.BY_PACKAGE_MANAGER);
        writers.put("Requirement already satisfied: requests in ./lib", Flag.BY_PACKAGE_MANAGER);
        writers.put("[info] reading config", Flag.BY_LOGGER);
        writers.put("INFO:root:listening", Flag.BY_LOGGER);
        writers.put("2025-01-02 10:11:12,345 - server - WARNING - x", Flag.BY_LOGGER);
        writers.put("[2025-01-02T10:11:12Z] ready", Flag.BY_LOGGER);
        writers.put("{\"level\":30,\"time\":1,\"msg\":\"up\"}", Flag.BY_LOGGER);
        writers.put("Traceback (most recent call last):", Flag.BY_TRACEBACK);
        writers.put("    at Object.<anonymous> (/srv/index.js:3:7)", Flag.BY_TRACEBACK);
        writers.put("TypeError: x is not a function", Flag.BY_TRACEBACK);
        writers.put("Server running on stdio", Flag.BY_PRINT);
        writers.put("Error handling is on", Flag.BY_PRINT);
        writers.put("42", Flag.BY_PRINT);
        writers.forEach((line, flag) -> {
            Set<String> flags = open().get(line).seen().flags(Check.STDOUT_PURITY);
            assertEquals(Set.of(flag), flags.stream().filter(f -> f.startsWith("by-")).collect(Collectors.toSet()), line);
        });
        Seen before = Tape.legacy("legacy", "legacy-full").get("hello").handshake("server-initialize", "2025-11-25", "{}").seen();
        assertTrue(before.flags(Check.STDOUT_PURITY).contains(Flag.BEFORE_HANDSHAKE));
        assertTrue(before.detail(Check.STDOUT_PURITY).endsWith("[5 bytes, before the handshake, by print or console.log]"), before.detail(Check.STDOUT_PURITY));
        Seen during = open().call("valid-twin", "", "{}").get("calling").says("ok").seen();
        assertTrue(during.flags(Check.STDOUT_PURITY).contains(Flag.IN_CALL));
        Seen after = open().call("valid-twin", "", "{}").says("ok").get("called").seen();
        assertTrue(after.flags(Check.STDOUT_PURITY).contains(Flag.BETWEEN_REQUESTS));
    }

    @Test
    void anArrayInReplyToAnArrayOfOursIsNoImpurity() {
        String both = "[{\"jsonrpc\":\"2.0\",\"id\":91,\"result\":{}},{\"jsonrpc\":\"2.0\",\"id\":92,\"result\":{}}]";
        Tape asked = Tape.open("legacy-negative", "legacy-negative", "2025-11-25").step("batch-reject", "batch-reject")
                .send("[{\"jsonrpc\":\"2.0\",\"id\":91,\"method\":\"ping\"},{\"jsonrpc\":\"2.0\",\"id\":92,\"method\":\"ping\"}]").get(both).end(REPLIED).alive("batch-reject");
        assertEquals("conforms", asked.seen().observed(Check.STDOUT_PURITY));
        assertEquals(Set.of(Flag.BATCH), kinds(open().get(both).seen()));
    }
}
