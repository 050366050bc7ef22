package dev.mcpprober.dataset;

import java.util.Arrays;
import java.util.List;

/**
 * One column of a table.
 *
 * @param name        ends in {@code _text} where, and only where, it holds text that a server, a package or an engine wrote
 * @param type        type of the Data Package's table schema
 * @param description what it holds, its unit, and what an empty cell means
 * @param values      the closed list of values, empty where there is none
 * @param required    never empty
 */
public record Column(String name, Type type, String description, List<String> values, boolean required) {
    private static final String TEXT_SUFFIX = "_text";

    /** The types that we use. */
    public enum Type {
        STRING("string"), INTEGER("integer"), NUMBER("number"), BOOLEAN("boolean"), DATETIME("datetime");

        private final String id;

        Type(String id) {
            this.id = id;
        }

        public String id() {
            return id;
        }

        /** Text for a type that is none of ours. */
        static Type of(String id) {
            return Arrays.stream(values()).filter(type -> type.id.equals(id)).findFirst().orElse(STRING);
        }
    }

    public Column {
        values = List.copyOf(values);
    }

    public static Column plain(String name, String description) {
        return new Column(name, Type.STRING, description, List.of(), false);
    }

    public static Column text(String name, String description) {
        return new Column(name, Type.STRING, description, List.of(), false);
    }

    public static Column integer(String name, String description) {
        return new Column(name, Type.INTEGER, description, List.of(), false);
    }

    public static Column number(String name, String description) {
        return new Column(name, Type.NUMBER, description, List.of(), false);
    }

    public static Column flag(String name, String description) {
        return new Column(name, Type.BOOLEAN, description, List.of(), false);
    }

    public static Column instant(String name, String description) {
        return new Column(name, Type.DATETIME, description, List.of(), false);
    }

    public static Column oneOf(String name, String description, List<String> values) {
        return new Column(name, Type.STRING, description, values, false);
    }

    /** As the description of a release has it. */
    public static Column of(String name, String type) {
        return new Column(name, Type.of(type), "", List.of(), false);
    }

    public Column always() {
        return new Column(name, type, description, values, true);
    }

    /** {@code ms}, {@code byte}, {@code 1} for a share or another pure number; empty for what is no quantity. A name tells its unit. */
    public String unit() {
        if (name.endsWith("_ms")) {
            return "ms";
        }
        return name.endsWith("_bytes") ? "byte" : type == Type.NUMBER ? "1" : "";
    }

    /** Holds text of strangers, escaped. */
    public boolean hostile() {
        return name.endsWith(TEXT_SUFFIX);
    }
}
