package dev.mcpprober.model;

import java.util.Locale;

/**
 * Makes hostile text safe to print: control, format, bidi, surrogate and separator characters become {@code \}{@code uXXXX},
 * so that nothing a server says can move a cursor, start a line or reorder what a reader sees.
 */
public final class Printable {
    /** Signs with which spreadsheet programs begin a formula, wide forms included; the apostrophe so that quoting can be undone. */
    private static final String FORMULA_STARTS = "=+-@'\uFF1D\uFF0B\uFF0D\uFF20";

    private Printable() {}

    /** The text in one printable line. */
    public static String text(String hostile) {
        return text(hostile, Integer.MAX_VALUE);
    }

    /** The same, cut to {@code limit} characters of the input, with a note of how many were left out. */
    public static String text(String hostile, int limit) {
        StringBuilder out = new StringBuilder(Math.min(hostile.length(), limit) + 16);
        int i = 0;
        while (i < hostile.length() && i < limit) {
            int point = hostile.codePointAt(i);
            i += Character.charCount(point);
            if (safe(point)) {
                out.appendCodePoint(point);
            } else if (point == '\n') {
                out.append("\\n");
            } else if (point == '\r') {
                out.append("\\r");
            } else if (point == '\t') {
                out.append("\\t");
            } else if (point > 0xFFFF) {
                out.append(String.format(Locale.ROOT, "\\u{%x}", point));
            } else {
                out.append(String.format(Locale.ROOT, "\\u%04x", point));
            }
        }
        if (i < hostile.length()) {
            out.append("… (").append(hostile.length() - i).append(" more characters)");
        }
        return out.toString();
    }

    /** The same as a cell of a table: an apostrophe stands before what a spreadsheet would take for a formula. */
    public static String cell(String hostile, int limit) {
        String printable = text(hostile, limit);
        int first = 0;
        while (first < printable.length() && (Character.isWhitespace(printable.charAt(first)) || Character.isSpaceChar(printable.charAt(first)))) {
            first++;
        }
        boolean formula = first < printable.length() && FORMULA_STARTS.indexOf(printable.charAt(first)) >= 0;
        return formula ? "'" + printable : printable;
    }

    private static boolean safe(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.PRIVATE_USE, Character.UNASSIGNED,
                    Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
