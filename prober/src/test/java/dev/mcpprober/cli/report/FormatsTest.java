package dev.mcpprober.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.cli.gate.Baseline;
import dev.mcpprober.cli.gate.FailOn;
import dev.mcpprober.cli.gate.FindingKey;
import dev.mcpprober.cli.gate.Gate;
import dev.mcpprober.io.Json;
import dev.mcpprober.observation.TargetObservations;
import dev.mcpprober.rules.Graded;
import dev.mcpprober.rules.VerdictWord;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/** Each format is valid, whole, and safe wherever it is pasted. */
class FormatsTest {
    @TempDir Path folder;

    private String write(Format format, CheckResult result, Gate gate) {
        StringWriter text = new StringWriter();
        format.write(result, gate, "1.2.3", "2026-11-30T20:00:00.123456Z", true, new PrintWriter(text));
        return text.toString();
    }

    private CheckResult sample() throws Exception {
        return Samples.result(folder, Samples.rows(), Optional.empty());
    }

    private Gate gateWithBaseline(CheckResult result) {
        TreeSet<FindingKey> known = new TreeSet<>(List.of(FindingKey.of(Samples.rows().get(1)), FindingKey.startup("exit-silent"),
                new FindingKey("mine", "tools-list", "legacy", "", "", "no-response")));
        return Gate.against(new Baseline(known), FailOn.warn, result.graded(), result.startupFailure());
    }

    @Test
    void noFormatLetsAServersTextThrough() throws Exception {
        CheckResult started = sample();
        CheckResult not = Samples.result(folder, List.of(), Samples.startup());
        for (Format format : Format.values()) {
            for (CheckResult result : List.of(started, not)) {
                for (Gate gate : List.of(Gate.of(FailOn.fail), gateWithBaseline(result))) {
                    String text = write(format, result, gate);
                    assertTrue(text.chars().allMatch(c -> c == '\n' || c >= ' ' && c != 0x7f && !(c >= 0x80 && c < 0xa0) && c != 0x202e && c != 0xfffe && !Character.isSurrogate((char) c)),
                            "control, bidi or broken characters in " + format);
                    assertFalse(format != Format.json && text.contains("<script") || text.contains("\n# forged"), format + "\n" + text);
                }
            }
        }
    }

    @Test
    void whatSeveralToolsDoAlikeIsExplainedOnce() throws Exception {
        String text = write(Format.text, sample(), Gate.of(FailOn.fail));
        assertEquals(1, text.split("fail  tools-call-wrong-type", -1).length - 1, text);
        assertTrue(text.contains("  also      tool other, argument arg"), text);
        List<Graded> many = java.util.stream.IntStream.range(0, 20).mapToObj(i -> Samples.row("tools-call-wrong-type", "t" + i, VerdictWord.FAIL, "success")).toList();
        assertTrue(write(Format.text, Samples.result(folder, many, Optional.empty()), Gate.of(FailOn.fail)).contains(" and 7 more (--format json has them all)"));
    }

