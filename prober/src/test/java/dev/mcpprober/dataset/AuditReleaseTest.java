package dev.mcpprober.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.dataset.audit.AuditException;
import dev.mcpprober.dataset.audit.AuditFiles;
import dev.mcpprober.dataset.audit.AuditScore;
import dev.mcpprober.dataset.audit.Audited;
import dev.mcpprober.dataset.audit.Decision;
import dev.mcpprober.dataset.release.RefusedException;
import dev.mcpprober.dataset.disclosure.Disclosure;
import dev.mcpprober.dataset.release.Release;
import dev.mcpprober.dataset.release.Verification;
import dev.mcpprober.dataset.report.Report;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Labels in a release: what they say is checked against what they are of, and rates against them. */
class AuditReleaseTest {
    private static final Analysis ANALYSIS = ReleaseFixture.analysis(Map.of(), "house@1");

    @TempDir static Path temp;
    private static RunFixture run;
    private static Path audit;
    private static Path sound;
    private ReleaseFixture release;

    @BeforeAll
    static void build() throws Exception {
        run = RunFixture.make(temp.resolve("run"), "run");
        audit = temp.resolve("audit");
        AuditFiles.sample(run.folder, ANALYSIS, audit, new AuditFiles.Options(7, 5, Decision.KINDS, "v"));
        AuditScore.run(audit, List.of(labels("a.csv", "Ann"), labels("b.csv", "Bob")), null, null);
        sound = temp.resolve("sound");
        Release.build(run.folder, ANALYSIS, sound, options(audit, run));
    }

    private static Release.Options options(Path labels, RunFixture of) throws IOException, AuditException {
        return new Release.Options(Map.of("house@1", "abc"), false, "A. Nother", null, "", true, Disclosure.NONE, Audited.read(labels, Decisions.runId(of.folder)));
    }

    /** As the program decided, but for the unknown tool of the second server, and two words that only one of them gives. */
    private static Path labels(String name, String who) throws IOException {
        StringBuilder out = new StringBuilder("sample,decision,labeller,label\n");
        String sample = AuditSampleTest.rows(audit.resolve("sample.csv")).get(0).get("sample");
        boolean first = true;
        for (CSVRecord row : AuditSampleTest.rows(audit.resolve("key.csv"))) {
            String label = row.get("decided");
            if (row.get("rule").equals("tools-call-unknown") && row.get("target_id").contains("modern")) {
                label = "fail";
            } else if (first && row.get("kind").equals("verdict") && who.equals("Bob")) {
                label = "cannot-tell";
                first = false;
            }
            out.append(sample).append(',').append(row.get("decision")).append(',').append(who).append(',').append(label).append('\n');
        }
        return Files.writeString(temp.resolve(name), out);
    }

    @BeforeEach
    void copy(TestInfo test) throws Exception {
        release = ReleaseFixture.copy(sound, temp.resolve(test.getTestMethod().orElseThrow().getName()));
    }

    private void caught(String starts) throws Exception {
        List<String> problems = Verification.of(release.folder).problems();
        assertTrue(problems.stream().anyMatch(problem -> problem.startsWith(starts)), starts + "\n  is not among\n" + String.join("\n", problems));
    }

    private void cell(String file, String row, String column, String value, String says) throws Exception {
        int line = release.line(file, row);
        release.cell(file, line, column, value);
        caught(file + ":" + line + ": " + says);
    }

