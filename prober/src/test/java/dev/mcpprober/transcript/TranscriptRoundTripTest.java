package dev.mcpprober.transcript;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.Era;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TranscriptRoundTripTest {
    private static final TranscriptHeader HEADER = new TranscriptHeader("a", "k", "pkg:npm/x@1", "legacy", "legacy-full@1", Era.LEGACY, "2025-11-25",
            List.of("node", "x.js"), "sha256:1", "network=none", "0.1.0", "2026-01-01T00:00:00Z", 1, 2, 3);

    @TempDir Path folder;

    private static List<Event> events() {
        return List.of(new Event.Started(0, 0, List.of("node")), new Event.StepBegan(1, 1, "s", "ping", Map.of("id", "1")),
                new Event.Sent(2, 2, "s", "{}\n".getBytes()), new Event.SendFailed(3, 3, "broken pipe"),
                new Event.Received(4, 4, new byte[] {(byte) 0xFF, 0, 'a'}, false, 9), new Event.Received(5, 4, "a\u2028\r".getBytes(java.nio.charset.StandardCharsets.UTF_8), true, 5),
                new Event.Stderr(6, 5, new byte[] {27, '['}, 12), new Event.StdoutCapped(7, 6, 10), new Event.Totals(8, 7, 1, 2, 3),
                new Event.StepEnded(9, 8, "s", StepOutcome.REPLIED, "x"), new Event.StdinClosed(10, 9), new Event.StdoutClosed(11, 10),
                new Event.SignalSent(12, 11, "SIGTERM"), new Event.Terminated(13, 12, "exited", 3), new Event.ChannelLost(14, 13, "gone"), new Event.Redacted(15, 14, Map.of("jwt", 2, "env", 1)),
                new Event.DeadlineExtended(16, 15, 30_000, 87, 3.25));
    }

    private Path write(String name) throws IOException {
        Path file = folder.resolve(name);
        try (TranscriptWriter out = new TranscriptWriter(file, HEADER)) {
            for (Event event : events()) {
                out.write(event);
            }
            out.finish();
        }
        return file;
    }

    @Test
    void everyKindOfEventComesBackAsItWas() throws IOException {
        Transcript back = TranscriptReader.read(write("t.jsonl.gz"));
        assertEquals(HEADER, back.header());
        assertEquals(events().size(), back.events().size());
        assertEquals(Event.class.getPermittedSubclasses().length, events().stream().map(Object::getClass).distinct().count());
        for (int i = 0; i < events().size(); i++) {
            assertEquals(json(events().get(i)), json(back.events().get(i)));
        }
        assertArrayEquals(new byte[] {(byte) 0xFF, 0, 'a'}, ((Event.Received) back.events().get(4)).bytes());
        assertEquals(9, ((Event.Received) back.events().get(4)).originalLength());
    }

    private static String json(Event event) throws IOException {
        java.io.ByteArrayOutputStream out = new java.io.ByteArrayOutputStream();
        EventJson.write(event, out);
        return out.toString(java.nio.charset.StandardCharsets.UTF_8);
    }

    @Test
    void bytesOfEveryValueComeBackTextAsJsonText() throws IOException {
        byte[] all = new byte[70_000];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        byte[] ascii = new byte[128];
        System.arraycopy(all, 0, ascii, 0, 128);
        byte[] text = (new String(ascii, java.nio.charset.StandardCharsets.US_ASCII) + "é中\uD83D\uDE00\u2028").repeat(500).getBytes(java.nio.charset.StandardCharsets.UTF_8);
        Path file = folder.resolve("bytes.gz");
        try (TranscriptWriter out = new TranscriptWriter(file, HEADER)) {
            out.write(new Event.Received(0, 0, text, true, text.length));
            out.write(new Event.Received(1, 0, all, true, all.length));
            out.finish();
        }
        Transcript back = TranscriptReader.read(file);
        assertArrayEquals(text, ((Event.Received) back.events().get(0)).bytes());
        assertArrayEquals(all, ((Event.Received) back.events().get(1)).bytes());
        assertTrue(json(back.events().get(0)).contains("\"text\":\"") && json(back.events().get(1)).contains("\"b64\":\""));
    }

    @Test
    void theStepsAloneCanBeRead() throws IOException {
        List<String> steps = new ArrayList<>();
        Path file = write("t.jsonl.gz");
        assertEquals(HEADER, TranscriptReader.readSteps(file, event -> steps.add(event.getClass().getSimpleName())));
        assertEquals(List.of("StepBegan", "StepEnded"), steps);
        Files.write(file, java.util.Arrays.copyOf(Files.readAllBytes(file), 300));
        assertTrue(assertThrows(IOException.class, () -> TranscriptReader.readSteps(file, event -> { })).getMessage().contains("t.jsonl.gz, line"));
    }

    /** A map without an order of its own has another one in each process. */
    @Test
    void whatAStepIsAboutStandsInOneOrder() throws IOException {
        Map<String, String> about = new LinkedHashMap<>(Map.of("b", "1"));
        about.put("a", "2");
        assertTrue(json(new Event.StepBegan(0, 0, "s", "ping", about)).contains("\"about\":{\"a\":\"2\",\"b\":\"1\"}"));
    }

    @Test
    void equalEventsGiveEqualBytes() throws IOException {
        assertArrayEquals(Files.readAllBytes(write("a.gz")), Files.readAllBytes(write("b.gz")));
    }

    @Test
    void aWriterClosedEarlyLeavesNoFile() throws IOException {
        Path file = folder.resolve("half.gz");
        try (TranscriptWriter out = new TranscriptWriter(file, HEADER)) {
            out.write(events().get(0));
        }
        try (var left = Files.list(folder)) {
            assertFalse(left.findAny().isPresent());
        }
    }

    @Test
    void aBrokenFileIsNamedWithItsLine() throws IOException {
        Path file = write("t.gz");
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, java.util.Arrays.copyOf(bytes, bytes.length / 2));
        IOException e = assertThrows(IOException.class, () -> TranscriptReader.read(file));
        assertTrue(e.getMessage().contains("t.gz, line"), e.getMessage());
    }

    /** Cut to 32 bits, such an event would pass for another one. */
    @Test
    void aNumberOfAnEventThatCannotBeIsRefusedWithItsLine() throws IOException {
        for (String number : List.of("4294967296", "2147483648", "-1", "1.5", "\"1\"")) {
            Path file = write("n.jsonl.gz");
            String text;
            try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
                text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
            try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
                out.write((text + "{\"i\":" + number + ",\"t\":1,\"e\":\"stdin-closed\"}\n").getBytes(StandardCharsets.UTF_8));
            }
            IOException e = assertThrows(IOException.class, () -> TranscriptReader.read(file), number);
            assertTrue(e.getMessage().contains("n.jsonl.gz, line " + (text.lines().count() + 1) + ": ") && e.getMessage().contains("\"i\""), e.getMessage());
        }
    }
}
