package dev.mcpprober.rules;

import java.util.List;

/** A rule file that cannot be used, with everything that is wrong with it, each as {@code source:line: what}. */
public final class RuleSetException extends Exception {
    private static final long serialVersionUID = 1L;

    private final List<String> problems;

    RuleSetException(List<String> problems) {
        super(String.join("\n", problems));
        this.problems = List.copyOf(problems);
    }

    public List<String> problems() {
        return problems;
    }
}
