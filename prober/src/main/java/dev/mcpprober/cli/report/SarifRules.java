package dev.mcpprober.cli.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.cli.gate.FindingKey;
import dev.mcpprober.rules.Level;
import dev.mcpprober.rules.Rule;
import dev.mcpprober.rules.RuleSet;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The rules that a SARIF run refers to, added as they are referred to. All revisions of a check are one rule. */
final class SarifRules {
    private final List<RuleSet> sets;
    private final ArrayNode array;
    private final List<String> ids = new ArrayList<>();

    SarifRules(List<RuleSet> sets, ArrayNode array) {
        this.sets = sets;
        this.array = array;
    }

    String id(int index) {
        return ids.get(index);
    }

    /** @param ruleSet id without version */
    int index(String ruleSet, String check) {
        String id = ruleSet.equals(FindingKey.STARTUP) ? FindingKey.STARTUP : ruleSet + "/" + check;
        if (!ids.contains(id)) {
            ids.add(id);
            List<Rule> rules = sets.stream().filter(set -> set.id().equals(ruleSet)).flatMap(set -> set.rules().stream())
                    .filter(rule -> rule.check().equals(check)).toList();
            describe(array.addObject().put("id", id), ruleSet, check, rules);
        }
        return ids.indexOf(id);
    }

    private void describe(ObjectNode node, String ruleSet, String check, List<Rule> rules) {
        node.put("name", check);
        if (rules.isEmpty()) {
            boolean startup = ruleSet.equals(FindingKey.STARTUP);
            String what = startup ? "The server was installed and started, and a session came about." : "No rule set of this run has this check any more.";
            node.putObject("shortDescription").put("text", what);
            node.putObject("help").put("text", startup ? "Without a session no other check can be put. The message says what was seen and what to do about it." : what);
            node.putObject("defaultConfiguration").put("level", startup ? "error" : "none");
            return;
        }
        Rule newest = rules.get(rules.size() - 1);
        node.putObject("shortDescription").put("text", newest.requirement());
        node.putObject("fullDescription").put("text", rules.stream().map(Rule::requirement).distinct().collect(Collectors.joining("\n")));
        StringBuilder text = new StringBuilder();
        StringBuilder markdown = new StringBuilder();
        for (Rule rule : rules) {
            String level = rule.level().id();
            text.append(rule.requirement()).append(" (").append(level).append(")\nChange: ").append(rule.fix()).append("\nWhy: ").append(rule.comment()).append('\n');
            markdown.append(rule.requirement()).append(" (").append(level).append(")\n\n**Change:** ").append(rule.fix()).append("\n\n").append(rule.comment()).append("\n\n");
            rule.citations().forEach((revision, citation) -> {
                text.append(revision.date()).append(": ").append(citation).append('\n');
                markdown.append("* ").append(revision.date()).append(": `").append(citation).append("`\n");
            });
            markdown.append('\n');
        }
        node.putObject("help").put("text", text.toString()).put("markdown", markdown.toString());
        node.putObject("defaultConfiguration").put("level", level(newest.level()));
        ObjectNode properties = node.putObject("properties").put("precision", "high").put("problem.severity", level(newest.level()).replace("note", "recommendation"));
        properties.putArray("tags").add("mcp").add(ruleSet);
    }

    private static String level(Level level) {
        return switch (level.id()) {
            case "must" -> "error";
            case "should" -> "warning";
            default -> "note";
        };
    }
}
