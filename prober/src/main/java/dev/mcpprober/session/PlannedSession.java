package dev.mcpprober.session;

/**
 * The next session to run.
 *
 * @param name within its target: {@code legacy}, {@code legacy.2} for the continuation after a process was lost, …
 */
public record PlannedSession(String name, SessionScript script) {
    /** The script's label with the part of it that is run, as it goes into the work key. */
    public String workLabel() {
        int dot = name.lastIndexOf('.');
        return dot < 0 ? script.label() : script.label() + name.substring(dot);
    }
}
