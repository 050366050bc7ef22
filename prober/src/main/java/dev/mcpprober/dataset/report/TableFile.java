package dev.mcpprober.dataset.report;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** Reads a table of a data set row by row, so that no table is ever in memory. Every failure names file and line. */
final class TableFile implements Closeable {
    private static final String TARGET = "target_id";

    private final Path file;
    private final CSVParser parser;
    private final Iterator<CSVRecord> rows;
    private final Map<String, Integer> columns = new HashMap<>();
    private Cells ahead;

    TableFile(Path file) throws IOException {
        this.file = file;
        this.parser = CSVParser.parse(Files.newBufferedReader(file, StandardCharsets.UTF_8), CSVFormat.RFC4180);
        this.rows = parser.iterator();
        Cells header = row();
        if (header == null) {
            throw new IOException(file + ": empty; a table begins with the names of its columns");
        }
        for (int i = 0; i < header.values().size(); i++) {
            columns.put(header.values().get(i), i);
        }
        ahead = row();
    }

    /** Null at the end. */
    Cells next() throws IOException {
        Cells row = ahead;
        ahead = row == null ? null : row();
        return row;
    }

    /** The rows of a target, which must not lie before what was read already: tables are sorted by it. */
    List<Cells> of(String target) throws IOException {
        List<Cells> out = new ArrayList<>();
        while (ahead != null && ahead.get(TARGET).equals(target)) {
            out.add(next());
        }
        return out;
    }

    /** @throws IOException where rows are left over, which no target of table targets has taken */
    void end() throws IOException {
        if (ahead != null) {
            throw new IOException(file + ", line " + parser.getCurrentLineNumber() + ": target " + ahead.get(TARGET) + " is not in table targets, or out of order");
        }
    }

    private Cells row() throws IOException {
        try {
            if (!rows.hasNext()) {
                return null;
            }
            List<String> values = Arrays.stream(rows.next().values()).map(TableFile::unescaped).toList();
            if (!columns.isEmpty() && values.size() != columns.size()) {
                throw new IOException(file + ", line " + parser.getCurrentLineNumber() + ": " + values.size() + " cells, the table has " + columns.size() + " columns");
            }
            return new Cells(columns, values);
        } catch (UncheckedIOException | IllegalStateException e) {
            throw new IOException(file + ", line " + parser.getCurrentLineNumber() + ": " + e.getMessage(), e);
        }
    }

    /** An apostrophe at the beginning of a cell was put there, see {@code Printable.cell}. */
    private static String unescaped(String cell) {
        return cell.startsWith("'") ? cell.substring(1) : cell;
    }

    @Override
    public void close() throws IOException {
        parser.close();
    }
}
