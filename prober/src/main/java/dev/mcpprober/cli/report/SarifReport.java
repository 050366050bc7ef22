package dev.mcpprober.cli.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.cli.gate.FailOn;
import dev.mcpprober.cli.gate.FindingKey;
import dev.mcpprober.cli.gate.Gate;
import dev.mcpprober.io.Json;
import dev.mcpprober.observation.Observation;
import dev.mcpprober.observation.Subject;
import dev.mcpprober.rules.Graded;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * {@code check --format sarif}: SARIF 2.1.0, one run, a result for each fail (error), warn (warning) and divergent (note) and one for a
 * server that did not start. What is baselined is suppressed; what is gone from the baseline is there as {@code absent}.
 */
final class SarifReport {
    private static final ObjectWriter WRITER = Json.mapper().writerWithDefaultPrettyPrinter().with(JsonWriteFeature.ESCAPE_NON_ASCII);
    private final CheckResult result;
    private final Gate gate;
    private final SarifRules rules;
    private final ArrayNode results;

    private SarifReport(CheckResult result, Gate gate, SarifRules rules, ArrayNode results) {
        this.result = result;
        this.gate = gate;
        this.rules = rules;
        this.results = results;
    }

    static String write(CheckResult result, Gate gate, String version) {
        ObjectNode root = Json.object().put("version", "2.1.0");
        ObjectNode run = root.putArray("runs").addObject();
        ObjectNode driver = run.putObject("tool").putObject("driver").put("name", "mcp-prober").put("version", version);
        if (version.matches("\\d+\\.\\d+\\.\\d+(-[0-9A-Za-z.-]+)?")) {
            driver.put("semanticVersion", version);
        }
        SarifRules rules = new SarifRules(result.ruleSets(), driver.putArray("rules"));
        // One analysis for each server: uploads of several do not replace each other.
        run.putObject("automationDetails").put("id", "mcp-prober/" + Quote.text(result.label()).replace('/', '|') + "/");
        ObjectNode invocation = run.putArray("invocations").addObject().put("executionSuccessful", true);
        invocation.putObject("properties").put("failOn", gate.failOn().name()).put("failed", gate.failed(result.graded(), result.startupFailure()));
        run.put("columnKind", "utf16CodeUnits");
        new SarifReport(result, gate, rules, run.putArray("results")).results();
        try {
            return WRITER.writeValueAsString(root).replace("\u007f", "\\u007f");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a JSON tree can be written", e);
        }
    }

    private void results() {
        result.startupFailure().ifPresent(this::startup);
        result.graded().stream().filter(g -> FailOn.isFinding(g.verdict().word())).forEach(this::finding);
        Set<FindingKey> gone = new TreeSet<>(gate.gone());
        for (FindingKey key : gone) {
            ObjectNode node = result(rules.index(key.rules(), key.check()), "none", "A finding of the baseline is gone: " + Quote.text(key.toString()), key, "");
            node.put("baselineState", "absent");
        }
    }

    private void startup(String kind) {
        FindingKey key = FindingKey.startup(kind);
        boolean known = !gate.fails(kind);
        state(result(rules.index(FindingKey.STARTUP, FindingKey.STARTUP), "error", text("No session: " + kind + ".", result.startupText()), key, ""), known);
    }

    private void finding(Graded graded) {
        Observation observation = graded.observation();
        Subject subject = observation.subject();
        FindingKey key = FindingKey.of(graded);
        String head = graded.verdict().note() + FindingText.about(subject, " ") + (subject.tool() == null ? "" : ".");
        ObjectNode node = result(rules.index(key.rules(), key.check()), level(graded.verdict().word()),
                text(head, FindingText.body(graded, result.witnesses())), key, subject.tool() == null ? "" : subject.tool());
        ObjectNode properties = node.putObject("properties").put("verdict", graded.verdict().word()).put("ruleSet", graded.ruleSet())
                .put("requirementLevel", graded.level()).put("requirement", graded.requirement()).put("citation", graded.citation())
                .put("observed", observation.observed()).put("detail", Quote.text(observation.detail())).put("session", subject.session())
                .put("era", subject.era().id()).put("revision", Quote.text(subject.revision()));
        observation.witness().forEach(properties.putArray("witness")::add);
        ArrayNode frames = properties.putArray("frames");
        result.witnesses().lines(subject.session(), observation.witness()).forEach(frames::add);
        state(node, gate.isKnown(graded));
    }

    private ObjectNode result(int rule, String level, String message, FindingKey key, String tool) {
        ObjectNode node = results.addObject().put("ruleId", rules.id(rule)).put("ruleIndex", rule).put("level", level);
        node.putObject("message").put("text", message);
        ObjectNode location = node.putArray("locations").addObject();
        ObjectNode physical = location.putObject("physicalLocation");
        physical.putObject("artifactLocation").put("uri", result.target().source()).put("uriBaseId", "%SRCROOT%");
        physical.putObject("region").put("startLine", 1);
        if (!tool.isEmpty()) {
            location.putArray("logicalLocations").addObject().put("name", Quote.text(tool)).put("kind", "function");
        }
        // The first is ours; the second is the one that code scanning tells alerts apart by, and would else make up from the line.
        node.putObject("partialFingerprints").put("mcpProberFinding/v1", key.fingerprint()).put("primaryLocationLineHash", key.fingerprint() + ":1");
        return node;
    }

    private void state(ObjectNode node, boolean known) {
        if (!gate.hasBaseline()) {
            return;
        }
        node.put("baselineState", known ? "unchanged" : "new");
        if (known) {
            node.putArray("suppressions").addObject().put("kind", "external").put("status", "accepted").put("justification", "in the baseline");
        }
    }

    private static String text(String head, List<String> lines) {
        return head + "\n\n" + String.join("\n", lines);
    }

    private static String level(String verdict) {
        return switch (verdict) {
            case "fail" -> "error";
            case "warn" -> "warning";
            default -> "note";
        };
    }
}
