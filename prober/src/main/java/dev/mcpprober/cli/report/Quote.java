package dev.mcpprober.cli.report;

import dev.mcpprober.model.Printable;

/** Server text in reports. Markup characters are escaped too: reports get pasted. */
final class Quote {
    static final int LIMIT = 600;

    private Quote() {}

    /** One printable line without {@code <}, cut where it is long. */
    static String text(String hostile) {
        return Printable.text(hostile, LIMIT).replace("<", "\\u003c");
    }
}
