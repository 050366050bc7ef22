package dev.mcpprober.dataset;

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
    static final String FILE_NAME = "datapackage.json";
    private static final String PROFILE = "https://datapackage.org/profiles/2.0/datapackage.json";

    private DataPackage() {}

    /**
     * Describes files that are in {@code folder}.
     *
     * @param provenance name to value, for the member {@code x-provenance}
     */
    public static Path write(Path folder, String name, String title, Map<String, String> provenance, List<TableSchema> tables) throws IOException {
        ObjectNode root = Json.object();
        root.put("$schema", PROFILE).put("name", name).put("title", title);
        root.set("x-provenance", Json.mapper().valueToTree(provenance));
        ArrayNode resources = root.putArray("resources");
        for (TableSchema table : tables) {
            resource(resources.addObject(), folder, table);
        }
        Path file = folder.resolve(FILE_NAME);
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

    private static void resource(ObjectNode node, Path folder, TableSchema table) throws IOException {
        Path file = folder.resolve(table.fileName());
        node.put("name", table.name()).put("type", "table").put("description", table.description()).put("path", table.fileName())
                .put("format", "csv").put("mediatype", "text/csv").put("encoding", "utf-8")
                .put("bytes", Files.size(file)).put("hash", "sha256:" + Digests.sha256(file));
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
