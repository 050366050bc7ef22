package dev.mcpprober.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerReaderTest {
    private static final List<LedgerEvent> EVERY_KIND = List.of(
            new LedgerEvent.Opened("t", "0.1.0", 7, Map.of("engine", "docker")),
            new LedgerEvent.Closed("t", "why"),
            new LedgerEvent.Excluded("t", "line-3", "malformed"),
            new LedgerEvent.Planned("t", "pkg:npm/a", "k", "legacy", "legacy-full@1"),
            new LedgerEvent.Started("t", "pkg:npm/a", "k", "a-1", "legacy"),
            new LedgerEvent.Installed("t", "pkg:npm/a", "i-1", "installed", true, "00"),
            new LedgerEvent.Completed("t", "pkg:npm/a", "k", "a-1", "00"),
            new LedgerEvent.Faulted("t", "pkg:npm/a", "k", "a-1", "channel-lost", "line\none \u2028 \"two\" \uD800"),
            new LedgerEvent.Finished("t", "pkg:npm/a", "started", "ünïcode", List.of("a-1")),
            new LedgerEvent.RetryAllowed("t", "pkg:npm/a"));

    @TempDir Path folder;

    @Test
    void everyKindOfEventComesBack() throws Exception {
        assertEquals(LedgerEvent.class.getPermittedSubclasses().length, EVERY_KIND.size(), "a kind is not tested");
        Path file = file(EVERY_KIND);
        List<LedgerEvent> read = new ArrayList<>();
        assertEquals(Files.size(file), LedgerReader.read(file, read::add));
        assertEquals(EVERY_KIND, read);
        assertEquals(EVERY_KIND.size(), Files.readAllLines(file).size());
    }

    @Test
    void aTornLastLineIsPassedOver() throws Exception {
        byte[] whole = Files.readAllBytes(file(EVERY_KIND));
        int last = LedgerWriter.line(EVERY_KIND.get(9)).getBytes(StandardCharsets.UTF_8).length;
        for (int cut = 1; cut <= last; cut++) {
            Path torn = Files.write(folder.resolve("torn"), java.util.Arrays.copyOf(whole, whole.length - cut));
            List<LedgerEvent> read = new ArrayList<>();
            assertEquals(whole.length - last, LedgerReader.read(torn, read::add));
            assertEquals(EVERY_KIND.subList(0, 9), read);
        }
    }

    @Test
    void zerosAtTheEndAreATornLineToo() throws Exception {
        Path file = file(EVERY_KIND.subList(0, 2));
        long size = Files.size(file);
        Files.write(file, new byte[300], java.nio.file.StandardOpenOption.APPEND);
        assertEquals(size, LedgerReader.read(file, e -> { }));
    }

    @Test
    void damageInTheMiddleIsNamedByLine() throws Exception {
        for (String bad : List.of("{\"event\":\"sta\n", "{\"event\":\"vanished\",\"at\":\"t\"}\n", "{\"event\":\"closed\",\"at\":\"t\"}\n", "[]\n", "\n")) {
            Path file = folder.resolve("ledger.jsonl");
            Files.writeString(file, LedgerWriter.line(EVERY_KIND.get(0)) + bad + LedgerWriter.line(EVERY_KIND.get(1)));
            String message = assertThrows(IOException.class, () -> LedgerReader.read(file, e -> { })).getMessage();
            assertTrue(message.contains("ledger.jsonl, line 2: "), message);
        }
    }

    private Path file(List<LedgerEvent> events) throws IOException {
        StringBuilder text = new StringBuilder();
        events.forEach(event -> text.append(LedgerWriter.line(event)));
        return Files.writeString(folder.resolve("whole.jsonl"), text);
    }
}
