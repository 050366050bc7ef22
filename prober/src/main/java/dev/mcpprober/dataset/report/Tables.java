package dev.mcpprober.dataset.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.dataset.DataPackage;
import dev.mcpprober.io.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The tables that a report is made from, and nothing else: whatever a page says, a reader finds there. */
final class Tables {
    private final Path folder;
    private final JsonNode description;

    /** @param folder holds {@code datapackage.json} and {@code data/} */
    Tables(Path folder) throws IOException {
        this.folder = folder;
        Path file = folder.resolve(DataPackage.FILE_NAME);
        JsonNode root = Json.mapper().readTree(file.toFile());
        if (!root.path("x-provenance").path("rule_sets").isTextual()) {
            throw new IOException(file + ": does not name its rule sets; it describes no data set of this program");
        }
        this.description = root;
    }

    /** Empty where nothing is said. */
    String fact(String name) {
        return description.path("x-provenance").path(name).asText("");
    }

    /** Version of the data, or empty. */
    String version() {
        return description.path("version").asText("");
    }

    /** The one whose verdicts stand in the pages first. */
    List<String> ruleSets() {
        return List.of(fact("rule_sets").split(" "));
    }

    boolean has(String table) {
        return Files.isRegularFile(file(table));
    }

    TableFile open(String table) throws IOException {
        if (!has(table)) {
            throw new IOException(file(table) + " is missing; a report needs it");
        }
        return new TableFile(file(table));
    }

    /** For tables that are small. */
    List<Cells> all(String table) throws IOException {
        List<Cells> out = new ArrayList<>();
        try (TableFile rows = open(table)) {
            for (Cells row = rows.next(); row != null; row = rows.next()) {
                out.add(row);
            }
        }
        return out;
    }

    private Path file(String table) {
        return folder.resolve("data").resolve(table + ".csv");
    }
}
