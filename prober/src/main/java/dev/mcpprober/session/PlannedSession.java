package dev.mcpprober.session;

/**
 * The next session to run.
 *
 * @param name   within its target: {@code legacy}, {@code legacy.2} for the continuation after a process was lost, …
 * @param budget as asked for, where the session calls all tools; empty elsewhere
 */
public record PlannedSession(String name, SessionScript script, String budget) {
    PlannedSession(String name, SessionScript script) {
        this(name, script, "");
    }

    /** The script's label with its budget and the part of it that is run, as it goes into the work key. */
    public String workLabel() {
        int dot = name.lastIndexOf('.');
        return script.label() + (budget.isEmpty() ? "" : "+" + budget) + (dot < 0 ? "" : name.substring(dot));
    }
}
