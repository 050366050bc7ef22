package dev.mcpprober.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.toolfailure.ToolFailure;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.StepOutcome;
import dev.mcpprober.transcript.Transcript;
import dev.mcpprober.transcript.TranscriptHeader;
import dev.mcpprober.transcript.TranscriptReader;
import dev.mcpprober.transcript.TranscriptWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionDriverTest {
    private static final String TOOLS = "{\"tools\":[{\"name\":\"repeat\",\"inputSchema\":{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\"},"
            + "\"count\":{\"type\":\"integer\",\"minimum\":3}},\"required\":[\"text\",\"count\"]},\"annotations\":{\"readOnlyHint\":true}}]}";
    private static final SessionLimits SHORT = new SessionLimits(Duration.ofMillis(600), Duration.ofMillis(300), Duration.ofSeconds(20),
            Duration.ofMillis(100), Duration.ofMillis(300), 1 << 16, 1 << 20, 1_000, 64);

    @TempDir Path folder;

    static void answer(JsonNode message, ScriptedServer server) {
        JsonNode id = message.path("id");
        switch (message.path("method").asText()) {
            case "initialize" -> server.reply(id, "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}");
            case "ping" -> server.reply(id, "{}");
            case "tools/list" -> server.reply(id, TOOLS);
            case "tools/call" -> server.reply(id, "{\"content\":[],\"isError\":true}");
            default -> {
                if (!id.isMissingNode()) {
                    server.fail(id, -32601);
                }
            }
        }
    }

    private Transcript run(SessionScript script, ScriptedServer server) throws Exception {
        TranscriptHeader header = new TranscriptHeader("a1", "0123456789abcdef", "t", "legacy", script.label(), script.era(),
                script.era().id().equals("legacy") ? "2025-11-25" : "2026-07-28", List.of("server"), "", "host", "0", "2026-01-01T00:00:00Z", 1, 1, 1);
        Path file = folder.resolve("t.jsonl.gz");
        try (TranscriptWriter out = new TranscriptWriter(file, header)) {
            new SessionDriver(script, SHORT, header, false).run(server, out);
            out.finish();
        }
        return TranscriptReader.read(file);
    }

    private static StepOutcome outcome(Transcript transcript, String step) {
        return transcript.events().stream().filter(e -> e instanceof Event.StepEnded ended && ended.step().equals(step))
                .map(e -> ((Event.StepEnded) e).outcome()).findFirst().orElse(null);
    }

    private static String sentIn(Transcript transcript, String step) {
        return transcript.events().stream().filter(e -> e instanceof Event.Sent sent && sent.step().equals(step))
                .map(e -> new String(((Event.Sent) e).bytes(), StandardCharsets.UTF_8)).collect(Collectors.joining());
    }

    @Test
    void silenceOfAnEngineThatStoodStillIsNoneOfTheServers() throws Exception {
        ScriptedServer mute = new ScriptedServer((line, server) -> { });
        mute.heldUp = Duration.ofMillis(400);
        EngineException fault = assertThrows(EngineException.class, () -> run(Scripts.LEGACY_FULL, mute));
        assertTrue(fault.fault() instanceof Fault.EngineError, fault::toString);
        ScriptedServer lively = new ScriptedServer((line, server) -> answer(ScriptedServer.parse(line), server));
        lively.exitsOnEof = false;
        lively.heldUp = Duration.ofMillis(400);
        assertThrows(EngineException.class, () -> run(Scripts.LEGACY_FULL, lively), "an end that did not come in time");
    }

    @Test
    void aGoodServerGetsEveryStepAndItsArgumentsAreRightButForTheOneUnderTest() throws Exception {
        Transcript t = run(Scripts.LEGACY_FULL, new ScriptedServer((line, server) -> answer(ScriptedServer.parse(line), server)));
        assertEquals(List.of(), SessionFacts.of(t).remaining());
        assertTrue(SessionFacts.of(t).agreed());
        JsonNode wrong = ScriptedServer.parse(sentIn(t, "tools-call-wrong-type")).path("params").path("arguments");
        assertTrue(wrong.path("text").isObject(), wrong.toString());
        assertEquals(3, wrong.path("count").asInt());
        JsonNode missing = ScriptedServer.parse(sentIn(t, "tools-call-missing-required")).path("params").path("arguments");
        assertFalse(missing.has("text"));
        JsonNode second = ScriptedServer.parse(sentIn(t, "tools-call-wrong-type-second")).path("params").path("arguments");
        assertTrue(second.path("text").isArray(), second.toString());
        assertEquals(wrong.path("count"), second.path("count"));
        assertEquals(3, missing.path("count").asInt());
        assertEquals(StepOutcome.EXITED, outcome(t, "stdin-eof"));
        assertTrue(t.events().stream().anyMatch(e -> e instanceof Event.Terminated end && end.how().equals("exited") && end.status() == 0));
        for (int i = 0; i < t.events().size(); i++) {
            assertEquals(i, t.events().get(i).index());
        }
    }

    @Test
    void aRequestOfTheServerWithOurPendingIdIsAnsweredAndNotTakenForTheReply() throws Exception {
        ScriptedServer server = new ScriptedServer((line, s) -> {
            JsonNode message = ScriptedServer.parse(line);
            if (message.path("method").asText().equals("tools/list")) {
                s.put("{\"jsonrpc\":\"2.0\",\"id\":" + message.path("id") + ",\"method\":\"ping\"}\n");
                s.put("{\"jsonrpc\":\"2.0\",\"id\":\"r\",\"method\":\"roots/list\"}\n");
            }
            answer(message, s);
        });
        Transcript t = run(Scripts.LEGACY_QUICK, server);
        String answers = sentIn(t, "answer");
        assertTrue(answers.contains("\"result\":{}"), answers);
        assertTrue(answers.contains("-32601") && answers.contains("\"id\":\"r\""), answers);
        assertEquals(StepOutcome.REPLIED, outcome(t, "tools-call-unknown"));
    }

    @Test
    void anIdWrittenAsADecimalNumberAnswersItsRequest() throws Exception {
        Transcript t = run(Scripts.LEGACY_QUICK, new ScriptedServer((line, s) -> {
            JsonNode message = ScriptedServer.parse(line);
            JsonNode id = message.path("id");
            if (id.isNumber()) {
                answer(((com.fasterxml.jackson.databind.node.ObjectNode) message).put("id", id.intValue() + 0.0), s);
            }
        }));
        assertEquals(List.of(), SessionFacts.of(t).remaining());
        assertEquals(StepOutcome.REPLIED, outcome(t, "method-not-found"));
    }

    @Test
    void aModernServerIsNeverWrittenAResponse() throws Exception {
        ScriptedServer server = new ScriptedServer((line, s) -> {
            JsonNode message = ScriptedServer.parse(line);
            s.put("{\"jsonrpc\":\"2.0\",\"id\":\"r\",\"method\":\"roots/list\"}\n");
            if (message.path("method").asText().equals("server/discover")) {
                s.reply(message.path("id"), "{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}},\"resultType\":\"complete\"}");
            } else {
                answer(message, s);
            }
        });
        Transcript t = run(Scripts.MODERN_QUICK, server);
        assertTrue(server.sent.stream().allMatch(line -> ScriptedServer.parse(line).has("method")), server.sent.toString());
        assertTrue(server.sent.stream().allMatch(line -> ScriptedServer.parse(line).path("params").path("_meta")
                .path("io.modelcontextprotocol/protocolVersion").asText().equals("2026-07-28")));
        assertEquals(StepOutcome.REPLIED, outcome(t, "method-not-found"));
    }

    /** A server of both eras goes by the first message that it understands: a legacy one would have it speak the other era from then on. */
    @Test
    void aModernServerThatIsSlowToStartIsNotSentALegacyMessage() throws Exception {
        for (SessionScript script : List.of(Scripts.MODERN_QUICK, Scripts.MODERN_NEGATIVE, Scripts.DISCOVER)) {
            boolean[] started = new boolean[1];
            ScriptedServer server = new ScriptedServer((line, s) -> {
                JsonNode message = ScriptedServer.parse(line);
                String discovered = "{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}},\"resultType\":\"complete\"}";
                if (!message.path("method").asText().equals("server/discover")) {
                    answer(message, s);
                } else if (started[0]) {
                    s.reply(message.path("id"), discovered);
                } else {
                    started[0] = true;
                    java.util.concurrent.CompletableFuture.delayedExecutor(SHORT.request().toMillis() * 3 / 2, java.util.concurrent.TimeUnit.MILLISECONDS)
                            .execute(() -> s.reply(message.path("id"), discovered));
                }
            });
            run(script, server);
            boolean asked = server.sent.stream().anyMatch(line -> ScriptedServer.parse(line).path("method").asText().equals("ping"));
            assertEquals(script == Scripts.DISCOVER, asked, script.label());
            assertTrue(script == Scripts.DISCOVER || server.sent.size() > 5, script.label() + ": the session went on");
        }
    }

    @Test
    void progressDoesNotMoveTheDeadlineAndTheServerIsAskedForASignOfLife() throws Exception {
        ScriptedServer server = new ScriptedServer((line, s) -> {
            JsonNode message = ScriptedServer.parse(line);
            if (message.path("params").path("name").asText().startsWith("mcp_prober_no_such")) {
                for (int i = 0; i < 50; i++) {
                    s.put("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{}}\n");
                }
            } else {
                answer(message, s);
            }
        });
        Transcript t = run(Scripts.LEGACY_FULL, server);
        assertEquals(StepOutcome.DEADLINE, outcome(t, "tools-call-unknown"));
        assertEquals(StepOutcome.REPLIED, outcome(t, "alive-after-tools-call-unknown"));
        assertEquals(StepOutcome.EXITED, outcome(t, "stdin-eof"));
    }

    @Test
    void aServerLostHalfWayIsContinuedInAFreshProcessWithWhatIsLeft() throws Exception {
        ScriptedServer server = new ScriptedServer((line, s) -> {
            JsonNode message = ScriptedServer.parse(line);
            if (message.path("params").path("name").asText().equals("repeat")) {
                s.exit(1);
            } else {
                answer(message, s);
            }
        });
        Transcript t = run(Scripts.LEGACY_FULL, server);
        assertEquals(StepOutcome.EXITED, outcome(t, "tools-call-wrong-type"));
        SessionFacts facts = SessionFacts.of(t);
        SessionFacts discover = new SessionFacts("discover", "discover@1", false, false, List.of());
        PlannedSession next = SessionPlan.next(Profile.FULL, ToolBudget.DEFAULT, List.of(discover, facts)).orElseThrow();
        assertEquals("legacy.2", next.name());
        List<String> ids = next.script().steps().stream().map(Step::id).toList();
        assertEquals(List.of("initialize", "initialized", "tools-list", "tools-call-wrong-type-second", "tools-call-missing-required", "tools-call-valid", "tools-call-unknown",
                "tools-list-undeclared", "resource-not-found", "stdin-eof"), ids);
        assertEquals(Scripts.HANDSHAKE, next.script().steps().get(2).probe());
    }

    @Test
    void closingStdoutIsNotAnExit() throws Exception {
        ScriptedServer server = new ScriptedServer((line, s) -> {
            JsonNode message = ScriptedServer.parse(line);
            if (message.path("params").path("name").asText().startsWith("mcp_prober_no_such")) {
                s.closeStdout();
            } else {
                answer(message, s);
            }
        });
        Transcript t = run(Scripts.LEGACY_QUICK, server);
        assertEquals(StepOutcome.CLOSED, outcome(t, "tools-call-unknown"));
        assertTrue(t.events().stream().anyMatch(e -> e instanceof Event.Terminated end && end.how().equals("stopped")));
    }

    @Test
    void repliesHeldBackUntilEndOfInputAreSeenAfterIt() throws Exception {
        ScriptedServer server = new ScriptedServer((line, s) -> { });
        ScriptedServer holding = new ScriptedServer((line, s) -> { }) {
            @Override public void closeStdin() {
                put("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-06-18\"}}\n");
                super.closeStdin();
            }
        };
        Transcript mute = run(Scripts.LEGACY_QUICK, server);
        assertEquals(StepOutcome.DEADLINE, outcome(mute, "initialize"));
        assertFalse(SessionFacts.of(mute).agreed());
        Transcript held = run(Scripts.LEGACY_QUICK, holding);
        int closed = held.events().stream().filter(Event.StdinClosed.class::isInstance).map(Event::index).findFirst().orElseThrow();
        int received = held.events().stream().filter(Event.Received.class::isInstance).map(Event::index).findFirst().orElseThrow();
        assertTrue(received > closed);
        assertEquals(StepOutcome.DEADLINE, outcome(held, "initialize"));
    }

    @Test
    void aBrokenChannelIsAFaultAndNoResult() {
        ScriptedServer server = new ScriptedServer((line, s) -> s.lose("engine went away"));
        EngineException e = assertThrows(EngineException.class, () -> run(Scripts.LEGACY_QUICK, server));
        assertTrue(e.fault() instanceof Fault.ChannelLost);
    }

    @Test
    void capsAreEventsAndNothingGrows() throws Exception {
        ScriptedServer server = new ScriptedServer((line, s) -> {
            s.stderr("x".repeat(100).getBytes(StandardCharsets.UTF_8));
            s.stderr("the end".getBytes(StandardCharsets.UTF_8));
            s.put("y".repeat(100_000) + "\n");
            for (int i = 0; i < 40; i++) {
                s.put("z".repeat(50_000));
            }
        });
        Transcript t = run(Scripts.LEGACY_QUICK, server);
        Event.Received cut = (Event.Received) t.events().stream().filter(Event.Received.class::isInstance).findFirst().orElseThrow();
        assertTrue(cut.truncated());
        assertEquals(100_000, cut.originalLength());
        assertTrue(t.events().stream().anyMatch(Event.StdoutCapped.class::isInstance));
        List<Event.Stderr> stderr = t.events().stream().filter(Event.Stderr.class::isInstance).map(Event.Stderr.class::cast).toList();
        assertTrue(new String(stderr.get(stderr.size() - 1).bytes(), StandardCharsets.UTF_8).endsWith("the end"));
        assertEquals(107 - 64, stderr.get(stderr.size() - 1).dropped());
    }

    @Test
    void aServerThatNeedsSignalsGetsThemInOrder() throws Exception {
        ScriptedServer server = new ScriptedServer((line, s) -> answer(ScriptedServer.parse(line), s));
        server.exitsOnEof = false;
        Transcript t = run(Scripts.LEGACY_FULL, server);
        assertEquals(List.of("SIGTERM", "SIGKILL"), server.signals);
        assertEquals(StepOutcome.EXITED, outcome(t, "stdin-eof"));
    }

    @Test
    void aFailureWithAToolFailureObjectIsAskedForTwice() throws Exception {
        ScriptedServer server = new ScriptedServer((line, s) -> {
            JsonNode message = ScriptedServer.parse(line);
            JsonNode params = message.path("params");
            if (message.path("method").asText().equals("tools/call") && params.path("name").asText().equals("repeat")) {
                boolean error = !params.path("arguments").has("text") || params.path("arguments").path("text").isObject();
                s.reply(message.path("id"), "{\"content\":[],\"isError\":" + error + ",\"_meta\":{\"" + ToolFailure.KEY + "\":{}}}");
            } else {
                answer(message, s);
            }
        });
        Transcript t = run(Scripts.LEGACY_FULL, server);
        JsonNode first = ScriptedServer.parse(sentIn(t, "tools-call-wrong-type"));
        JsonNode again = ScriptedServer.parse(sentIn(t, "tools-call-wrong-type-again"));
        assertEquals(first.path("params"), again.path("params"));
        assertFalse(first.path("id").equals(again.path("id")));
        assertEquals(StepOutcome.REPLIED, outcome(t, "tools-call-missing-required-again"));
        assertEquals("", sentIn(t, "tools-call-valid-again"), "no error");
        assertEquals("", sentIn(t, "tools-call-unknown-again"), "an error without the key");
        assertEquals(List.of(), SessionFacts.of(t).remaining());
    }

    @Test
    void pagesAreFollowedToTheEndAndARepeatedCursorStops() throws Exception {
        ScriptedServer loop = new ScriptedServer((line, s) -> {
            JsonNode message = ScriptedServer.parse(line);
            if (message.path("method").asText().equals("tools/list")) {
                s.reply(message.path("id"), "{\"tools\":[{\"name\":\"t\",\"inputSchema\":{\"type\":\"object\"}}],\"nextCursor\":\"again\"}");
            } else {
                answer(message, s);
            }
        });
        Transcript t = run(Scripts.LEGACY_QUICK, loop);
        assertEquals(2, loop.sent.stream().filter(l -> l.contains("tools/list")).count());
        assertTrue(t.events().stream().anyMatch(e -> e instanceof Event.StepEnded ended && ended.detail().contains("cursor repeated")));
    }

    @Test
    void aFloodOfShortLinesEndsTheSessionToo() throws Exception {
        ScriptedServer server = new ScriptedServer((line, s) -> s.put("\n".repeat(5_000)));
        Transcript t = run(Scripts.LEGACY_QUICK, server);
        assertEquals(1_000, t.events().stream().filter(Event.Received.class::isInstance).count());
        assertTrue(t.events().stream().anyMatch(Event.StdoutCapped.class::isInstance));
        assertEquals(StepOutcome.DEADLINE, outcome(t, "initialize"));
    }

    @Test
    void nothingIsAskedOfTheServerWhenTheSessionsTimeIsUp() throws Exception {
        ScriptedServer server = new ScriptedServer((line, s) -> {
            JsonNode message = ScriptedServer.parse(line);
            if (message.path("method").asText().equals("tools/list")) {
                java.util.concurrent.locks.LockSupport.parkNanos(150_000_000);
                s.reply(message.path("id"), TOOLS.substring(0, TOOLS.length() - 1) + ",\"nextCursor\":\"" + System.nanoTime() + "\"}");
            } else {
                answer(message, s);
            }
        });
        TranscriptHeader header = new TranscriptHeader("a1", "0123456789abcdef", "t", "legacy", Scripts.LEGACY_QUICK.label(), Scripts.LEGACY_QUICK.era(),
                "2025-11-25", List.of("server"), "", "host", "0", "2026-01-01T00:00:00Z", 1, 1, 1);
        Path file = folder.resolve("slow.jsonl.gz");
        try (TranscriptWriter out = new TranscriptWriter(file, header)) {
            new SessionDriver(Scripts.LEGACY_QUICK, SHORT.withTimeouts(Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(1)), header, false).run(server, out);
            out.finish();
        }
        Transcript t = TranscriptReader.read(file);
        Event.StepEnded last = (Event.StepEnded) t.events().stream().filter(Event.StepEnded.class::isInstance).reduce((a, b) -> b).orElseThrow();
        assertEquals("tools-list", last.step());
        assertEquals("session timeout", last.detail());
    }

    @Test
    void manyLongCursorsEndTheListing() {
        ToolPages pages = new ToolPages();
        int count = 0;
        while (pages.more()) {
            pages.turn(ScriptedServer.parse("{\"nextCursor\":\"" + "x".repeat(100_000) + count++ + "\"}"));
        }
        assertTrue(count < 20, count + " pages");
    }

    private static void listener(JsonNode message, ScriptedServer server, String capabilities) {
        JsonNode id = message.path("id");
        switch (message.path("method").asText()) {
            case "server/discover" -> server.reply(id, "{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":" + capabilities + "}");
            case "subscriptions/listen" -> server.put("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/subscriptions/acknowledged\",\"params\":{\"_meta\":"
                    + "{\"io.modelcontextprotocol/subscriptionId\":" + id + "},\"notifications\":{}}}\n");
            default -> answer(message, server);
        }
    }

    @Test
    void aStreamIsOpenedForWhatMayChangeAndCancelledAgain() throws Exception {
        Transcript t = run(Scripts.MODERN_FULL, new ScriptedServer((line, s) -> listener(ScriptedServer.parse(line), s, "{\"tools\":{\"listChanged\":true},\"resources\":{}}")));
        String sent = sentIn(t, "subscriptions-ack");
        assertTrue(sent.contains("\"notifications\":{\"toolsListChanged\":true}"), sent);
        assertTrue(sent.contains("\"method\":\"notifications/cancelled\""), sent);
        assertEquals(StepOutcome.REPLIED, outcome(t, "subscriptions-ack"));
        assertEquals(StepOutcome.REPLIED, outcome(t, "resource-not-found"));
        assertEquals(List.of(), SessionFacts.of(t).remaining());
    }

    @Test
    void optionalFeaturesAreAskedForOnlyWhereTheyAreDeclared() throws Exception {
        Transcript t = run(Scripts.MODERN_FULL, new ScriptedServer((line, s) -> listener(ScriptedServer.parse(line), s, "{\"tools\":{}}")));
        assertEquals(StepOutcome.SKIPPED, outcome(t, "subscriptions-ack"));
        assertEquals(StepOutcome.SKIPPED, outcome(t, "resource-not-found"));
        assertEquals("", sentIn(t, "resource-not-found") + sentIn(t, "subscriptions-ack"));
    }
}
