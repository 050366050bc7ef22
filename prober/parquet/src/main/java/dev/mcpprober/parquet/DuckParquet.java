package dev.mcpprober.parquet;

import dev.mcpprober.dataset.Column;
import dev.mcpprober.dataset.ParquetTables;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Parquet by DuckDB in memory. It can touch the folders of the files that it is given and nothing else: no extension is fetched, nothing spills to disk, and a path
 * that DuckDB takes for a pattern of files elsewhere is refused.
 */
public final class DuckParquet implements ParquetTables {
    /** Longer than a line of a table may be, so that what is cut to it differs from every cell. */
    private static final int LONGEST = 8 << 20;
    /** Rows in a group, and a limit of memory, are given, so that neither follows from the machine: one thread, one order, the same bytes. */
    private static final List<String> SETTINGS = List.of("threads = 1", "preserve_insertion_order = true", "memory_limit = '1GB'", "temp_directory = ''",
            "autoinstall_known_extensions = false", "autoload_known_extensions = false", "enable_external_access = false", "lock_configuration = true");
    private static final String WRITTEN = "(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 122880)";

    @Override
    public String library() {
        try (Connection duck = DriverManager.getConnection("jdbc:duckdb:")) {
            return "DuckDB " + duck.getMetaData().getDatabaseProductVersion();
        } catch (SQLException e) {
            throw new IllegalStateException("DuckDB does not start on this machine: " + e.getMessage(), e);
        }
    }

    @Override
    public void write(Path csv, List<Column> columns, Path parquet) throws IOException {
        String types = columns.stream().map(column -> text(column.name()) + ": " + text(type(column))).collect(Collectors.joining(", ", "{", "}"));
        String rows = "SELECT * FROM read_csv(" + text(csv) + ", columns = " + types + ", auto_detect = false, header = true, delim = ',', quote = '\"', escape = '\"', "
                + "new_line = '\\n', nullstr = '', strict_mode = true, compression = 'none', hive_partitioning = false, max_line_size = " + LONGEST + ")";
        try (Connection duck = open(csv, parquet); Statement statement = duck.createStatement()) {
            statement.execute("COPY (" + rows + ") TO " + text(parquet) + " " + WRITTEN);
        } catch (SQLException e) {
            throw new IOException(csv + ": cannot be written as Parquet: " + said(e), e);
        }
    }

    @Override
    public void read(Path parquet, List<Column> columns, Rows rows) throws IOException {
        String from = " FROM read_parquet(" + text(parquet) + ", hive_partitioning = false)";
        try (Connection duck = open(parquet); Statement statement = duck.createStatement()) {
            shape(statement, from, columns);
            String cells = columns.stream().map(column -> column.type() == Column.Type.STRING ? "left(" + name(column) + ", " + LONGEST + ")" : name(column))
                    .collect(Collectors.joining(", "));
            try (ResultSet result = statement.executeQuery("SELECT " + cells + from)) {
                while (result.next()) {
                    List<Object> row = new ArrayList<>(columns.size());
                    for (int i = 0; i < columns.size(); i++) {
                        row.add(value(result, i + 1));
                    }
                    rows.row(row);
                }
            }
        } catch (SQLException e) {
            throw new IOException("cannot be read as Parquet: " + said(e), e);
        }
    }

    private static void shape(Statement statement, String from, List<Column> columns) throws SQLException, IOException {
        List<String> found = new ArrayList<>();
        try (ResultSet result = statement.executeQuery("DESCRIBE SELECT *" + from)) {
            while (result.next()) {
                found.add(result.getString(1) + " " + result.getString(2));
            }
        }
        List<String> wanted = columns.stream().map(column -> column.name() + " " + type(column)).toList();
        if (!found.equals(wanted)) {
            throw new IOException("has the columns " + found + ", not " + wanted);
        }
    }

    /** A time as an instant: it is written without a zone and means UTC. */
    private static Object value(ResultSet result, int column) throws SQLException {
        Object value = result.getObject(column);
        return value instanceof java.sql.Timestamp ? result.getObject(column, LocalDateTime.class).toInstant(ZoneOffset.UTC) : value;
    }

    private static String type(Column column) {
        return switch (column.type()) {
            case STRING -> "VARCHAR";
            case INTEGER -> "BIGINT";
            case NUMBER -> "DOUBLE";
            case BOOLEAN -> "BOOLEAN";
            case DATETIME -> "TIMESTAMP";
        };
    }

    private static Connection open(Path... files) throws SQLException {
        Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        try (Statement statement = duck.createStatement()) {
            statement.execute("SET allowed_directories = " + Arrays.stream(files).map(file -> text(file.toAbsolutePath().getParent())).collect(Collectors.joining(", ", "[", "]")));
            for (String setting : SETTINGS) {
                statement.execute("SET " + setting);
            }
            return duck;
        } catch (SQLException e) {
            duck.close();
            throw e;
        }
    }

    private static String name(Column column) {
        return '"' + column.name().replace("\"", "\"\"") + '"';
    }

    private static String text(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    private static String text(Path path) {
        return text(path.toAbsolutePath().toString());
    }

    /** Without the statement that DuckDB repeats below. */
    private static String said(SQLException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
}
