package dev.mcpprober.observation;

import static dev.mcpprober.transcript.StepOutcome.CLOSED;
import static dev.mcpprober.transcript.StepOutcome.DEADLINE;
import static dev.mcpprober.transcript.StepOutcome.EXITED;
import static dev.mcpprober.transcript.StepOutcome.REPLIED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Why no session came about, from exit state, engine and frames. */
class StartupTest {
    private static Tape tried() {
        return Tape.legacy("legacy", "legacy-full").step("initialize", "server-initialize").ask("initialize");
    }

    private static Seen dies(int status, String stderr) {
        return tried().stderr(stderr).exits(status).end(EXITED).seen();
    }

    private static Seen hangs(String stderr) {
        return tried().stderr(stderr).end(DEADLINE).step("hang-up", "startup").closeStdin().terminated("stopped", 0).end(DEADLINE).seen();
    }

    @Test
    void ends() {
        assertEquals("exit-silent", dies(0, "").startup());
        assertEquals("exit-nonzero", dies(3, "something\n").startup());
        assertEquals("status 3; last words: something", dies(3, "something\n").startupDetail());
        assertEquals("exit-nonzero", tried().terminated("signalled", 11).end(EXITED).seen().startup());
        assertEquals("signal 11", tried().terminated("signalled", 11).end(EXITED).seen().startupDetail());
    }

    @Test
    void memoryIsTheEnginesWordAndBeatsText() {
        Seen seen = tried().stderr("MISSING_KEY is required\n").terminated("oom-killed", 0).end(EXITED).seen();
        assertEquals("oom-killed", seen.startup());
    }

    @Test
    void tracebacksNeedAProcessThatEnded() {
        String python = "Traceback (most recent call last):\n  File \"x.py\", line 1, in <module>\n    main()\n    ~~~~^^\nfixture.StoreCorruptError: index is broken\n";
        Seen crashed = dies(1, python);
        assertEquals("crash-traceback", crashed.startup());
        assertTrue(crashed.startupDetail().startsWith("fixture.StoreCorruptError: index is broken"));
        assertEquals("hang-no-reply", hangs(python).startup());
        String node = "/app/server.js:5\n    boom();\n    ^\n\nTypeError: boom is not a function\n    at Object.<anonymous> (/app/server.js:5:5)\n"
                + "    at Module._compile (node:internal/modules/cjs/loader:1554:14)\n\nNode.js v22.14.0\n";
        assertEquals("crash-traceback", dies(1, node).startup());
        assertTrue(dies(1, node).startupDetail().startsWith("TypeError: boom is not a function"));
    }

    @Test
    void configIsNamedByVariableOrArgument() {
        Seen stdout = tried().get("FLEETBOARD_TOKEN is not set. Export it and start again.").exits(0).end(EXITED).seen();
        assertEquals("needs-config", stdout.startup());
        assertTrue(stdout.startupDetail().startsWith("FLEETBOARD_TOKEN: "));
        assertEquals("needs-config", dies(1, "Error: NOTES_API_KEY environment variable is required.\n").startup());
        assertEquals("needs-config", dies(2, "Usage: needs-arg <directory>\n").startup());
        assertEquals("needs-config", hangs("Missing required environment variables: A_KEY, B_KEY\n").startup());
        assertEquals("hang-no-reply", hangs("Usage: serve <directory>\n").startup(), "a usage line of a process that runs says nothing");
    }

    @Test
    void aCrashOfOtherCauseBeatsAWordAboutSettings() {
        String text = "LOG_LEVEL not set\nTraceback (most recent call last):\n  File \"x\", line 1\nModuleNotFoundError: No module named 'yaml'\n";
        assertEquals("crash-traceback", dies(1, text).startup());
        String network = "API_TOKEN is not set\nError: connect ECONNREFUSED 127.0.0.1:5432\n    at TCPConnectWrap.afterConnect (node:net:1611:16)\n";
        assertEquals("crash-traceback", dies(1, network).startup());
        String own = "file:///app/x.js:3\n  throw new Error('API_TOKEN is required');\n        ^\n\nError: API_TOKEN is required\n    at file:///app/x.js:3:9\n";
        assertEquals("needs-config", dies(1, own).startup());
    }

    @Test
    void settingsThatCanBeDoneWithoutAreNoCause() {
        assertEquals("exit-nonzero", dies(1, "Warning: CACHE_DIR is not set, using default\n").startup());
        assertEquals("hang-no-reply", hangs("[warn] OPENAI_KEY not set; summaries disabled\n").startup());
    }

    @Test
    void prompts() {
        Seen asked = tried().get("Accept the terms? [y/N] Declined.").exits(1).end(EXITED).seen();
        assertEquals("interactive-prompt", asked.startup());
        Seen waits = tried().end(DEADLINE).step("hang-up", "startup").closeStdin().rest("Enter your API key: ").terminated("stopped", 0).end(DEADLINE).seen();
        assertEquals("interactive-prompt", waits.startup());
        assertTrue(waits.startupDetail().contains("Enter your API key:"));
        assertEquals("interactive-prompt", hangs("\u001B[32m?\u001B[0m Which profile do you want? ").startup());
        assertEquals("hang-no-reply", hangs("Connecting to store:\n").startup());
        assertEquals("hang-no-reply", hangs("Listening on http://localhost:3000/").startup());
    }

