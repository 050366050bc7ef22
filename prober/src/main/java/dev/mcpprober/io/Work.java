package dev.mcpprober.io;

/**
 * How much may still be done for one question about hostile input: schemas can be written so that their evaluation takes longer
 * than the world lasts. Counted, not timed, so that the same input gives the same answer everywhere. One unit is about the
 * reading of one character; a hundred million take about a second.
 */
public final class Work {
    /** Thrown where nothing is left. */
    public static final class Exceeded extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Exceeded() {
            super("takes more work than is allowed for", null, false, false);
        }
    }

    private long left;

    public Work(long units) {
        this.left = units;
    }

    /** @throws Exceeded when more was spent than there was, now and ever after */
    public void spend(long units) {
        left -= units;
        if (left < 0) {
            left = -1;
            throw new Exceeded();
        }
    }
}
