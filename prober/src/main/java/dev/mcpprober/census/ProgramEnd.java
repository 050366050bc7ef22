package dev.mcpprober.census;

/**
 * Whether this program is ending, by Ctrl-C or otherwise. From then on shutdown hooks take containers, networks and connections away
 * from under attempts, so nothing that an attempt sees counts any more: neither a fault nor what looks like a result.
 */
final class ProgramEnd {
    private static final Thread NOTHING = new Thread(() -> { }, "nothing");

    private ProgramEnd() {}

    /** True from before the first shutdown hook runs: the JDK takes no more hooks from then on, and says it in no other way. */
    static synchronized boolean begun() {
        try {
            Runtime.getRuntime().addShutdownHook(NOTHING);
            Runtime.getRuntime().removeShutdownHook(NOTHING);
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }
}
