package dev.mcpprober.dataset.release;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.dataset.Column;
import dev.mcpprober.dataset.DataPackage;
import dev.mcpprober.dataset.ParquetTables;
import dev.mcpprober.dataset.TableSchema;
import dev.mcpprober.io.Digests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The tables of a release a second time, as Parquet beside the CSVs that they are made of. */
final class ParquetFiles {
    static final String ENDING = ".parquet";

    private ParquetFiles() {}

    /** Made of the written CSVs and nothing else, so that what is withheld in them is withheld here. */
    static void write(ParquetTables writer, Path data, List<TableSchema> tables) throws IOException {
        for (TableSchema table : tables) {
            writer.write(data.resolve(table.fileName()), table.columns(), data.resolve(table.name() + ENDING));
        }
    }

    /** Parquet files against what the description says of them, and, where something reads them, against the rows of the CSVs. */
    static final class Check {
        private final Path folder;
        private final Optional<ParquetTables> reader;
        private final Problems problems;
        private final Set<String> described = new HashSet<>();
        private int tables;

        Check(Path folder, Optional<ParquetTables> reader, Problems problems) {
            this.folder = folder;
            this.reader = reader;
            this.problems = problems;
        }

        /** Tables that have a Parquet file by the description. */
        int files() {
            return described.size();
        }

        void table(JsonNode resource, Descriptor table) throws IOException {
            tables++;
            JsonNode told = resource.path(DataPackage.PARQUET);
            if (told.isMissingNode()) {
                return;
            }
            String path = told.path("path").asText();
            described.add(path);
            // One name for each table: the path was looked at already, so that this one stays in the folder too.
            if (!path.equals(table.path().replaceFirst("\\.csv$", "") + ENDING) || !Files.isRegularFile(folder.resolve(path))) {
                problems.add(DataPackage.FILE_NAME, 0, "table " + table.name() + ": no Parquet file " + path);
                return;
            }
            Path file = folder.resolve(path);
            if (Files.size(file) != told.path("bytes").asLong(-1) || !told.path("hash").asText().equals("sha256:" + Digests.sha256(file))) {
                problems.add(DataPackage.FILE_NAME, 0, "table " + table.name() + ": " + path + " has another size or SHA-256");
            } else if (reader.isPresent()) {
                rows(table, path);
            }
        }

        /** After the last table. */
        void finish() throws IOException {
            if (!described.isEmpty() && described.size() != tables) {
                problems.add(DataPackage.FILE_NAME, 0, described.size() + " of " + tables + " tables have a Parquet file; all have one or none");
            }
            for (String file : Checksums.files(folder)) {
                if (file.endsWith(ENDING) && !described.contains(file)) {
                    problems.add(DataPackage.FILE_NAME, 0, file + " is in the folder and not described");
                }
            }
        }

        /** The first row that differs is told; the rest of the file is not worth more. */
        private void rows(Descriptor table, String path) throws IOException {
            List<Column> columns = table.fields().stream().map(field -> Column.of(field.name(), field.type())).toList();
            try (CsvLines lines = new CsvLines(folder.resolve(table.path()))) {
                lines.next();
                reader.orElseThrow().read(folder.resolve(path), columns, cells -> {
                    CsvLines.Line line = lines.next();
                    if (line == null) {
                        throw new IOException("more rows than " + table.path());
                    }
                    differs(columns, line, cells, table.path());
                });
                CsvLines.Line left = lines.next();
                if (left != null) {
                    throw new IOException("ends before line " + left.number() + " of " + table.path());
                }
            } catch (CsvLines.BadLine e) {
                problems.add(path, 0, "not compared further: " + table.path() + ":" + e.number() + ": " + e.getMessage());
            } catch (IOException e) {
                problems.add(path, 0, e.getMessage());
            }
        }

        private static void differs(List<Column> columns, CsvLines.Line line, List<Object> cells, String csv) throws IOException {
            for (int i = 0; i < columns.size(); i++) {
                String cell = i < line.cells().size() ? line.cells().get(i) : "";
                if (!same(columns.get(i).type(), cell, cells.get(i))) {
                    throw new IOException("column " + columns.get(i).name() + " is " + cells.get(i) + " where " + csv + ":" + line.number() + " has \"" + cell + "\"");
                }
            }
        }

        private static boolean same(Column.Type type, String cell, Object value) {
            if (cell.isEmpty() || value == null) {
                return cell.isEmpty() && value == null;
            }
            try {
                return value.equals(switch (type) {
                    case STRING -> cell;
                    case INTEGER -> Long.valueOf(cell);
                    case NUMBER -> Double.valueOf(cell);
                    case BOOLEAN -> Boolean.valueOf(cell);
                    case DATETIME -> Instant.parse(cell);
                });
            } catch (NumberFormatException | DateTimeException e) {
                return false;
            }
        }
    }
}
