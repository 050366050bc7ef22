package dev.mcpprober.dataset;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Corruptions planted into a sound release. But for the first few, every hash is made right again afterwards, so that only what the
 * tables say can give them away. Each has to be named with its file and line.
 */
class ReleaseCorruptionTest extends PlantedRelease {
    private static final String GOOD = "pkg:npm/%40scope/good@1.0.0";
    private static final String SILENT = "pkg:npm/silent@1.0.0";

    @Test
    void aChangedFile() throws Exception {
        Files.writeString(release.folder.resolve("README.md"), "All is well.\n");
        caught("SHA256SUMS:" + release.line("SHA256SUMS", "README.md") + ": README.md has another SHA-256");
    }

    @Test
    void aChangedTable() throws Exception {
        Path file = release.folder.resolve("data/targets.csv");
        Files.writeString(file, Files.readString(file).replace("started", "exclude"));
        caught("datapackage.json: table targets: data/targets.csv has another size or SHA-256");
    }

    @Test
    void aMissingFile() throws Exception {
        Files.delete(release.folder.resolve("LICENSE"));
        caught("SHA256SUMS:" + release.line("SHA256SUMS", "LICENSE") + ": LICENSE is missing");
    }

    @Test
    void aStrayFile() throws Exception {
        Files.writeString(release.folder.resolve("data/more.csv"), "x\n");
        caught("SHA256SUMS: data/more.csv is in the folder and not in this list");
    }

    @Test
    void aPathThatLeavesTheFolder() throws Exception {
        Path sums = release.folder.resolve("SHA256SUMS");
        Files.writeString(sums, Files.readString(sums).replace("  README.md", "  ../README.md"));
        caught("SHA256SUMS:" + release.line("SHA256SUMS", "../README.md") + ": no line of sha256sum with a path inside the release");
    }

    @Test
    void aMissingTable() throws Exception {
        Files.delete(release.folder.resolve("data/codes.csv"));
        release.seal();
        caught("datapackage.json: table codes: no file data/codes.csv");
    }

    @Test
    void aTableThatIsNoLongerDescribed() throws Exception {
        Path file = release.folder.resolve("datapackage.json");
        ObjectNode root = (ObjectNode) Json.mapper().readTree(file.toFile());
        ArrayNode resources = (ArrayNode) root.get("resources");
        resources.remove(6);
        Files.writeString(file, root.toString());
        release.seal();
        caught("datapackage.json: table verdicts is not described");
    }

    @Test
    void aRunThatIsNotTheOneDescribed() throws Exception {
        cell("data/runs.csv", "fake@1", "frame_rows", "9", "frame_rows is 9, datapackage.json says 8");
    }

    @Test
    void aRunWithOtherRuleSets() throws Exception {
        cell("data/runs.csv", "fake@1", "rule_sets", "house@2", "rule_sets is house@2, datapackage.json says house@1");
    }

    @Test
    void aTargetOfNoRun() throws Exception {
        cell("data/targets.csv", GOOD, "run_id", "0123456789abcdef", "no row [0123456789abcdef] in table runs");
    }

    @Test
    void aRunWithoutTargets() throws Exception {
        int line = release.line("data/runs.csv", "fake@1");
        release.edit("data/runs.csv", line, text -> "0" + text.substring(1));
        caught("data/runs.csv: no target is of run 0");
    }

    @Test
    void aValueOutsideItsList() throws Exception {
        cell("data/verdicts.csv", GOOD + ",o00001", "verdict", "maybe", "column verdict: \"maybe\" is not in its closed list");
    }

    @Test
    void aNumberThatIsNone() throws Exception {
        cell("data/targets.csv", GOOD, "line", "two", "column line: \"two\" is no integer");
    }

    @Test
    void aTruthThatIsNone() throws Exception {
        cell("data/attempts.csv", GOOD, "counts", "yes", "column counts: \"yes\" is no boolean");
    }

    @Test
    void aTimeThatIsNone() throws Exception {
        cell("data/sessions.csv", GOOD, "started_at", "yesterday", "column started_at: \"yesterday\" is no datetime");
    }

    @Test
    void aCellThatMustNotBeEmpty() throws Exception {
        cell("data/targets.csv", SILENT, "state", "", "column state: \"\" is missing, and must not be");
    }

    @Test
    void whatAToolDeclaresThatItDoesNot() throws Exception {
        cell("data/declared-tools.csv", GOOD + ",t00001", "effect", "write", "effect is write, its hints make it read");
        cell("data/declared-tools.csv", GOOD + ",t00002", "third_state", "0", "third_state 0 and third_state_marked 0, table vocabulary has 1 and 0");
        cell("data/declared-tools.csv", GOOD + ",t00002", "verb_word", "", "verb write with verb_word \"\"");
    }

