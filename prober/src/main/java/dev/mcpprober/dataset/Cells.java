package dev.mcpprober.dataset;

import dev.mcpprober.model.Printable;

/** How values become cells. */
final class Cells {
    /** Characters kept of a text by a stranger; the whole of it is in the transcript. */
    static final int TEXT_LIMIT = 500;
    /** Signs with which spreadsheet programs begin a formula, wide forms included; the apostrophe so that quoting can be undone. */
    private static final String FORMULA_STARTS = "=+-@'\uFF1D\uFF0B\uFF0D\uFF20";

    private Cells() {}

    /** One printable line of at most {@code limit} characters of the text, which no spreadsheet takes for a formula. */
    static String hostile(String text, int limit) {
        String printable = Printable.text(text, limit);
        int first = 0;
        while (first < printable.length() && (Character.isWhitespace(printable.charAt(first)) || Character.isSpaceChar(printable.charAt(first)))) {
            first++;
        }
        boolean formula = first < printable.length() && FORMULA_STARTS.indexOf(printable.charAt(first)) >= 0;
        return formula ? "'" + printable : printable;
    }
}
