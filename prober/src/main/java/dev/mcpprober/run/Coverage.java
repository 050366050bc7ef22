package dev.mcpprober.run;

/**
 * How many rows of the frame ended where: frame = excluded + unmeasured + measured, measured = not installed + start failed +
 * started.
 */
public record Coverage(int frame, int excluded, int unmeasured, int notInstalled, int startFailed, int started) {
    public int measured() {
        return notInstalled + startFailed + started;
    }

    /** Rows that were to be measured. */
    public int eligible() {
        return frame - excluded;
    }

    public boolean addsUp() {
        return excluded >= 0 && unmeasured >= 0 && frame == excluded + unmeasured + measured();
    }

    public boolean complete() {
        return addsUp() && unmeasured == 0;
    }
}
