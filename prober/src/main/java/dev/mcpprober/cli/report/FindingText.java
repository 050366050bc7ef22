package dev.mcpprober.cli.report;

import dev.mcpprober.model.Printable;
import dev.mcpprober.observation.Observation;
import dev.mcpprober.observation.Subject;
import dev.mcpprober.observation.TargetObservations.StartupFailure;
import dev.mcpprober.rules.Graded;
import java.util.ArrayList;
import java.util.List;

/** One graded row in words, for every format: its frames, what was observed, which text applies, what to change. Printable throughout. */
public final class FindingText {
    /** Widest label. */
    private static final int LABEL = 10;

    private FindingText() {}

    /** {@code tools-call-wrong-type (spec@1, must)  tool x, argument y}. */
    public static String title(Graded graded) {
        Subject subject = graded.observation().subject();
        return subject.check() + " (" + graded.ruleSet() + ", " + graded.level() + ")" + about(subject, "  ");
    }

    /** Tool and argument, after {@code separator}; empty where the row is about neither. */
    static String about(Subject subject, String separator) {
        return (subject.tool() == null ? "" : separator + "tool " + Quote.text(subject.tool()))
                + (subject.property() == null ? "" : ", argument " + Quote.text(subject.property()));
    }

    /** Witness frames first; each line a label, padded, and its text. */
    public static List<String> body(Graded graded, Witnesses witnesses) {
        Observation observation = graded.observation();
        List<String> lines = new ArrayList<>(witnesses.lines(observation.subject().session(), observation.witness()));
        lines.add(line("observed", observed(observation)));
        lines.add(line("verdict", graded.verdict().note()));
        lines.add(line("requires", graded.requirement()));
        lines.add(line("", citation(graded)));
        if (!graded.fix().isEmpty()) {
            lines.add(line("change", graded.fix()));
        }
        return lines;
    }

    /** What was observed, with code, consequence and detail. */
    static String observed(Observation observation) {
        String more = "";
        if (observation instanceof Observation.Reaction reaction) {
            more = (reaction.code() == null ? "" : " " + reaction.code()) + (reaction.consequence() == null ? "" : ", " + reaction.consequence());
        }
        return observation.observed() + more + (observation.detail().isEmpty() ? "" : ": " + Quote.text(observation.detail()));
    }

    /** Revision and place of the text that applies. */
    static String citation(Graded graded) {
        String revision = graded.observation().subject().revision();
        return revision.isEmpty() ? graded.citation() : Quote.text(revision) + ", " + graded.citation();
    }

    /** Why there was no session, and what shows it. */
    static List<String> startup(StartupFailure failure, Witnesses witnesses) {
        List<String> lines = new ArrayList<>(witnesses.lines(failure.session(), failure.witness()));
        lines.add(line("observed", failure.kind() + ": " + Quote.text(failure.detail())));
        lines.add(line("change", StartupAdvice.of(failure.kind(), failure.detail())));
        return lines;
    }

    static String line(String label, String text) {
        // A second time does no harm to what was quoted before; texts of a rule file may be the user's own.
        return label + " ".repeat(Math.max(0, LABEL - label.length())) + Printable.text(text);
    }
}
