package dev.mcpprober.cli.gate;

import dev.mcpprober.io.Digests;
import dev.mcpprober.model.Printable;
import dev.mcpprober.observation.Observation;
import dev.mcpprober.observation.Subject;
import dev.mcpprober.rules.Graded;
import java.util.Comparator;

/**
 * What makes a finding the same one on another day: not the version of the rule set, not the number or the text of an event, not
 * the process in which it showed. Texts are raw.
 *
 * @param rules    id of the rule set, {@link #STARTUP} for a server that did not start
 * @param era      {@code legacy} or {@code modern}; empty for a start
 * @param tool     empty for none
 * @param property empty for none
 */
public record FindingKey(String rules, String check, String era, String tool, String property, String observed) implements Comparable<FindingKey> {
    /** In place of a rule set and of a check where there was no session. */
    public static final String STARTUP = "startup";
    private static final Comparator<FindingKey> ORDER = Comparator.comparing(FindingKey::rules).thenComparing(FindingKey::check)
            .thenComparing(FindingKey::era).thenComparing(FindingKey::tool).thenComparing(FindingKey::property).thenComparing(FindingKey::observed);

    public static FindingKey of(Graded graded) {
        Observation observation = graded.observation();
        Subject subject = observation.subject();
        String label = graded.ruleSet();
        return new FindingKey(label.substring(0, label.indexOf('@')), subject.check(), subject.era().id(), orEmpty(subject.tool()),
                orEmpty(subject.property()), observation.observed());
    }

    public static FindingKey startup(String kind) {
        return new FindingKey(STARTUP, STARTUP, "", "", "", kind);
    }

    /** Hexadecimal; the same for equal keys, of whatever version of this program. */
    public String fingerprint() {
        return Digests.sha256(String.join("\0", rules, check, era, tool, property, observed)).substring(0, 32);
    }

    /** True for findings of the same check on the same thing, whatever was observed. */
    boolean sameQuestion(FindingKey other) {
        return rules.equals(other.rules) && check.equals(other.check) && era.equals(other.era) && tool.equals(other.tool) && property.equals(other.property);
    }

    /** One printable line. */
    @Override
    public String toString() {
        return check + (rules.equals(STARTUP) ? "" : " (" + rules + ", " + era + ")") + (tool.isEmpty() ? "" : " tool " + Printable.text(tool, 100))
                + (property.isEmpty() ? "" : " argument " + Printable.text(property, 100)) + ": " + observed;
    }

    @Override
    public int compareTo(FindingKey other) {
        return ORDER.compare(this, other);
    }

    private static String orEmpty(String text) {
        return text == null ? "" : text;
    }
}
