package dev.mcpprober.dataset.report;

import java.util.List;
import java.util.Map;

/** A row of a table, by names of columns; texts are as they were before they became cells. */
record Cells(Map<String, Integer> columns, List<String> values) {
    /** Empty for a missing value, and for a column that the table has not. */
    String get(String column) {
        Integer at = columns.get(column);
        return at == null || at >= values.size() ? "" : values.get(at);
    }

    int count(String column) {
        return Integer.parseInt(get(column));
    }

    /** NaN where there is none. */
    double number(String column) {
        return get(column).isEmpty() ? Double.NaN : Double.parseDouble(get(column));
    }

    /** Values of a cell that are parted by semicolons. */
    List<String> list(String column) {
        return get(column).isEmpty() ? List.of() : List.of(get(column).split(";"));
    }
}
