package dev.mcpprober.rules;

import dev.mcpprober.observation.Observation;
import dev.mcpprober.observation.Subject;
import java.util.ArrayList;
import java.util.List;

/**
 * The pieces from which a report explains one verdict, as a compiler explains a diagnostic. All are raw: {@code where} and
 * {@code seen} may quote the server, so whoever prints them escapes them.
 *
 * @param headline    verdict, check and why, e.g. {@code fail[ping]: The ping was refused; …}
 * @param where       the revision in force, the session and, where there is one, the tool and the argument under test
 * @param seen        what was observed, with code, consequence and flags, then the extractor's detail
 * @param requirement the demand; empty where no rule applies
 * @param citation    where it stands; empty where no rule applies
 * @param fix         what to change; empty where nothing needs to be
 */
public record Explanation(String headline, String where, String seen, String requirement, String citation, String fix) {
    public static Explanation of(Graded graded) {
        Observation observation = graded.observation();
        String headline = graded.verdict().word() + "[" + observation.subject().check() + "]: " + graded.verdict().note();
        return new Explanation(headline, where(observation.subject()), seen(observation), graded.requirement(), graded.citation(), graded.fix());
    }

    private static String where(Subject subject) {
        List<String> parts = new ArrayList<>();
        parts.add(subject.revision().isEmpty() ? "before a revision was agreed on" : "revision " + subject.revision());
        parts.add("session " + subject.session());
        if (subject.tool() != null) {
            parts.add("tool " + subject.tool());
        }
        if (subject.property() != null) {
            parts.add("argument " + subject.property());
        }
        return String.join(", ", parts);
    }

    private static String seen(Observation observation) {
        List<String> parts = new ArrayList<>();
        parts.add(observation.observed());
        if (observation instanceof Observation.Reaction reaction) {
            if (reaction.code() != null) {
                parts.add(String.valueOf(reaction.code()));
            }
            if (reaction.consequence() != null) {
                parts.add(reaction.consequence());
            }
            reaction.flags().stream().sorted().forEach(flag -> parts.add("+" + flag));
        } else if (observation instanceof Observation.Finding finding) {
            finding.flags().stream().sorted().forEach(flag -> parts.add("+" + flag));
        }
        String seen = String.join(" ", parts);
        return observation.detail().isEmpty() ? seen : seen + ": " + observation.detail();
    }
}
