package dev.mcpprober.cli;

/** Exit codes, a stable contract. */
public final class ExitCode {
    /** Done, nothing failed. */
    public static final int DONE = 0;
    /** A check or a gate failed. */
    public static final int FAILED = 1;
    /** The command line, a file named on it or its content is wrong. */
    public static final int USAGE = 2;
    /** Engine, host or this program failed; nothing was recorded. */
    public static final int ENGINE_FAULT = 3;
    /** Stopped early; the same command goes on where it stopped. */
    public static final int RESUMABLE = 4;

    private ExitCode() {}
}
