package dev.mcpprober.dataset.release;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** One table as {@code datapackage.json} describes it. */
record Descriptor(String name, String path, String hash, long bytes, List<Field> fields, List<String> primaryKey, List<Foreign> foreignKeys) {
    /**
     * @param values  closed list, empty for none
     * @param escaped text of strangers
     */
    record Field(String name, String type, boolean required, Set<String> values, boolean escaped) {}

    record Foreign(List<String> fields, String table, List<String> target) {}

    static Descriptor of(JsonNode resource) {
        List<Field> fields = new ArrayList<>();
        resource.at("/schema/fields").forEach(field -> fields.add(new Field(field.path("name").asText(), field.path("type").asText("string"),
                field.at("/constraints/required").asBoolean(), new LinkedHashSet<>(texts(field.at("/constraints/enum"))), field.has("x-escaped"))));
        List<Foreign> keys = new ArrayList<>();
        resource.at("/schema/foreignKeys").forEach(key -> keys.add(new Foreign(texts(key.path("fields")), key.at("/reference/resource").asText(),
                texts(key.at("/reference/fields")))));
        return new Descriptor(resource.path("name").asText(), resource.path("path").asText(), resource.path("hash").asText(), resource.path("bytes").asLong(-1),
                fields, texts(resource.at("/schema/primaryKey")), keys);
    }

    /** -1 where there is no such column. */
    int position(String column) {
        for (int i = 0; i < fields.size(); i++) {
            if (fields.get(i).name().equals(column)) {
                return i;
            }
        }
        return -1;
    }

    List<Integer> positions(List<String> columns) {
        return columns.stream().map(this::position).toList();
    }

    static List<Integer> positions(JsonNode resource, JsonNode columns) {
        return of(resource).positions(texts(columns));
    }

    private static List<String> texts(JsonNode array) {
        List<String> out = new ArrayList<>();
        array.forEach(value -> out.add(value.asText()));
        return out;
    }
}
