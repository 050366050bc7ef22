package dev.mcpprober.transcript;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.Era;
import dev.mcpprober.redaction.CredentialRules;
import dev.mcpprober.redaction.Known;
import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.redaction.Secrets;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventRedactionTest {
    private static final String VALUE = "hunter2-of-the-frame";
    private static final Redactor REDACTOR = Redactor.of(CredentialRules.bundled(), Known.variables(Map.of("API_KEY", VALUE)));
    private static final TranscriptHeader HEADER = new TranscriptHeader("a", "k", "t", "legacy", "legacy-full@1", Era.LEGACY, "2025-11-25",
            List.of("node", "--key=" + VALUE), "", "host", "0", "2026-01-01T00:00:00Z", 1, 2, 3);

    @TempDir Path folder;

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void nothingOfASecretIsInTheFileAndTheHeaderSaysByWhichRules() throws IOException {
        Path file = folder.resolve("t.jsonl.gz");
        byte[] broken = bytes("\u00ff" + VALUE + " x");
        broken[0] = (byte) 0xff;
        List<Event> events = List.of(new Event.Started(0, 0, HEADER.argv()), new Event.StepBegan(1, 1, "s", "ping", Map.of("tool", VALUE)),
                new Event.Sent(2, 2, "s", bytes("{\"a\":\"" + VALUE + "\"}\n")), new Event.Stderr(3, 3, bytes("key " + Secrets.GITHUB.substring(0, 9)), 0),
                new Event.Received(4, 4, bytes("{\"r\":\"" + Secrets.OPENAI + "\"}"), true, Secrets.OPENAI.length() + 8),
                new Event.Received(5, 5, broken, true, broken.length), new Event.Stderr(6, 6, bytes(Secrets.GITHUB.substring(9) + "\n"), 0),
                new Event.StepEnded(7, 7, "s", StepOutcome.SKIPPED, "no " + VALUE), new Event.SendFailed(8, 8, VALUE),
                new Event.Received(9, 9, bytes("cut " + VALUE.substring(0, 12)), true, 4000), new Event.Terminated(10, 10, "exited", 0));
        try (TranscriptWriter out = new TranscriptWriter(file, HEADER, REDACTOR)) {
            for (Event event : events) {
                out.write(event);
            }
            out.finish();
        }
        String text;
        try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        for (String secret : List.of(VALUE, VALUE.substring(0, 12), Secrets.GITHUB, Secrets.GITHUB.substring(9), Secrets.OPENAI)) {
            assertFalse(text.contains(secret), text);
        }
        Transcript back = TranscriptReader.read(file);
        assertTrue(back.header().redaction().get(0).startsWith("prober@2 ("), text);
        assertEquals(List.of("node", "--key=[REDACTED:env]"), back.header().argv());
        for (int i = 0; i < back.events().size(); i++) {
            assertEquals(i, back.events().get(i).index(), "in order, stderr too");
        }
        assertEquals("key [REDACTED:github-token]", new String(((Event.Stderr) back.events().get(3)).bytes(), StandardCharsets.UTF_8));
        Event.Received reply = (Event.Received) back.events().get(4);
        assertEquals("{\"r\":\"[REDACTED:model-api-key]\"}", new String(reply.bytes(), StandardCharsets.UTF_8));
        assertFalse(reply.truncated());
        assertFalse(((Event.Received) back.events().get(5)).truncated());
        assertEquals((byte) 0xff, ((Event.Received) back.events().get(5)).bytes()[0]);
        Event.Received cut = (Event.Received) back.events().get(9);
        assertTrue(cut.truncated());
        assertEquals("cut [REDACTED:env]", new String(cut.bytes(), StandardCharsets.UTF_8));
        assertEquals(Map.of("env", 8, "github-token", 1, "model-api-key", 1), ((Event.Redacted) back.events().get(11)).counts());
    }
}
