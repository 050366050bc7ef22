package dev.mcpprober.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Notifications, arrays, bad frames and what comes of the server after them. */
class OddFramesTest {
    private static final SessionLimits SHORT = new SessionLimits(Duration.ofMillis(600), Duration.ofMillis(300), Duration.ofSeconds(20),
            Duration.ofMillis(60), Duration.ofMillis(300), 1 << 16, 1 << 20, 1_000, 64);

    @TempDir Path folder;

    private Transcript run(SessionScript script, ScriptedServer.Behaviour behaviour) throws Exception {
        TranscriptHeader header = new TranscriptHeader("a1", "0123456789abcdef", "t", script.id(), script.label(), script.era(),
                script.offered().orElse("2026-07-28"), List.of("server"), "", "host", "0", "2026-01-01T00:00:00Z", 1, 1, 1);
        Path file = folder.resolve("t.jsonl.gz");
        try (TranscriptWriter out = new TranscriptWriter(file, header)) {
            new SessionDriver(script, SHORT, header, false).run(new ScriptedServer(behaviour), out);
            out.finish();
        }
        return TranscriptReader.read(file);
    }

    private static void legacy(JsonNode message, ScriptedServer server, String revision) {
        if (message.path("method").asText().equals("initialize")) {
            server.reply(message.path("id"), "{\"protocolVersion\":\"" + revision + "\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}");
        } else if (message.has("id") && message.path("method").asText().equals("tools/list")) {
            server.reply(message.path("id"), "{\"tools\":[]}");
        } else if (message.has("id")) {
            server.reply(message.path("id"), "{}");
        }
    }

    private static StepOutcome outcome(Transcript transcript, String step) {
        return transcript.events().stream().filter(e -> e instanceof Event.StepEnded ended && ended.step().equals(step))
                .map(e -> ((Event.StepEnded) e).outcome()).findFirst().orElse(null);
    }

    private static byte[] sentIn(Transcript transcript, String step) {
        return transcript.events().stream().filter(e -> e instanceof Event.Sent sent && sent.step().equals(step))
                .map(e -> ((Event.Sent) e).bytes()).findFirst().orElseThrow();
    }

    @Test
    void everyOddFrameIsWhatItIsMeantToBe() throws Exception {
        Transcript t = run(Scripts.LEGACY_NEGATIVE, (line, server) -> legacy(ScriptedServer.parse(line), server, "2025-11-25"));
        assertEquals(List.of(), SessionFacts.of(t).remaining());
        assertTrue(ScriptedServer.parse(new String(sentIn(t, "id-null-request"), StandardCharsets.UTF_8)).path("id").isNull());
        byte[] bad = sentIn(t, "invalid-utf8");
        assertTrue(dev.mcpprober.io.Utf8.firstFault(bad, 0, bad.length) > 0);
        assertEquals("ping", ScriptedServer.parse(new String(bad, StandardCharsets.ISO_8859_1)).path("method").asText());
        assertFalse(ScriptedServer.parse(new String(sentIn(t, "notification-request"), StandardCharsets.UTF_8)).has("id"));
        assertEquals(3, ScriptedServer.parse(new String(sentIn(t, "batch-reject"), StandardCharsets.UTF_8)).size());
        assertEquals(StepOutcome.QUIET, outcome(t, "notification-unknown"));
    }

    @Test
    void arraysAreSentAsLegalOnesUnderOneRevisionOnly() throws Exception {
        ScriptedServer.Behaviour batching = (line, server) -> {
            if (line.startsWith("[{")) {
                JsonNode array = ScriptedServer.parse(line);
                server.put("[{\"jsonrpc\":\"2.0\",\"id\":" + array.path(0).path("id") + ",\"result\":{}},{\"jsonrpc\":\"2.0\",\"id\":" + array.path(1).path("id") + ",\"result\":{}}]\n");
            } else {
                legacy(ScriptedServer.parse(line), server, "2025-03-26");
            }
        };
        Transcript with = run(Scripts.LEGACY_BATCH, batching);
        assertEquals(StepOutcome.REPLIED, outcome(with, "batch-requests"));
        assertEquals(StepOutcome.QUIET, outcome(with, "batch-empty"));
        Transcript without = run(Scripts.LEGACY_BATCH, (line, server) -> legacy(ScriptedServer.parse(line), server, "2025-11-25"));
        assertEquals(StepOutcome.SKIPPED, outcome(without, "batch-requests"));
        Transcript negative = run(Scripts.LEGACY_NEGATIVE, (line, server) -> legacy(ScriptedServer.parse(line), server, "2025-03-26"));
        assertEquals(StepOutcome.SKIPPED, outcome(negative, "batch-reject"), "it is no illegal frame there");
    }

