package dev.mcpprober.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.AtomicFiles;
import dev.mcpprober.io.Digests;
import dev.mcpprober.io.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** {@code datapackage.json}, Data Package version 2: every table, column, key and hash. Holds no time of writing. */
public final class DataPackage {
    public static final String FILE_NAME = "datapackage.json";
    /** Member of a resource that tells of the same rows as Parquet: path, format, mediatype, bytes, hash. The CSV stays what the resource is. */
    public static final String PARQUET = "x-parquet";
    private static final String PROFILE = "https://datapackage.org/profiles/2.0/datapackage.json";

    private DataPackage() {}

    static final String TITLE = "Conformance of MCP stdio servers, measured by mcp-prober";

    /**
     * What a package says of itself.
     *
     * @param version semantic version of the data, or empty
     * @param license SPDX id, or empty
     * @param facts   name to value, for the member {@code x-provenance}
     */
    public record Head(String name, String title, String description, String version, String license, Map<String, String> facts) {}

    /** Describes tables that are in {@code folder} itself. */
    public static Path write(Path folder, String name, String title, Map<String, String> provenance, List<TableSchema> tables) throws IOException {
        return write(folder, "", new Head(name, title, "", "", "", provenance), tables);
    }

    /** Describes tables that are in {@code folder} under {@code prefix}, which is empty or ends in a slash. */
    public static Path write(Path folder, String prefix, Head head, List<TableSchema> tables) throws IOException {
        ObjectNode root = Json.object();
        root.put("$schema", PROFILE).put("name", head.name()).put("title", head.title());
        if (!head.description().isEmpty()) {
            root.put("description", head.description());
        }
        if (!head.version().isEmpty()) {
            root.put("version", head.version());
        }
        if (!head.license().isEmpty()) {
            root.putArray("licenses").addObject().put("name", head.license());
        }
        root.set("x-provenance", Json.mapper().valueToTree(head.facts()));
        ArrayNode resources = root.putArray("resources");
        for (TableSchema table : tables) {
            ObjectNode resource = resources.addObject();
            resource(resource, folder, prefix, table);
            String parquet = prefix + table.name() + ".parquet";
            if (Files.isRegularFile(folder.resolve(parquet))) {
                resource.putObject(PARQUET).put("path", parquet).put("format", "parquet").put("mediatype", "application/vnd.apache.parquet")
                        .put("bytes", Files.size(folder.resolve(parquet))).put("hash", "sha256:" + Digests.sha256(folder.resolve(parquet)));
            }
        }
        return write(folder.resolve(FILE_NAME), root);
    }

    /** Describes some tables of a described folder anew, and leaves the rest of its description as it is. */
    static Path describe(Path folder, List<TableSchema> tables) throws IOException {
        Path file = folder.resolve(FILE_NAME);
        if (!(Json.mapper().readTree(file.toFile()) instanceof ObjectNode root) || !(root.get("resources") instanceof ArrayNode resources)) {
            throw new IOException(file + ": describes no tables; dataset build makes it anew");
        }
        for (TableSchema table : tables) {
            ObjectNode node = Json.object();
            resource(node, folder, "", table);
            int at = 0;
            while (at < resources.size() && !resources.get(at).path("name").asText().equals(table.name())) {
                at++;
            }
            if (at < resources.size()) {
                resources.set(at, node);
            } else {
                resources.add(node);
            }
        }
        return write(file, root);
    }

    private static Path write(Path file, ObjectNode root) throws IOException {
        byte[] text = Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(root).getBytes(StandardCharsets.UTF_8);
        try {
            AtomicFiles.write(file, out -> {
                out.write(text);
                out.write('\n');
            });
        } catch (IOException e) {
            throw new IOException(file + ": cannot be written: " + e.getMessage(), e);
        }
        return file;
    }

    private static void resource(ObjectNode node, Path folder, String prefix, TableSchema table) throws IOException {
        Path file = folder.resolve(prefix + table.fileName());
        describe(node, prefix, table, Files.size(file), "sha256:" + Digests.sha256(file));
    }

    /** What a reader has to know to read a table as it was meant: all that is said of it but prose, bytes and hash. Closed lists are left out too: they may have grown since. */
    public static JsonNode reading(String prefix, TableSchema table) {
        ObjectNode node = Json.object();
        describe(node, prefix, table, 0, "");
        return reading(node);
    }

    /** The same of a table as a package describes it. */
    public static JsonNode reading(JsonNode resource) {
        if (!(resource.deepCopy() instanceof ObjectNode node)) {
            return resource;
        }
        node.remove(List.of("description", "bytes", "hash", PARQUET));
        node.at("/schema/fields").forEach(field -> {
            if (field instanceof ObjectNode column) {
                column.remove("description");
                if (column.get("constraints") instanceof ObjectNode constraints) {
                    constraints.remove("enum");
                    column.remove(constraints.isEmpty() ? List.of("constraints") : List.of());
                }
            }
        });
        return node;
    }

    private static void describe(ObjectNode node, String prefix, TableSchema table, long bytes, String hash) {
        node.put("name", table.name()).put("type", "table").put("description", table.description()).put("path", prefix + table.fileName())
                .put("format", "csv").put("mediatype", "text/csv").put("encoding", "utf-8").put("bytes", bytes).put("hash", hash);
        node.putObject("dialect").put("header", true).put("delimiter", ",").put("lineTerminator", "\n").put("quoteChar", "\"").put("doubleQuote", true);
        ObjectNode schema = node.putObject("schema");
        ArrayNode fields = schema.putArray("fields");
        for (Column column : table.columns()) {
            field(fields.addObject(), column);
        }
        schema.putArray("missingValues").add("");
        ArrayNode key = schema.putArray("primaryKey");
        table.primaryKey().forEach(key::add);
        if (!table.foreignKeys().isEmpty()) {
            ArrayNode keys = schema.putArray("foreignKeys");
            for (TableSchema.ForeignKey foreign : table.foreignKeys()) {
                ObjectNode entry = keys.addObject();
                ArrayNode own = entry.putArray("fields");
                foreign.columns().forEach(own::add);
                ObjectNode reference = entry.putObject("reference").put("resource", foreign.table());
                ArrayNode target = reference.putArray("fields");
                foreign.target().forEach(target::add);
            }
        }
    }

    private static void field(ObjectNode node, Column column) {
        node.put("name", column.name()).put("type", column.type().id()).put("description", column.description());
        if (!column.unit().isEmpty()) {
            node.put("x-unit", column.unit());
        }
        if (column.hostile()) {
            // Text by strangers: control and bidirectional characters written as escapes, cut, and an apostrophe put before what a
            // spreadsheet would take for a formula.
            node.put("x-escaped", "formula-quote").put("x-printable", true).put("x-max-characters", Cells.TEXT_LIMIT);
        }
        if (column.required() || !column.values().isEmpty()) {
            ObjectNode constraints = node.putObject("constraints");
            if (column.required()) {
                constraints.put("required", true);
            }
            if (!column.values().isEmpty()) {
                ArrayNode values = constraints.putArray("enum");
                column.values().forEach(values::add);
            }
        }
    }
}
