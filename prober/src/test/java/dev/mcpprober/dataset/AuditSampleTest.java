package dev.mcpprober.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.dataset.audit.AuditException;
import dev.mcpprober.dataset.audit.AuditFiles;
import dev.mcpprober.dataset.audit.Decision;
import dev.mcpprober.dataset.audit.Question;
import dev.mcpprober.io.Json;
import dev.mcpprober.rules.VerdictWord;
import dev.mcpprober.traits.ShapeRules;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditSampleTest {
    private static final Path HOME = Path.of(System.getProperty("prober.home", "."));

    @TempDir Path temp;
    private RunFixture run;

    @BeforeEach
    void make() throws Exception {
        run = RunFixture.make(temp, "run");
    }

    private Path sample(String name, Analysis analysis, long seed, int perStratum) throws Exception {
        Path out = temp.resolve(name);
        AuditFiles.sample(run.folder, analysis, out, new AuditFiles.Options(seed, perStratum, Decision.KINDS, "v"));
        return out;
    }

    private Path sample(String name, long seed, int perStratum) throws Exception {
        return sample(name, ReleaseFixture.analysis(Map.of(), "house@1"), seed, perStratum);
    }

    static List<CSVRecord> rows(Path file) throws IOException {
        try (CSVParser parser = CSVParser.parse(file, StandardCharsets.UTF_8, CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).get())) {
            return parser.getRecords();
        }
    }

    private static Map<String, String> files(Path folder) throws IOException {
        Map<String, String> out = new HashMap<>();
        for (String name : List.of("sample.csv", "key.csv", "strata.csv", "index.html", "audit.json")) {
            out.put(name, Files.readString(folder.resolve(name)));
        }
        return out;
    }

    @Test
    void theSameSeedGivesTheSameBytesAndAnotherOneAnotherSample() throws Exception {
        Path first = sample("a", 7, 1);
        assertEquals(files(first), files(sample("b", 7, 1)));
        Set<String> others = new HashSet<>();
        for (int seed = 1; seed < 9; seed++) {
            others.add(Files.readString(sample("s" + seed, seed, 1).resolve("key.csv")));
        }
        assertTrue(others.size() > 1, "seeds make no difference");
    }

    @Test
    void strataAndTheirFractionsAddUp() throws Exception {
        Path folder = sample("a", 7, 1);
        Map<String, Integer> drawn = new HashMap<>();
        for (CSVRecord row : rows(folder.resolve("key.csv"))) {
            drawn.merge(row.get("kind") + " " + row.get("rule") + " " + row.get("decided"), 1, Integer::sum);
        }
        for (CSVRecord row : rows(folder.resolve("strata.csv"))) {
            int sampled = Integer.parseInt(row.get("sampled"));
            assertEquals(Math.min(1, Integer.parseInt(row.get("population"))), sampled);
            Integer is = drawn.remove(row.get("kind") + " " + row.get("rule") + " " + row.get("decided"));
            assertEquals(sampled, is == null ? 0 : is, row.toString());
        }
        assertEquals(Map.of(), drawn);
        assertEquals(List.of("consequence tools-call-wrong-type in-band-error 1 3", "consequence tools-call-wrong-type silent-execution 2 3", "sdk-family sdk-family official-py 1 3",
                "startup-failure startup-failure install-not-found 1 2", "verdict tools-call-unknown divergent 2 2", "verdict tools-call-unknown fail 0 2", "verdict tools-call-unknown pass 0 2", "verdict tools-call-unknown warn 0 2"),
                rows(folder.resolve("strata.csv")).stream().map(row -> row.get("kind") + " " + row.get("rule") + " " + row.get("decided") + " " + row.get("population") + " "
                        + row.get("of")).filter(line -> line.matches("consequence.*|.*(official-py|not-found) .*|verdict tools-call-unknown.*")).toList());
        // Verdicts that decide nothing are drawn from, and no share is of them.
        assertTrue(rows(folder.resolve("strata.csv")).stream().anyMatch(row -> row.get("decided").equals("not-run") && row.get("of").equals("2")));
    }

    @Test
    void aLargerSampleHoldsTheSmallerOne() throws Exception {
        Set<String> large = new HashSet<>();
        rows(sample("large", 3, 5).resolve("key.csv")).forEach(row -> large.add(row.get("decision")));
        rows(sample("small", 3, 1).resolve("key.csv")).forEach(row -> assertTrue(large.contains(row.get("decision"))));
    }

    @Test
    void idsOutliveAnotherVersionOfTheRulesAndOtherVerdicts() throws Exception {
        Set<String> ids = new HashSet<>();
        rows(sample("a", 7, 9).resolve("key.csv")).forEach(row -> ids.add(row.get("decision")));
        Set<String> again = new HashSet<>();
        rows(sample("b", ReleaseFixture.analysis(Map.of("tools-call-unknown", "pass", "stdout-utf8", "fail"), "house@2"), 7, 9).resolve("key.csv"))
                .forEach(row -> again.add(row.get("decision")));
        assertEquals(ids, again);
    }

    @Test
    void labellersAreBlind() throws Exception {
        // Each verdict is another word than usual, and what labellers see is the same.
        Path usual = sample("a", 7, 9);
        Path other = sample("b", ReleaseFixture.analysis(Map.of("tools-call-unknown", "fail", "tools-call-wrong-type", "warn", "stdout-utf8", "warn", "discover", "inconclusive",
                "server-initialize", "divergent"), "house@1"), 7, 9);
        assertFalse(Files.readString(usual.resolve("key.csv")).equals(Files.readString(other.resolve("key.csv"))));
        assertEquals(blind(usual, "sample.csv"), blind(other, "sample.csv"));
        assertEquals(blind(usual, "index.html"), blind(other, "index.html"));
    }

    private static String blind(Path folder, String file) throws IOException {
        String sample = Json.mapper().readTree(folder.resolve("audit.json").toFile()).get("sample").asText();
        return Files.readString(folder.resolve(file)).replace(sample, "SAMPLE");
    }

    @Test
    void whatServersWroteIsTextOnThePage() throws Exception {
        String page = Files.readString(sample("a", 7, 9).resolve("index.html"));
        assertTrue(page.contains("=HYPERLINK(&quot;x&quot;)\\n\\u001b[2J\\u202eevil"), "hostile line, escaped");
        assertFalse(page.contains("\u202e") || page.contains("\u001b"));
        assertTrue(page.contains("default-src 'none'; script-src 'sha256-"), page.substring(0, 500));
        assertEquals(2, page.split("<script", -1).length - 1, "the data and the script");
    }

    @Test
    void aFolderThatHoldsSomethingIsNotTouched() throws Exception {
        Path out = sample("a", 7, 1);
        Map<String, String> before = files(out);
        AuditException refused = assertThrows(AuditException.class, () -> sample("a", 8, 1));
        assertTrue(refused.getMessage().contains("name a new folder"), refused.getMessage());
        assertEquals(before, files(out));
    }

    @Test
    void everyWordThatTheProgramDecidesByIsAnAnswer() {
        Arrays.stream(VerdictWord.values()).forEach(word -> assertTrue(Question.of(Decision.VERDICT).answers().containsKey(word.id()), word.id()));
        assertTrue(Question.of(Decision.FAILURE_SHAPE).answers().keySet().containsAll(ShapeRules.SHAPES));
        Column failures = Tables.TARGETS.columns().get(Tables.TARGETS.position("startup_failure"));
        assertTrue(Question.of(Decision.STARTUP_FAILURE).answers().keySet().containsAll(failures.values()), failures.values().toString());
        Column families = Tables.ATTRIBUTION.columns().get(Tables.ATTRIBUTION.position("family"));
        assertTrue(Question.of(Decision.SDK_FAMILY).answers().keySet().containsAll(families.values()));
        Column consequences = Tables.OBSERVATIONS.columns().get(Tables.OBSERVATIONS.position("consequence"));
        assertTrue(Question.of(Decision.CONSEQUENCE).answers().keySet().containsAll(consequences.values()));
        for (String kind : Decision.KINDS) {
            List<String> words = new ArrayList<>(Question.of(kind).answers().keySet());
            assertEquals(Question.CANNOT_TELL, words.get(words.size() - 1));
            assertTrue(words.size() <= 32, "more answers than keys");
        }
    }

    private record Ended(int status, String out) {}

    private Ended node(String... command) throws Exception {
        try {
            Path out = Files.createTempFile(temp, "out", "");
            Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
            assertTrue(process.waitFor(3, TimeUnit.MINUTES));
            return new Ended(process.exitValue(), Files.readString(out));
        } catch (IOException e) {
            assumeTrue(false, "no " + command[0] + " on this machine: " + e.getMessage());
            throw e;
        }
    }

    @Test
    void thePagesLogicInNode() throws Exception {
        Ended ended = node("node", HOME.resolve("src/test/audit/page-logic.js").toString(), HOME.resolve("src/main/resources/dev/mcpprober/dataset/audit/page.js").toString());
        assertEquals("page logic as expected\n", ended.out());
    }

    @Test
    void thePageInABrowser() throws Exception {
        assumeTrue(node("chromium", "--version").status() == 0, "chromium does not run here");
        Path folder = sample("a", 7, 9);
        Path downloads = Files.createDirectories(temp.resolve("downloads"));
        Ended ended = node("node", HOME.resolve("src/test/audit/page-browser.js").toString(), folder.resolve("index.html").toString(), downloads.toString());
        assertEquals(0, ended.status(), ended.out());
        JsonNode seen = Json.mapper().readTree(ended.out());
        int total = rows(folder.resolve("key.csv")).size();
        assertTrue(seen.get("asks").asBoolean(), ended.out());
        assertEquals("1 of " + total, seen.get("place").asText());
        assertEquals(1, seen.get("sections").asInt());
        assertEquals("3 labelled, " + (total - 3) + " to go", seen.get("afterThree").asText());
        assertEquals("2 labelled, " + (total - 2) + " to go", seen.get("afterUndo").asText());
        assertEquals("2 of " + total + " in-band-error", seen.get("back").asText());
        assertEquals("Ada, 2 labelled, " + (total - 2) + " to go", seen.get("reopened").asText());
        assertEquals("labels-Ada.csv", seen.get("file").asText());
        assertTrue(seen.get("csv").asText().contains(",Ada,in-band-error,n1 is a note\n"), seen.get("csv").asText());
        assertEquals("[]", seen.get("errors").toString(), "nothing was refused by the page's policy, nothing failed");
    }
}
