package dev.mcpprober.redaction;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What is taken out: known values first, then what credential rules find. Each is replaced by {@code [REDACTED:id]}, a second value of one
 * rule in the same document by {@code [REDACTED:id-2]}, so that what was equal stays equal and what differed stays different. Immutable; a
 * document is worked on by {@link #open()}.
 */
public final class Redactor {
    public static final Redactor NONE = new Redactor(CredentialRules.NONE, List.of());

    private final CredentialRules rules;
    private final List<Known> known;
    private final WordFinder values;
    private final WordFinder keywords;
    /** Keyword to the rules that it is one of. */
    private final List<List<Integer>> byKeyword;
    private final Set<String> ids;

    private Redactor(CredentialRules rules, List<Known> known) {
        this.rules = rules;
        this.known = List.copyOf(known);
        this.values = new WordFinder(known.stream().map(Known::value).toList(), true);
        Map<String, List<Integer>> named = new HashMap<>();
        for (int i = 0; i < rules.rules().size(); i++) {
            for (String word : new LinkedHashSet<>(rules.rules().get(i).keywords())) {
                named.computeIfAbsent(word, key -> new ArrayList<>()).add(i);
            }
        }
        List<String> words = List.copyOf(named.keySet());
        this.keywords = new WordFinder(words, true);
        this.byKeyword = words.stream().map(named::get).toList();
        this.ids = new LinkedHashSet<>(rules.rules().stream().map(CredentialRule::id).toList());
        known.forEach(value -> ids.add(value.id()));
        ids.add(Redaction.OVER_BUDGET);
    }

    private Redactor(Redactor base, List<Known> known) {
        this.rules = base.rules;
        this.known = List.copyOf(known);
        this.values = new WordFinder(known.stream().map(Known::value).toList(), true);
        this.keywords = base.keywords;
        this.byKeyword = base.byKeyword;
        this.ids = new LinkedHashSet<>(base.ids);
        known.forEach(value -> ids.add(value.id()));
    }

    /** By these rules, on this machine. */
    public static Redactor of(CredentialRules rules) {
        return new Redactor(rules, Known.host());
    }

    public static Redactor of(CredentialRules rules, List<Known> known) {
        return new Redactor(rules, known);
    }

    /** The same with more values. */
    public Redactor knowing(List<Known> more) {
        if (this == NONE || more.isEmpty()) {
            return this;
        }
        List<Known> all = new ArrayList<>(known);
        more.stream().filter(value -> all.stream().noneMatch(old -> old.value().equals(value.value()))).forEach(all::add);
        return new Redactor(this, all);
    }

    /** The same by known values alone. */
    public Redactor withoutRules() {
        return new Redactor(CredentialRules.NONE, known);
    }

    /** The files of rules, each as {@code id@version (N rules)}. */
    public List<String> labels() {
        return rules.labels();
    }

    /** Begins a document. */
    public Redaction open() {
        return new Redaction(this);
    }

    /** A text that is a document of its own. */
    public String text(String text) {
        return open().text(text);
    }

    /** Finds nothing, ever. */
    public boolean idle() {
        return values.isEmpty() && rules.rules().isEmpty();
    }

    WordFinder values() {
        return values;
    }

    List<Known> known() {
        return known;
    }

    WordFinder keywords() {
        return keywords;
    }

    /** Numbers of the rules that the keyword is one of. */
    List<Integer> byKeyword(int word) {
        return byKeyword.get(word);
    }

    List<CredentialRule> rules() {
        return rules.rules();
    }

    List<Allowance> allowances() {
        return rules.allowances();
    }

    boolean isId(String id) {
        return ids.contains(id);
    }
}
