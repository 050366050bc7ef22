package dev.mcpprober.corpus.declared;

import dev.mcpprober.corpus.FrameException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** A table of servers with a header: {@code target}, or {@code registry} and {@code identifier} with or without {@code version}; others are ignored. */
final class CsvSource {
    private static final CSVFormat FORMAT = CSVFormat.RFC4180.builder().setIgnoreSurroundingSpaces(true).get();

    /** Names of the columns, in their order. */
    private final List<String> header;

    private CsvSource(List<String> header) {
        this.header = header;
    }

    static void read(Path file, Declarations into) throws IOException {
        try (CsvRows rows = new CsvRows(Files.newInputStream(file))) {
            CsvSource source = null;
            for (CsvRows.Row row = rows.next(); row != null; row = rows.next()) {
                String place = file.getFileName() + " line " + row.line();
                if (source == null) {
                    source = new CsvSource(header(file, row));
                } else if (row.problem() != null) {
                    into.malformed(place, row.problem());
                } else {
                    source.add(row.text(), place, into);
                }
            }
            if (source == null) {
                throw new FrameException(file + ": empty");
            }
        }
    }

    private static List<String> header(Path file, CsvRows.Row row) throws FrameException {
        String place = file + ", line " + row.line();
        try {
            List<String> header = row.problem() == null ? parse(row.text()).toList() : List.of();
            for (String name : List.of("target", "registry", "identifier", "version", "server")) {
                if (header.indexOf(name) != header.lastIndexOf(name)) {
                    throw new FrameException(place + ": column \"" + name + "\" stands twice");
                }
            }
            if (header.contains("target") || header.contains("registry") && header.contains("identifier")) {
                return header;
            }
            throw new FrameException(place + ": " + (row.problem() == null ? "no column \"target\" and no columns \"registry\" and \"identifier\"" : row.problem()));
        } catch (IllegalArgumentException e) {
            throw new FrameException(place + ": " + e.getMessage(), e);
        }
    }

    /** @throws IllegalArgumentException when the text is not one row */
    private static CSVRecord parse(String text) {
        try (CSVParser parser = CSVParser.parse(text, FORMAT)) {
            List<CSVRecord> records = parser.getRecords();
            if (records.size() != 1) {
                throw new IllegalArgumentException("not one row of CSV; lines end in a line feed");
            }
            return records.get(0);
        } catch (IOException | UncheckedIOException e) {
            throw new IllegalArgumentException("not CSV as RFC 4180 has it: text stands beside a quoted cell", e);
        }
    }

    private void add(String text, String place, Declarations into) {
        CSVRecord row;
        try {
            row = parse(text);
        } catch (IllegalArgumentException e) {
            into.malformed(place, e.getMessage());
            return;
        }
        if (row.size() != header.size()) {
            into.malformed(place, row.size() + " cells where the header has " + header.size());
            return;
        }
        String target = header.contains("target") ? cell(row, "target") : composed(row);
        String name = cell(row, "server");
        ListedTarget.add(name.isEmpty() ? target : name, target, place, into);
    }

    private String composed(CSVRecord row) {
        String registry = cell(row, "registry");
        String version = cell(row, "version");
        return registry + ":" + cell(row, "identifier") + (version.isEmpty() ? "" : (registry.equals("npm") ? "@" : "==") + version);
    }

    /** Empty where there is no such column. */
    private String cell(CSVRecord row, String column) {
        int at = header.indexOf(column);
        return at < 0 ? "" : row.get(at).strip();
    }
}
