package dev.mcpprober.cli.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.cli.UserError;
import dev.mcpprober.cli.report.Samples;
import dev.mcpprober.rules.Graded;
import dev.mcpprober.rules.VerdictWord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GateTest {
    @TempDir Path folder;

    private static final Graded FAIL = Samples.row("tools-call-wrong-type", "t", VerdictWord.FAIL, "success");
    private static final Graded WARN = Samples.row("tools-call-unknown", null, VerdictWord.WARN, "result");
    private static final Graded DIVERGENT = Samples.row("ping", null, VerdictWord.DIVERGENT, "result");
    private static final Graded PASS = Samples.row("tools-list", null, VerdictWord.PASS, "result");
    private static final Graded NOT_RUN = Samples.row("tools-call-no-name", null, VerdictWord.NOT_RUN, "");

    private static Gate gate(FailOn failOn, List<Graded> rows, FindingKey... baseline) {
        return Gate.against(new Baseline(new TreeSet<>(List.of(baseline))), failOn, rows, Optional.empty());
    }

    private static FindingKey key(Graded row, String observed) {
        FindingKey key = FindingKey.of(row);
        return new FindingKey(key.rules(), key.check(), key.era(), key.tool(), key.property(), observed);
    }

    @Test
    void failOnSaysFromWhichVerdictOn() {
        for (FailOn failOn : FailOn.values()) {
            Gate gate = Gate.of(failOn);
            assertTrue(gate.fails(FAIL));
            assertEquals(failOn != FailOn.fail, gate.fails(WARN));
            assertEquals(failOn == FailOn.divergent, gate.fails(DIVERGENT));
            assertFalse(gate.fails(PASS) || gate.fails(NOT_RUN));
        }
        assertTrue(Gate.of(FailOn.fail).failed(List.of(), Optional.of("exit-silent")), "a server that does not start always fails");
        assertFalse(Gate.of(FailOn.fail).failed(List.of(WARN, DIVERGENT, PASS), Optional.empty()));
    }

    @Test
    void whatIsKnownIsNoReasonToFailAndWhatIsNewIs() {
        List<Graded> rows = List.of(FAIL, WARN, PASS);
        Gate gate = gate(FailOn.warn, rows, FindingKey.of(FAIL), FindingKey.of(WARN));
        assertFalse(gate.failed(rows, Optional.empty()));
        assertTrue(gate.isKnown(FAIL) && gate.isKnown(WARN) && !gate.isKnown(PASS));
        assertTrue(gate(FailOn.warn, rows, FindingKey.of(WARN)).failed(rows, Optional.empty()));
        assertTrue(gate(FailOn.fail, rows, key(FAIL, "no-response")).failed(rows, Optional.empty()), "another observation is another finding");
        Graded newVersion = new Graded(FAIL.observation(), "mine@9", FAIL.verdict(), "must", "", "", "");
        assertFalse(gate(FailOn.fail, List.of(newVersion), FindingKey.of(FAIL)).failed(List.of(newVersion), Optional.empty()));
    }

    @Test
    void whatIsGoneFailsAndWhatWasNotLookedForDoesNot() {
        List<Graded> rows = List.of(PASS, NOT_RUN);
        Gate gate = gate(FailOn.fail, rows, key(PASS, "no-response"), key(NOT_RUN, "success"), FindingKey.of(FAIL));
        assertEquals(List.of(key(PASS, "no-response")), List.copyOf(gate.gone()));
        assertEquals(2, gate.unseen().size(), "one was not put this time, of the other there is no row");
        assertTrue(gate.failed(rows, Optional.empty()));
        Graded otherTool = Samples.row("tools-call-wrong-type", "u", VerdictWord.PASS, "tool-error");
        assertEquals(1, gate(FailOn.fail, List.of(otherTool), FindingKey.of(FAIL)).gone().size(), "the check was put, and that tool is no more");
    }

    @Test
    void aStartIsAFindingLikeOthers() {
        FindingKey dead = FindingKey.startup("needs-config");
        Baseline baseline = new Baseline(new TreeSet<>(List.of(dead, FindingKey.of(FAIL))));
        Gate still = Gate.against(baseline, FailOn.fail, List.of(), Optional.of("needs-config"));
        assertFalse(still.failed(List.of(), Optional.of("needs-config")));
        assertEquals(1, still.unseen().size(), "nothing can be said of a server that does not start");
        assertTrue(Gate.against(baseline, FailOn.fail, List.of(), Optional.of("oom-killed")).failed(List.of(), Optional.of("oom-killed")));
        assertTrue(Gate.against(baseline, FailOn.fail, List.of(FAIL), Optional.empty()).gone().contains(dead));
    }

    @Test
    void aBaselineIsReadAsItWasWritten() throws Exception {
        TreeSet<FindingKey> keys = new TreeSet<>(Gate.found(Samples.rows(), Optional.of("exit-silent")));
        Path file = folder.resolve("known.json");
        Baseline.write(file, keys);
        assertEquals(keys, Baseline.read(file).findings());
        assertEquals(keys.size() + 3, Files.readAllLines(file).size(), "one finding to a line");
        assertTrue(Files.readString(file).chars().allMatch(c -> c == '\n' || c >= ' ' && c < 0x7f), "as safe to show as to diff");
        Baseline.write(file, new TreeSet<>());
        assertEquals(0, Baseline.read(file).findings().size());
    }

    @Test
    void aBadBaselineIsNamedWithItsLine() throws Exception {
        String head = "{\"format\": \"mcp-prober-baseline\", \"formatVersion\": 1,\n \"findings\": [\n";
        String[][] cases = {
            {"", "1: "}, {"[]", "1: "}, {"{\"format\": \"other\"}", "1: "}, {"{\"findings\": []}", "format"},
            {head + "  {\"rules\": \"spec\", \"check\": \"ping\", \"observed\": \"result\"}\n  {\"rules\"", "4: "},
            {head + "  {\"rules\": \"spec\", \"check\": \"ping\"}\n]}", "3: "},
            {head + "\n  {\"rules\": \"spec\", \"check\": 7, \"observed\": \"result\"}\n]}", "4: "},
            {head + "  {\"rules\": \"spec\", \"check\": \"ping\", \"observed\": \"x\", \"seen\": \"y\"}\n]}", "3: "},
            {head + "  {\"rules\": \"spec@1\", \"check\": \"ping\", \"observed\": \"x\"}\n]}", "version"},
            {head + "  {\"rules\": \"spec\", \"check\": \"ping\", \"observed\": \"x\"},\n  {\"check\": \"ping\", \"rules\": \"spec\", \"observed\": \"x\"}\n]}", "4: "},
            {head + "]}\n{}", "4: "}, {"{\"format\": \"mcp-prober-baseline\", \"format\": 1}", "1: "}, {head + "]", "3: "}};
        for (String[] one : cases) {
            Path file = Files.writeString(folder.resolve("bad.json"), one[0]);
            String message = assertThrows(UserError.class, () -> Baseline.read(file), one[0]).getMessage();
            assertTrue(message.startsWith("--baseline: " + file + ":") && message.contains(one[1]), message);
        }
        assertTrue(assertThrows(UserError.class, () -> Baseline.read(folder.resolve("none.json"))).getMessage().contains("--write-baseline"));
        assertThrows(UserError.class, () -> Baseline.read(folder));
    }
}
