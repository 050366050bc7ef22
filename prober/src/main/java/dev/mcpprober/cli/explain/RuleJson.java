package dev.mcpprober.cli.explain;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.observation.Check;
import dev.mcpprober.rules.Match;
import dev.mcpprober.rules.Outcome;
import dev.mcpprober.rules.Rule;
import dev.mcpprober.rules.RuleSet;
import java.util.List;
import java.util.Set;

/** The same as {@link RuleText} as data; {@code schemaVersion} 1. */
public final class RuleJson {
    private RuleJson() {}

    /** Id, version, title and number of rules of each. */
    public static String list(List<RuleSet> sets, List<String> defaults) {
        ObjectNode root = Json.object().put("schemaVersion", 1);
        ArrayNode array = root.putArray("ruleSets");
        sets.forEach(set -> head(array.addObject(), set).put("rules", set.rules().size()).put("default", defaults.contains(set.id())));
        return write(root);
    }

    /** Everything in one set. */
    public static String set(RuleSet set) {
        ObjectNode root = head(Json.object().put("schemaVersion", 1), set);
        ArrayNode rules = root.putArray("rules");
        set.rules().forEach(rule -> rules.add(rule(rule)));
        return write(root);
    }

    /** What a check does, and what each of the sets says of it. */
    public static String check(Check check, List<RuleSet> sets) {
        ObjectNode root = Json.object().put("schemaVersion", 1).put("check", check.id()).put("does", CheckWords.of(check.id()));
        strings(root.putArray("observable"), check.observable());
        ArrayNode array = root.putArray("ruleSets");
        for (RuleSet set : sets) {
            ArrayNode rules = head(array.addObject(), set).putArray("rules");
            set.rules().stream().filter(rule -> rule.check().equals(check.id())).forEach(rule -> rules.add(rule(rule)));
        }
        return write(root);
    }

    private static ObjectNode head(ObjectNode node, RuleSet set) {
        return node.put("id", set.id()).put("version", set.version()).put("title", set.title());
    }

    private static ObjectNode rule(Rule rule) {
        ObjectNode node = Json.object().put("check", rule.check()).put("does", CheckWords.of(rule.check())).put("level", rule.level().id());
        ObjectNode revisions = node.putObject("revisions");
        rule.citations().forEach((revision, citation) -> revisions.put(revision.date(), citation));
        node.put("requirement", rule.requirement()).put("fix", rule.fix()).put("comment", rule.comment()).put("line", rule.line());
        ArrayNode outcomes = node.putArray("outcomes");
        for (Outcome outcome : rule.outcomes()) {
            match(outcomes.addObject().put("verdict", outcome.verdict().id()).put("note", outcome.note()).put("fix", outcome.fix()), outcome.match());
        }
        return node;
    }

    private static void match(ObjectNode node, Match match) {
        strings(node.putArray("observed"), match.observed());
        ArrayNode codes = node.putArray("codes");
        match.codes().forEach(code -> codes.addArray().add(code.low()).add(code.high()));
        strings(node.putArray("has"), match.has());
        strings(node.putArray("hasNot"), match.hasNot());
        strings(node.putArray("consequence"), match.consequences());
    }

    private static void strings(ArrayNode array, Set<String> texts) {
        texts.stream().sorted().forEach(array::add);
    }

    private static String write(JsonNode node) {
        try {
            return Json.mapper().writerWithDefaultPrettyPrinter().with(JsonWriteFeature.ESCAPE_NON_ASCII).writeValueAsString(node).replace("\u007f", "\\u007f");
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a JSON tree can be written", e);
        }
    }
}
