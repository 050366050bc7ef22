package dev.mcpprober.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mcpprober.dataset.release.Release;
import dev.mcpprober.dataset.report.Report;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With only the tables of a release, SQL gives every figure of its report again, and every number that the first page prints is in a table. */
class ReportRecomputeTest {
    private static final Path SCRIPT = Path.of(System.getProperty("prober.home", ".")).resolve("src/test/stats/recompute_report.py");

    @TempDir Path temp;

    private record Ended(int status, String out) {}

    @BeforeAll
    static void python() {
        try {
            Process process = new ProcessBuilder("python3", "-c", "import sqlite3; assert sqlite3.sqlite_version_info >= (3, 25)").start();
            assumeTrue(process.waitFor() == 0, "python3 has no sqlite3 with window functions: figures are not recomputed");
        } catch (IOException e) {
            assumeTrue(false, "no python3 on this machine: figures are not recomputed");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private Path release() throws Exception {
        return ReleaseFixture.make(temp, "release", ReleaseFixture.analysis(Map.of(), "house@1", "other@2"), new Release.Options(Map.of(), false, "A. Nother", null, "")).folder;
    }

    private Ended recompute(Path release, Path report) throws Exception {
        Path out = Files.createTempFile(temp, "out", "");
        Process process = new ProcessBuilder("python3", SCRIPT.toString(), release.toString(), report.toString()).redirectErrorStream(true).redirectOutput(out.toFile()).start();
        assertTrue(process.waitFor(2, TimeUnit.MINUTES));
        return new Ended(process.exitValue(), Files.readString(out, StandardCharsets.UTF_8));
    }

    /** It ended with 1, as where figures differ. */
    @Test
    void aFolderThatIsNoReportIsNoDifference() throws Exception {
        Ended ended = recompute(release(), temp);
        assertEquals(2, ended.status(), ended.out());
        assertTrue(ended.out().contains("holds no figures\nusage: "), ended.out());
    }

    @Test
    void everyFigureComesOutAgain() throws Exception {
        Path release = release();
        Ended ended = recompute(release, Report.ofRelease(release, temp.resolve("report")).getParent());
        assertEquals(0, ended.status(), ended.out());
        assertTrue(ended.out().matches("\\d{2} figures and \\d{3} cells recomputed, \\d{4} printed numbers found, 0 differences\n"), ended.out());
    }

    @Test
    void aFigureThatIsMadeUpDoesNot() throws Exception {
        Path release = release();
        Path report = Report.ofRelease(release, temp.resolve("report")).getParent();
        replace(report.resolve("figures/funnel.csv"), "declared,,,8", "declared,,,9");
        replace(report.resolve("figures/startup-failures.vl.json"), "\"k\" : 1", "\"k\" : 2");
        String out = recompute(release, report).out();
        assertTrue(out.contains("funnel, row 1, rows: '9', recomputed 8\n"), out);
        assertTrue(out.contains("startup-failures.vl.json, row 1, k: 2, the CSV has '1'\n"), out);
    }

    /** Each of these numbers is somewhere in the tables, but not where it is printed. */
    @Test
    void aNumberThatIsInAnotherPlaceOfTheTablesIsSeen() throws Exception {
        Path release = release();
        Path index = Report.ofRelease(release, temp.resolve("report"));
        String sound = Files.readString(index);
        for (List<String> fault : List.of(
                List.of("2 of 2, 95 % interval", "1 of 2, 95 % interval", "index.html finds ["),
                List.of("<h1>How 2 MCP", "<h1>How 4 MCP", "index.html does not say: How 2 MCP servers behave when a call goes wrong"),
                List.of("8 declared = 2 excluded", "8 declared = 4 excluded", "index.html does not say: 8 declared = 2 excluded"),
                List.of("<strong>Incomplete: 2 of 8", "<strong>Incomplete: 1 of 8", "index.html does not say: Incomplete: 2 of 8"),
                List.of("<td class=\"n\">1</td><td class=\"n\">2</td>", "<td class=\"n\">2</td><td class=\"n\">2</td>", "the CSV says"),
                List.of("100.0\u00a0% of 2*", "50.0\u00a0% of 2*", "index.html draws 50.0"),
                List.of("observed by fake@1", "observed by fake@77", "index.html prints 77, which is in no table"))) {
            assertTrue(sound.contains(fault.get(0)), fault + "\n" + sound);
            int at = sound.indexOf(fault.get(0));
            Files.writeString(index, sound.substring(0, at) + fault.get(1) + sound.substring(at + fault.get(0).length()));
            Ended ended = recompute(release, index.getParent());
            assertTrue(ended.status() == 1 && ended.out().contains(fault.get(2)), fault + "\n" + ended.out());
        }
    }

    private static void replace(Path file, String from, String to) throws IOException {
        String text = Files.readString(file);
        assertTrue(text.contains(from), file + ": " + text);
        Files.writeString(file, text.replace(from, to));
    }
}
