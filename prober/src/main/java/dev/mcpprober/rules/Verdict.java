package dev.mcpprober.rules;

/**
 * What a rule set says of one observation. There is no "error": a fault leaves a target unmeasured, it never gets here.
 * {@code note} says in a sentence why this verdict follows from what was observed.
 */
public sealed interface Verdict {
    String note();

    /** The stable word: {@code pass | fail | warn | divergent | inconclusive | not-applicable | not-run}. */
    String word();

    record Pass(String note) implements Verdict {
        @Override public String word() { return "pass"; }
    }

    /** Breaches a MUST or the schema, or contradicts every text that the revision has on the point. */
    record Fail(String note) implements Verdict {
        @Override public String word() { return "fail"; }
    }

    /** Breaches a SHOULD. */
    record Warn(String note) implements Verdict {
        @Override public String word() { return "warn"; }
    }

    /** Contradicts only described text, an example, or one of two conflicting texts. Never lowers a score. */
    record Divergent(String note) implements Verdict {
        @Override public String word() { return "divergent"; }
    }

    /** Legal, but does not decide the question. */
    record Inconclusive(String note) implements Verdict {
        @Override public String word() { return "inconclusive"; }
    }

    /** The revision or the server's declared capabilities put no such demand. */
    record NotApplicable(String note) implements Verdict {
        @Override public String word() { return "not-applicable"; }
    }

    /** The question was not put, or could not be. */
    record NotRun(String note) implements Verdict {
        @Override public String word() { return "not-run"; }
    }
}
