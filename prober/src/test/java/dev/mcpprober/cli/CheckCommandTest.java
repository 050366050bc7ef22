package dev.mcpprober.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.transcript.Transcript;
import dev.mcpprober.transcript.TranscriptReader;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a user runs it, against a server on this host. */
class CheckCommandTest {
    private static final Path SERVER = Path.of(System.getProperty("prober.home", ".")).resolve("src/test/resources/cli/server.py").toAbsolutePath();

    private static final Path MOODY = Path.of(System.getProperty("prober.home", ".")).resolve("../corpus/fixtures/py-moody/mcp_prober_fixture_moody/__init__.py").toAbsolutePath().normalize();

    @TempDir Path folder;

    private record Ran(int status, String out, String err) {
        JsonNode json() {
            return ((Json.Parsed.Value) Json.parse(out)).node();
        }

        /** The same server's report in JSON. */
        JsonNode json(String wrong) {
            return check(wrong, "--format", "json").json();
        }
    }

    @BeforeAll
    static void pythonIsThere() throws Exception {
        boolean there;
        try {
            there = new ProcessBuilder("python3", "--version").redirectErrorStream(true).start().waitFor() == 0;
        } catch (java.io.IOException e) {
            there = false;
        }
        assumeTrue(there, "python3 is not here: the tests of check --cmd are skipped");
    }

