package dev.mcpprober.dataset;

import dev.mcpprober.model.Printable;

/** How values become cells. */
public final class Cells {
    /** Characters kept of a text by a stranger; the whole of it is in the transcript. */
    public static final int TEXT_LIMIT = 500;

    private Cells() {}

    /** One printable line of at most {@code limit} characters of the text, which no spreadsheet takes for a formula. */
    static String hostile(String text, int limit) {
        return Printable.cell(text, limit);
    }
}
