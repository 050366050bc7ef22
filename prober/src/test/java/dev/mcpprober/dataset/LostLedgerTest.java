package dev.mcpprober.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.dataset.drift.Drift;
import dev.mcpprober.dataset.drift.DriftFiles;
import dev.mcpprober.dataset.drift.DriftReader;
import dev.mcpprober.run.UnusableRunException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LostLedgerTest {
    @TempDir Path temp;

    /** Without it every server would count as never tried, and what was derived before would be overwritten with nothing. */
    @Test
    void aRunWithTranscriptsAndNoLedgerIsRefusedAndKeepsWhatItHas() throws Exception {
        RunFixture fixture = RunFixture.make(temp, "run");
        Regrade.run(fixture.folder, RunFixture.analysis());
        Path verdicts = fixture.folder.verdicts("spec@1");
        byte[] before = Files.readAllBytes(verdicts);
        Files.write(fixture.folder.ledger(), new byte[0]);
        assertTrue(assertThrows(UnusableRunException.class, () -> Regrade.run(fixture.folder, RunFixture.analysis())).getMessage().contains("ledger is empty"));
        Files.delete(fixture.folder.ledger());
        assertTrue(assertThrows(UnusableRunException.class, () -> DatasetBuilder.build(fixture.folder, RunFixture.analysis())).getMessage().contains("is missing"));
        assertEquals(before.length, Files.readAllBytes(verdicts).length);
    }

    @Test
    void aRunHasNotDriftedFromItself() throws Exception {
        RunFixture fixture = RunFixture.make(temp, "run");
        Drift drift = DriftReader.between(fixture.folder, fixture.folder, RunFixture.analysis());
        assertEquals(List.of(), drift.pairs().stream().filter(Drift.Pair::flipped).toList());
        assertEquals(0, drift.oneSided());
        // Two are unmeasured; the two rows that the frame leaves out are no rows of one run only.
        assertEquals(2, drift.cut());
        assertTrue(DriftFiles.render(drift).contains("0 of them changed"));
    }
}