    private static Document xml(String text) throws Exception {
        SchemaFactory factory = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI);
        factory.newSchema(new StreamSource(FormatsTest.class.getResourceAsStream("/cli/junit-report.xsd"))).newValidator()
                .validate(new StreamSource(new StringReader(text)));
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(text)));
    }

    private static List<Element> all(Document document, String name) {
        List<Element> out = new ArrayList<>();
        for (int i = 0; i < document.getElementsByTagName(name).getLength(); i++) {
            out.add((Element) document.getElementsByTagName(name).item(i));
        }
        return out;
    }

    @Test
    void junitIsValidAndFailsWhereTheExitStatusDoes() throws Exception {
        CheckResult result = sample();
        Document plain = xml(write(Format.junit, result, Gate.of(FailOn.fail)));
        assertEquals(2, all(plain, "failure").size());
        Element suite = all(plain, "testsuite").get(1);
        assertEquals("mine@3", suite.getAttribute("name"));
        assertEquals("7", suite.getAttribute("tests"));
        assertEquals("2", suite.getAttribute("failures"));
        assertEquals("4", suite.getAttribute("skipped"));
        String failure = all(plain, "failure").get(0).getTextContent();
        for (String part : List.of("sent      {\"id\":4}", "received", "stderr", "[legacy#3]", "2025-06-18, here#tools-call-wrong-type", "Mend it.")) {
            assertTrue(failure.contains(part), part + " in " + failure);
        }
        assertEquals(4, all(xml(write(Format.junit, result, Gate.of(FailOn.divergent))), "failure").size());

        Document gated = xml(write(Format.junit, result, gateWithBaseline(result)));
        assertEquals(4, all(gated, "failure").size(), "one known fail less, the warn, two gone");
        assertTrue(all(gated, "skipped").stream().anyMatch(e -> e.getAttribute("message").startsWith("fail, baselined")));

        Document dead = xml(write(Format.junit, Samples.result(folder, List.of(), Samples.startup()), Gate.of(FailOn.fail)));
        assertEquals("needs-config", all(dead, "error").get(0).getAttribute("type"));
        assertTrue(all(dead, "error").get(0).getTextContent().contains("--env GREETER_KEY=…"));
    }

    @Test
    void rowsOfTheSameNameStayApartInJunit() throws Exception {
        Graded row = Samples.rows().get(0);
        Document document = xml(write(Format.junit, Samples.result(folder, List.of(row, row, row), Optional.empty()), Gate.of(FailOn.fail)));
        assertEquals(3, new HashSet<>(all(document, "testcase").stream().skip(1).map(e -> e.getAttribute("name")).toList()).size());
    }

    private static JsonNode json(String text) {
        return ((Json.Parsed.Value) Json.parse(text)).node();
    }

    private static void validSarif(JsonNode log, boolean baseline) {
        assertEquals("2.1.0", log.path("version").asText());
        assertEquals(1, log.path("runs").size());
        JsonNode run = log.path("runs").get(0);
        JsonNode driver = run.path("tool").path("driver");
        assertEquals("mcp-prober 1.2.3 1.2.3", driver.path("name").asText() + " " + driver.path("version").asText() + " " + driver.path("semanticVersion").asText());
        Set<String> ids = new HashSet<>();
        for (JsonNode rule : driver.path("rules")) {
            assertTrue(ids.add(rule.path("id").asText()), "rule ids are unique");
            assertFalse(rule.path("help").path("text").asText().isBlank() || rule.path("shortDescription").path("text").asText().isBlank());
            assertTrue(Set.of("error", "warning", "note", "none").contains(rule.path("defaultConfiguration").path("level").asText()));
        }
        for (JsonNode result : run.path("results")) {
            assertEquals(driver.path("rules").get(result.path("ruleIndex").asInt(-1)).path("id").asText(), result.path("ruleId").asText());
            assertTrue(Set.of("error", "warning", "note", "none").contains(result.path("level").asText()));
            assertFalse(result.path("message").path("text").asText().isBlank());
            JsonNode place = result.path("locations").get(0).path("physicalLocation");
            assertFalse(java.net.URI.create(place.path("artifactLocation").path("uri").asText()).isAbsolute());
            assertTrue(place.path("region").path("startLine").asInt() >= 1);
            assertTrue(result.path("partialFingerprints").path("mcpProberFinding/v1").asText().matches("[0-9a-f]{32}"));
            assertEquals(baseline, result.has("baselineState"), "on all results or on none");
        }
        assertTrue(run.path("invocations").get(0).path("executionSuccessful").isBoolean());
    }

    @Test
    void sarifIsWholeMapsLevelsAndCarriesTheWitness() throws Exception {
        CheckResult result = sample();
        JsonNode log = json(write(Format.sarif, result, Gate.of(FailOn.fail)));
        validSarif(log, false);
        JsonNode results = log.path("runs").get(0).path("results");
        assertEquals(List.of("error", "error", "warning", "note"), List.of(results.get(0).path("level").asText(), results.get(1).path("level").asText(),
                results.get(2).path("level").asText(), results.get(3).path("level").asText()));
        assertEquals(4, results.size());
        assertEquals("mine/tools-call-wrong-type", results.get(0).path("ruleId").asText());
        assertTrue(results.get(0).path("message").path("text").asText().contains("[legacy#2]"));
        assertEquals(3, results.get(0).path("properties").path("frames").size());
        assertEquals("here#tools-call-wrong-type", results.get(0).path("properties").path("citation").asText());
        assertFalse(results.get(0).path("partialFingerprints").equals(results.get(1).path("partialFingerprints")), "two tools are two findings");
        JsonNode rule = log.path("runs").get(0).path("tool").path("driver").path("rules").get(0);
        assertTrue(rule.path("help").path("text").asText().contains("2025-06-18: here#tools-call-wrong-type"));

        JsonNode gated = json(write(Format.sarif, result, gateWithBaseline(result)));
        validSarif(gated, true);
        JsonNode second = gated.path("runs").get(0).path("results").get(1);
        assertEquals("unchanged", second.path("baselineState").asText());
        assertEquals("external", second.path("suppressions").get(0).path("kind").asText());
        assertTrue(gated.path("runs").get(0).path("results").findValuesAsText("baselineState").contains("absent"));

        validSarif(json(write(Format.sarif, Samples.result(folder, List.of(), Samples.startup()), Gate.of(FailOn.fail))), false);
    }

    @Test
    void fingerprintsDoNotHangOnVersionsOrOnTheTextOfAnAnswer() {
        Graded row = Samples.rows().get(0);
        Graded later = new Graded(row.observation(), "mine@4", row.verdict(), "should", "else", "elsewhere", "");
        assertEquals(FindingKey.of(row).fingerprint(), FindingKey.of(later).fingerprint());
        assertEquals("b02c4812d19e15cf8fd1298b1532696b", new FindingKey("spec", "tools-call-wrong-type", "legacy", "greet", "who", "success").fingerprint(),
                "kept over versions of this program, or alerts everywhere open anew");
    }

    @Test
    void markdownKeepsServerTextInsideCode() throws Exception {
        String text = write(Format.markdown, sample(), Gate.of(FailOn.fail));
        List<String> outside = new ArrayList<>();
        String fence = null;
        for (String line : text.split("\n")) {
            if (fence == null && line.matches("`{3,}text")) {
                fence = line.replace("text", "");
            } else if (fence != null) {
                fence = line.equals(fence) ? null : fence;
            } else {
                outside.add(line);
            }
        }
        assertEquals(null, fence, "every fence is closed");
        String rest = String.join("\n", outside).replaceAll("<code>[^<`|@]*</code>", "");
        for (String part : List.of("@everyone", "forged", "x.invalid", "]]>")) {
            assertFalse(rest.contains(part), part + " outside of code in\n" + rest);
        }
        outside.stream().filter(line -> line.startsWith("| ")).forEach(line -> assertEquals(5, line.replace("\\|", "").chars().filter(c -> c == '|').count(), line));
        assertTrue(text.contains("here#tools-call-wrong-type") && text.contains("[legacy#2]"));
    }

    @Test
    void namesWithoutSignsOfMarkupAreReadAsTheyStand() {
        assertEquals("`pkg:npm/@scope/thing_2@0.1.1`", MarkdownReport.code("pkg:npm/@scope/thing_2@0.1.1"));
        assertEquals("`ping (spec@3, must)  tool find_restrooms`", MarkdownReport.code("ping (spec@3, must)  tool find_restrooms"));
        for (String hostile : List.of("a`b", "a|b", "a<b", "a&amp;b", "a\\", "a\nb", "a*b*", " a", "a ", "", "a]b")) {
            assertTrue(MarkdownReport.code(hostile).matches("<code>[A-Za-z0-9 &#;]*</code>"), hostile);
        }
    }

    /** A batch is sent under another revision than that which the head of the report names: said beside the finding. */
    @Test
    void aFindingUnderAnotherRevisionSaysSo() throws Exception {
        String other = write(Format.text, sample(), Gate.of(FailOn.fail));
        assertTrue(other.contains("warn  tools-call-unknown (mine@3, must)  under revision 2025-06-18\n"), other);
        TargetObservations.SessionSummary session = new TargetObservations.SessionSummary(true, "legacy", "2025-06-18", "2025-06-18", "s", "1", 1);
        CheckResult sample = sample();
        TargetObservations same = new TargetObservations(sample.observed().orElseThrow().eras(), session, Optional.empty(), sample.observed().orElseThrow().observations(), List.of());
        String text = write(Format.text, new CheckResult(sample.target(), sample.install(), Optional.of(same), sample.ruleSets(), sample.graded(), sample.repeats(),
                sample.witnesses(), sample.transcripts()), Gate.of(FailOn.fail));
        assertTrue(text.contains("warn  tools-call-unknown (mine@3, must)\n"), text);
    }

    @Test
    void theLastWordCountsWhatFails() throws Exception {
        assertTrue(write(Format.text, sample(), Gate.of(FailOn.fail)).contains("result: failed, 2 checks at fail\n"));
        assertTrue(write(Format.text, sample(), Gate.of(FailOn.warn)).contains("result: failed, 3 checks at warn or worse\n"));
        CheckResult sample = sample();
        assertTrue(write(Format.text, new CheckResult(sample.target(), Optional.of(new CheckResult.InstallSummary("not-found", "no such package", "", List.of(), 1, false, Optional.empty())),
                Optional.empty(), List.of(), List.of(), sample.repeats(), sample.witnesses(), List.of()), Gate.of(FailOn.fail)).contains("result: failed, it was not installed\n"));
    }
}
