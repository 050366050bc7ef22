package dev.mcpprober.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mcpprober.dataset.audit.AuditFiles;
import dev.mcpprober.dataset.audit.AuditScore;
import dev.mcpprober.dataset.audit.Audited;
import dev.mcpprober.dataset.audit.Decision;
import dev.mcpprober.dataset.disclosure.Disclosure;
import dev.mcpprober.dataset.release.Release;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With only the folder of a release, SQL over its long tables gives every figure of the derived ones again. */
class RecomputeTest {
    private static final Path SCRIPT = Path.of(System.getProperty("prober.home", ".")).resolve("src/test/stats/recompute.py");

    @TempDir Path temp;

    record Ended(int status, String out) {}

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

    private Ended recompute(Path release) throws Exception {
        return recompute(release, temp);
    }

    static Ended recompute(Path release, Path temp) throws Exception {
        Path out = Files.createTempFile(temp, "out", "");
        Process process = new ProcessBuilder("python3", SCRIPT.toString(), release.toString()).redirectErrorStream(true).redirectOutput(out.toFile()).start();
        assertTrue(process.waitFor(2, TimeUnit.MINUTES));
        return new Ended(process.exitValue(), Files.readString(out, StandardCharsets.UTF_8));
    }

    /** It ended with 1, as where figures differ. */
    @Test
    void aFolderThatIsNoReleaseIsNoDifference() throws Exception {
        Ended ended = recompute(temp);
        assertEquals(2, ended.status(), ended.out());
        assertTrue(ended.out().contains("holds no datapackage.json\nusage: "), ended.out());
    }

    @Test
    void everyFigureComesOutAgain() throws Exception {
        Ended ended = recompute(ReleaseFixture.make(temp, "out", false).folder);
        assertEquals(0, ended.status(), ended.out());
        assertTrue(ended.out().matches("\\d{3} shares, \\d{3} declared shares, \\d+ words of the audit and 8 servers recomputed, 0 differences\n"), ended.out());
    }

    @Test
    void ratesOfAnAuditComeOutAgain() throws Exception {
        RunFixture run = RunFixture.make(temp.resolve("r"), "run");
        Analysis analysis = ReleaseFixture.analysis(Map.of(), "house@1");
        Path audit = temp.resolve("audit");
        AuditFiles.sample(run.folder, analysis, audit, new AuditFiles.Options(7, 5, Decision.KINDS, "v"));
        StringBuilder labels = new StringBuilder("sample,decision,labeller,label\n");
        String sample = AuditSampleTest.rows(audit.resolve("sample.csv")).get(0).get("sample");
        for (CSVRecord row : AuditSampleTest.rows(audit.resolve("key.csv"))) {
            String label = row.get("kind").equals("verdict") && row.get("target_id").contains("modern") ? "fail" : row.get("decided");
            labels.append(sample).append(',').append(row.get("decision")).append(",x,").append(label).append('\n');
        }
        AuditScore.run(audit, List.of(Files.writeString(temp.resolve("l.csv"), labels)), null, null);
        Path out = temp.resolve("audited");
        Release.build(run.folder, analysis, out, new Release.Options(Map.of("house@1", "abc"), false, "A", null, "", false, Disclosure.NONE, Audited.read(audit, Decisions.runId(run.folder))));
        Ended ended = recompute(out);
        assertEquals(0, ended.status(), ended.out());
        Path file = out.resolve("data/audit.csv");
        String text = Files.readString(file);
        String line = text.lines().filter(row -> row.startsWith("verdict,house@1,tools-call-unknown,divergent")).findFirst().orElseThrow();
        assertTrue(line.contains(",audited,2,2,"), line);
        Files.writeString(file, text.replace(line, line.replace(",audited,", ",partial,")));
        assertEquals("audit: ['verdict', 'house@1', 'tools-call-unknown', 'divergent'] status: partial, recomputed audited", recompute(out).out().lines().findFirst().orElse(""));
    }

    @Test
    void aShareThatIsLeftOutIsMissed() throws Exception {
        ReleaseFixture release = ReleaseFixture.make(temp, "out", false);
        for (String row : List.of("data/shares.csv verdict,house@1,tools-call-unknown,divergent,registry,pypi", "data/declared-shares.csv schema-of-write-verb,no-schema,tools,all,all")) {
            Path file = release.folder.resolve(row.substring(0, row.indexOf(' ')));
            String text = Files.readString(file);
            String line = text.lines().filter(each -> each.startsWith(row.substring(row.indexOf(' ') + 1) + ",")).findFirst().orElseThrow();
            Files.writeString(file, text.replace(line + "\n", ""));
        }
        String out = recompute(release.folder).out();
        assertTrue(out.contains("shares: ['verdict', 'house@1', 'tools-call-unknown', 'divergent', 'registry', 'pypi'] is missing\n"), out);
        assertTrue(out.contains("declared-shares: ['schema-of-write-verb', 'no-schema', 'all', 'all'] is missing\n"), out);
    }

    @Test
    void aFigureThatIsMadeUpDoesNot() throws Exception {
        ReleaseFixture release = ReleaseFixture.make(temp, "out", false);
        int line = release.line("data/shares.csv", "verdict,house@1,tools-call-unknown,divergent,all,all");
        release.cell("data/shares.csv", line, "ci_low", "0.5");
        assertEquals(List.of("shares: ['verdict', 'house@1', 'tools-call-unknown', 'divergent', 'all', 'all'] ci_low: 0.5, recomputed"),
                recompute(release.folder).out().lines().limit(1).map(text -> text.substring(0, text.lastIndexOf(' '))).toList());
    }
}
