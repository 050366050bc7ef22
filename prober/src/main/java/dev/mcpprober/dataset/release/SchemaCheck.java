package dev.mcpprober.dataset.release;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.dataset.Column;
import dev.mcpprober.dataset.DataPackage;
import dev.mcpprober.dataset.ReleaseTables;
import dev.mcpprober.dataset.TableSchema;
import dev.mcpprober.dataset.audit.AuditTables;
import dev.mcpprober.dataset.declared.DeclaredShares;
import dev.mcpprober.dataset.shares.ShareTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The description of each table demands no less than this program does: whoever edits cells could edit it with them. */
final class SchemaCheck {
    private final Path folder;
    private final Map<String, Descriptor> tables;
    private final Problems problems;
    private final JsonNode root;

    SchemaCheck(Path folder, JsonNode root, Map<String, Descriptor> tables, Problems problems) {
        this.folder = folder;
        this.root = root;
        this.tables = tables;
        this.problems = problems;
    }

    void run() throws IOException {
        List<TableSchema> own = new ArrayList<>(ReleaseTables.fixed());
        own.addAll(List.of(ShareTable.SCHEMA, DeclaredShares.SCHEMA));
        own.addAll(AuditTables.ALL);
        Descriptor view = tables.get("servers");
        if (view != null) {
            List<String> columns = view.fields().stream().map(Descriptor.Field::name).toList();
            own.add(ReleaseTables.wide("", columns.subList(Math.min(columns.size(), ReleaseTables.TRAITS.size()), columns.size())));
        }
        Map<String, TableSchema> known = own.stream().collect(Collectors.toMap(TableSchema::name, schema -> schema));
        tables.values().forEach(table -> {
            TableSchema schema = known.get(table.name());
            if (schema == null) {
                bad(table, "is no table of a release");
            } else {
                table(schema, table);
            }
        });
        // A description without prose: delimiters, missing values, units and whatever else makes others read a table as something else.
        root.path("resources").forEach(resource -> {
            TableSchema schema = known.get(resource.path("name").asText());
            if (schema != null) {
                differs("", DataPackage.reading(Release.DATA, schema), DataPackage.reading(resource))
                        .ifPresent(at -> bad(tables.getOrDefault(schema.name(), Descriptor.of(resource)), "its description is not that of such a table at " + at));
            }
        });
        codes(tables.get("codes"));
    }

    /** Where two values of JSON begin to differ, as a pointer; empty where they do not. */
    private static Optional<String> differs(String at, JsonNode expected, JsonNode is) {
        if (expected.isObject() && is.isObject()) {
            Set<String> names = new TreeSet<>();
            expected.fieldNames().forEachRemaining(names::add);
            is.fieldNames().forEachRemaining(names::add);
            return names.stream().flatMap(name -> differs(at + "/" + name, expected.path(name), is.path(name)).stream()).findFirst();
        } else if (expected.isArray() && is.isArray()) {
            return IntStream.range(0, Math.max(expected.size(), is.size())).boxed().flatMap(i -> differs(at + "/" + i, expected.path(i), is.path(i)).stream()).findFirst();
        }
        return expected.equals(is) ? Optional.empty() : Optional.of(at);
    }

    private void table(TableSchema schema, Descriptor table) {
        if (!table.primaryKey().equals(schema.primaryKey())) {
            bad(table, "its primary key is " + table.primaryKey() + ", and has to be " + schema.primaryKey());
        }
        for (TableSchema.ForeignKey key : schema.foreignKeys()) {
            if (!table.foreignKeys().contains(new Descriptor.Foreign(key.columns(), key.table(), key.target()))) {
                bad(table, "foreign key " + key.columns() + " to table " + key.table() + " is missing");
            }
        }
        for (Column column : schema.columns()) {
            int at = table.position(column.name());
            if (at < 0) {
                bad(table, "column " + column.name() + " is missing");
                continue;
            }
            Descriptor.Field field = table.fields().get(at);
            if (!field.type().equals(column.type().id())) {
                bad(table, "column " + column.name() + " is of type " + field.type() + ", and has to be " + column.type().id());
            }
            if (column.required() && !field.required()) {
                bad(table, "column " + column.name() + " may be empty, and must not be");
            }
            if (!column.values().isEmpty() && (field.values().isEmpty() || !new HashSet<>(column.values()).containsAll(field.values()))) {
                bad(table, "column " + column.name() + " has a closed list with other words than this program knows");
            }
            if (column.hostile() != field.escaped()) {
                bad(table, "column " + column.name() + (column.hostile() ? " holds text of strangers, and does not say so" : " is said to hold text of strangers"));
            }
        }
    }

    /** A code never comes to mean something else. */
    private void codes(Descriptor codes) throws IOException {
        if (codes == null) {
            return;
        }
        Map<String, Map<String, String>> known = new HashMap<>();
        TableCheck.each(folder, codes, row -> {
            String meaning = known.computeIfAbsent(row.get("list"), ReleaseTables::meanings).get(row.get("code"));
            if (!row.get("meaning").equals(meaning)) {
                problems.add(codes.path(), row.number(), meaning == null ? "no such code" : "the code means something else: " + meaning);
            }
            if (known.size() > 1000) {
                // Lists that are none are not remembered without end.
                known.clear();
            }
        });
    }

    private void bad(Descriptor table, String what) {
        problems.add(DataPackage.FILE_NAME, 0, "table " + table.name() + ": " + what);
    }
}
