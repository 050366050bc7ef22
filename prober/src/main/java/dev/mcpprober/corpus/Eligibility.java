package dev.mcpprober.corpus;

/** What becomes of one row of a frame. */
public sealed interface Eligibility {
    /** Line of the frame's file, counted from 1. */
    int line();

    /** The row names a target to measure. */
    record Eligible(FrameEntry entry) implements Eligibility {
        @Override public int line() { return entry.line(); }
    }

    /**
     * The row is left out, and counted.
     *
     * @param code   {@code malformed} or {@code duplicate}
     * @param reason what is wrong, for a person; holds no text of the row unescaped
     * @param text   the row as it stands in the file, raw
     */
    record Excluded(int line, String code, String reason, String text) implements Eligibility {
        public static final String MALFORMED = "malformed";
        public static final String DUPLICATE = "duplicate";

        /** Names the row where target ids are used. */
        public String id() { return "line-" + line; }
    }
}
