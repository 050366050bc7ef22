package dev.mcpprober.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.dataset.shares.ShareLine;
import dev.mcpprober.dataset.shares.ShareTable;
import dev.mcpprober.dataset.shares.ShareText;
import dev.mcpprober.dataset.shares.Shares;
import dev.mcpprober.io.Digests;
import dev.mcpprober.model.Era;
import dev.mcpprober.rules.VerdictWord;
import dev.mcpprober.run.FrameRow;
import dev.mcpprober.run.TargetState;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharesTest {
    @TempDir Path temp;

    private List<Map<String, String>> rows() throws Exception {
        RunFixture fixture = RunFixture.make(temp, "run");
        Path out = temp.resolve("out");
        Path file = ShareTable.write(Shares.of(fixture.folder, RunFixture.analysis()), out);
        String hash = Digests.sha256(file);
        assertEquals(hash, Digests.sha256(ShareTable.write(Shares.of(fixture.folder, RunFixture.analysis()), out)));
        DataPackage.write(out, "shares", "Shares", Map.of(), List.of(ShareTable.SCHEMA));
        PackageChecker checker = PackageChecker.check(out);
        assertEquals(List.of(), checker.problems);
        return checker.tables.get("shares");
    }

    @Test
    void everyShareHasItsDenominatorMethodAndPublishers() throws Exception {
        List<Map<String, String>> rows = rows();
        for (Map<String, String> row : rows) {
            int k = Integer.parseInt(row.get("k"));
            int n = Integer.parseInt(row.get("n"));
            assertTrue(0 <= k && k <= n && n > 0, row.toString());
            assertEquals((double) k / n, Double.parseDouble(row.get("share")), 1e-9);
            double share = Double.parseDouble(row.get("share"));
            assertTrue(Double.parseDouble(row.get("ci_low")) <= share && share <= Double.parseDouble(row.get("ci_high")), row.toString());
            assertEquals(row.get("n_clusters").equals(row.get("n")) ? "wilson" : "wilson-neff", row.get("ci_method"));
        }
        Map<String, String> started = rows.stream().filter(r -> r.get("figure").equals("state") && r.get("value").equals("started")
                && r.get("group_by").equals("all")).findFirst().orElseThrow();
        assertEquals("2/4", started.get("k") + "/" + started.get("n"), "of the measured rows; excluded and unmeasured ones are in table coverage");
    }

    @Test
    void verdictsThatDecideAddUp() throws Exception {
        Map<String, Integer> sums = new TreeMap<>();
        Map<String, Integer> totals = new TreeMap<>();
        for (Map<String, String> row : rows()) {
            String key = String.join(" ", row.get("rule_set"), row.get("check"), row.get("group_by"), row.get("group"));
            if (row.get("figure").equals("verdict")) {
                sums.merge(key, Integer.parseInt(row.get("k")), Integer::sum);
                totals.put(key, Integer.parseInt(row.get("n")));
            }
        }
        assertTrue(sums.size() > 10, sums.toString());
        assertEquals(totals, sums);
    }

    @Test
    void whatIsShownIsWhatTheTableSays() throws Exception {
        List<ShareLine> lines = Shares.of(RunFixture.make(temp, "run").folder, RunFixture.analysis());
        String text = ShareText.render(lines, "all");
        assertTrue(text.contains("startup-failure"), text);
        assertTrue(text.lines().anyMatch(line -> line.startsWith("no-fail") && line.contains("spec@1") && line.contains("2/2")), text);
        assertEquals(List.of("all", "registry", "revision", "sdk_family", "sdk_family_revision", "sdk_version"), Shares.groupings());
        assertEquals(Shares.groupings(), lines.stream().map(line -> line.group().by()).distinct().sorted().collect(Collectors.toList()));
    }

    /** What a package says of its version may be anything; table targets has it as a cell, and who recounts has nothing else. */
    @Test
    void aGroupIsCalledAsTableTargetsCallsIt() {
        Shares shares = new Shares();
        FrameRow row = new FrameRow("pkg:npm/a", 2, "npm:a", "npm", "a", "", List.of(), List.of(), "", "", "");
        shares.add(new ServerVerdicts(row, TargetState.STARTED, "1", "", "", Set.of(Era.LEGACY), "2025-06-18", "official-ts", "=cmd|'/c'!A1", Map.of("house@1", Map.of("ping",
                new Stand(VerdictWord.PASS, "", "2025-06-18", "o1", "legacy", "", "", "result", List.of(1))))));
        String cell = new Row(Tables.TARGETS).set("sdk_version", "=cmd|'/c'!A1").get("sdk_version");
        assertEquals(Set.of("official-ts " + cell), shares.finish(List.of("house@1")).stream().filter(line -> line.group().by().equals("sdk_version"))
                .map(line -> line.group().value()).collect(Collectors.toSet()));
    }
}
