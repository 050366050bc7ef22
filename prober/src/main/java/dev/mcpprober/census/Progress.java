package dev.mcpprober.census;

import dev.mcpprober.model.Fault;
import dev.mcpprober.run.TargetState;

/**
 * Told what a census does, by its workers, one call at a time. Texts may quote a server or a registry: whoever prints them
 * escapes them.
 */
public interface Progress {
    Progress SILENT = new Progress() {};

    /** Work on a target begins. */
    default void started(String target) {}

    /**
     * A target has come to its end.
     *
     * @param state   measured, or unmeasured where no more tries are left
     * @param summary one line
     * @param before  true when an earlier run had measured it
     * @param done    targets at their end so far
     * @param total   targets of the frame that are to be measured
     */
    default void finished(String target, TargetState state, String summary, boolean before, int done, int total) {}

    /** An attempt faulted; {@code again} when the target will be tried once more in this run. */
    default void faulted(String target, String session, Fault fault, boolean again) {}
}
