package dev.mcpprober.dataset;

import dev.mcpprober.model.Printable;
import java.util.List;

/** Columns of plain text for a terminal; nothing in a cell can move a cursor. */
public final class TextTable {
    private TextTable() {}

    /** {@code alignment} holds {@code l} or {@code r} for each column. */
    public static void append(StringBuilder out, List<List<String>> rows, String alignment) {
        int[] widths = new int[alignment.length()];
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                widths[i] = Math.max(widths[i], Printable.text(row.get(i)).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                String cell = Printable.text(row.get(i));
                String padding = " ".repeat(widths[i] - cell.length());
                line.append(i == 0 ? "" : "  ").append(alignment.charAt(i) == 'l' ? cell + padding : padding + cell);
            }
            out.append(line.toString().stripTrailing()).append('\n');
        }
    }
}