    @Test
    void aToolThatWasTakenOut() throws Exception {
        release.edit("data/declared-tools.csv", release.line("data/declared-tools.csv", GOOD + ",t00001"), text -> null);
        caught("data/targets.csv:" + release.line("data/targets.csv", GOOD) + ": tool_count is 2, table declared-tools has 1");
        caught("data/declared-shares.csv:2: n is 4, table declared-tools has 3 tools of 2 servers");
        caught("data/vocabulary.csv:2: no row [" + GOOD + ", t00001] in table declared-tools");
    }

    @Test
    void aMarkThatWasTakenOff() throws Exception {
        release.cell("data/vocabulary.csv", release.line("data/vocabulary.csv", GOOD + ",t00001"), "mark", "");
        caught("data/declared-tools.csv:" + release.line("data/declared-tools.csv", GOOD + ",t00001") + ": third_state 0 and third_state_marked 1, table vocabulary has 1 and 0");
    }

    @Test
    void aShareOfToolsThatIsMadeUp() throws Exception {
        int line = release.line("data/declared-shares.csv", "verb,write,tools,all,all");
        release.cell("data/declared-shares.csv", line, "k", "3");
        caught("data/declared-shares.csv:" + line + ": k, n, share, interval, publishers and effective size do not agree");
        caught("data/declared-shares.csv: figure verb sums up to 5, table declared-tools has 4 rows");
    }

    @Test
    void aFormula() throws Exception {
        cell("data/targets.csv", GOOD, "server_name_text", "=1+1", "column server_name_text: \"=1+1\" is what a spreadsheet takes for a formula");
    }

    @Test
    void anEscapeSequence() throws Exception {
        cell("data/targets.csv", GOOD, "server_name_text", "a\u202Eb", "column server_name_text: \"a\\u202eb\" holds a character that is to be escaped");
    }

    @Test
    void aRowThatStandsTwice() throws Exception {
        int line = release.line("data/attribution.csv", GOOD);
        release.edit("data/attribution.csv", line, text -> text + "\n" + text);
        caught("data/attribution.csv:" + (line + 1) + ": key [" + GOOD + "] stands twice");
    }

    @Test
    void rowsOutOfOrder() throws Exception {
        List<String> lines = Files.readAllLines(release.folder.resolve("data/attribution.csv"));
        release.write("data/attribution.csv", (lines.get(0) + "\n" + lines.get(2) + "\n" + lines.get(1) + "\n" + String.join("\n", lines.subList(3, lines.size()))
                + "\n").getBytes(StandardCharsets.UTF_8));
        caught("data/attribution.csv:3: key [" + GOOD + "] is out of order");
    }

    @Test
    void oneCellTooMany() throws Exception {
        release.edit("data/codes.csv", 2, text -> text + ",more");
        caught("data/codes.csv:2: 4 cells, the description has 3 columns");
    }

    @Test
    void aQuotationWithoutEnd() throws Exception {
        release.edit("data/codes.csv", 3, text -> text + ",\"");
        caught("data/codes.csv:3: a quotation has no end in this line");
    }

    @Test
    void anotherHeader() throws Exception {
        release.edit("data/coverage.csv", 1, text -> text.replace("count", "number"));
        caught("data/coverage.csv:1: the header is not that of the description");
    }

    @Test
    void carriageReturnsAndOtherEncodings() throws Exception {
        release.edit("data/coverage.csv", 2, text -> text + "\r");
        caught("data/coverage.csv:2: holds a carriage return");
        byte[] bytes = Files.readAllBytes(release.folder.resolve("data/codes.csv"));
        bytes[bytes.length - 3] = (byte) 0xE9;
        release.write("data/codes.csv", bytes);
        caught("data/codes.csv:" + lastLine("data/codes.csv") + ": not UTF-8");
    }

    private int lastLine(String file) throws IOException {
        return (int) Files.readString(release.folder.resolve(file), StandardCharsets.ISO_8859_1).lines().count();
    }

    @Test
    void anObservationThatIsNotThere() throws Exception {
        int line = release.line("data/observations.csv", GOOD + ",o00003");
        release.edit("data/observations.csv", line, text -> null);
        caught("data/verdicts.csv:" + release.line("data/verdicts.csv", GOOD + ",o00003") + ": no row [" + GOOD + ", o00003] in table observations");
    }

    @Test
    void aVerdictThatWasTakenOut() throws Exception {
        release.edit("data/verdicts.csv", release.line("data/verdicts.csv", GOOD + ",o00004"), text -> null);
        caught("data/observations.csv:" + release.line("data/observations.csv", GOOD + ",o00004")
                + ": rule set house@1 has a rule for tools-call-wrong-type, and table verdicts has no verdict");
    }

    @Test
    void aVerdictThatWasImproved() throws Exception {
        cell("data/verdicts.csv", GOOD + ",o00002", "verdict", "pass");
        caught("data/servers.csv:" + release.line("data/servers.csv", GOOD) + ": tools-call-unknown is divergent, and table verdicts has no such verdict of house@1");
    }

