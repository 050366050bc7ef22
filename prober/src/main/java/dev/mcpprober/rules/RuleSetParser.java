package dev.mcpprober.rules;

import dev.mcpprober.model.ProtocolRevision;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Reads rule files. The form is described in {@code prober/docs/rules.md}. A file is taken whole or not at all: what it would
 * leave undecided, or could never reach, is an error of the file and named with its line.
 */
public final class RuleSetParser {
    private static final Set<String> FILE_REQUIRED = Set.of("id", "version", "title", "rules");
    private static final Set<String> FILE_OPTIONAL = Set.of("shared");
    private static final Set<String> RULE_REQUIRED = Set.of("check", "level", "revisions", "requirement", "comment", "outcomes");
    private static final Set<String> RULE_OPTIONAL = Set.of("fix");
    private static final Set<String> OUTCOME_REQUIRED = Set.of("verdict", "note");
    private static final Set<String> OUTCOME_OPTIONAL = Set.of("observed", "codes", "has", "has-not", "consequence", "fix");

    private final YamlNodes yaml;

    private RuleSetParser(String sourceName) {
        this.yaml = new YamlNodes(sourceName);
    }

    /**
     * @param sourceName how messages name the file
     * @param text       the file's content
     * @throws RuleSetException with every problem found, as {@code sourceName:line: what}
     */
    public static RuleSet parse(String sourceName, String text) throws RuleSetException {
        RuleSetParser parser = new RuleSetParser(sourceName);
        RuleSet rules = parser.yaml.document(text).map(parser::ruleSet).orElse(null);
        if (!parser.yaml.problems().isEmpty()) {
            throw new RuleSetException(parser.yaml.problems());
        }
        return rules;
    }

    private RuleSet ruleSet(Node node) {
        Map<String, Node> members = yaml.members(node, "the rule set", FILE_REQUIRED, FILE_OPTIONAL);
        List<Rule> rules = new ArrayList<>();
        for (Node item : list(members.get("rules"), "'rules'")) {
            rule(item).ifPresent(rules::add);
        }
        reportDuplicates(rules);
        return new RuleSet(name(members.get("id")), version(members.get("version")), yaml.text(members.get("title"), "'title'"), rules);
    }

    private String name(Node node) {
        String id = yaml.text(node, "'id'");
        if (!id.isEmpty() && !id.matches("[a-z0-9]+(-[a-z0-9]+)*")) {
            yaml.problem(node, "'id' has to be lower-case words joined by '-', not '" + id + "'");
        }
        return id;
    }

    private int version(Node node) {
        String text = yaml.text(node, "'version'");
        if (text.matches("[1-9][0-9]{0,8}")) {
            return Integer.parseInt(text);
        }
        if (!text.isEmpty()) {
            yaml.problem(node, "'version' has to be a whole number from 1 on, not '" + text + "'");
        }
        return 0;
    }

    private Optional<Rule> rule(Node node) {
        Map<String, Node> members = yaml.members(node, "a rule", RULE_REQUIRED, RULE_OPTIONAL);
        String check = yaml.text(members.get("check"), "'check'");
        Optional<Set<String>> observable = Vocabulary.observable(check);
        if (!check.isEmpty() && observable.isEmpty()) {
            yaml.problem(members.get("check"), "no such check: '" + check + "'");
        }
        String levelText = yaml.text(members.get("level"), "'level'");
        Optional<Level> level = Level.of(levelText);
        if (!levelText.isEmpty() && level.isEmpty()) {
            yaml.problem(members.get("level"), "no such level: '" + levelText + "'; known: " + ids(Level.values(), Level::id));
        }
        Map<ProtocolRevision, String> citations = citations(members.get("revisions"));
        String requirement = yaml.text(members.get("requirement"), "'requirement'");
        String fix = yaml.text(members.get("fix"), "'fix'");
        String comment = yaml.text(members.get("comment"), "'comment'");
        List<Outcome> outcomes = new ArrayList<>();
        for (Node item : flat(list(members.get("outcomes"), "'outcomes'"))) {
            outcome(item, check, observable).ifPresent(outcomes::add);
        }
        if (fix.isEmpty()) {
            outcomes.stream().filter(outcome -> outcome.verdict().wantsFix() && outcome.fix().isEmpty())
                    .forEach(outcome -> yaml.problem(outcome.line(), "'" + outcome.verdict().id() + "' without a 'fix', here or in the rule for " + check));
        }
        if (observable.isPresent() && members.containsKey("outcomes")) {
            reportUnreachable(outcomes, check);
            reportGaps(outcomes, observable.get(), check, YamlNodes.line(members.get("outcomes")));
        }
        return level.map(l -> new Rule(check, l, citations, requirement, fix, comment, outcomes, YamlNodes.line(node)));
    }

    private Map<ProtocolRevision, String> citations(Node node) {
        Map<ProtocolRevision, String> citations = new TreeMap<>();
        if (node == null) {
            return citations;
        }
        yaml.mapping(node, "'revisions'").forEach((date, citation) -> {
            Optional<ProtocolRevision> revision = ProtocolRevision.of(date);
            if (revision.isEmpty()) {
                yaml.problem(citation, "no such revision: '" + date + "'; known: " + ids(ProtocolRevision.values(), ProtocolRevision::date));
            }
            String text = yaml.text(citation, "the citation for " + date);
            revision.ifPresent(r -> citations.put(r, text));
        });
        if (citations.isEmpty()) {
            yaml.problem(node, "'revisions' names no revision");
        }
        return citations;
    }

