package dev.mcpprober.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.cli.explain.CheckWords;
import dev.mcpprober.io.Json;
import dev.mcpprober.observation.Check;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code rules list|show} and {@code check --explain}. */
class RulesCommandTest {
    @TempDir Path folder;

    private record Ran(int status, String out, String err) {
        JsonNode json() {
            return ((Json.Parsed.Value) Json.parse(out)).node();
        }
    }

    private static Ran run(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        return new Ran(ProberCommand.run(arguments, new PrintWriter(out), new PrintWriter(err)), out.toString(), err.toString());
    }

    @Test
    void everyBundledFileIsListedAndNamedInTheHelp() throws Exception {
        try (Stream<Path> files = Files.list(Path.of(RulesCommandTest.class.getResource("/rules/spec.yaml").toURI()).getParent())) {
            assertEquals(files.map(f -> f.getFileName().toString().replace(".yaml", "")).collect(Collectors.toCollection(TreeSet::new)), new TreeSet<>(Rules.BUNDLED));
        }
        Ran text = run("rules", "list");
        JsonNode json = run("rules", "list", "--format", "json").json();
        for (int i = 0; i < Rules.BUNDLED.size(); i++) {
            String id = Rules.BUNDLED.get(i);
            assertTrue(text.out().contains(id + "@") && Rules.HELP.contains(id), id);
            assertEquals(id, json.path("ruleSets").get(i).path("id").asText());
            assertEquals(Rules.DEFAULT.contains(id), json.path("ruleSets").get(i).path("default").asBoolean());
        }
        assertEquals(Rules.BUNDLED.size(), text.out().lines().count());
        assertTrue(run("check", "--help").out().contains("sep-2145"));
    }

    @Test
    void showHasEveryRuleWithAllThatItSays() {
        for (String id : Rules.BUNDLED) {
            Ran text = run("rules", "show", id);
            JsonNode json = run("rules", "show", id, "--format", "json").json();
            String flat = text.out().replaceAll("\\s+", " ");
            assertTrue(json.path("rules").size() > 0);
            for (JsonNode rule : json.path("rules")) {
                for (String member : List.of("check", "level", "requirement", "comment", "fix", "does")) {
                    assertTrue(flat.contains(rule.path(member).asText().replaceAll("\\s+", " ")), id + " " + rule.path("check").asText() + " " + member);
                }
                rule.path("revisions").fields().forEachRemaining(r -> assertTrue(flat.contains(r.getKey() + " " + r.getValue().asText()), r.toString()));
                rule.path("outcomes").forEach(o -> assertTrue(flat.contains(o.path("note").asText().replaceAll("\\s+", " ")), o.toString()));
            }
        }
    }

    @Test
    void aFileOfOnesOwnIsShownOrItsMistakesNamedByLine() throws Exception {
        Path good = Files.writeString(folder.resolve("mine.yaml"), "id: mine\nversion: 7\ntitle: \"Mine\\e[2J\"\nrules:\n  - check: ping\n    level: must\n"
                + "    revisions: {2025-06-18: here#ping}\n    requirement: \"Ping <b>\"\n    fix: Answer.\n    comment: Because.\n    outcomes:\n"
                + "      - {observed: protocol-error, codes: -32601, verdict: fail, note: Refused.}\n      - {verdict: pass, note: Fine.}\n");
        Ran shown = run("rules", "show", good.toString());
        assertEquals(ExitCode.DONE, shown.status(), shown.err());
        assertTrue(shown.out().contains("mine@7") && shown.out().contains("protocol-error, code -32601: Refused."), shown.out());
        assertFalse(shown.out().contains("\u001b"));
        Path bad = Files.writeString(folder.resolve("bad.yaml"), "id: mine\nversion: 7\ntitle: Mine\nrules:\n  - check: pingg\n    level: must\n");
        Ran refused = run("rules", "show", bad.toString());
        assertEquals(ExitCode.USAGE, refused.status());
        assertTrue(refused.err().contains("bad.yaml:5:"), refused.err());
        Path latin = Files.write(folder.resolve("latin.yaml"), new byte[] {'i', 'd', (byte) 0xff});
        for (String name : List.of("nope", "gone.yaml", folder.toString() + "/x.yaml", latin.toString(), "\0.yaml")) {
            assertEquals(ExitCode.USAGE, run("rules", "show", name).status(), name);
        }
        assertEquals(ExitCode.USAGE, run("rules").status());
    }

    /** Twenty outcomes that are the same under each revision, printed under each, hid the few that differ. */
    @Test
    void outcomesAtTheEndThatAreTheSameAreToldOnce() {
        String text = run("check", "--explain", "tools-call-wrong-type", "--rules", "spec").out();
        assertEquals(2, text.split("The server ended instead of answering", -1).length, text);
        assertEquals(2, text.replaceAll("\\s+", " ").split(" else the last 17 as under 2024-11-05, 2025-03-26, 2025-06-18, from \"fail: success, silent-execution\" on ", -1).length - 1, text);
        assertEquals(2, text.split("\n  warn           success, with coercible: ", -1).length - 1, "what differs is told where it does");
        assertEquals(1, text.split("\n  divergent      success, with coercible: ", -1).length - 1);
    }

    @Test
    void explainNeedsNoTargetAndKnowsEveryCheck() {
        for (Check check : Check.values()) {
            assertFalse(CheckWords.of(check.id()).isEmpty(), check.id() + " has a line in checks.properties");
        }
        Ran wrongType = run("check", "--explain", "tools-call-wrong-type", "--rules", "spec,sep-2145");
        String flat = wrongType.out().replaceAll("\\s+", " ");
        for (String part : List.of("does Calls a tool", "under spec@", "under sep-2145@", "2025-11-25 server/tools#error-handling", "requires", "why K1", "change", "silent-execution")) {
            assertTrue(flat.contains(part), part + " in " + wrongType.out());
        }
        assertTrue(run("check", "--explain", "sep-3313-class-enum", "--rules", "spec").out().contains("also in: --rules tool-failure"));
        JsonNode json = run("check", "--explain", "ping", "--format", "json").json();
        assertEquals("ping", json.path("check").asText());
        assertEquals("spec", json.path("ruleSets").get(0).path("id").asText());
        assertEquals(ExitCode.USAGE, run("check", "--explain", "ping", "--format", "sarif").status());
    }

    @Test
    void aMistypedCheckGetsNearOnes() {
        Ran ran = run("check", "--explain", "tool-call-wrongtype\u001b[2J");
        assertEquals(ExitCode.USAGE, ran.status());
        assertTrue(ran.err().contains("tools-call-wrong-type"), ran.err());
        assertFalse(ran.err().contains("\u001b"));
        assertTrue(CheckWords.near("wrong").contains("tools-call-wrong-type"));
        assertEquals("ping", CheckWords.near("pign").get(0));
        assertEquals(Arrays.stream(Check.values()).map(Check::id).filter("liveness"::equals).toList(), CheckWords.near("livenes").subList(0, 1));
    }

    @Test
    void wrongUseIsTwoLinesNotTheWholeHelp() {
        for (String[] arguments : new String[][] {{"check"}, {"check", "--no-such"}, {"check", "--format", "pdf", "x"}, {"rules", "show"}, {"rules"}}) {
            Ran ran = run(arguments);
            assertEquals(ExitCode.USAGE, ran.status());
            assertTrue(ran.err().lines().count() <= 3, ran.err());
            assertTrue(ran.err().contains("--help"), ran.err());
        }
    }
}
