package dev.mcpprober.rules;

/**
 * What a rule says when {@code match} holds and no outcome before it did.
 *
 * @param note why this verdict follows, one sentence
 * @param fix  what the author should change, for this outcome alone; empty to take the rule's
 * @param line where it stands in the rule file
 */
public record Outcome(Match match, VerdictWord verdict, String note, String fix, int line) {}
