package dev.mcpprober.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.dataset.release.Verification;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** A sound release for tests that plant something into a copy of it. Every problem has to be named with its file and line. */
abstract class PlantedRelease {
    @TempDir static Path temp;
    private static Path sound;
    ReleaseFixture release;

    @BeforeAll
    static void build() throws Exception {
        ReleaseFixture whole = ReleaseFixture.make(temp, "sound", true).seal();
        assertEquals(List.of(), Verification.of(whole.folder).problems());
        sound = whole.folder;
    }

    @BeforeEach
    void copy(TestInfo test) throws Exception {
        release = ReleaseFixture.copy(sound, temp.resolve(test.getTestMethod().orElseThrow().getName()));
    }

    /** @param starts file and line, then what it says */
    final void caught(String starts) throws Exception {
        caught(release, starts);
    }

    static void caught(ReleaseFixture release, String starts) throws Exception {
        List<String> problems = Verification.of(release.folder).problems();
        assertTrue(problems.stream().anyMatch(problem -> problem.startsWith(starts)), starts + "\n  is not among\n" + String.join("\n", problems));
    }

    final void cell(String file, String row, String column, String value, String says) throws Exception {
        int line = release.line(file, row);
        release.cell(file, line, column, value);
        caught(file + ":" + line + ": " + says);
    }

    final void cell(String file, String row, String column, String value) throws Exception {
        release.cell(file, release.line(file, row), column, value);
    }
}
