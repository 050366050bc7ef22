package dev.mcpprober.cli;

/** Exit codes, a stable contract. */
final class ExitCode {
    /** Done, nothing failed. */
    static final int DONE = 0;
    /** A check or a gate failed. */
    static final int FAILED = 1;
    /** The command line, a file named on it or its content is wrong. */
    static final int USAGE = 2;
    /** Engine, host or this program failed; nothing was recorded. */
    static final int ENGINE_FAULT = 3;
    /** Stopped early; the same command goes on where it stopped. */
    static final int RESUMABLE = 4;

    private ExitCode() {}
}
