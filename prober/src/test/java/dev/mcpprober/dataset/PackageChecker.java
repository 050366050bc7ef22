package dev.mcpprober.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.Digests;
import dev.mcpprober.io.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** Holds a data package against its own description, from the files alone: hashes, types, lists, keys, order. */
public final class PackageChecker {
    public final List<String> problems = new ArrayList<>();
    public final Map<String, List<Map<String, String>>> tables = new LinkedHashMap<>();
    private final Map<String, JsonNode> resources = new LinkedHashMap<>();

    public static PackageChecker check(Path folder) throws IOException {
        PackageChecker checker = new PackageChecker();
        JsonNode root = Json.mapper().readTree(folder.resolve("datapackage.json").toFile());
        for (JsonNode resource : root.get("resources")) {
            checker.resources.put(resource.get("name").asText(), resource);
            checker.table(folder, resource);
        }
        checker.resources.values().forEach(checker::foreignKeys);
        return checker;
    }

    private void table(Path folder, JsonNode resource) throws IOException {
        String name = resource.get("name").asText();
        Path file = folder.resolve(resource.get("path").asText());
        if (Files.size(file) != resource.get("bytes").asLong() || !("sha256:" + Digests.sha256(file)).equals(resource.get("hash").asText())) {
            problems.add(name + ": bytes or hash");
        }
        String text = Files.readString(file, StandardCharsets.UTF_8);
        if (text.indexOf('\r') >= 0 || text.indexOf('\uFEFF') >= 0 || !text.endsWith("\n")) {
            problems.add(name + ": line ends or mark");
        }
        List<Map<String, String>> rows = new ArrayList<>();
        try (CSVParser parser = CSVParser.parse(text, CSVFormat.RFC4180)) {
            List<CSVRecord> records = parser.getRecords();
            List<String> header = records.get(0).toList();
            List<String> fields = new ArrayList<>();
            resource.at("/schema/fields").forEach(field -> fields.add(field.get("name").asText()));
            if (!header.equals(fields)) {
                problems.add(name + ": header " + header + " is not " + fields);
            }
            for (CSVRecord record : records.subList(1, records.size())) {
                Map<String, String> row = new HashMap<>();
                for (int i = 0; i < fields.size(); i++) {
                    row.put(fields.get(i), record.get(i));
                    cell(name, resource.at("/schema/fields").get(i), record.get(i));
                }
                rows.add(row);
            }
            if (text.lines().count() != records.size()) {
                problems.add(name + ": a cell holds a line feed");
            }
        }
        List<String> last = null;
        for (Map<String, String> row : rows) {
            List<String> key = key(row, resource.at("/schema/primaryKey"));
            if (key.contains("") || last != null && CsvTable.KEY_ORDER.compare(last, key) >= 0) {
                problems.add(name + ": key " + key + " after " + last);
            }
            last = key;
        }
        tables.put(name, rows);
    }

    private void cell(String table, JsonNode field, String cell) {
        String where = table + "." + field.get("name").asText() + ": " + cell;
        if (cell.isEmpty()) {
            if (field.at("/constraints/required").asBoolean()) {
                problems.add(where + " is required");
            }
            return;
        }
        boolean typed = switch (field.get("type").asText()) {
            case "integer" -> cell.matches("-?\\d+");
            case "number" -> cell.matches("-?\\d+(\\.\\d+)?(E-?\\d+)?");
            case "boolean" -> cell.matches("true|false");
            case "datetime" -> Instant.parse(cell) != null;
            default -> true;
        };
        if (!typed) {
            problems.add(where + " is no " + field.get("type").asText());
        }
        Set<String> allowed = new HashSet<>();
        field.at("/constraints/enum").forEach(value -> allowed.add(value.asText()));
        if (!allowed.isEmpty() && !allowed.contains(cell)) {
            problems.add(where + " is not in its list");
        }
        if (cell.codePoints().anyMatch(c -> Character.isISOControl(c) || Character.getType(c) == Character.FORMAT)) {
            problems.add(where + " holds a control character");
        }
        if (!field.get("type").asText().equals("integer") && "=+-@".indexOf(cell.strip().charAt(0)) >= 0) {
            problems.add(where + " is a formula");
        }
        if (field.get("name").asText().endsWith("_text") != field.has("x-escaped")) {
            problems.add(where + " is escaped or named wrongly");
        }
    }

    private void foreignKeys(JsonNode resource) {
        for (JsonNode foreign : resource.at("/schema/foreignKeys")) {
            Set<List<String>> known = new HashSet<>();
            for (Map<String, String> row : tables.get(foreign.at("/reference/resource").asText())) {
                known.add(key(row, foreign.at("/reference/fields")));
            }
            for (Map<String, String> row : tables.get(resource.get("name").asText())) {
                // A key with a missing part refers to nothing.
                if (!key(row, foreign.get("fields")).contains("") && !known.contains(key(row, foreign.get("fields")))) {
                    problems.add(resource.get("name").asText() + ": " + key(row, foreign.get("fields")) + " is not in " + foreign.get("reference"));
                }
            }
        }
    }

    private static List<String> key(Map<String, String> row, JsonNode columns) {
        List<String> key = new ArrayList<>();
        columns.forEach(column -> key.add(row.get(column.asText())));
        return key;
    }
}
