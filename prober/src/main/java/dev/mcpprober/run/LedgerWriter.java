package dev.mcpprober.run;

/** How an event is written. */
public final class LedgerWriter {
    private LedgerWriter() {}

    /** One line, line feed included. */
    public static String line(LedgerEvent event) {
        return LedgerJson.write(event) + "\n";
    }
}
