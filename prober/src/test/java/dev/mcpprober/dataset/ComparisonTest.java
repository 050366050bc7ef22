package dev.mcpprober.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.dataset.compare.Comparer;
import dev.mcpprober.dataset.compare.Comparison;
import dev.mcpprober.dataset.compare.ComparisonFiles;
import dev.mcpprober.dataset.compare.ComparisonText;
import dev.mcpprober.io.Digests;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.ProtocolRevision;
import dev.mcpprober.observation.Observation;
import dev.mcpprober.observation.TargetObservations;
import dev.mcpprober.rules.Graded;
import dev.mcpprober.rules.VerdictWord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two rule sets on one run, and two runs: every server counted once, every flip told. */
class ComparisonTest {
    private static final String GOOD = "pkg:npm/%40scope/good@1.0.0";

    @TempDir Path temp;

    /** Of the two servers that started, one is asked for version 2025-06-18, one for a revision of its own. */
    private static Judge judge(String label, Map<String, String> byCheck, String modern) {
        return new Judge() {
            @Override
            public String label() {
                return label;
            }

            @Override
            public List<Graded> grade(TargetObservations target) {
                return target.observations().stream().filter(o -> byCheck.containsKey(o.subject().check()))
                        .map(o -> new Graded(o, label, VerdictWord.of(word(o)).orElseThrow().with("because"), "must", "", "", "")).toList();
            }

            private String word(Observation observation) {
                boolean own = !observation.subject().revision().equals("2025-06-18");
                return own && observation.subject().check().equals("tools-call-unknown") ? modern : byCheck.get(observation.subject().check());
            }

            @Override
            public List<RuleText> rules() {
                return byCheck.keySet().stream().sorted().map(check -> new RuleText(check, ProtocolRevision.V2025_06_18, "must", "", "", "")).toList();
            }
        };
    }

    private Comparison compare() throws Exception {
        Judge a = judge("a@1", Map.of("tools-call-unknown", "divergent", "tools-call-wrong-type", "fail", "stdout-utf8", "pass", "discover", "not-run",
                "server-initialize", "pass"), "inconclusive");
        Judge b = judge("b@1", Map.of("tools-call-unknown", "fail", "tools-call-wrong-type", "warn", "stdout-utf8", "pass", "discover", "pass"), "pass");
        return Comparer.ruleSets(RunFixture.make(temp, "run" + System.nanoTime()).folder, new Analysis("fake@1", RunFixture::extraction, List.of(a, b)));
    }

    @Test
    void everyServerIsCountedOnceForEveryCheck() throws Exception {
        Comparison c = compare();
        assertEquals(Map.of("same", 6, "excluded", 2), c.rows());
        assertEquals(2, c.servers());
        assertEquals(List.of("server-initialize"), c.onlyA());
        assertEquals(List.of(), c.onlyB());
        Map<String, Comparison.Line> lines = c.lines().stream().collect(Collectors.toMap(Comparison.Line::check, l -> l));
        assertEquals(Set.of("tools-call-unknown", "tools-call-wrong-type", "stdout-utf8", "discover"), lines.keySet());
        Comparison.Line unknown = lines.get("tools-call-unknown");
        assertEquals("2 0 1 0 0", figures(unknown));
        assertEquals(Map.of("A inconclusive", 1), unknown.notComparable());
        assertEquals(Map.of("divergent", Map.of("fail", 1), "inconclusive", Map.of("pass", 1)), unknown.transitions());
        assertEquals(1, unknown.failOnlyB());
        assertEquals("2 0 0 2 0", figures(lines.get("tools-call-wrong-type")));
        assertEquals(0.5, lines.get("tools-call-wrong-type").p(), 1e-12);
        assertEquals(1, lines.get("tools-call-wrong-type").pHolm(), 1e-12);
        assertEquals("2 2 0 0 0", figures(lines.get("stdout-utf8")));
        assertTrue(Double.isNaN(lines.get("stdout-utf8").pHolm()));
        assertEquals(Map.of("A not-run", 2), lines.get("discover").notComparable());
        assertEquals("2 0 0 1 1", figures(c.whole()), "good fails wrong-type in A and unknown in B, modern only in A");
        for (Comparison.Line line : c.lines()) {
            assertEquals(line.n(), line.transitions().values().stream().flatMap(r -> r.values().stream()).mapToInt(Integer::intValue).sum());
        }
    }

