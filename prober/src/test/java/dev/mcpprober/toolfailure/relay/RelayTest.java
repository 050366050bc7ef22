package dev.mcpprober.toolfailure.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.toolfailure.ExactJson;
import dev.mcpprober.toolfailure.ToolFailure;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RelayTest {
    private final Relay relay = new Relay();

    private String toServer(String line) {
        List<Relay.Output> out = relay.fromClient(line);
        assertEquals(1, out.size(), out.toString());
        return ((Relay.Output.ToServer) out.get(0)).line();
    }

    private String toClient(String line) {
        List<Relay.Output> out = relay.fromServer(line);
        assertEquals(1, out.size(), out.toString());
        return ((Relay.Output.ToClient) out.get(0)).line();
    }

    private String answered(String result) {
        String asked = toServer("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"method\":\"tools/call\"}");
        String id = ExactJson.parse(asked).orElseThrow().member("id").orElseThrow().json();
        String line = toClient("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + result + "}");
        assertEquals("\"a\"", ExactJson.parse(line).orElseThrow(() -> new AssertionError("no JSON: " + line)).member("id").orElseThrow().json());
        return line;
    }

    private static ExactJson failure(String line) {
        return ExactJson.parse(line).orElseThrow().member("result").flatMap(r -> r.member("_meta")).flatMap(m -> m.member(ToolFailure.KEY)).orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "{\"class\":\"reliability\",\"code\":\"x\",\"retryable\":true,\"retryNotBefore\":1.7960832e12,\"correlationId\":\"f-1\"}",
            "{\"a\":1e3,\"b\":1000.0,\"c\":1000,\"d\":-0,\"e\":9007199254740993,\"f\":0.10,\"g\":1E400,\"h\":12345678901234567890123456789}",
            "{\"\":null,\"x\":{\"y\":[[],{},[{\"id\":7}]]},\"id\":1,\"_meta\":{\"result\":{}}}",
            "{\"correlationId\":\"\\ud800 \\u0000 \\\" \\\\ \\/ \u2028 \ud83d\ude00 </script> {[,:\"}",
            "[1,\"two\"]", "\"text\"", "null", "7", "{}", "[]",
            "{ \"class\" : \"capability\" ,\t\"code\":\"c\" , \"correlationId\":\"x\" }",
    })
    void theObjectComesOutAsItWentInToTheLastCharacter(String object) {
        for (String meta : List.of("{\"io.modelcontextprotocol/toolFailure\":" + object + "}",
                "{\"a\":1,\"io.modelcontextprotocol/toolFailure\":" + object + ",\"z\":[2]}",
                " { \"dev.mcpprober/relay\" : {\"id\":99} , \"io.modelcontextprotocol/toolFailure\" : " + object + " } ")) {
            for (String result : List.of("{\"content\":[],\"isError\":true,\"_meta\":" + meta + "}", "{\"_meta\":" + meta + ",\"isError\":true}")) {
                String line = answered(result);
                assertTrue(line.contains(object), line);
                assertEquals(ExactJson.parse(object).orElseThrow(), failure(line));
            }
        }
    }

    @Test
    void otherMetaIsRewrittenAndMadeWhereThereIsNone() {
        assertEquals("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{\"_meta\":{\"dev.mcpprober/relay\":{\"id\":1}}}}", answered("{}"));
        assertEquals("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{\"_meta\":{\"dev.mcpprober/relay\":{\"id\":2}},\"content\":[]}}", answered("{\"content\":[]}"));
        assertEquals("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{\"_meta\":{\"dev.mcpprober/relay\":{\"id\":3}}}}", answered("{\"_meta\":{}}"));
        assertEquals("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":{\"_meta\":null}}", answered("{\"_meta\":null}"));
        assertEquals("{\"jsonrpc\":\"2.0\",\"id\":\"a\",\"result\":[1]}", answered("[1]"), "what is no result object is not made one");
    }

    @Test
    void idsAreOursTowardsTheServerAndTheirsTowardsTheClient() {
        assertEquals("{\"id\":1,\"method\":\"m\",\"params\":{\"id\":\"x\"}}", toServer("{\"id\":\"x\",\"method\":\"m\",\"params\":{\"id\":\"x\"}}"));
        assertEquals("{\"id\":2,\"method\":\"m\"}", toServer("{\"id\":7,\"method\":\"m\"}"));
        assertEquals("{\"id\":3,\"method\":\"m\"}", toServer("{\"id\":1.50,\"method\":\"m\"}"));
        assertEquals("{\"id\":1.50,\"error\":{\"code\":-1}}", toClient("{\"id\":3,\"error\":{\"code\":-1}}"));
        assertEquals("{\"id\":\"x\",\"error\":{\"id\":1}}", toClient("{\"id\":1,\"error\":{\"id\":1}}"), "out of order");
        assertEquals("{\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2}}",
                toServer("{\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":7}}"), "a cancellation is of the request as the server knows it");
        assertEquals("{\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":99}}",
                toServer("{\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":99}}"));
        assertEquals("{\"id\":7,\"result\":7}", toClient("{\"id\":2,\"result\":7}"));
    }

    @Test
    void anIdCannotHideBehindEscapes() {
        assertEquals("{\"\\u0069d\":1,\"m\\u0065thod\":\"tools/call\"}", toServer("{\"\\u0069d\":\"x\",\"m\\u0065thod\":\"tools/call\"}"));
        assertEquals("{\"\\u0069d\":\"x\",\"error\":1}", toClient("{\"\\u0069d\":1,\"error\":1}"));
    }

    @Test
    void whatTheServerAsksIsNotRenumbered() {
        String ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
        toServer("{\"id\":5,\"method\":\"tools/call\"}");
        assertEquals(ping, toClient(ping));
        assertEquals("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", toServer("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"));
        assertEquals("{\"id\":5,\"result\":1}", toClient("{\"id\":1,\"result\":1}"));
    }

    @Test
    void anAnswerToNothingIsDroppedAndOneAnswerIsRelayedOnce() {
        toServer("{\"id\":5,\"method\":\"tools/call\"}");
        assertTrue(relay.fromServer("{\"id\":2,\"result\":1}").get(0) instanceof Relay.Output.Note);
        assertTrue(relay.fromServer("{\"id\":\"1\",\"result\":1}").get(0) instanceof Relay.Output.Note, "an id of another type is another id");
        toClient("{\"id\":1,\"result\":1}");
        assertTrue(relay.fromServer("{\"id\":1,\"result\":1}").get(0) instanceof Relay.Output.Note);
        assertEquals("{\"id\":null,\"error\":{}}", toClient("{\"id\":null,\"error\":{}}"), "an error that names no request concerns whoever sent it");
    }

    @Test
    void batchesAreRelayedItemByItem() {
        assertEquals("[{\"id\":1,\"method\":\"a\"},{\"method\":\"n\"},{\"id\":2,\"method\":\"b\"}]",
                toServer(" [ {\"id\":\"x\",\"method\":\"a\"} , {\"method\":\"n\"},{\"id\":\"y\",\"method\":\"b\"}]"));
        assertEquals("[{\"id\":\"y\",\"error\":1},{\"id\":\"x\",\"error\":2}]", toClient("[{\"id\":2,\"error\":1},{\"id\":1,\"error\":2},{\"id\":9,\"error\":3}]"));
    }

    @Test
    void noiseGoesToTheLogAndNotToTheClient() {
        for (String noise : List.of("starting up…", "{\"id\":1", "{} {}", "Content-Length: 12", "{\"a\":01}")) {
            List<Relay.Output> out = relay.fromServer(noise);
            assertEquals(1, out.size());
            assertTrue(out.get(0) instanceof Relay.Output.Note, noise);
        }
        assertEquals(List.of(), relay.fromServer("  "));
    }

    @Test
    void whoWaitsIsToldWhenTheServerIsGone() {
        toServer("{\"id\":\"x\",\"method\":\"tools/call\"}");
        assertEquals(List.of(new Relay.Output.ToClient("{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"error\":{\"code\":-32603,\"message\":"
                + "\"the server behind this relay is gone: the server ended with status 3\"}}")), relay.serverEnded("the server ended with status 3"));
        assertEquals(List.of(), relay.serverEnded("again"));
    }

    @Test
    void depthAndSizeOfWhatIsCopiedHaveNoLimit() {
        String deep = "[".repeat(20_000) + "1e3" + "]".repeat(20_000);
        String object = "{\"more\":" + deep + ",\"n\":" + "9".repeat(50_000) + "}";
        assertTrue(answeredRaw("{\"isError\":true,\"_meta\":{\"io.modelcontextprotocol/toolFailure\":" + object + "}}").contains(object));
    }

    private String answeredRaw(String result) {
        toServer("{\"id\":\"a\",\"method\":\"tools/call\"}");
        return toClient("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + result + "}");
    }

    @Test
    void anyBytesOfTextAreSurvived() {
        Random random = new Random(3313);
        String alphabet = "{}[]\",:\\ 0e-idmethrsul_a\u0000\ud800";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder line = new StringBuilder();
            for (int length = random.nextInt(40); length > 0; length--) {
                line.append(alphabet.charAt(random.nextInt(alphabet.length())));
            }
            relay.fromClient(line.toString());
            relay.fromServer(line.toString());
            JsonText.members(line.toString(), JsonText.whole(line.toString()));
            JsonText.items(line.toString(), JsonText.whole(line.toString()));
        }
    }
}
