package dev.mcpprober.dataset.release;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.dataset.CsvTable;
import dev.mcpprober.dataset.DataPackage;
import dev.mcpprober.io.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Semantic version of data by the Data Package recipe: major where a table, a column, a type, a closed list or a key changed, or rows or
 * Parquet files are no longer there; minor where tables or rows came, or Parquet files did; patch where only values or the description changed.
 *
 * @param why  one sentence
 * @param same it is that of the earlier release
 */
record DataVersion(String version, String why, boolean same) {
    private static final Pattern SHAPE = Pattern.compile("(0|[1-9]\\d{0,8})\\.(0|[1-9]\\d{0,8})\\.(0|[1-9]\\d{0,8})");
    private static final String FIRST = "1.0.0";

    /** The part of a version that has to rise. */
    private enum Change { NONE, PATCH, MINOR, MAJOR }

    private record Found(Change change, String why) {}

    /**
     * @param previous folder of an earlier release, or null
     * @param folder   of this one, described but for its version
     * @param wanted   or empty for the lowest that follows
     */
    static DataVersion following(Path previous, Path folder, String wanted) throws IOException, RefusedException {
        if (!wanted.isEmpty() && !SHAPE.matcher(wanted).matches()) {
            throw new RefusedException("data version \"" + wanted + "\": not MAJOR.MINOR.PATCH");
        }
        if (previous == null) {
            return new DataVersion(wanted.isEmpty() ? FIRST : wanted, "First release.", false);
        }
        Path file = previous.resolve(DataPackage.FILE_NAME);
        if (!Files.isRegularFile(file)) {
            throw new RefusedException(previous + " holds no " + DataPackage.FILE_NAME + ", so it is no release to follow");
        }
        JsonNode old = Json.mapper().readTree(file.toFile());
        Matcher before = SHAPE.matcher(old.path("version").asText());
        if (!before.matches()) {
            throw new RefusedException(file + ": its version \"" + old.path("version").asText() + "\" is not MAJOR.MINOR.PATCH");
        }
        Found found = change(previous, old, folder, Json.mapper().readTree(folder.resolve(DataPackage.FILE_NAME).toFile()));
        String lowest = raise(before, found.change());
        if (!wanted.isEmpty() && compare(wanted, lowest) < 0) {
            throw new RefusedException("data version " + wanted + " does not follow " + before.group() + ": at least " + lowest + " is due. " + found.why());
        }
        String version = wanted.isEmpty() ? lowest : wanted;
        return new DataVersion(version, "After " + before.group() + ": " + found.why(), version.equals(before.group()));
    }

    private static String raise(Matcher before, Change change) {
        int major = Integer.parseInt(before.group(1));
        int minor = Integer.parseInt(before.group(2));
        int patch = Integer.parseInt(before.group(3));
        return switch (change) {
            case MAJOR -> (major + 1) + ".0.0";
            case MINOR -> major + "." + (minor + 1) + ".0";
            case PATCH -> major + "." + minor + "." + (patch + 1);
            case NONE -> before.group();
        };
    }

    private static int compare(String a, String b) {
        String[] left = a.split("\\.");
        String[] right = b.split("\\.");
        for (int i = 0; i < left.length; i++) {
            int order = Integer.compare(Integer.parseInt(left[i]), Integer.parseInt(right[i]));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    private static Found change(Path oldFolder, JsonNode old, Path newFolder, JsonNode now) throws IOException {
        Map<String, JsonNode> before = resources(old);
        Map<String, JsonNode> after = resources(now);
        Found worst = old.path("x-provenance").equals(now.path("x-provenance")) && old.path("description").equals(now.path("description"))
                ? new Found(Change.NONE, "Nothing changed.") : new Found(Change.PATCH, "The description changed.");
        for (Map.Entry<String, JsonNode> table : before.entrySet()) {
            JsonNode same = after.get(table.getKey());
            if (same == null) {
                return new Found(Change.MAJOR, "Table " + table.getKey() + " is no longer there.");
            }
            if (!shape(table.getValue()).equals(shape(same))) {
                return new Found(Change.MAJOR, "Table " + table.getKey() + " has another structure.");
            }
            Found parquet = parquet(table.getKey(), table.getValue().path(DataPackage.PARQUET).path("hash"), same.path(DataPackage.PARQUET).path("hash"));
            worst = parquet.change().compareTo(worst.change()) > 0 ? parquet : worst;
            if (!table.getValue().path("hash").equals(same.path("hash"))) {
                Found rows = rows(table.getKey(), oldFolder.resolve(table.getValue().path("path").asText()), newFolder.resolve(same.path("path").asText()),
                        Descriptor.positions(same, same.at("/schema/primaryKey")));
                worst = rows.change().compareTo(worst.change()) > 0 ? rows : worst;
            }
        }
        for (String table : after.keySet()) {
            if (!before.containsKey(table) && worst.change().compareTo(Change.MINOR) < 0) {
                worst = new Found(Change.MINOR, "Table " + table + " is new.");
            }
        }
        return worst;
    }

    private static Found parquet(String table, JsonNode before, JsonNode after) {
        if (before.equals(after)) {
            return new Found(Change.NONE, "");
        }
        return before.isMissingNode() ? new Found(Change.MINOR, "Table " + table + " is there as Parquet too.")
                : after.isMissingNode() ? new Found(Change.MAJOR, "Table " + table + " is no longer there as Parquet.")
                : new Found(Change.PATCH, "The Parquet file of table " + table + " changed.");
    }

    private static Map<String, JsonNode> resources(JsonNode root) {
        Map<String, JsonNode> out = new LinkedHashMap<>();
        root.path("resources").forEach(resource -> out.put(resource.path("name").asText(), resource));
        return out;
    }

    /** What programs that read the table depend on. */
    private static String shape(JsonNode resource) {
        StringBuilder out = new StringBuilder(resource.at("/schema/primaryKey").toString()).append(resource.at("/schema/foreignKeys"));
        resource.at("/schema/fields").forEach(field -> out.append(field.path("name")).append(field.path("type")).append(field.path("constraints")));
        return out.toString();
    }

    private static Found rows(String table, Path before, Path after, List<Integer> key) throws IOException {
        int gone = 0;
        int come = 0;
        try (CsvLines old = new CsvLines(before); CsvLines now = new CsvLines(after)) {
            old.next();
            now.next();
            CsvLines.Line a = old.next();
            CsvLines.Line b = now.next();
            // Both are sorted by key.
            while (a != null || b != null) {
                int order = a == null ? 1 : b == null ? -1 : CsvTable.KEY_ORDER.compare(a.key(key), b.key(key));
                gone += order < 0 ? 1 : 0;
                come += order > 0 ? 1 : 0;
                a = order <= 0 ? old.next() : a;
                b = order >= 0 ? now.next() : b;
            }
        }
        if (gone > 0) {
            return new Found(Change.MAJOR, gone + " rows of table " + table + " are no longer there.");
        }
        return come > 0 ? new Found(Change.MINOR, come + " rows of table " + table + " are new.") : new Found(Change.PATCH, "Values of table " + table + " changed.");
    }
}