    private static String figures(Comparison.Line line) {
        return line.n() + " " + line.bothPass() + " " + line.toFail() + " " + line.toPass() + " " + line.bothFail();
    }

    @Test
    void everyFlipIsToldWithItsWitness() throws Exception {
        Comparison c = compare();
        assertEquals(List.of("discover other", "discover other", "tools-call-unknown to-fail", "tools-call-unknown other", "tools-call-wrong-type to-pass",
                "tools-call-wrong-type to-pass"), c.changes().stream().map(change -> change.check() + " " + change.kind()).toList());
        Comparison.Change flip = c.changes().get(2);
        assertEquals(GOOD, flip.target());
        assertEquals("protocol-error -32601", flip.a().seen());
        assertEquals(List.of(1), flip.b().witness());
        assertTrue(flip.a().transcript().startsWith("transcripts/"), flip.a().transcript());
    }

    @Test
    void theFilesDescribeThemselvesAreTheSameAgainAndHoldNothingHostile() throws Exception {
        Map<String, String> hashes = new TreeMap<>();
        for (String name : List.of("one", "two")) {
            Path out = temp.resolve(name);
            RunFixture fixture = RunFixture.make(temp.resolve(name + "-in"), "run");
            Judge a = judge("a@1", Map.of("tools-call-unknown", "pass"), "pass");
            Judge b = judge("b@1", Map.of("tools-call-unknown", "fail"), "pass");
            Comparison c = Comparer.ruleSets(fixture.folder, new Analysis("fake@1", RunFixture::extraction, List.of(a, b)));
            for (Path file : ComparisonFiles.write(c, out)) {
                String before = hashes.put(file.getFileName().toString(), Digests.sha256(file));
                assertTrue(before == null || before.equals(Digests.sha256(file)), file.toString());
            }
            PackageChecker checker = PackageChecker.check(out);
            assertEquals(List.of(), checker.problems);
            JsonNode json = Json.mapper().readTree(out.resolve("comparison.json").toFile());
            assertEquals(1, json.at("/checks/0/toFail").asInt());
            assertEquals(2, json.at("/any/n").asInt());
            assertEquals("1 of 2 in 2", json.at("/cost/k").asInt() + " of " + json.at("/cost/n").asInt() + " in " + json.at("/cost/clusters").asInt());
            String text = ComparisonText.render(c);
            assertFalse(text.chars().anyMatch(ch -> ch != '\n' && Character.isISOControl(ch)), text);
            assertTrue(text.contains("8 rows = 2 excluded + 6 same; 2 servers started\n"), text);
            assertTrue(text.contains("  to-fail  " + GOOD + "  pass → fail  protocol-error -32601 [legacy#1]"), text);
        }
        assertEquals(6, hashes.size());
    }

    @Test
    void twoRunsOfOneFrame() throws Exception {
        RunFixture first = RunFixture.make(temp.resolve("x"), "run");
        RunFixture second = RunFixture.make(temp.resolve("y"), "again");
        Comparison c = Comparer.runs(first.folder, second.folder, RunFixture.analysis());
        assertEquals(Map.of("same", 6, "excluded", 4), c.rows());
        assertEquals(2, c.servers());
        assertEquals(2, c.states().get("unmeasured").get("unmeasured"));
        assertEquals(List.of(), c.changes());
        String text = ComparisonText.render(c);
        assertTrue(text.contains("2 servers started on both sides"), text);
        assertTrue(text.contains("  1  not-installed in both\n"), text);
    }
}
