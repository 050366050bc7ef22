package dev.mcpprober.census;

import dev.mcpprober.model.Fault;
import dev.mcpprober.run.TargetState;

/** What one try at a target came to. */
sealed interface TargetResult {
    record Measured(TargetState state, String summary, boolean before) implements TargetResult {}

    /** An attempt faulted; {@code exhausted} when the work key has no tries left. */
    record Faulted(String session, Fault fault, boolean exhausted) implements TargetResult {}

    /** No tries were left to begin with. */
    record GaveUp(String reason) implements TargetResult {}

    /** This host has no room for an attempt, and none came. */
    record NoRoom(Fault.HostDiskFull why) implements TargetResult {}

    /** Asked to stop between two attempts. */
    record Stopped() implements TargetResult {}
}
