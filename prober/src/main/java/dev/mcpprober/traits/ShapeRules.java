package dev.mcpprober.traits;

import dev.mcpprober.io.YamlTree;
import dev.mcpprober.transcript.Transcript;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Trait {@code failure-shape}: sorts failed calls into the baseline codes of SEP-3313 by ordered groups of rules. The first group of which
 * a rule matches decides; rules of one group that disagree, and no match at all, are {@code cannot-tell}.
 */
public final class ShapeRules {
    public static final String NONE_FITS = "none-fits";
    public static final String CANNOT_TELL = "cannot-tell";
    /** The eight baseline codes, and the two words for what is none of them. */
    public static final List<String> SHAPES = List.of("capability_unsupported", "resource_not_found", "invalid_input", "retryable_transient_error", "auth_required",
            "permission_denied", "policy_blocked", "user_action_required", NONE_FITS, CANNOT_TELL);
    private static final List<String> KEYS = List.of("id", "shape", "why", "text", "unless", "codes", "examples");
    /** Patterns are searched for in this much of a text: a failure says what it is at its beginning. */
    private static final int SEARCHED = 2_000;

    /**
     * @param text     found in the failure's text; matches nothing where empty
     * @param unless   not found in it
     * @param codes    JSON-RPC codes, one of which the failure has; empty for any failure
     * @param examples texts that the rule is for, for its test
     */
    record Rule(String id, String shape, String why, Pattern text, Optional<Pattern> unless, Set<Long> codes, List<String> examples) {
        boolean matches(String said, Long code) {
            String searched = said.substring(0, Math.min(said.length(), SEARCHED));
            return (codes.isEmpty() || code != null && codes.contains(code)) && text.matcher(searched).find()
                    && unless.filter(pattern -> pattern.matcher(searched).find()).isEmpty();
        }
    }

    private final String label;
    private final List<List<Rule>> groups;
    private final LookAlikes lookAlikes;

    private ShapeRules(String label, List<List<Rule>> groups, LookAlikes lookAlikes) {
        this.label = label;
        this.groups = groups;
        this.lookAlikes = lookAlikes;
    }

    /** The bundled file. */
    public static ShapeRules read() {
        YamlTree file = YamlTree.ofResource("/traits/failure-shape.yaml");
        List<List<Rule>> groups = new ArrayList<>();
        for (YamlTree group : file.list("groups")) {
            groups.add(group.list("rules").stream().map(ShapeRules::rule).toList());
        }
        return new ShapeRules(file.text("id") + "@" + file.text("version"), groups,
                new LookAlikes(patterns(file.map("look-alikes")), patterns(file.map("look-alikes-in-prose"))));
    }

    private static Map<String, Pattern> patterns(Map<String, String> texts) {
        Map<String, Pattern> out = new LinkedHashMap<>();
        texts.forEach((kind, text) -> out.put(kind, Pattern.compile(text)));
        return out;
    }

    private static Rule rule(YamlTree node) {
        node.only(KEYS);
        Set<Long> codes = node.texts("codes").stream().map(Long::valueOf).collect(Collectors.toCollection(LinkedHashSet::new));
        return new Rule(node.text("id"), node.text("shape"), node.text("why"), Pattern.compile(node.text("text")), node.optional("unless").map(Pattern::compile), codes,
                node.texts("examples"));
    }

    /** {@code id@version}. */
    public String label() {
        return label;
    }

    List<Rule> rules() {
        return groups.stream().flatMap(List::stream).toList();
    }

    /** The failed calls of one session, sorted. */
    public List<FailureShape> of(Transcript transcript) {
        return FailedCalls.of(transcript).stream().map(this::sort).toList();
    }

    FailureShape sort(FailedCall call) {
        for (List<Rule> group : groups) {
            List<Rule> matching = group.stream().filter(rule -> rule.matches(call.text(), call.code())).toList();
            if (!matching.isEmpty()) {
                boolean agree = matching.stream().map(Rule::shape).distinct().count() == 1;
                return new FailureShape(call, agree ? matching.get(0).shape() : CANNOT_TELL, agree ? matching.get(0).id()
                        : "conflict:" + matching.stream().map(Rule::id).collect(Collectors.joining("+")), lookAlikes.in(call));
            }
        }
        return new FailureShape(call, CANNOT_TELL, "no-rule", lookAlikes.in(call));
    }
}
