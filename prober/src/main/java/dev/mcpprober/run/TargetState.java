package dev.mcpprober.run;

/** Where a row of the frame ends. Every row is in exactly one of these. */
public enum TargetState {
    /** Left out before anything was tried. */
    EXCLUDED("excluded"),
    /** Not tried yet, or faults kept us from measuring. */
    UNMEASURED("unmeasured"),
    /** Measured: could not be installed. */
    NOT_INSTALLED("not-installed"),
    /** Measured: installed, no session came about. */
    START_FAILED("start-failed"),
    /** Measured: a session came about. */
    STARTED("started");

    private final String id;

    TargetState(String id) {
        this.id = id;
    }

    public String id() {
        return id;
    }

    public boolean measured() {
        return this == NOT_INSTALLED || this == START_FAILED || this == STARTED;
    }

    /** @throws IllegalArgumentException when {@code id} names no state */
    public static TargetState of(String id) {
        for (TargetState state : values()) {
            if (state.id.equals(id)) {
                return state;
            }
        }
        throw new IllegalArgumentException("no such state of a target: " + id);
    }
}