    @Test
    void anAutopsySeesALateEnd() throws Exception {
        Transcript t = run(Scripts.LEGACY_MALFORMED, (line, server) -> {
            if (line.contains("\"method\": ping")) {
                new Thread(() -> {
                    try {
                        Thread.sleep(200);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    server.exit(3);
                }).start();
            } else {
                legacy(ScriptedServer.parse(line), server, "2025-11-25");
            }
        });
        assertEquals(StepOutcome.REPLIED, outcome(t, "alive-after-malformed-json"));
        assertEquals(StepOutcome.EXITED, outcome(t, "alive-after-malformed-json-late"));
    }

    @Test
    void anAutopsySeesWhichFrameRevivesAServer() throws Exception {
        int[] lost = {0};
        Transcript t = run(Scripts.LEGACY_MALFORMED_CUT, (line, server) -> {
            if (line.endsWith("\"pi")) {
                lost[0] = 2;
            } else if (lost[0] > 0) {
                lost[0]--;
            } else {
                legacy(ScriptedServer.parse(line), server, "2025-11-25");
            }
        });
        assertEquals(StepOutcome.DEADLINE, outcome(t, "alive-after-malformed-json"));
        assertEquals(StepOutcome.DEADLINE, outcome(t, "alive-after-malformed-json-revival-1"));
        assertEquals(StepOutcome.REPLIED, outcome(t, "alive-after-malformed-json-revival-2"));
        assertEquals(List.of(), SessionFacts.of(t).remaining());
    }

    @Test
    void aServerThatTookNoNoticeIsNotWaitedForTwice() throws Exception {
        Transcript t = run(Scripts.LEGACY_MALFORMED_FOREIGN, (line, server) -> {
            if (!line.contains("greeting")) {
                legacy(ScriptedServer.parse(line), server, "2025-11-25");
            }
        });
        assertEquals(StepOutcome.REPLIED, outcome(t, "alive-after-malformed-json"));
        assertEquals(null, outcome(t, "alive-after-malformed-json-late"));
        Transcript noticed = run(Scripts.LEGACY_MALFORMED_FOREIGN, (line, server) -> {
            if (line.contains("greeting")) {
                server.stderr("invalid".getBytes(StandardCharsets.UTF_8));
            } else {
                legacy(ScriptedServer.parse(line), server, "2025-11-25");
            }
        });
        assertEquals(StepOutcome.QUIET, outcome(noticed, "alive-after-malformed-json-late"));
    }

    @Test
    void modernRequestsLackWhatTheyAreMeantToLack() throws Exception {
        Transcript t = run(Scripts.MODERN_META, (line, server) -> {
            JsonNode message = ScriptedServer.parse(line);
            server.reply(message.path("id"), message.path("method").asText().equals("server/discover")
                    ? "{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}}}" : "{\"tools\":[]}");
        });
        assertEquals(List.of(), SessionFacts.of(t).remaining());
        String prefix = "io.modelcontextprotocol/";
        assertFalse(params(t, "meta-missing-meta").has("_meta"));
        assertFalse(params(t, "meta-missing-protocol-version").path("_meta").has(prefix + "protocolVersion"));
        assertTrue(params(t, "meta-missing-protocol-version").path("_meta").has(prefix + "clientCapabilities"));
        assertFalse(params(t, "meta-missing-client-capabilities").path("_meta").has(prefix + "clientCapabilities"));
        assertFalse(params(t, "meta-client-info-optional").path("_meta").has(prefix + "clientInfo"));
        assertEquals("2099-12-31", params(t, "unsupported-version-later").path("_meta").path(prefix + "protocolVersion").asText());
        assertTrue(params(t, "removed-ping").path("_meta").has(prefix + "protocolVersion"));
    }

    private static JsonNode params(Transcript t, String step) {
        return ScriptedServer.parse(new String(sentIn(t, step), StandardCharsets.UTF_8)).path("params");
    }
}
