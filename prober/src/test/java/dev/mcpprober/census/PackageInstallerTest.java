package dev.mcpprober.census;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.mcpprober.install.InstallOutcome;
import dev.mcpprober.install.InstallRecord;
import dev.mcpprober.model.Registry;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PackageInstallerTest {
    @TempDir Path temp;

    private String artefact(String asOf) throws Exception {
        InstallRecord record = new InstallRecord(new InstallRecord.Artefact("npm:a", Registry.NPM, "pkg:npm/a@1.0.0", "a", "1.0.0", "sha512-abc", asOf),
                new InstallOutcome.Installed(""), Optional.empty(), new InstallRecord.Scripts(List.of(), "", ""), new InstallRecord.Lock("", "", ""), List.of(),
                new InstallRecord.Traffic(List.of(), 0, List.of(), List.of(), true), 1, "");
        return PackageInstaller.installation(FakeWorld.frame(temp, "npm:a").eligible().get(0), record, new byte[0]).artefactDigest();
    }

    /** The artefact is a part of every work key: the day is one with it. */
    @Test
    void theDayOfResolutionIsPartOfWhatIsProbed() throws Exception {
        assertEquals(artefact("2026-07-19"), artefact("2026-07-19"));
        assertNotEquals(artefact("2026-07-19"), artefact("2026-07-20"));
        assertEquals("sha512-abc", artefact(""));
    }
}
