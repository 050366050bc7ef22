package dev.mcpprober.dataset;

import java.util.List;

/**
 * One table of the data set.
 *
 * @param name       also the file's name, with {@code .csv}
 * @param primaryKey names of columns; rows are sorted by it, in the byte order of its cells
 */
public record TableSchema(String name, String description, List<Column> columns, List<String> primaryKey, List<ForeignKey> foreignKeys) {
    /** {@code columns} of this table name a row of {@code table} by its columns {@code target}. */
    public record ForeignKey(List<String> columns, String table, List<String> target) {
        public ForeignKey {
            columns = List.copyOf(columns);
            target = List.copyOf(target);
        }
    }

    public TableSchema {
        columns = List.copyOf(columns);
        primaryKey = List.copyOf(primaryKey);
        foreignKeys = List.copyOf(foreignKeys);
        for (String key : primaryKey) {
            if (columns.stream().noneMatch(column -> column.name().equals(key) && column.required())) {
                throw new IllegalArgumentException("table " + name + ": key column " + key + " must be there and required");
            }
        }
    }

    public String fileName() {
        return name + ".csv";
    }

    int position(String column) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equals(column)) {
                return i;
            }
        }
        throw new IllegalArgumentException("table " + name + " has no column " + column);
    }
}