    private static Ran run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = ProberCommand.run(arguments, new PrintWriter(out), new PrintWriter(err));
        return new Ran(status, out.toString(), err.toString());
    }

    private static Ran check(String wrong, String... more) {
        List<String> arguments = new ArrayList<>(List.of("check", "--cmd", "python3 '" + SERVER + "' " + wrong, "--request-timeout", "5"));
        arguments.addAll(List.of(more));
        return run(arguments.toArray(String[]::new));
    }

    private static JsonNode row(JsonNode report, String id) {
        for (JsonNode check : report.path("checks")) {
            if (check.path("id").asText().equals(id)) {
                return check;
            }
        }
        throw new AssertionError("no row for " + id);
    }

    @Test
    void theJsonContractHoldsAndAWitnessShowsWhatTheVerdictSays() throws Exception {
        Ran ran = check("silent", "--format", "json", "--transcript", folder.toString());
        assertEquals(ExitCode.FAILED, ran.status(), ran.err());
        JsonNode report = ran.json();
        assertEquals(1, report.path("schemaVersion").asInt());
        assertEquals("command", report.path("target").path("registry").asText());
        assertEquals("2025-06-18", report.path("session").path("protocolVersion").asText());
        assertEquals(1, report.path("session").path("toolCount").asInt());
        assertTrue(report.path("startupFailure").isNull());
        assertEquals("legacy", report.path("eras").path(0).asText());
        JsonNode wrong = row(report, "tools-call-wrong-type");
        assertEquals("fail", wrong.path("verdict").asText());
        assertEquals("success", wrong.path("observed").asText());
        assertEquals("silent-execution", wrong.path("consequence").asText());
        assertTrue(wrong.path("primary").asBoolean());
        assertFalse(wrong.path("requirement").asText().isEmpty() || wrong.path("citation").asText().isEmpty() || wrong.path("fix").asText().isEmpty());
        assertEquals(-32602, row(report, "tools-call-unknown").path("code").asInt());
        int total = 0;
        for (JsonNode count : report.path("summary")) {
            total += count.asInt();
        }
        assertEquals(report.path("checks").size(), total);

        Transcript transcript = TranscriptReader.read(folder.resolve(wrong.path("session").asText() + ".jsonl.gz"));
        StringBuilder shown = new StringBuilder();
        wrong.path("witness").forEach(index -> shown.append(transcript.events().get(index.asInt())));
        assertTrue(wrong.path("witness").size() >= 2, "sent and received");
        Set<String> sessions = new TreeSet<>();
        report.path("transcripts").forEach(file -> sessions.add(Path.of(file.asText()).getFileName().toString().replace(".jsonl.gz", "")));
        assertTrue(sessions.containsAll(Set.of("discover", "legacy", "legacy-tools", "legacy-negative", "legacy-malformed-cut", "legacy-batch")), sessions.toString());
    }

    /** The mood of this server is good and bad in turn; in a good one it does nothing wrong. */
    private Ran moody(int from, String... more) throws Exception {
        Path state = folder.resolve("starts-" + from);
        java.nio.file.Files.writeString(state, ".".repeat(from));
        List<String> arguments = new ArrayList<>(List.of("check", "--cmd", "python3 '" + MOODY + "'", "--env", "MOODY_STATE=" + state, "--profile", "quick", "--repeat", "3"));
        arguments.addAll(List.of(more));
        return run(arguments.toArray(String[]::new));
    }

    @Test
    void whatDiffersBetweenRepeatsIsFlakyAndTheFirstVerdictStands() throws Exception {
        Ran good = moody(0, "--format", "json", "--transcript", folder.resolve("kept").toString());
        assertEquals(ExitCode.DONE, good.status(), good.out() + good.err());
        JsonNode report = good.json();
        assertEquals("{\"times\":3,\"starts\":[\"started\",\"started\",\"started\"]}", report.path("repeats").toString());
        assertEquals(1, report.path("flaky").size(), report.path("flaky").toString());
        JsonNode flaky = report.path("flaky").get(0);
        assertEquals("tools-call-unknown [\"pass\",\"fail\",\"pass\"]", flaky.path("id").asText() + " " + flaky.path("verdicts"));
        assertTrue(row(report, "tools-call-unknown").path("flaky").asBoolean());
        assertFalse(row(report, "ping").has("flaky"));
        for (JsonNode witness : flaky.path("witnesses")) {
            Transcript transcript = TranscriptReader.read(folder.resolve("kept").resolve(witness.path("session").asText() + ".jsonl.gz"));
            StringBuilder shown = new StringBuilder();
            witness.path("witness").forEach(index -> shown.append(transcript.events().get(index.asInt())));
            assertFalse(shown.isEmpty(), witness.toString());
        }
        assertEquals(List.of(0, 1), List.of(flaky.at("/witnesses/0/repeat").asInt(), flaky.at("/witnesses/1/repeat").asInt()));
        assertEquals(0, report.at("/summary/fail").asInt(), "a repeat counts for nothing");

        Ran bad = moody(1);
        assertEquals(ExitCode.FAILED, bad.status(), "the verdict of the first time stands");
        assertTrue(bad.out().contains("\nflaky  tools-call-unknown (spec@") && bad.out().contains(", described)  fail, pass, fail\n"), bad.out());
        assertTrue(bad.out().contains("[legacy#") && bad.out().contains("[legacy~1#"), "both witnesses");
        assertTrue(bad.out().contains("sessions gone through 3 times, 1 flaky; the verdicts of the first time stand"), bad.out());
        assertTrue(moody(0, "--format", "markdown").out().contains("Flaky: `tools-call-unknown` was pass, fail, pass in 3 repeats"), "in markdown too");
    }

    @Test
    void repeatsAreBetweenOneAndAHundred() {
        for (String times : List.of("0", "-1", "101")) {
            Ran ran = check("", "--repeat", times);
            assertEquals(ExitCode.USAGE, ran.status());
            assertTrue(ran.err().contains("--repeat: " + times + " is not between 1 and 100"), ran.err());
        }
        JsonNode report = check("", "--profile", "quick", "--format", "json").json();
        assertEquals("{\"times\":1,\"starts\":[\"started\"]}", report.path("repeats").toString());
        assertEquals("[]", report.path("flaky").toString());
    }

    @Test
    void noServerTextReachesTheReportsUnescaped() {
        for (String format : List.of("text", "json")) {
            Ran ran = check("hostile", "--format", format);
            assertTrue((ran.out() + ran.err()).chars().allMatch(c -> c == '\n' || c >= ' ' && c != 0x7f && !(c >= 0x80 && c < 0xa0) && c != 0x202e),
                    "no control or bidi characters in " + format);
            String lower = ran.out().toLowerCase(java.util.Locale.ROOT);
            assertTrue(lower.contains("\\u001b") && lower.contains("\\u202e"), "escaped, not dropped");
        }
        Ran text = check("hostile", "--format", "text");
        assertFalse(text.out().contains("<script>") || text.out().contains("\n| forged"));
    }

    @Test
    void aServerThatDoesNotStartGetsOneFailureThatNamesTheCause() {
        Ran ran = check("need-key", "--format", "json");
        assertEquals(ExitCode.FAILED, ran.status());
        assertEquals("needs-config", ran.json().path("startupFailure").asText());
        assertTrue(ran.json().path("startup").path("detail").asText().contains("GREETER_API_KEY"));
        assertFalse(ran.json().path("session").path("handshake").asBoolean());
    }

    @Test
    void theTextReportSaysWhatWasSentWhatCameBackWhichTextAppliesAndWhatToChange() {
        Ran ran = check("silent", "--profile", "quick");
        String finding = ran.out().substring(ran.out().indexOf("fail  tools-call-wrong-type"));
        for (String part : List.of("sent ", "received ", "observed ", "requires ", "2025-06-18", "change ")) {
            assertTrue(finding.contains(part), part + " in " + finding);
        }
        assertTrue(ran.err().contains("without isolation"));
    }

    @Test
    void theCauseOfAFailedStartIsWhatTheAdviceIsAbout() {
        Ran ran = check("need-key");
        assertTrue(ran.out().contains("no session: needs-config"), ran.out());
        assertEquals(2, ran.out().split("change .*--env GREETER_API_KEY=…", -1).length - 1, "at the cause, and at the handshake that failed for it");
        assertFalse(ran.out().contains("owes this probe nothing"), "it was asked, and died");
        assertTrue(ran.json("need-key").path("startup").path("advice").asText().contains("GREETER_API_KEY"));
    }

    @Test
    void aBaselineMakesKnownFindingsPassAndComplainsOfThoseThatAreGone() throws Exception {
        String file = folder.resolve("known.json").toString();
        assertEquals(ExitCode.DONE, check("silent", "--profile", "quick", "--write-baseline", file).status());
        Ran known = check("silent", "--profile", "quick", "--baseline", file, "--format", "json");
        assertEquals(ExitCode.DONE, known.status());
        assertTrue(row(known.json(), "tools-call-wrong-type").path("baselined").asBoolean());
        assertEquals("fail", row(known.json(), "tools-call-wrong-type").path("verdict").asText(), "still shown as what it is");
        Ran mended = check("good", "--profile", "quick", "--baseline", file);
        assertEquals(ExitCode.FAILED, mended.status());
        assertTrue(mended.out().contains("gone from the baseline: tools-call-wrong-type"), mended.out());
        assertEquals(ExitCode.DONE, check("need-key", "--write-baseline", file).status());
        assertEquals(ExitCode.DONE, check("need-key", "--baseline", file).status());

        java.nio.file.Files.writeString(folder.resolve("bad.json"), "{\n \"findings\": 1}");
        Ran bad = check("silent", "--baseline", folder.resolve("bad.json").toString());
        assertEquals(ExitCode.USAGE, bad.status());
        assertTrue(bad.err().contains("bad.json:2:"), bad.err());
        assertFalse(bad.err().contains("without isolation"), "found before anything is run");
    }

    @Test
    void everyFormatIsWrittenAndTheExitStatusIsTheSame() {
        for (dev.mcpprober.cli.report.Format format : dev.mcpprober.cli.report.Format.values()) {
            Ran ran = check("silent", "--profile", "quick", "--format", format.name());
            assertEquals(ExitCode.FAILED, ran.status(), format + ran.err());
            assertTrue(ran.out().contains("tools-call-wrong-type") && ran.out().contains("server/tools#error-handling"), ran.out());
            assertEquals(ExitCode.DONE, check("good", "--profile", "quick", "--format", format.name(), "--fail-on", "divergent").status());
        }
        assertEquals(ExitCode.USAGE, check("good", "--fail-on", "pass").status());
    }

    @Test
    void wrongInputIsUsageAndSaysWhatToDo() {
        String[][] cases = {
            {"check"}, {"check", "npm:x", "--cmd", "true"}, {"check", "--cmd", "'open"}, {"check", "--cmd", "   "}, {"check", "npm:a b"},
            {"check", "no-such-file"}, {"check", "--cmd", "true", "--rules", "nope"}, {"check", "--cmd", "true", "--rules", "gone.yaml"},
            {"check", "--cmd", "true", "--request-timeout", "-1"}, {"check", "--cmd", "true", "--profile", "half"}, {"frobnicate"}, {}};
        for (String[] arguments : cases) {
            Ran ran = run(arguments);
            assertEquals(ExitCode.USAGE, ran.status(), String.join(" ", arguments) + ": " + ran.err());
            assertFalse(ran.err().isBlank());
            assertFalse(ran.err().contains("\tat ") || ran.err().contains("    at "), ran.err());
        }
    }

    @Test
    void aProgramThatIsNotThereIsNoVerdict() throws Exception {
        Path noProgram = Files.writeString(folder.resolve("text.txt"), "no program");
        for (String program : List.of("no-such-program-of-ours", folder.resolve("nothing").toString(), noProgram.toString(), folder.toString())) {
            Ran ran = run("check", "--cmd", program);
            assertEquals(ExitCode.USAGE, ran.status(), ran.err());
            assertTrue(ran.err().contains("--cmd: cannot run \"" + program), ran.err());
            assertEquals("", ran.out());
        }
    }

    @Test
    void aPathWithoutAPackageIsASlipAndNoResult() throws Exception {
        Path nothing = Files.createDirectory(folder.resolve("empty"));
        Path archive = Files.createFile(folder.resolve("empty.tgz"));
        Path text = Files.writeString(folder.resolve("text.txt"), "no package");
        for (Path path : List.of(nothing, archive, text)) {
            Ran ran = run("check", path.toString(), "--format", "json");
            assertEquals(ExitCode.USAGE, ran.status(), ran.err());
            assertTrue(ran.err().contains(path + " is no package"), ran.err());
            assertEquals("", ran.out());
        }
    }

    @Test
    void whatCannotBeKeptIsSaidBeforeTheServerIsRun() throws Exception {
        Path ran = folder.resolve("ran");
        Path file = Files.createFile(folder.resolve("file"));
        for (String[] option : new String[][] {{"--bundle", file + "/in"}, {"--bundle", file.toString()}, {"--transcript", file.toString()}, {"--transcript", file + "/in"},
            {"--write-baseline", file + "/in"}, {"--write-baseline", folder.toString()}, {"--bundle", "/"}}) {
            Ran told = run("check", "--profile", "quick", "--cmd", "touch '" + ran + "'", option[0], option[1]);
            assertEquals(ExitCode.USAGE, told.status(), String.join(" ", option) + told.err());
            assertTrue(told.err().contains(option[0] + ": \"" + option[1]), told.err());
            assertTrue(Files.notExists(ran), String.join(" ", option));
        }
    }

    @Test
    void toLookWhetherSomethingCanBeKeptLeavesNothing() throws Exception {
        for (String option : List.of("--bundle", "--transcript", "--write-baseline")) {
            assertEquals(ExitCode.USAGE, run("check", "--cmd", "no-such-program-of-ours", option, folder.resolve("new/deep").toString()).status());
        }
        try (var left = Files.list(folder)) {
            assertEquals(List.of(), left.toList());
        }
    }
}
