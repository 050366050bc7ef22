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

    @Test
    void everyFigureComesOutAgain() throws Exception {
        Path release = release();
        Ended ended = recompute(release, Report.ofRelease(release, temp.resolve("report")).getParent());
        assertEquals(0, ended.status(), ended.out());
        assertTrue(ended.out().matches("\\d{2} figures and \\d{3} cells recomputed, \\d{3} printed numbers found, 0 differences\n"), ended.out());
    }

    @Test
    void aFigureThatIsMadeUpDoesNot() throws Exception {
        Path release = release();
        Path report = Report.ofRelease(release, temp.resolve("report")).getParent();
        replace(report.resolve("figures/funnel.csv"), "declared,,,8", "declared,,,9");
        replace(report.resolve("figures/startup-failures.vl.json"), "\"k\" : 1", "\"k\" : 2");
        replace(report.resolve("index.html"), "2 of 2, 95 % interval", "2 of 1234, 95 % interval");
        String out = recompute(release, report).out();
        assertTrue(out.contains("funnel, row 1, rows: '9', recomputed 8\n"), out);
        assertTrue(out.contains("startup-failures.vl.json, row 1, k: 2, the CSV has '1'\n"), out);
        assertTrue(out.contains("index.html prints 1234, which is in no table"), out);
    }

    private static void replace(Path file, String from, String to) throws IOException {
        String text = Files.readString(file);
        assertTrue(text.contains(from), file + ": " + text);
        Files.writeString(file, text.replace(from, to));
    }
}
