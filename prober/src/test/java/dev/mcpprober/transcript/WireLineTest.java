package dev.mcpprober.transcript;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.transcript.WireLine.Content;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class WireLineTest {
    private static WireLine read(String text) {
        return WireLine.read(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void lineSeparatorsInsideStringsAreNoLineEnds() {
        assertInstanceOf(Content.Single.class, read("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\"x\u2028y\u2029z\u0085\"}}").content());
    }

    @Test
    void aMarkAndACarriageReturnAreNotedAndReadPast() {
        WireLine line = read("\uFEFF{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\r");
        assertTrue(line.bom() && line.cr());
        assertInstanceOf(Content.Single.class, line.content());
    }

    @Test
    void badUtf8IsFoundAtItsByteAndStillReadable() {
        byte[] bytes = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":\"?\"}".getBytes(StandardCharsets.UTF_8);
        int at = new String(bytes, StandardCharsets.UTF_8).indexOf('?');
        bytes[at] = (byte) 0xFF;
        WireLine line = WireLine.read(bytes);
        assertEquals(at, line.badUtf8At());
        assertInstanceOf(Content.Single.class, line.content());
    }

    @Test
    void badUtf8IsFoundAfterAMarkAndFarIn() {
        byte[] bytes = ("\uFEFF" + "é".repeat(20_000) + "??").getBytes(StandardCharsets.UTF_8);
        assertEquals(-1, WireLine.read(bytes).badUtf8At());
        bytes[bytes.length - 1] = (byte) 0xC3;
        assertEquals(bytes.length - 1, WireLine.read(bytes).badUtf8At());
        bytes[bytes.length - 2] = (byte) 0x80;
        assertEquals(bytes.length - 2, WireLine.read(bytes).badUtf8At());
    }

    @Test
    void jsonThatIsNoMessageIsToldFromTextAndFromTwoValues() {
        assertInstanceOf(Content.NotAMessage.class, read("42").content());
        assertInstanceOf(Content.NotAMessage.class, read("{\"id\":1}").content());
        assertInstanceOf(Message.Response.class, read("{\"jsonrpc\":\"2.0\",\"id\":1}").messages().get(0));
        assertInstanceOf(Message.Response.class, read("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":null,\"result\":{}}").messages().get(0));
        assertInstanceOf(Content.NotAMessage.class, read("{\"level\":\"info\"}").content());
        assertInstanceOf(Content.NotAMessage.class, read("[]").content());
        assertInstanceOf(Content.NotJson.class, read("ready").content());
        assertInstanceOf(Content.NotJson.class, read("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}{\"a\":1}").content());
        assertInstanceOf(Content.Blank.class, read("  \t").content());
        assertInstanceOf(Content.Batch.class, read("[{\"jsonrpc\":\"2.0\",\"method\":\"m\"}]").content());
    }

    @Test
    void ourLimitsAreNotTheWritersFault() {
        assertInstanceOf(Content.Single.class, read("{\"id\":1,\"result\":{\"maximum\":" + "9".repeat(5000) + "}}").content());
        assertInstanceOf(Content.OverLimit.class, read("{\"id\":1,\"result\":" + "9".repeat(30_000) + "}").content());
        assertInstanceOf(Content.OverLimit.class, read("[".repeat(2000) + "]".repeat(2000)).content());
        assertInstanceOf(Content.OverLimit.class, read("{\"id\":1,\"result\":[" + "{},".repeat(300_000) + "{}]}").content());
    }

    @Test
    void longLinesAreReadAsShortOnesAre() {
        for (String pad : List.of(" ".repeat(70_000), " ".repeat(3))) {
            assertInstanceOf(Content.Single.class, read("{\"id\":1," + pad + "\"result\":{\"a\":\"é中\"}}").content());
            assertInstanceOf(Content.NotJson.class, read("{\"id\":1," + pad + "\"result\":{}}{\"a\":1}").content());
            assertInstanceOf(Content.NotJson.class, read(pad + "ready").content());
            assertInstanceOf(Content.NotJson.class, read("{" + pad + "\0}").content());
            assertInstanceOf(Content.Blank.class, read(pad).content());
            assertEquals("é" + pad + "中", read("é" + pad + "中").text());
            byte[] bad = (pad + "{\"id\":1,\"result\":{}}").getBytes(StandardCharsets.UTF_8);
            bad[0] = (byte) 0xC3;
            assertEquals(0, WireLine.read(bad).badUtf8At());
            assertInstanceOf(Content.NotJson.class, WireLine.read(bad).content());
        }
    }

    @Test
    void aServersRequestWithOurIdIsARequest() {
        assertInstanceOf(Message.Request.class, read("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\"}").messages().get(0));
        Message.Response both = (Message.Response) read("{\"id\":3,\"result\":{},\"error\":null}").messages().get(0);
        assertTrue(both.hasResult() && !both.hasError());
    }
}
