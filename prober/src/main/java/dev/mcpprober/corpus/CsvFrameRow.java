package dev.mcpprober.corpus;

import dev.mcpprober.model.Printable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** One line of a CSV frame. */
final class CsvFrameRow {
    private static final List<String> COLUMNS = List.of("target", "args", "env", "note");

    private CsvFrameRow() {}

    /** Where each column stands. */
    record Header(Map<String, Integer> positions, int width) {
        String cell(CSVRecord row, String column) {
            Integer at = positions.get(column);
            return at == null || at >= row.size() ? "" : row.get(at);
        }
    }

    /** @throws IllegalArgumentException when the line is no header of a frame */
    static Header header(String line) {
        CSVRecord record = parse(line);
        Map<String, Integer> positions = new HashMap<>();
        for (int i = 0; i < record.size(); i++) {
            String name = record.get(i).strip();
            if (!COLUMNS.contains(name)) {
                throw new IllegalArgumentException("unknown column \"" + Printable.text(name, 80) + "\"");
            }
            if (positions.put(name, i) != null) {
                throw new IllegalArgumentException("column \"" + name + "\" stands twice");
            }
        }
        if (!positions.containsKey("target")) {
            throw new IllegalArgumentException("no column \"target\"");
        }
        return new Header(positions, record.size());
    }

    /** @throws IllegalArgumentException saying what is wrong with the line */
    static FrameCells read(String line, Header header) {
        CSVRecord row = parse(line);
        if (row.size() > header.width()) {
            throw new IllegalArgumentException(row.size() + " cells where the header has " + header.width()
                    + " (a cell with a comma or a quote must be quoted, quotes inside doubled)");
        }
        return new FrameCells(header.cell(row, "target"), header.cell(row, "args"), header.cell(row, "env"), header.cell(row, "note"));
    }

    private static CSVRecord parse(String line) {
        if (line.chars().filter(c -> c == '"').count() % 2 != 0) {
            throw new IllegalArgumentException("a quote is opened and not closed (quotes inside a cell are doubled, a row is one line)");
        }
        try (CSVParser parser = CSVParser.parse(line, CSVFormat.RFC4180)) {
            List<CSVRecord> records = parser.getRecords();
            if (records.size() != 1) {
                throw new IllegalArgumentException("not one row of CSV");
            }
            return records.get(0);
        } catch (IOException | UncheckedIOException e) {
            throw new IllegalArgumentException("not CSV as RFC 4180 has it: text stands beside a quoted cell", e);
        }
    }
}
