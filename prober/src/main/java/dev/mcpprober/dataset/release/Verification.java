package dev.mcpprober.dataset.release;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.dataset.DataPackage;
import dev.mcpprober.dataset.ParquetTables;
import dev.mcpprober.io.Digests;
import dev.mcpprober.io.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a release is what it says of itself, from its files alone.
 *
 * @param problems each begins with file and line; empty when all is well
 * @param tables   table to number of rows
 * @param parquet  tables that are described as Parquet, too
 */
public record Verification(List<String> problems, Map<String, Integer> tables, int parquet) {
    public Verification {
        problems = List.copyOf(problems);
    }

    public boolean sound() {
        return problems.isEmpty();
    }

    /** Without the rows of Parquet files. @throws RefusedException when the folder is no release at all */
    public static Verification of(Path folder) throws IOException, RefusedException {
        return of(folder, Optional.empty());
    }

    /** @param reader compares the rows of Parquet files with those of the CSVs; without it their hashes are checked alone */
    public static Verification of(Path folder, Optional<ParquetTables> reader) throws IOException, RefusedException {
        return new Check(folder, reader).run();
    }

    private static final class Check {
        private static final int LARGEST = 16 << 20;

        private final Path folder;
        private final Problems problems = new Problems();
        private final Map<String, Descriptor> tables = new LinkedHashMap<>();
        private final ParquetFiles.Check parquet;
        private JsonNode root;

        Check(Path folder, Optional<ParquetTables> reader) {
            this.folder = folder;
            this.parquet = new ParquetFiles.Check(folder, reader, problems);
        }

        Verification run() throws IOException, RefusedException {
            Path file = folder.resolve(DataPackage.FILE_NAME);
            if (!regular(file)) {
                throw new RefusedException(folder + " holds no " + DataPackage.FILE_NAME + ", so it is no release; name the folder that dataset build --to made");
            }
            checksums();
            if (Files.size(file) > LARGEST) {
                problems.add(DataPackage.FILE_NAME, 0, "larger than " + LARGEST + " bytes");
                return new Verification(problems.found(), Map.of(), 0);
            }
            try {
                root = Json.strict().readTree(file.toFile());
            } catch (IOException e) {
                problems.add(DataPackage.FILE_NAME, 0, "no JSON: " + e.getMessage());
                return new Verification(problems.found(), Map.of(), 0);
            }
            describe();
            new SchemaCheck(folder, root, tables, problems).run();
            Map<String, Integer> rows = new LinkedHashMap<>();
            for (Descriptor table : List.copyOf(tables.values())) {
                rows.put(table.name(), new TableCheck(folder, table, problems).check());
            }
            foreignKeys();
            new CrossCheck(folder, tables, root, problems).run();
            if (problems.none()) {
                new ReportCheck(folder, problems).run();
            }
            return new Verification(problems.found(), rows, parquet.files());
        }

        /** Links may lead out of the folder. */
        private static boolean regular(Path file) {
            return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
        }

        private void checksums() throws IOException {
            Path sums = folder.resolve(Release.SUMS);
            if (!regular(sums)) {
                problems.add(Release.SUMS, 0, "is missing");
                return;
            }
            Set<String> known = new HashSet<>();
            List<Checksums.Line> lines = List.of();
            try {
                lines = Checksums.read(sums);
            } catch (IOException e) {
                problems.add(Release.SUMS, 0, e.getMessage());
            }
            for (Checksums.Line line : lines) {
                if (line.path().isEmpty()) {
                    problems.add(Release.SUMS, line.number(), "no line of sha256sum with a path inside the release");
                } else if (!known.add(line.path())) {
                    problems.add(Release.SUMS, line.number(), line.path() + " stands twice");
                } else if (!regular(folder.resolve(line.path()))) {
                    problems.add(Release.SUMS, line.number(), line.path() + " is missing");
                } else if (!Digests.sha256(folder.resolve(line.path())).equals(line.sha256())) {
                    problems.add(Release.SUMS, line.number(), line.path() + " has another SHA-256");
                }
            }
            for (String file : Checksums.files(folder)) {
                if (!regular(folder.resolve(file))) {
                    problems.add(file, 0, "is a link, or no file at all");
                } else if (!known.contains(file)) {
                    problems.add(Release.SUMS, 0, file + " is in the folder and not in this list");
                }
            }
        }

        private void describe() throws IOException {
            for (JsonNode resource : root.path("resources")) {
                Descriptor table = Descriptor.of(resource);
                if (!Checksums.inside(table.path()) || !regular(folder.resolve(table.path()))) {
                    problems.add(DataPackage.FILE_NAME, 0, "table " + table.name() + ": no file " + table.path());
                    continue;
                }
                Path file = folder.resolve(table.path());
                if (Files.size(file) != table.bytes() || !table.hash().equals("sha256:" + Digests.sha256(file))) {
                    problems.add(DataPackage.FILE_NAME, 0, "table " + table.name() + ": " + table.path() + " has another size or SHA-256");
                }
                if (tables.put(table.name(), table) != null) {
                    problems.add(DataPackage.FILE_NAME, 0, "table " + table.name() + " is described twice");
                }
                parquet.table(resource, table);
            }
            parquet.finish();
        }

        private void foreignKeys() throws IOException {
            for (Descriptor table : tables.values()) {
                for (Descriptor.Foreign foreign : table.foreignKeys()) {
                    Descriptor target = tables.get(foreign.table());
                    List<Integer> own = table.positions(foreign.fields());
                    if (target == null || own.contains(-1) || target.positions(foreign.target()).contains(-1)) {
                        problems.add(DataPackage.FILE_NAME, 0, "table " + table.name() + ": a foreign key to a table or column that is not there");
                        continue;
                    }
                    LongTable keys = keys(target, foreign.target());
                    TableCheck.each(folder, table, row -> {
                        List<String> cells = row.line().key(own);
                        if (cells.stream().noneMatch(String::isEmpty) && !keys.contains(Keys.of(cells))) {
                            problems.add(table.path(), row.number(), "no row " + cells + " in table " + target.name());
                        }
                    });
                }
            }
        }

        private final Map<List<Object>, LongTable> known = new HashMap<>();

        private LongTable keys(Descriptor table, List<String> columns) throws IOException {
            LongTable keys = known.get(List.of(table.name(), columns));
            if (keys == null) {
                LongTable fresh = new LongTable();
                List<Integer> positions = table.positions(columns);
                TableCheck.each(folder, table, row -> fresh.add(Keys.of(row.line().key(positions))));
                known.put(List.of(table.name(), columns), fresh);
                keys = fresh;
            }
            return keys;
        }
    }
}
