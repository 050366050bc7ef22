package dev.mcpprober.dataset.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditScoreTest {
    private static final String HEAD = "sample,decision,labeller,label,note\n";

    @TempDir Path temp;
    private Path audit;

    /** One check: 90 pass, of which p1 to p3 are drawn; 10 fail, f1 and f2; 4 not-run, n1. And two failures whose words do not decide. */
    @BeforeEach
    void make() throws IOException {
        audit = Files.createDirectories(temp.resolve("audit"));
        Files.writeString(audit.resolve("audit.json"), "{\"sample\":\"s1\",\"run\":\"r1\",\"decisions\":7}");
        StringBuilder key = new StringBuilder("decision,kind,rule_set,rule,decided,target_id,row\n");
        for (String id : List.of("f1", "f2", "n1", "p1", "p2", "p3")) {
            key.append(id).append(",verdict,spec@1,ping,").append(Map.of('f', "fail", 'n', "not-run", 'p', "pass").get(id.charAt(0))).append(",t-").append(id).append(",o1\n");
        }
        Files.writeString(audit.resolve("key.csv"), key + "s1,failure-shape,none,failure-shape,cannot-tell,t,f1\n");
        Files.writeString(audit.resolve("strata.csv"), "kind,rule_set,rule,decided,population,sampled,of,n_eff\nfailure-shape,none,failure-shape,cannot-tell,2,1,2,2\n"
                + "sdk-family,none,sdk-family,xmcp,9,0,9,9\nverdict,spec@1,ping,fail,10,2,100,80\nverdict,spec@1,ping,not-run,4,1,104,90\nverdict,spec@1,ping,pass,90,3,100,80\n");
    }

    private Path labels(String name, String who, Map<String, String> answers) throws IOException {
        return Files.writeString(temp.resolve(name), HEAD + new TreeMap<>(answers).entrySet().stream().map(e -> "s1," + e.getKey() + "," + who + "," + e.getValue() + ",\n")
                .collect(Collectors.joining()));
    }

    private static final Map<String, String> ALL = Map.of("f1", "fail", "f2", "fail", "p1", "pass", "p2", "pass", "p3", "fail", "n1", "not-run", "s1", "cannot-tell");

    private Map<String, String> row(Path folder, String... starts) throws Exception {
        List<AuditFolder.At> rows = AuditFolder.rows(folder.resolve("audit.csv"), List.of("kind"));
        return rows.stream().filter(row -> List.of(row.get("kind"), row.get("decided")).equals(List.of(starts))).findFirst().orElseThrow().cells().toMap();
    }

    @Test
    void ratesAreWeightedByWhatADecisionStandsFor() throws Exception {
        AuditScore.run(audit, List.of(labels("a.csv", "Ann", ALL), labels("b.csv", "Bob", ALL)), null, null);
        Map<String, String> fail = row(audit.resolve("score"), "verdict", "fail");
        // Each pass stands for 30, each fail for 5: 30 + 10 are truly fail, of which 30 were missed; 60 are truly none, and none of them was taken for one.
        assertEquals("audited", fail.get("status"));
        assertEquals("0.1", fail.get("share"));
        assertEquals("0.75", fail.get("false_negative"));
        assertEquals("1.684210526", fail.get("false_negative_n"));
        assertEquals("0", fail.get("false_positive"));
        assertEquals("2", fail.get("false_positive_n"));
        assertEquals("1", fail.get("ppv"));
        assertEquals("0.6666666667", fail.get("npv"));
        assertEquals("0.4", fail.get("corrected"));
        // not-run is no part of a share of fail, but of the rule: (30 of 104) people decide otherwise.
        assertEquals("0.2884615385", fail.get("rule_error"));
        assertEquals(0.2884615385, 30 / 104.0, 1e-10);
        assertEquals("104", row(audit.resolve("score"), "verdict", "not-run").get("n"));
        assertEquals("not-audited", row(audit.resolve("score"), "sdk-family", "xmcp").get("status"));
        assertEquals("", row(audit.resolve("score"), "sdk-family", "xmcp").get("corrected"));
        Map<String, String> shape = row(audit.resolve("score"), "failure-shape", "cannot-tell");
        assertEquals("1 1 0", shape.get("labelled") + " " + shape.get("right") + " " + shape.get("cannot_tell"), "an answer like others for failures");
    }

    /** A verdict's rule has a line for each of four words: most of them say nothing of most rules, and buried the others on a terminal. */
    @Test
    void theTerminalHasOnlyWordsThatSomebodyUsed() throws Exception {
        Path strata = audit.resolve("strata.csv");
        Files.writeString(strata, Files.readString(strata).replace("verdict,spec@1,ping,fail", "verdict,spec@1,ping,divergent,0,0,100,80\nverdict,spec@1,ping,fail")
                + "verdict,spec@1,ping,warn,0,0,100,80\n");
        AuditScore.Result result = AuditScore.run(audit, List.of(labels("a.csv", "Ann", ALL), labels("b.csv", "Bob", ALL)), null, null);
        assertEquals(List.of("fail", "not-run", "pass"), result.text().lines().filter(line -> line.startsWith("verdict ") && line.contains(" ping ") && !line.contains("%"))
                .map(line -> line.trim().split(" +")[2]).toList(), result.text());
        assertTrue(result.text().contains("2 more that neither the program nor people used: in audit.csv\n"), result.text());
        assertEquals("0", row(audit.resolve("score"), "verdict", "divergent").get("share"));
        Map<String, String> other = new TreeMap<>(ALL);
        other.put("p3", "warn");
        assertTrue(AuditScore.run(audit, List.of(labels("c.csv", "Ann", other)), null, null).text().lines().anyMatch(line -> line.matches("verdict +ping +warn .*")));
    }

    @Test
    void aWordThatNobodyLookedAtLeavesItsRulePartial() throws Exception {
        AuditScore.run(audit, List.of(labels("a.csv", "Ann", Map.of("f1", "fail", "f2", "cannot-tell"))), null, null);
        Map<String, String> fail = row(audit.resolve("score"), "verdict", "fail");
        assertEquals("partial 1 1 ", fail.get("status") + " " + fail.get("labelled") + " " + fail.get("cannot_tell") + " " + fail.get("corrected"));
    }

    @Test
    void disagreementsCountInNoRateUntilTheyAreSettled() throws Exception {
        Map<String, String> other = new TreeMap<>(ALL);
        other.put("p3", "pass");
        Path a = labels("a.csv", "Ann", ALL);
        Path b = labels("b.csv", "Bob", other);
        AuditScore.Result result = AuditScore.run(audit, List.of(a, b), null, null);
        assertEquals(1, result.open());
        Path score = audit.resolve("score");
        assertEquals("2 1 0", row(score, "verdict", "pass").get("labelled") + " " + row(score, "verdict", "pass").get("open") + " " + row(score, "verdict", "fail").get("false_negative"));
        String open = Files.readString(score.resolve("disagreements.csv"));
        assertTrue(open.contains("s1,verdict,spec@1,ping,p3,t-p3,labeller-1 fail;labeller-2 pass,"), open);
        AuditFolder.At agreement = AuditFolder.rows(score.resolve("agreement.csv"), List.of("kappa")).stream().filter(row -> row.get("rule").equals("ping")).findFirst().orElseThrow();
        assertEquals("labeller-1 labeller-2 6 5 0.8333333333 fail", String.join(" ", agreement.get("first"), agreement.get("second"), agreement.get("both"), agreement.get("same"),
                agreement.get("agreement"), agreement.get("most_common")));

        Path settled = Files.writeString(temp.resolve("settled.csv"), open.replace("adjudicated,,", "adjudicated,fail,"));
        assertEquals(0, AuditScore.run(audit, List.of(a, b), settled, null).open());
        assertEquals("0.75", row(score, "verdict", "fail").get("false_negative"));
        assertTrue(Files.readString(score.resolve("labels.csv")).contains("p3,adjudicated,verdict,spec@1,ping,pass,fail,t-p3,o1,,90,3,30\n"));
    }

    @Test
    void labellersAreNotNamed() throws Exception {
        AuditScore.run(audit, List.of(labels("a.csv", "Ann Onymous", ALL), labels("b.csv", "labeller-1", ALL)), null, null);
        try (var files = Files.list(audit.resolve("score"))) {
            for (Path file : (Iterable<Path>) files::iterator) {
                assertFalse(Files.readString(file).contains("Onymous"), file.toString());
            }
        }
        assertEquals(2, AuditFolder.rows(audit.resolve("score/labels.csv"), List.of("labeller")).stream().map(row -> row.get("labeller")).distinct().count());
    }

    private String refused(List<Path> files, Path settled) {
        AuditException e = assertThrows(AuditException.class, () -> AuditScore.run(audit, files, settled, null));
        assertFalse(Files.exists(audit.resolve("score")), "nothing was written");
        return e.getMessage().replace(temp.toString() + "/", "");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
            "s1,f1,Ann,fail,;s1,zz,Ann,fail, | bad.csv:3: no decision \"zz\" in this sample",
            "s1,f1,Ann,failed, | bad.csv:2: no answer \"failed\" to a verdict; there are pass, fail",
            "s1,s1,Ann,fail, | bad.csv:2: no answer \"fail\" to a failure-shape",
            "s2,f1,Ann,fail, | bad.csv:2: of sample \"s2\", this is sample s1",
            "s1,f1,,fail, | bad.csv:2: nobody's answer; fill in column labeller",
            "s1,f1,Ann,fail,;s1,f1,Ann,pass, | bad.csv:3: Ann answers pass, and fail at",
            "s1,f1,Ann,, | bad.csv: holds no answer at all",
            "s1,f1,Ann | bad.csv:2: 3 cells, the header has 5",
            "s1,f1,Ann,fail,\"x | bad.csv: no CSV that can be read",
            "s1,=cmd,Ann,fail, | bad.csv:2: no decision \"=cmd\" in this sample",
    })
    void badLabelsAreRefusedWithFileAndLine(String rows, String says) throws Exception {
        Path bad = Files.writeString(temp.resolve("bad.csv"), HEAD + rows.replace(";", "\n") + "\n");
        String message = refused(List.of(labels("good.csv", "Bob", ALL), bad), null);
        assertTrue(message.contains(says), message);
        assertEquals(HEAD + rows.replace(";", "\n") + "\n", Files.readString(bad), "nothing is lost");
    }

    @Test
    void badFilesAreRefused() throws Exception {
        assertTrue(refused(List.of(temp.resolve("none.csv")), null).contains("none.csv is missing"));
        assertTrue(refused(List.of(Files.writeString(temp.resolve("empty.csv"), "")), null).contains("empty.csv:1: no column sample, decision, labeller, label"));
        assertTrue(refused(List.of(Files.writeString(temp.resolve("semi.csv"), HEAD.replace(',', ';'))), null).contains("semi.csv:1: no column"));
        assertTrue(refused(List.of(Files.write(temp.resolve("latin.csv"), "sample,décision\n".getBytes(StandardCharsets.ISO_8859_1))), null).contains("latin.csv: not UTF-8"));
        // One person in two files, and of two minds.
        Path one = labels("one.csv", "Ann", Map.of("f1", "fail"));
        String message = refused(List.of(one, labels("two.csv", "Ann", Map.of("f1", "pass"))), null);
        assertTrue(message.contains("two.csv:2: Ann answers pass, and fail at one.csv:2"), message);
        assertTrue(refused(List.of(one), labels("settled.csv", "x", Map.of("f2", "pass"))).contains("decision f2 is settled, and no labeller has answered it"));
        Path inside = Files.createDirectories(temp.resolve("out"));
        AuditException e = assertThrows(AuditException.class, () -> AuditScore.run(audit, List.of(Files.copy(one, inside.resolve("labels.csv"))), null, inside));
        assertTrue(e.getMessage().contains("might be lost"), e.getMessage());
        assertEquals(Files.readString(one), Files.readString(inside.resolve("labels.csv")));
    }

    @Test
    void whatASpreadsheetLeavesIsReadPast() throws Exception {
        Path sheet = Files.writeString(temp.resolve("sheet.csv"), "\uFEFFkind,sample,decision,labeller,label\r\nverdict,s1,f1, Ann ,fail\r\nverdict,s1,f2,Ann,\r\n\r\n");
        AuditScore.Result result = AuditScore.run(audit, List.of(sheet), null, null);
        assertTrue(result.text().contains("1 of 7 decisions answered by 1 labeller; without a second one") && result.text().contains("1 rows without an answer"), result.text());
    }

    @Test
    void anEditedKeyIsNotBelieved() throws Exception {
        Path key = audit.resolve("key.csv");
        Files.writeString(key, Files.readString(key).replace("p1,verdict,spec@1,ping,pass", "p1,verdict,spec@1,ping,fail"));
        assertTrue(refused(List.of(labels("a.csv", "Ann", ALL)), null).contains("key.csv and strata.csv do not agree on verdict spec@1 ping fail"));
        Files.delete(audit.resolve("audit.json"));
        assertTrue(refused(List.of(labels("a.csv", "Ann", ALL)), null).contains("holds no audit.json, so it is no audit"));
    }
}