    private Optional<Outcome> outcome(Node node, String check, Optional<Set<String>> observable) {
        Map<String, Node> members = yaml.members(node, "an outcome", OUTCOME_REQUIRED, OUTCOME_OPTIONAL);
        Set<String> observed = words(members.get("observed"), observable, "cannot be observed for " + check);
        Set<String> has = words(members.get("has"), Optional.of(Vocabulary.FLAGS), "is no flag");
        Set<String> hasNot = words(members.get("has-not"), Optional.of(Vocabulary.FLAGS), "is no flag");
        Set<String> consequences = words(members.get("consequence"), Optional.of(Vocabulary.CONSEQUENCES), "is no consequence");
        for (String flag : has) {
            if (hasNot.contains(flag)) {
                yaml.problem(node, "'" + flag + "' stands in 'has' and in 'has-not': this outcome can never match");
            }
        }
        String verdictText = yaml.text(members.get("verdict"), "'verdict'");
        Optional<VerdictWord> verdict = VerdictWord.of(verdictText);
        if (!verdictText.isEmpty() && verdict.isEmpty()) {
            yaml.problem(members.get("verdict"), "no such verdict: '" + verdictText + "'; known: " + ids(VerdictWord.values(), VerdictWord::id));
        }
        if (members.containsKey("codes") && observed.isEmpty()) {
            yaml.problem(members.get("codes"), "'codes' needs 'observed': what the number means depends on it (an ended process has a status)");
        }
        Match match = new Match(observed, codes(members.get("codes")), has, hasNot, consequences);
        String note = yaml.text(members.get("note"), "'note'");
        String fix = yaml.text(members.get("fix"), "'fix'");
        return verdict.map(v -> new Outcome(match, v, note, fix, YamlNodes.line(node)));
    }

    private Set<String> words(Node node, Optional<Set<String>> known, String wrong) {
        Set<String> words = new LinkedHashSet<>();
        for (Node item : yaml.items(node)) {
            String word = yaml.text(item, "a word");
            if (!word.isEmpty() && known.isPresent() && !known.get().contains(word)) {
                yaml.problem(item, "'" + word + "' " + wrong + "; known: " + String.join(", ", new TreeSet<>(known.get())));
            }
            if (!word.isEmpty() && !words.add(word)) {
                yaml.problem(item, "'" + word + "' stands twice");
            }
        }
        if (node instanceof SequenceNode && words.isEmpty()) {
            yaml.problem(node, "an empty list puts no condition: leave it out");
        }
        return words;
    }

    private List<Match.Codes> codes(Node node) {
        List<Match.Codes> codes = new ArrayList<>();
        for (Node item : yaml.items(node)) {
            String text = yaml.text(item, "a code");
            if (text.matches("-?[0-9]{1,9}")) {
                codes.add(new Match.Codes(Long.parseLong(text), Long.parseLong(text)));
            } else if (text.matches("-?[0-9]{1,9}\\.\\.-?[0-9]{1,9}")) {
                String[] ends = text.split("\\.\\.");
                Match.Codes range = new Match.Codes(Long.parseLong(ends[0]), Long.parseLong(ends[1]));
                if (range.low() > range.high()) {
                    yaml.problem(item, "the range " + text + " is empty: the lower code comes first");
                }
                codes.add(range);
            } else if (!text.isEmpty()) {
                yaml.problem(item, "'" + text + "' is neither a code nor a range of codes such as -32099..-32020");
            }
        }
        return codes;
    }

    private List<Node> list(Node node, String what) {
        if (node != null && !(node instanceof SequenceNode)) {
            yaml.problem(node, what + " has to be a list");
            return List.of();
        }
        if (node != null && yaml.items(node).isEmpty()) {
            yaml.problem(node, what + " is empty");
        }
        return yaml.items(node);
    }

    /** A list among outcomes stands for its items, so that rules can share several by one alias. */
    private static List<Node> flat(List<Node> items) {
        return items.stream().flatMap(item -> item instanceof SequenceNode several ? several.getValue().stream() : Stream.of(item)).toList();
    }

    private void reportUnreachable(List<Outcome> outcomes, String check) {
        for (int later = 1; later < outcomes.size(); later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                if (outcomes.get(earlier).match().covers(outcomes.get(later).match())) {
                    yaml.problem(outcomes.get(later).line(), "this outcome of " + check + " is never reached: the one of line "
                            + outcomes.get(earlier).line() + " matches everything that it would");
                    break;
                }
            }
        }
    }

    private void reportGaps(List<Outcome> outcomes, Set<String> observable, String check, int line) {
        for (String value : new TreeSet<>(observable)) {
            if (outcomes.stream().noneMatch(outcome -> outcome.match().takesAll(value))) {
                yaml.problem(line, check + " has no outcome that takes '" + value + "' whatever its code, flags and consequence");
            }
        }
    }

    private void reportDuplicates(List<Rule> rules) {
        for (int later = 1; later < rules.size(); later++) {
            for (int earlier = 0; earlier < later; earlier++) {
                Rule second = rules.get(later);
                Rule first = rules.get(earlier);
                Set<ProtocolRevision> both = new TreeSet<>(second.citations().keySet());
                both.retainAll(first.citations().keySet());
                if (second.check().equals(first.check()) && !both.isEmpty()) {
                    yaml.problem(second.line(), "a second rule for " + second.check() + " in "
                            + both.stream().map(ProtocolRevision::date).collect(Collectors.joining(", ")) + "; the first is at line " + first.line());
                }
            }
        }
    }

    private static <T> String ids(T[] values, java.util.function.Function<T, String> id) {
        return Arrays.stream(values).map(id).collect(Collectors.joining(", "));
    }
}
