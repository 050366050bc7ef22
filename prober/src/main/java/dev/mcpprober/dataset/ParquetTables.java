package dev.mcpprober.dataset;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** Writes and reads tables as Parquet. What does it brings a library of 80 MB along and so comes from a module of its own, {@code prober/parquet/}. */
public interface ParquetTables {
    /** Name and version of what writes: the bytes of a file depend on it. */
    String library();

    /**
     * Writes the rows of a table's CSV in their order, an empty cell as null; the same CSV gives the same bytes.
     *
     * @throws IOException where a file cannot be read or written, or a cell does not fit its column's type
     */
    void write(Path csv, List<Column> columns, Path parquet) throws IOException;

    /**
     * Feeds the rows in their order.
     *
     * @throws IOException where the file cannot be read or has other columns or types
     */
    void read(Path parquet, List<Column> columns, Rows rows) throws IOException;

    /** Takes rows. */
    interface Rows {
        /** @param cells a {@link String}, {@link Long}, {@link Double}, {@link Boolean} or {@link java.time.Instant} by the column's type, or null */
        void row(List<Object> cells) throws IOException;
    }

    /** That of the class path, if there is one. */
    static Optional<ParquetTables> installed() {
        return ServiceLoader.load(ParquetTables.class).findFirst();
    }
}
