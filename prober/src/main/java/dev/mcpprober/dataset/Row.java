package dev.mcpprober.dataset;

import dev.mcpprober.model.Printable;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** One row under construction: cells by name of the column, empty until set. */
public final class Row {
    private final TableSchema schema;
    private final String[] cells;

    public Row(TableSchema schema) {
        this.schema = schema;
        this.cells = new String[schema.columns().size()];
    }

    /** Null and the empty text are both an empty cell. */
    public Row set(String column, String value) {
        int at = schema.position(column);
        Column found = schema.columns().get(at);
        if (value == null || value.isEmpty()) {
            return this;
        }
        if (!found.values().isEmpty() && !found.values().contains(value)) {
            throw new IllegalStateException("table " + schema.name() + ", column " + column + ": \"" + Printable.text(value, 80) + "\" is not in its closed list");
        }
        // Plain columns hold identifiers that never need it; what installed files say of themselves may be anything all the same.
        cells[at] = Cells.hostile(value, found.hostile() ? Cells.TEXT_LIMIT : Integer.MAX_VALUE);
        return this;
    }

    public Row set(String column, Number value) {
        cells[schema.position(column)] = value == null ? null : value instanceof BigDecimal decimal ? decimal.toPlainString() : value.toString();
        return this;
    }

    public Row set(String column, boolean value) {
        return set(column, Boolean.toString(value));
    }

    /** Values in one cell, parted by a semicolon. */
    public Row set(String column, Iterable<?> values) {
        StringBuilder text = new StringBuilder();
        for (Object value : values) {
            text.append(text.length() == 0 ? "" : ";").append(value);
        }
        return set(column, text.toString());
    }

    /** Empty for an empty cell. */
    String get(String column) {
        return cells[schema.position(column)] == null ? "" : cells[schema.position(column)];
    }

    /** The same with these columns only. */
    Row only(Set<String> columns) {
        Row row = new Row(schema);
        for (int i = 0; i < cells.length; i++) {
            row.cells[i] = columns.contains(schema.columns().get(i).name()) ? cells[i] : null;
        }
        return row;
    }

    /** Sets an empty cell. */
    Row clear(String column) {
        cells[schema.position(column)] = null;
        return this;
    }

    List<String> cells() {
        for (int i = 0; i < cells.length; i++) {
            if (cells[i] == null && schema.columns().get(i).required()) {
                throw new IllegalStateException("table " + schema.name() + ": no " + schema.columns().get(i).name() + " in " + Arrays.toString(cells));
            }
        }
        return Arrays.asList(cells);
    }

    /** The cells as a reader of the table finds them. */
    public List<String> texts() {
        return cells().stream().map(cell -> cell == null ? "" : cell).toList();
    }

    /** The cells of the primary key. */
    List<String> key() {
        return schema.primaryKey().stream().map(column -> cells[schema.position(column)]).toList();
    }
}
