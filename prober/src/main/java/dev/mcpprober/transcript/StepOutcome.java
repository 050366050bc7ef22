package dev.mcpprober.transcript;

/** Why a step ended. */
public enum StepOutcome {
    /** A message answered it (by id, or by an id that differs only in type). */
    REPLIED("replied"),
    /** Its time ran out; the process runs and its stdout is open. */
    DEADLINE("deadline"),
    /** It wanted nothing and its quiet time is over. */
    QUIET("quiet"),
    /** The process ended first. */
    EXITED("exited"),
    /** Stdout ended first; the process runs. */
    CLOSED("closed"),
    /** It could not be made for this server; the detail says why. */
    SKIPPED("skipped"),
    /** Done, for steps that wait for nothing. */
    DONE("done");

    private final String id;

    StepOutcome(String id) {
        this.id = id;
    }

    public String id() {
        return id;
    }

    /** @throws IllegalArgumentException when {@code id} names no outcome */
    public static StepOutcome of(String id) {
        for (StepOutcome outcome : values()) {
            if (outcome.id.equals(id)) {
                return outcome;
            }
        }
        throw new IllegalArgumentException("no such step outcome: " + id);
    }
}
