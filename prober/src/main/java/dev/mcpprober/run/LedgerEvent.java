package dev.mcpprober.run;

import java.util.List;
import java.util.Map;

/**
 * One line of {@code ledger.jsonl}: what a census did, in order. Written before the work for {@link Started}, after it for the
 * others, so a ledger that breaks off anywhere says what was under way. {@code at} is ISO-8601 UTC; {@code target} is the id of a
 * frame entry; texts of faults and details are raw and may quote a server: whoever prints them escapes them.
 */
public sealed interface LedgerEvent {
    /** Key of the attempts to install a target; the others are work keys. */
    String INSTALL = "install";

    String at();

    /** The program opened the run folder. */
    record Opened(String at, String proberVersion, long pid, Map<String, String> facts) implements LedgerEvent {
        public Opened {
            facts = Map.copyOf(facts);
        }
    }

    /** The program let go of the run folder; {@code reason} is empty when all was done. */
    record Closed(String at, String reason) implements LedgerEvent {}

    /** A row of the frame is left out; {@code code} as in the frame. */
    record Excluded(String at, String target, String code) implements LedgerEvent {}

    /** A session belongs to the plan of its target. */
    record Planned(String at, String target, String key, String session, String script) implements LedgerEvent {}

    /** An attempt is about to begin. */
    record Started(String at, String target, String key, String attempt, String session) implements LedgerEvent {}

    /** An install came to a result; {@code sha256} is that of the install file, {@code usable} true where there is something to run. */
    record Installed(String at, String target, String attempt, String outcome, boolean usable, String sha256) implements LedgerEvent {}

    /** A session came to its end and its transcript is on disk. */
    record Completed(String at, String target, String key, String attempt, String sha256) implements LedgerEvent {}

    /** An attempt could not measure; {@code kind} as in {@link dev.mcpprober.model.Fault#kind()}. */
    record Faulted(String at, String target, String key, String attempt, String kind, String detail) implements LedgerEvent {}

    /** The target is measured; {@code attempts} are those that count, in the order of the plan. */
    record Finished(String at, String target, String state, String detail, List<String> attempts) implements LedgerEvent {
        public Finished {
            attempts = List.copyOf(attempts);
        }
    }

    /** Somebody asked for the target to be tried again: faults before this line no longer count against it. */
    record RetryAllowed(String at, String target) implements LedgerEvent {}
}
