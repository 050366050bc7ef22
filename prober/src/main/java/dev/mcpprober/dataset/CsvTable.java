package dev.mcpprober.dataset;

import dev.mcpprober.io.AtomicFiles;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/**
 * Writes one table: UTF-8 without a mark, header, RFC 4180 quoting, LF, rows strictly ascending by primary key, so that equal
 * content is equal bytes and no key comes twice. The file gets its name when it is whole.
 */
public final class CsvTable implements Closeable {
    /** Keys in the order in which rows stand: byte order of the cells in UTF-8. */
    public static final Comparator<List<String>> KEY_ORDER = (a, b) -> {
        for (int i = 0; i < a.size(); i++) {
            int order = Arrays.compareUnsigned(a.get(i).getBytes(StandardCharsets.UTF_8), b.get(i).getBytes(StandardCharsets.UTF_8));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    };

    private static final CSVFormat FORMAT = CSVFormat.RFC4180.builder().setRecordSeparator("\n").setNullString("").get();

    private final TableSchema schema;
    private final Path file;
    private final Path temporary;
    private final CSVPrinter out;
    private List<String> lastKey;
    private long rows;

    public CsvTable(Path folder, TableSchema schema) throws IOException {
        this.schema = schema;
        this.file = folder.resolve(schema.fileName());
        this.temporary = folder.resolve("." + schema.fileName() + ".tmp");
        this.out = new CSVPrinter(new BufferedWriter(new OutputStreamWriter(Files.newOutputStream(temporary), StandardCharsets.UTF_8), 1 << 16), FORMAT);
        out.printRecord(schema.columns().stream().map(Column::name).toList());
    }

    public Row row() {
        return new Row(schema);
    }

    /** Adds rows that belong together in the order of their keys. */
    public void add(List<Row> unordered) throws IOException {
        for (Row row : unordered.stream().sorted(Comparator.comparing(Row::key, KEY_ORDER)).toList()) {
            add(row);
        }
    }

    public void add(Row row) throws IOException {
        List<String> cells = row.cells();
        List<String> key = row.key();
        if (lastKey != null && KEY_ORDER.compare(lastKey, key) >= 0) {
            throw new IllegalStateException("table " + schema.name() + ": row " + key + " after " + lastKey + ": not ascending, or twice");
        }
        lastKey = key;
        try {
            out.printRecord(cells);
        } catch (IOException e) {
            throw new IOException(file + ": cannot be written: " + e.getMessage(), e);
        }
        rows++;
    }

    /** A row as it stands in a table, without its line feed. */
    public static String line(List<String> cells) {
        return FORMAT.format(cells.stream().map(cell -> cell.isEmpty() ? null : cell).toArray());
    }

    TableSchema schema() {
        return schema;
    }

    long rows() {
        return rows;
    }

    public Path finish() throws IOException {
        try {
            out.close();
            AtomicFiles.moveInPlace(temporary, file);
        } catch (IOException e) {
            throw new IOException(file + ": cannot be written: " + e.getMessage(), e);
        }
        return file;
    }

    @Override
    public void close() throws IOException {
        try {
            out.close();
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
