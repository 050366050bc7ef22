package dev.mcpprober.cli.explain;

import dev.mcpprober.model.Printable;
import dev.mcpprober.observation.Check;
import dev.mcpprober.rules.Match;
import dev.mcpprober.rules.Outcome;
import dev.mcpprober.rules.Rule;
import dev.mcpprober.rules.RuleSet;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Rules in words, for a reader at a terminal. Files may be the user's own, so that all of it is made printable. */
public final class RuleText {
    private static final int WIDTH = 110;
    private static final int LABEL = 15;
    /** Outcomes that are worth a reference instead. */
    private static final int ENOUGH = 4;

    private RuleText() {}

    /** Every rule of a set. */
    public static List<String> set(RuleSet rules) {
        List<String> out = new ArrayList<>(List.of(Printable.text(rules.label() + "  " + rules.title())));
        Rule first = null;
        for (Rule rule : rules.rules()) {
            out.add("");
            out.add(rule.check() + "  (" + rule.level().id() + ")");
            if (first == null || !rule.check().equals(first.check())) {
                first = rule;
                entry(out, "does", CheckWords.of(rule.check()));
            }
            out.addAll(rule(rule, first));
        }
        return out;
    }

    /** What a check does, and what each of the sets says of it. */
    public static List<String> check(Check check, List<RuleSet> sets) {
        List<String> out = new ArrayList<>(List.of(check.id()));
        entry(out, "does", CheckWords.of(check.id()));
        entry(out, "may observe", new TreeSet<>(check.observable()).stream().collect(Collectors.joining(", ")));
        for (RuleSet set : sets) {
            out.add("");
            if (!set.knows(check.id())) {
                out.add(Printable.text("under " + set.label() + ": says nothing of it"));
            }
            Rule first = null;
            for (Rule rule : set.rules()) {
                if (rule.check().equals(check.id())) {
                    first = first == null ? rule : first;
                    out.add(Printable.text("under " + set.label()) + ", revisions " + revisions(rule) + "  (" + rule.level().id() + ")");
                    out.addAll(rule(rule, first));
                }
            }
        }
        return out;
    }

    private static String revisions(Rule rule) {
        return rule.citations().keySet().stream().map(r -> r.date()).collect(Collectors.joining(", "));
    }

    /** @param first rule of the same check and set that is printed in full: outcomes at the end that are the same are told by it. */
    private static List<String> rule(Rule rule, Rule first) {
        List<String> out = new ArrayList<>();
        entry(out, "requires", rule.requirement());
        rule.citations().forEach((revision, citation) -> entry(out, revision.date(), citation));
        entry(out, "why", rule.comment());
        entry(out, "change", rule.fix());
        int same = first == rule ? 0 : sameAtTheEnd(rule.outcomes(), first.outcomes());
        same = same < ENOUGH ? 0 : same;
        for (Outcome outcome : rule.outcomes().subList(0, rule.outcomes().size() - same)) {
            entry(out, outcome.verdict().id(), condition(outcome.match()) + ": " + outcome.note());
            if (!outcome.fix().isEmpty()) {
                entry(out, "", "Change: " + outcome.fix());
            }
        }
        if (same > 0) {
            Outcome from = rule.outcomes().get(rule.outcomes().size() - same);
            entry(out, "else", "the last " + same + " as under " + revisions(first) + ", from \"" + from.verdict().id() + ": " + condition(from.match()) + "\" on");
        }
        return out;
    }

    private static int sameAtTheEnd(List<Outcome> a, List<Outcome> b) {
        int same = 0;
        while (same < a.size() && same < b.size() && alike(a.get(a.size() - 1 - same), b.get(b.size() - 1 - same))) {
            same++;
        }
        return same;
    }

    /** In all but where they stand in their file. */
    private static boolean alike(Outcome a, Outcome b) {
        return a.match().equals(b.match()) && a.verdict() == b.verdict() && a.note().equals(b.note()) && a.fix().equals(b.fix());
    }

    /** {@code success, silent-execution, +flag}. */
    static String condition(Match match) {
        List<String> parts = new ArrayList<>();
        if (!match.observed().isEmpty()) {
            parts.add(match.observed().stream().sorted().collect(Collectors.joining(" or ")));
        }
        if (!match.codes().isEmpty()) {
            parts.add("code " + match.codes().stream().map(c -> c.low() == c.high() ? Long.toString(c.low()) : c.low() + " to " + c.high())
                    .collect(Collectors.joining(" or ")));
        }
        match.has().stream().sorted().forEach(flag -> parts.add("with " + flag));
        match.hasNot().stream().sorted().forEach(flag -> parts.add("without " + flag));
        if (!match.consequences().isEmpty()) {
            parts.add(match.consequences().stream().sorted().collect(Collectors.joining(" or ")));
        }
        return parts.isEmpty() ? "anything else" : String.join(", ", parts);
    }

    private static void entry(List<String> out, String label, String text) {
        if (text.isEmpty()) {
            return;
        }
        StringBuilder line = new StringBuilder("  " + label + " ".repeat(Math.max(1, LABEL - label.length())));
        boolean fresh = true;
        for (String word : Printable.text(text.replace('\n', ' ')).split(" +")) {
            if (!fresh && line.length() + word.length() > WIDTH) {
                out.add(line.toString().stripTrailing());
                line = new StringBuilder(" ".repeat(LABEL + 2));
            }
            line.append(word).append(' ');
            fresh = false;
        }
        out.add(line.toString().stripTrailing());
    }
}
