package dev.mcpprober.corpus;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.PackageUrl;
import dev.mcpprober.model.Printable;
import dev.mcpprober.model.Target;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The four cells of a row as text, before they are understood. Args and env are JSON or empty. */
record FrameCells(String target, String args, String env, String note) {
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final int SHOWN = 80;

    /** @throws IllegalArgumentException saying what is wrong with the line */
    static FrameCells ofJson(String line) {
        JsonNode node = parse("row", line);
        if (!node.isObject()) {
            throw new IllegalArgumentException("row: not a JSON object");
        }
        node.fieldNames().forEachRemaining(name -> {
            if (!List.of("target", "args", "env", "note").contains(name)) {
                throw new IllegalArgumentException("unknown member \"" + Printable.text(name, SHOWN) + "\" (members: target, args, env, note)");
            }
        });
        JsonNode target = node.path("target");
        if (!target.isTextual()) {
            throw new IllegalArgumentException("target: a text is required");
        }
        return new FrameCells(target.textValue(), json(node.get("args")), json(node.get("env")), node.path("note").asText());
    }

    private static String json(JsonNode node) {
        return node == null || node.isNull() ? "" : Json.write(node);
    }

    /** @throws IllegalArgumentException saying which cell is wrong and how */
    FrameEntry entry(int line, Path folder) {
        String text = target.strip();
        Target read = read(text, folder);
        String label = read instanceof Target.InRegistry registry ? registry.label() : text.replaceFirst("(?<=.)/+$", "");
        return new FrameEntry(line, label, read, readArgs(), readEnv(), note);
    }

    private static Target read(String text, Path folder) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("target: empty");
        }
        if (PackageUrl.looksLikeOne(text)) {
            try {
                return new Target.InRegistry(PackageUrl.parse(text));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("target: " + e.getMessage(), e);
            }
        }
        if (text.startsWith("./") || text.startsWith("../") || text.startsWith("/")) {
            if (text.chars().anyMatch(Character::isISOControl)) {
                throw new IllegalArgumentException("target: a path with a control character, \"" + Printable.text(text, SHOWN) + "\"");
            }
            return new Target.OnDisk(folder.resolve(text).normalize());
        }
        throw new IllegalArgumentException("target: \"" + Printable.text(text, SHOWN)
                + "\" (expected npm:NAME[@VERSION], pypi:NAME[==VERSION], pkg:npm/…, pkg:pypi/…, or a path that starts with ./ or /)");
    }

    private List<String> readArgs() {
        if (args.isBlank()) {
            return List.of();
        }
        JsonNode node = parse("args", args);
        if (!node.isArray()) {
            throw new IllegalArgumentException("args: not a JSON array of strings, e.g. [\"--root\",\"/tmp\"]");
        }
        List<String> out = new ArrayList<>();
        for (JsonNode element : node) {
            out.add(string("args", element));
        }
        return out;
    }

    private Map<String, String> readEnv() {
        if (env.isBlank()) {
            return Map.of();
        }
        JsonNode node = parse("env", env);
        if (!node.isObject()) {
            throw new IllegalArgumentException("env: not a JSON object of strings, e.g. {\"REGION\":\"eu\"}");
        }
        Map<String, String> out = new LinkedHashMap<>();
        node.fields().forEachRemaining(field -> {
            if (!VARIABLE.matcher(field.getKey()).matches()) {
                throw new IllegalArgumentException("env: \"" + Printable.text(field.getKey(), SHOWN) + "\" is no name of a variable");
            }
            out.put(field.getKey(), string("env", field.getValue()));
        });
        return out;
    }

    private static String string(String cell, JsonNode node) {
        if (!node.isTextual()) {
            throw new IllegalArgumentException(cell + ": holds " + Printable.text(Json.write(node), SHOWN) + ", which is no string");
        }
        if (node.textValue().indexOf('\0') >= 0) {
            throw new IllegalArgumentException(cell + ": holds a NUL character");
        }
        return node.textValue();
    }

    private static JsonNode parse(String cell, String text) {
        Json.Parsed parsed = Json.parse(text);
        if (parsed instanceof Json.Parsed.Value value) {
            return value.node();
        }
        String reason = parsed instanceof Json.Parsed.Malformed malformed ? malformed.reason() : ((Json.Parsed.OverLimit) parsed).reason();
        throw new IllegalArgumentException(cell + ": not JSON (" + Printable.text(reason.split("\n", 2)[0], 200) + ")");
    }
}
