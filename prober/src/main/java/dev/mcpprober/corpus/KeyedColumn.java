package dev.mcpprober.corpus;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;

/** One column of a CSV table, by another. */
public final class KeyedColumn {
    private KeyedColumn() {}

    /** @throws FrameException when the file cannot be read or lacks a column */
    public static Map<String, String> read(Path file, String key, String value) throws FrameException {
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8);
                CSVParser rows = CSVParser.parse(reader, CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).get())) {
            for (String column : List.of(key, value)) {
                if (!rows.getHeaderMap().containsKey(column)) {
                    throw new FrameException(file + ", line 1: no column \"" + column + "\"");
                }
            }
            Map<String, String> out = new HashMap<>();
            rows.forEach(row -> {
                if (row.isConsistent()) {
                    out.put(row.get(key), row.get(value));
                }
            });
            return out;
        } catch (FrameException e) {
            throw e;
        } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
            throw new FrameException(file + ": cannot be read as CSV: " + e.getMessage(), e);
        }
    }
}
