package dev.mcpprober.dataset.release;

/** A row of a table of a release, by names of columns. */
record TableRow(Descriptor table, CsvLines.Line line) {
    /** Empty for a missing value, and for a column that the table has not. */
    String get(String column) {
        int at = table.position(column);
        return at < 0 ? "" : line.cells().get(at);
    }

    /** A count; -1 where there is none. */
    int count(String column) {
        String cell = get(column);
        return cell.matches("\\d{1,9}") ? Integer.parseInt(cell) : -1;
    }

    double number(String column) {
        String cell = get(column);
        return cell.isEmpty() ? Double.NaN : Double.parseDouble(cell);
    }

    int number() {
        return line.number();
    }

    long key(String... columns) {
        String[] cells = new String[columns.length];
        for (int i = 0; i < columns.length; i++) {
            cells[i] = get(columns[i]);
        }
        return Keys.of(cells);
    }
}
