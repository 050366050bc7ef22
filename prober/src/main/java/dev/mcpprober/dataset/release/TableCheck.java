package dev.mcpprober.dataset.release;

import dev.mcpprober.dataset.Cells;
import dev.mcpprober.dataset.CsvTable;
import dev.mcpprober.model.Printable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** One table against its own description: encoding, header, number of cells, types, closed lists, required cells, order and keys, escapes. */
final class TableCheck {
    private static final Pattern INTEGER = Pattern.compile("-?(0|[1-9]\\d*)");
    private static final Pattern NUMBER = Pattern.compile("-?(0|[1-9]\\d*)(\\.\\d+)?");
    private static final Pattern INSTANT = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?Z");
    private static final int LONGEST_INTEGER = 18;
    /** Each character may have become an escape; how many were left out stands behind. */
    private static final int LONGEST_TEXT = 6 * Cells.TEXT_LIMIT + 100;

    private final Path folder;
    private final Descriptor table;
    private final Problems problems;
    private final List<Integer> key;

    TableCheck(Path folder, Descriptor table, Problems problems) {
        this.folder = folder;
        this.table = table;
        this.problems = problems;
        this.key = table.positions(table.primaryKey());
    }

    /** Feeds every row that has the right number of cells. */
    static void each(Path folder, Descriptor table, Consumer<TableRow> rows) throws IOException {
        try (CsvLines lines = new CsvLines(folder.resolve(table.path()))) {
            boolean header = true;
            while (true) {
                try {
                    CsvLines.Line line = lines.next();
                    if (line == null) {
                        return;
                    }
                    if (!header && line.cells().size() == table.fields().size()) {
                        rows.accept(new TableRow(table, line));
                    }
                } catch (CsvLines.BadLine e) {
                    // Said already by the check of the table.
                }
                header = false;
            }
        }
    }

    /** @return rows, the header not counted */
    int check() throws IOException {
        if (key.isEmpty() || key.contains(-1)) {
            problems.add("datapackage.json", 0, "table " + table.name() + ": its primary key names no column");
            return 0;
        }
        int rows = -1;
        List<String> last = null;
        try (CsvLines lines = new CsvLines(folder.resolve(table.path()))) {
            while (true) {
                CsvLines.Line line;
                try {
                    line = lines.next();
                } catch (CsvLines.BadLine e) {
                    problems.add(table.path(), e.number(), e.getMessage());
                    continue;
                }
                if (line == null) {
                    break;
                }
                rows++;
                if (rows == 0) {
                    header(line);
                } else if (line.cells().size() != table.fields().size()) {
                    problems.add(table.path(), line.number(), line.cells().size() + " cells, the description has " + table.fields().size() + " columns");
                } else {
                    last = row(line, last);
                }
            }
        }
        if (rows < 0) {
            problems.add(table.path(), 1, "no header");
        }
        return Math.max(0, rows);
    }

    private void header(CsvLines.Line line) {
        List<String> names = table.fields().stream().map(Descriptor.Field::name).toList();
        if (!line.cells().equals(names)) {
            problems.add(table.path(), line.number(), "the header is not that of the description");
        }
    }

    private List<String> row(CsvLines.Line line, List<String> last) {
        boolean told = line.usual();
        for (int i = 0; i < line.cells().size(); i++) {
            String fault = fault(table.fields().get(i), line.cells().get(i));
            if (fault != null) {
                told = true;
                problems.add(table.path(), line.number(), "column " + table.fields().get(i).name() + ": \"" + Printable.text(line.cells().get(i), 80) + "\" " + fault);
            }
        }
        if (!told) {
            problems.add(table.path(), line.number(), "is quoted otherwise than a line of such a table");
        }
        List<String> here = line.key(key);
        int order = last == null ? -1 : CsvTable.KEY_ORDER.compare(last, here);
        if (order >= 0) {
            problems.add(table.path(), line.number(), "key " + here + (order == 0 ? " stands twice" : " is out of order"));
        }
        return here;
    }

    private static String fault(Descriptor.Field field, String cell) {
        if (cell.isEmpty()) {
            return field.required() ? "is missing, and must not be" : null;
        }
        boolean typed = switch (field.type()) {
            case "integer" -> cell.length() <= LONGEST_INTEGER && INTEGER.matcher(cell).matches() && !cell.equals("-0");
            case "number" -> NUMBER.matcher(cell).matches();
            case "boolean" -> cell.equals("true") || cell.equals("false");
            case "datetime" -> instant(cell);
            default -> true;
        };
        if (!typed) {
            return "is no " + field.type();
        }
        if (!field.values().isEmpty() && !field.values().contains(cell)) {
            return "is not in its closed list";
        }
        if (cell.codePoints().anyMatch(TableCheck::unprintable)) {
            return "holds a character that is to be escaped";
        }
        if (field.escaped() && cell.length() > LONGEST_TEXT) {
            return "is longer than such a text";
        }
        // A text that was escaped begins with the apostrophe, and nothing else changes it.
        return field.type().equals("string") && !cell.startsWith("'") && !Printable.cell(cell, Integer.MAX_VALUE).equals(Printable.text(cell))
                ? "is what a spreadsheet takes for a formula" : null;
    }

    /** The classes that move a cursor, end a line or reorder text; which signs are assigned at all differs between JDKs. */
    private static boolean unprintable(int point) {
        int type = Character.getType(point);
        return type == Character.CONTROL || type == Character.FORMAT || type == Character.SURROGATE || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR;
    }

    private static boolean instant(String cell) {
        try {
            return INSTANT.matcher(cell).matches() && Instant.parse(cell) != null;
        } catch (DateTimeException e) {
            return false;
        }
    }
}
