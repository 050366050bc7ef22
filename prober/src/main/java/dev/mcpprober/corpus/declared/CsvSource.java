package dev.mcpprober.corpus.declared;

import dev.mcpprober.corpus.FrameException;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** A table of servers with a header: {@code target}, or {@code registry} and {@code identifier} with or without {@code version}; others are ignored. */
final class CsvSource {
    private CsvSource() {}

    static void read(Path file, Declarations into) throws IOException {
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8);
                CSVParser rows = CSVParser.parse(reader, CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).setIgnoreSurroundingSpaces(true)
                        .setAllowMissingColumnNames(true).get())) {
            Map<String, Integer> header = rows.getHeaderMap();
            boolean target = header.containsKey("target");
            if (!target && !(header.containsKey("registry") && header.containsKey("identifier"))) {
                throw new FrameException(file + ", line 1: no column \"target\" and no columns \"registry\" and \"identifier\"");
            }
            Iterator<CSVRecord> iterator = rows.iterator();
            while (iterator.hasNext()) {
                CSVRecord row = iterator.next();
                add(row, target, file.getFileName() + " line " + rows.getCurrentLineNumber(), into);
            }
        } catch (UncheckedIOException | IllegalArgumentException e) {
            throw new FrameException(file + ": not CSV as RFC 4180 has it: " + e.getMessage(), e);
        }
    }

    private static void add(CSVRecord row, boolean target, String place, Declarations into) {
        if (!row.isConsistent()) {
            into.malformed(place, row.size() + " cells where the header has " + row.getParser().getHeaderNames().size());
            return;
        }
        String text = target ? row.get("target") : composed(row);
        String name = row.isMapped("server") && !row.get("server").isBlank() ? row.get("server") : text;
        ListedTarget.add(name, text.strip(), place, into);
    }

    private static String composed(CSVRecord row) {
        String registry = row.get("registry").strip();
        String version = row.isMapped("version") ? row.get("version").strip() : "";
        return registry + ":" + row.get("identifier").strip() + (version.isEmpty() ? "" : (registry.equals("npm") ? "@" : "==") + version);
    }
}