    @Test
    void aReleaseWithAnAuditIsSoundAndSaysSo() throws Exception {
        assertEquals(List.of(), Verification.of(sound).problems());
        CSVRecord divergent = AuditSampleTest.rows(sound.resolve("data/audit.csv")).stream()
                .filter(row -> row.get("rule").equals("tools-call-unknown") && row.get("decided").equals("divergent")).findFirst().orElseThrow();
        assertEquals("audited 2 1 1 0.5", String.join(" ", divergent.get("status"), divergent.get("labelled"), divergent.get("right"), divergent.get("share"), divergent.get("ppv")));
        String card = Files.readString(sound.resolve("README.md"));
        assertTrue(card.contains("**Audited** by 2 people, who decided "), card);
        assertFalse(card.contains("Not audited"), "nothing of it is left");
        String page = Files.readString(sound.resolve("report/index.html"));
        assertTrue(page.contains("Shares raw and corrected") && page.contains("without knowing what the program had decided"), "report");
        try (Stream<Path> files = Files.walk(sound)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                assertFalse(Files.readString(file, StandardCharsets.ISO_8859_1).matches("(?s).*\\b(Ann|Bob)\\b.*"), "a labeller's name in " + file);
            }
        }
    }

    @Test
    void theReportOfARunCarriesAnAuditToo() throws Exception {
        Path out = temp.resolve("of-run");
        Report.ofRun(run.folder, ANALYSIS, null, Audited.read(audit, Decisions.runId(run.folder)), out);
        assertEquals(Files.readString(sound.resolve("report/figures/audit.csv")), Files.readString(out.resolve("figures/audit.csv")), "as in the release of the same run");
        assertEquals(Files.readString(sound.resolve("report/figures/failed-checks.csv")), Files.readString(out.resolve("figures/failed-checks.csv")));
        Analysis other = ReleaseFixture.analysis(Map.of(), "other@2");
        Audited labels = Audited.read(audit, Decisions.runId(run.folder));
        assertThrows(AuditException.class, () -> Report.ofRun(run.folder, other, null, labels, temp.resolve("refused")));
        assertFalse(Files.exists(temp.resolve("refused")), "nothing was written");
    }

    /** What was settled stands before what it settles: "adjudicated" comes before "labeller-1" in the table of a scored audit. */
    @Test
    void whatWasSettledIsTakenUp() throws Exception {
        Path settling = temp.resolve("settling");
        AuditFiles.sample(run.folder, ANALYSIS, settling, new AuditFiles.Options(7, 5, Decision.KINDS, "v"));
        List<Path> both = List.of(temp.resolve("a.csv"), temp.resolve("b.csv"));
        assertEquals(1, AuditScore.run(settling, both, null, null).open());
        String open = Files.readString(settling.resolve("score/disagreements.csv"));
        assertTrue(open.contains(",adjudicated,,"), open);
        Path settled = Files.writeString(temp.resolve("settled.csv"), open.replace(",adjudicated,,", ",adjudicated,pass,"));
        assertEquals(0, AuditScore.run(settling, both, settled, null).open());
        Path out = temp.resolve("with-settled");
        Release.build(run.folder, ANALYSIS, out, options(settling, run));
        assertEquals(List.of(), Verification.of(out).problems());
        assertEquals(1, AuditSampleTest.rows(out.resolve("data/labels.csv")).stream().filter(row -> row.get("labeller").equals("adjudicated") && row.get("label").equals("pass")).count());
        assertTrue(AuditSampleTest.rows(out.resolve("data/audit.csv")).stream().allMatch(row -> row.get("open").equals("0")));
    }

    @Test
    void withoutLabelsEveryPlaceSaysNotAudited() throws Exception {
        Path out = temp.resolve("plain");
        Release.build(run.folder, ANALYSIS, out, new Release.Options(Map.of("house@1", "abc"), false, "A. Nother", null, "", true));
        assertEquals(List.of(), Verification.of(out).problems());
        assertTrue(AuditSampleTest.rows(out.resolve("data/audit.csv")).stream().allMatch(row -> row.get("status").equals("not-audited") && row.get("corrected").isEmpty()));
        assertEquals(List.of(), AuditSampleTest.rows(out.resolve("data/labels.csv")));
        assertTrue(Files.readString(out.resolve("README.md")).contains("**Not audited.**"));
        assertTrue(Files.readString(out.resolve("report/index.html")).contains("Not audited: nobody has labelled"));
        assertTrue(Audited.none().begin().text().contains("Not audited"));
        assertTrue(SummaryText.render(DatasetBuilder.build(run.folder, ANALYSIS).summary()).contains("Not audited"));
        assertTrue(Files.readString(Report.ofRun(run.folder, ANALYSIS, null, temp.resolve("report"))).contains("Not audited: nobody has labelled"));
    }

    @Test
    void aWithheldServersLabelsSayNothingOfIt() throws Exception {
        Audited.Count count = Audited.read(audit, Decisions.runId(run.folder)).begin();
        Decisions.each(run.folder, ANALYSIS, count::add);
        Path out = Files.createDirectories(temp.resolve("veiled"));
        count.write(out, target -> target.contains("good") ? "held-0" : target);
        List<CSVRecord> open = AuditSampleTest.rows(sound.resolve("data/labels.csv"));
        List<CSVRecord> veiled = AuditSampleTest.rows(out.resolve("labels.csv"));
        assertEquals(open.size(), veiled.size());
        List<CSVRecord> hidden = veiled.stream().filter(row -> row.get("decision").startsWith("withheld-")).toList();
        assertEquals(open.stream().filter(row -> row.get("target_id").contains("good")).count(), hidden.size());
        assertTrue(hidden.stream().allMatch(row -> row.get("target_id").isEmpty() && row.get("observation").isEmpty() && row.get("failure").isEmpty()));
        assertFalse(Files.readString(out.resolve("labels.csv")).contains("good"));
        assertEquals(Files.readString(sound.resolve("data/audit.csv")), Files.readString(out.resolve("audit.csv")), "rates are what they were");
    }

    @Test
    void statsPrintsRawAndCorrectedSideBySide() throws Exception {
        Audited.Count count = Audited.read(audit, Decisions.runId(run.folder)).begin();
        Decisions.each(run.folder, ANALYSIS, count::add);
        String text = count.text();
        assertTrue(text.contains("Audited by 2 labellers") && text.matches("(?s).*tools-call-unknown +divergent +2 +1 .*"), text);
    }

    @Test
    void labelsOfOtherRulesOrAnotherRunAreRefused() throws Exception {
        RunFixture other = RunFixture.make(temp.resolve("other"), "run");
        Path census = other.folder.census();
        Files.writeString(census, Files.readString(census).replace("0.1.0", "0.1.1"));
        AuditException foreign = assertThrows(AuditException.class, () -> options(audit, other));
        assertTrue(foreign.getMessage().contains("is the audit of another run"), foreign.getMessage());
        assertThrows(AuditException.class, () -> Audited.read(temp, "r"));
        RefusedException changed = assertThrows(RefusedException.class,
                () -> Release.build(run.folder, ReleaseFixture.analysis(Map.of("tools-call-unknown", "pass"), "house@2"), temp.resolve("changed"), options(audit, run)));
        assertTrue(changed.getMessage().contains("the labels are not of this data set") && changed.getMessage().contains("house@1 tools-call-unknown divergent"), changed.getMessage());
        assertFalse(Files.exists(temp.resolve("changed")));
    }

    @Test
    void aLabelOfSomethingElse() throws Exception {
        int line = release.line("data/labels.csv", "verdict,house@1,tools-call-unknown,divergent");
        release.cell("data/labels.csv", line, "decided", "fail");
        caught("data/labels.csv:" + line + ": decided is fail, and the row of its verdict says otherwise or is not there");
    }

    @Test
    void aLabelOfAnObservationThatIsNotThere() throws Exception {
        int line = release.line("data/labels.csv", "verdict,house@1,tools-call-unknown,divergent");
        release.cell("data/labels.csv", line, "observation", "o99999");
        caught("data/labels.csv:" + line + ": no row [");
    }

    @Test
    void aLabelThatIsNoAnswer() throws Exception {
        cell("data/labels.csv", "verdict,house@1,tools-call-unknown,divergent", "label", "perhaps", "column label: \"perhaps\" is not in its closed list");
    }

    @Test
    void aWeightThatIsMadeUp() throws Exception {
        cell("data/labels.csv", "verdict,house@1,tools-call-unknown,divergent", "weight", "3", "weight is 3, and not ");
    }

    @Test
    void aLabelThatWasTakenOut() throws Exception {
        // Both answers to one decision: then its word has one labelled decision less.
        for (int i = 0; i < 2; i++) {
            release.edit("data/labels.csv", release.line("data/labels.csv", "verdict,house@1,tools-call-unknown,divergent,fail"), text -> null);
        }
        int line = release.line("data/audit.csv", "verdict,house@1,tools-call-unknown,divergent");
        caught("data/audit.csv:" + line + ": labelled, cannot_tell and open are 2, 0 and 0, table labels makes them 1, 0 and 0");
    }

    @Test
    void aRateThatIsMadeUp() throws Exception {
        int line = release.line("data/audit.csv", "verdict,house@1,tools-call-unknown,divergent");
        release.cell("data/audit.csv", line, "ppv", "0.9");
        caught("data/audit.csv:" + line + ": k, n, shares, rates and their intervals do not agree");
    }

    @Test
    void aRawShareThatIsNotThatOfTheTables() throws Exception {
        cell("data/audit.csv", "startup-failure,none,startup-failure,install-not-found", "k", "2", "k is 2, the tables have 1");
    }

    @Test
    void aWordThatWasTakenOut() throws Exception {
        release.edit("data/audit.csv", release.line("data/audit.csv", "consequence,none,tools-call-wrong-type,silent-execution"), text -> null);
        caught("data/audit.csv: a word that the tables have is missing");
    }
}