    @Test
    void aVerdictOfAnotherCheck() throws Exception {
        cell("data/verdicts.csv", GOOD + ",o00005", "check", "discover", "check, revision, primary or repeat is not that of observation o00005");
    }

    @Test
    void aBreachWithoutWitness() throws Exception {
        cell("data/observations.csv", GOOD + ",o00002", "witness", "");
        caught("data/verdicts.csv:" + release.line("data/verdicts.csv", GOOD + ",o00002") + ": verdict divergent, and its observation names no witness");
    }

    @Test
    void aWitnessThatIsNotThere() throws Exception {
        cell("data/observations.csv", GOOD + ",o00002", "witness", "77", "its witness, event 77 of session legacy, is not in table witnesses");
    }

    @Test
    void aWitnessThatWasTakenOut() throws Exception {
        release.edit("data/witnesses.csv", release.line("data/witnesses.csv", GOOD + ",legacy,1"), text -> null);
        caught("data/observations.csv:" + release.line("data/observations.csv", GOOD + ",o00002") + ": its witness, event 1 of session legacy");
    }

    @Test
    void aWitnessThatNobodyNames() throws Exception {
        release.edit("data/witnesses.csv", release.line("data/witnesses.csv", GOOD + ",legacy,1"), text -> text + "\n" + GOOD + ",legacy,2,totals,9,,");
        caught("data/witnesses.csv:" + release.line("data/witnesses.csv", GOOD + ",legacy,2") + ": no observation or failure names this event");
    }

    @Test
    void aTranscriptOfAnotherSession() throws Exception {
        try (Stream<Path> files = Files.walk(release.folder.resolve("transcripts"))) {
            List<Path> two = files.filter(Files::isRegularFile).sorted().limit(2).toList();
            Files.write(two.get(0), Files.readAllBytes(two.get(1)));
            release.seal();
            String name = release.folder.relativize(two.get(0)).toString();
            caught("data/sessions.csv:" + release.line("data/sessions.csv", name) + ": transcript " + name + " is not the one that was recorded");
        }
    }

    @Test
    void aTranscriptThatIsGone() throws Exception {
        try (Stream<Path> files = Files.walk(release.folder.resolve("transcripts"))) {
            Path one = files.filter(Files::isRegularFile).sorted().findFirst().orElseThrow();
            Files.delete(one);
            release.seal();
            String name = release.folder.relativize(one).toString();
            caught("data/sessions.csv:" + release.line("data/sessions.csv", name) + ": transcript " + name + " is missing");
        }
    }

    @Test
    void aHashOfAnotherTranscript() throws Exception {
        cell("data/sessions.csv", GOOD + ",legacy", "transcript_sha256", "0".repeat(64), "transcript_sha256 is not that of attempt");
    }

    @Test
    void aCountThatDoesNotAddUp() throws Exception {
        cell("data/coverage.csv", "started,none", "count", "3", "says 3, table targets has 2");
        caught("data/coverage.csv: the counts sum up to 9, the frame has 8 rows");
    }

    @Test
    void aFrameOfAnotherSize() throws Exception {
        cell("data/coverage.csv", "excluded,malformed", "frame", "9", "says the frame has 9 rows, table targets has 8");
    }

    @Test
    void anUnmeasuredTargetSaidToHaveStarted() throws Exception {
        cell("data/targets.csv", "pkg:npm/never@1.0.0", "state", "started", "state started with reason not-tried");
        caught("data/targets.csv:" + release.line("data/targets.csv", "pkg:npm/never@1.0.0") + ": state started, and table sessions has none of it");
    }

    @Test
    void anotherSdk() throws Exception {
        cell("data/targets.csv", GOOD, "sdk_family", "tmcp", "SDK \"tmcp 1.2.3\", table attribution has \"official-ts 1.2.3\"");
    }

    @Test
    void aShareThatIsNoQuotient() throws Exception {
        cell("data/shares.csv", "no-fail,house@1,none,no-fail,all,all", "k", "0", "k, n, share, interval, publishers and effective size do not agree");
    }

    @Test
    void verdictsThatDoNotSumUp() throws Exception {
        String row = "verdict,house@1,tools-call-unknown,divergent,all,all";
        int line = release.line("data/shares.csv", row);
        release.edit("data/shares.csv", line, text -> null);
        caught("data/shares.csv:" + release.line("data/shares.csv", "verdict,house@1,tools-call-unknown,fail,all,all")
                + ": n is 2, the verdicts of this group sum up to 0 and 2 servers are decided");
    }

    @Test
    void everyProblemIsOneLineForATerminal() throws Exception {
        cell("data/targets.csv", GOOD, "server_name_text", "\u001b[2J", "column server_name_text: \"\\u001b[2J\" holds");
    }
}
