package dev.mcpprober.rules;

import dev.mcpprober.model.ProtocolRevision;
import java.util.List;
import java.util.Optional;

/**
 * Rules under one name. A rule that changes what it says gives the set a new version: published verdicts name it.
 *
 * @param id      e.g. {@code spec}
 * @param version counts from 1
 * @param title   what it judges by, one line
 */
public record RuleSet(String id, int version, String title, List<Rule> rules) {
    public RuleSet {
        rules = List.copyOf(rules);
    }

    /** {@code id@version}. */
    public String label() {
        return id + "@" + version;
    }

    /** The rule for a check in one revision; at most one there is. */
    public Optional<Rule> rule(String check, ProtocolRevision revision) {
        return rules.stream().filter(rule -> rule.check().equals(check) && rule.citations().containsKey(revision)).findFirst();
    }

    /** True when it has something to say of the check, in whatever revision. */
    public boolean knows(String check) {
        return rules.stream().anyMatch(rule -> rule.check().equals(check));
    }
}
