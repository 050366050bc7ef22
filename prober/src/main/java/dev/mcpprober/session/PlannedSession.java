package dev.mcpprober.session;

import dev.mcpprober.model.SessionName;

/**
 * The next session to run.
 *
 * @param name   within its target: {@code legacy}, {@code legacy.2} for the continuation after a process was lost, {@code legacy~1} in repeat 1, …
 * @param budget as asked for, where the session calls all tools; empty elsewhere
 */
public record PlannedSession(String name, SessionScript script, String budget) {
    PlannedSession(String name, SessionScript script) {
        this(name, script, "");
    }

    /** The same session in a later round of the whole plan; its transcript bears the number. */
    public PlannedSession inRepeat(int repeat) {
        return new PlannedSession(new SessionName(name, repeat).label(), script, budget);
    }

    String planName() {
        return SessionName.of(name).plan();
    }

    /** The script's label with its budget and the part of it that is run, as it goes into the work key. */
    public String workLabel() {
        String plan = planName();
        int dot = plan.lastIndexOf('.');
        return script.label() + (budget.isEmpty() ? "" : "+" + budget) + (dot < 0 ? "" : plan.substring(dot));
    }
}
