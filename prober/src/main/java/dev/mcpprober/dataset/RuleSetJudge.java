package dev.mcpprober.dataset;

import dev.mcpprober.observation.TargetObservations;
import dev.mcpprober.rules.Graded;
import dev.mcpprober.rules.Grader;
import dev.mcpprober.rules.RuleSet;
import java.util.List;

/** A rule set of package rules. */
public record RuleSetJudge(RuleSet ruleSet) implements Judge {
    @Override
    public String label() {
        return ruleSet.label();
    }

    @Override
    public List<Graded> grade(TargetObservations target) {
        return Grader.grade(ruleSet, target);
    }

    @Override
    public List<RuleText> rules() {
        return ruleSet.rules().stream()
                .flatMap(rule -> rule.citations().entrySet().stream().map(cited -> new RuleText(rule.check(), cited.getKey(), rule.level().id(),
                        rule.requirement(), cited.getValue(), rule.comment())))
                .toList();
    }
}
