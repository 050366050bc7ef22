package dev.mcpprober.census;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.RunFolder;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurationsTest {
    @TempDir Path temp;

    @Test
    void theLongestGoFirstAndUnknownOnesInTheMiddle() throws Exception {
        RunFolder run = new RunFolder(temp);
        try (Ledger ledger = Ledger.open(run.ledger())) {
            for (String[] target : new String[][] {{"pkg:npm/short", "01"}, {"pkg:npm/long", "50"}, {"pkg:npm/usual", "20"}}) {
                ledger.append(new LedgerEvent.Started("2026-11-30T12:00:00.000Z", target[0], LedgerEvent.INSTALL, target[0].substring(8) + "-1", "install"),
                        new LedgerEvent.Finished("2026-11-30T12:00:" + target[1] + ".000Z", target[0], "started", "", List.of()));
            }
        }
        Durations durations = Durations.of(run);
        List<FrameEntry> frame = FakeWorld.frame(temp, "npm:short", "npm:unknown", "npm:long", "npm:usual").eligible();
        assertEquals(List.of("npm:long", "npm:unknown", "npm:usual", "npm:short"), durations.order(frame).stream().map(FrameEntry::label).toList());
        assertEquals(20, durations.of(frame.get(1)));
        assertEquals(frame, Durations.UNKNOWN.order(frame));
    }
}
