package dev.mcpprober.dataset;

import dev.mcpprober.io.YamlTree;
import dev.mcpprober.observation.Observation;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Findings that carry a severity, by rules of their own: what a rule set calls a fail says nothing of what it may do to a server's users. */
public final class Severities {
    private static final String FILE = "/dev/mcpprober/dataset/disclosure/severities.yaml";
    private static final List<String> KEYS = List.of("id", "title", "why", "checks", "observed", "consequence", "verdicts", "redacted");
    private static final Severities BUNDLED = read();

    /**
     * One kind of finding.
     *
     * @param checks      of observations
     * @param observed    any of these; empty for all
     * @param consequence or empty for any
     * @param verdicts    one of these by one of the rule sets; empty for any
     * @param redacted    ids of rules that took something out of a transcript
     */
    public record Severity(String id, String title, String why, Set<String> checks, Set<String> observed, String consequence, Set<String> verdicts, Set<String> redacted) {
        boolean covers(Observation observation, Set<String> words) {
            boolean consequent = consequence.isEmpty() || observation instanceof Observation.Reaction reaction && consequence.equals(reaction.consequence());
            return checks.contains(observation.subject().check()) && (observed.isEmpty() || observed.contains(observation.observed())) && consequent
                    && (verdicts.isEmpty() || words.stream().anyMatch(verdicts::contains));
        }
    }

    private final int version;
    private final List<Severity> all;

    private Severities(int version, List<Severity> all) {
        this.version = version;
        this.all = all;
    }

    public static Severities bundled() {
        return BUNDLED;
    }

    private static Severities read() {
        YamlTree file = YamlTree.ofResource(FILE).only(List.of("version", "severities"));
        return new Severities(Integer.parseInt(file.text("version")), file.list("severities").stream().map(tree -> {
            tree.only(KEYS);
            return new Severity(tree.text("id"), tree.text("title"), tree.text("why").replaceAll("\\s+", " "), new HashSet<>(tree.texts("checks")),
                    new HashSet<>(tree.texts("observed")), tree.optional("consequence").orElse(""), new HashSet<>(tree.texts("verdicts")), new HashSet<>(tree.texts("redacted")));
        }).toList());
    }

    public List<Severity> all() {
        return all;
    }

    /** {@code severities@1}. */
    public String label() {
        return "severities@" + version;
    }
}
