package dev.mcpprober.dataset;

import dev.mcpprober.run.RunFolder;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The tables of traits in a run's {@code dataset/}, for {@code grade}: written anew where there is a data set, with its description. */
final class TraitFiles implements Closeable {
    private static final List<TableSchema> SCHEMAS = List.of(Tables.FAILURE_SHAPES, TraitTables.DECLARED_TOOLS, TraitTables.VOCABULARY);

    private final Path folder;
    /** None where the run has no data set. */
    private final List<CsvTable> tables = new ArrayList<>();

    TraitFiles(RunFolder run) throws IOException {
        this.folder = run.dataset();
        if (Files.isRegularFile(folder.resolve(DataPackage.FILE_NAME))) {
            for (TableSchema schema : SCHEMAS) {
                tables.add(new CsvTable(folder, schema));
            }
        }
    }

    void add(Derived derived) throws IOException {
        if (tables.isEmpty()) {
            return;
        }
        List<Row> tools = new ArrayList<>();
        List<Row> hits = new ArrayList<>();
        TraitTables.rows(derived.history().row().target(), derived.tools(), tools, hits);
        tables.get(0).add(new TargetRows(derived).failures());
        tables.get(1).add(tools);
        tables.get(2).add(hits);
    }

    List<Path> finish() throws IOException {
        List<Path> files = new ArrayList<>();
        for (CsvTable table : tables) {
            files.add(table.finish());
        }
        if (!tables.isEmpty()) {
            files.add(DataPackage.describe(folder, SCHEMAS));
        }
        return files;
    }

    @Override
    public void close() throws IOException {
        for (CsvTable table : tables) {
            table.close();
        }
    }
}