    @Test
    void hangs() {
        assertEquals("hang-no-reply", hangs("").startup());
        Seen late = tried().end(DEADLINE).step("hang-up", "startup").closeStdin().result("{}").exits(0).end(EXITED).seen();
        assertEquals("hang-no-reply", late.startup());
        assertEquals("answers only after stdin closes", late.startupDetail());
        assertEquals("hang-no-reply", tried().closesStdout().end(CLOSED).seen().startup());
        assertEquals("hang-no-reply", tried().get("Server running on stdio").end(DEADLINE).seen().startup(), "a banner is no framing");
    }

    @Test
    void framingIsShownByMessagesInIt() {
        Tape pretty = tried();
        for (String line : "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 1,\n  \"result\": {}\n}".split("\n")) {
            pretty.get(line);
        }
        assertEquals("bad-framing", pretty.end(DEADLINE).seen().startup());
        assertTrue(pretty.seen().startupDetail().startsWith("one message over 5 lines"));
        Seen before = tried().get("").end(DEADLINE).step("hang-up", "startup").closeStdin().rest("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}").exits(0).end(EXITED).seen();
        assertEquals("bad-framing", before.startup());
        assertTrue(before.startupDetail().startsWith("a line feed before the message instead of after it"));
        Seen header = tried().get("Content-Length: 20\r").get("\r").end(DEADLINE).seen();
        assertEquals("bad-framing", header.startup());
        assertTrue(header.startupDetail().startsWith("Content-Length header"));
    }

    @Test
    void badResults() {
        assertEquals("bad-initialize-result", tried().result("{}").end(REPLIED).seen().startup());
        assertEquals("bad-initialize-result", tried().resultFor("9", "{}").end(DEADLINE).seen().startup());
        assertEquals("bad-initialize-result", tried().error(-32603, "x").end(REPLIED).seen().startup());
        assertEquals("unsupported-version", tried().error(-32022, "x").end(REPLIED).seen().startup());
    }

    @Test
    void theWitnessIsInTheSessionThatShowsIt() {
        Seen seen = dies(1, "Error: NOTES_API_KEY environment variable is required.\n");
        assertEquals("legacy", seen.target().startup().orElseThrow().session());
        assertEquals(java.util.List.of(2, 3, 5), seen.target().startup().orElseThrow().witness());
    }

    private static Seen talks(byte[] line) {
        return tried().get(line, true).end(DEADLINE).step("hang-up", "startup").closeStdin().terminated("stopped", 0).end(DEADLINE).seen();
    }

    @Test
    void aReplyThatNobodyCanReadIsNoSilence() {
        String reply = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}";
        for (String line : java.util.List.of("Server running on stdio" + reply, "data: " + reply, reply + ",", reply.replace("jsonrpc", "Jsonrpc").replace("result", "Result").replace("\"id\"", "\"Id\""), dev.mcpprober.io.Json.write(com.fasterxml.jackson.databind.node.TextNode.valueOf(reply)), reply.replace('"', '\''), reply.replace("{}", "{\"x\":NaN}"))) {
            assertEquals("bad-framing", talks(line.getBytes(java.nio.charset.StandardCharsets.UTF_8)).startup(), line);
        }
        assertEquals("bad-framing", talks(reply.getBytes(java.nio.charset.StandardCharsets.UTF_16LE)).startup());
        assertEquals("bad-framing", talks(new byte[] {0x1F, (byte) 0x8B, 8, 0, (byte) 0xFF}).startup());
        assertEquals("hang-no-reply", talks("Server listening on port 3000".getBytes(java.nio.charset.StandardCharsets.UTF_8)).startup());
    }

    /** Messages apart from each other by something else than a line feed: no line is ever finished, but the reply is there. */
    @Test
    void aReplyThatNoLineFeedEndsIsNoSilenceEither() {
        String reply = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"serverInfo\":{\"name\":\"s}\\\"\",\"version\":\"1\"}}}";
        for (String line : java.util.List.of(reply + "\u0000", "\u0001\u0000\u0000\u0000" + reply, "Server ready" + reply)) {
            Seen seen = tried().end(DEADLINE).step("hang-up", "startup").closeStdin().rest(line).exits(0).end(EXITED).seen();
            assertEquals("bad-framing", seen.startup(), line);
        }
        Seen part = tried().end(DEADLINE).step("hang-up", "startup").closeStdin().rest("> " + reply.substring(0, reply.length() - 9)).terminated("stopped", 0).end(DEADLINE).seen();
        assertEquals("hang-no-reply", part.startup(), "a part of a reply is none");
    }

    @Test
    void anEnvelopeWithoutContentIsABadReply() {
        Seen seen = tried().get("{\"jsonrpc\":\"2.0\",\"id\":1}").end(REPLIED).seen();
        assertEquals("bad-initialize-result", seen.startup());
        Seen nulls = tried().get("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":null,\"params\":null,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
                + "\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}").end(REPLIED).seen();
        assertEquals(null, nulls.startup());
    }

    @Test
    void aReplyPastOurLimitIsNotCalledSilence() {
        byte[] deep = ("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":" + "[".repeat(2000) + "]".repeat(2000) + "}").getBytes(java.nio.charset.StandardCharsets.UTF_8);
        assertEquals("bad-initialize-result", talks(deep).startup());
    }
}
