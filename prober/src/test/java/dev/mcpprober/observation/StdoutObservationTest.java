package dev.mcpprober.observation;

import static dev.mcpprober.transcript.StepOutcome.DEADLINE;
import static dev.mcpprober.transcript.StepOutcome.REPLIED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Purity, framing and encoding of stdout, over whole sessions. */
class StdoutObservationTest {
    private static Tape open() {
        return Tape.open("2025-11-25");
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
        assertEquals(Set.of(Flag.TEXT), seen.flags(Check.STDOUT_PURITY));
        assertEquals(List.of(1, 11), seen.witness(Check.STDOUT_PURITY), "the banner and the last word after end of file");
        assertEquals("conforms", seen.observed(Check.STDOUT_FRAMING));
    }

    @Test
    void jsonThatIsNoMessageIsNoise() {
        for (String line : List.of("42", "\"text\"", "{\"level\":\"info\"}", "null", "[]", "[1]", "{}")) {
            assertEquals(Set.of(Flag.JSON_NO_MESSAGE), open().get(line).seen().flags(Check.STDOUT_PURITY), line);
        }
    }

    @Test
    void smallFaultsHaveTheirOwnKinds() {
        assertEquals(Set.of(Flag.BLANK_LINE), open().get("").seen().flags(Check.STDOUT_PURITY));
        assertEquals(Set.of(Flag.CR), open().get("{\"jsonrpc\":\"2.0\",\"method\":\"x\"}\r").seen().flags(Check.STDOUT_PURITY));
        assertEquals(Set.of(Flag.BOM), open().get("\uFEFF{\"jsonrpc\":\"2.0\",\"method\":\"x\"}").seen().flags(Check.STDOUT_PURITY));
        assertEquals(Set.of(Flag.BLANK_LINE, Flag.TEXT), open().get("").get("x").seen().flags(Check.STDOUT_PURITY));
    }

    @Test
    void arraysAreMessagesInOneRevisionOnly() {
        String batch = "[{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}]";
        assertEquals("conforms", Tape.open("2025-03-26").get(batch).seen().observed(Check.STDOUT_PURITY));
        assertEquals(Set.of(Flag.BATCH), Tape.open("2024-11-05").get(batch).seen().flags(Check.STDOUT_PURITY));
        assertEquals(Set.of(Flag.BATCH), open().get(batch).seen().flags(Check.STDOUT_PURITY));
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
        assertEquals(Set.of(Flag.TEXT), seen.flags(Check.STDOUT_PURITY));
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
        assertEquals(Set.of(Flag.CONTENT_LENGTH), seen.flags(Check.STDOUT_PURITY));
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
        assertTrue(seen.detail(Check.STDOUT_PURITY).endsWith("(3 cases in 2 sessions)"));
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
}
