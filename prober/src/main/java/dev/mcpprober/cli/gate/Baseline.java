package dev.mcpprober.cli.gate;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.cli.UserError;
import dev.mcpprober.io.AtomicFiles;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.Printable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A file of findings that are known and accepted for now: JSON, one finding to a line, so that a diff of it can be read. */
public record Baseline(SortedSet<FindingKey> findings) {
    private static final String FORMAT = "mcp-prober-baseline";
    private static final int VERSION = 1;
    private static final int MAX_FINDINGS = 20_000;
    private static final long MAX_BYTES = 16 << 20;
    private static final List<String> REQUIRED = List.of("rules", "check", "observed");
    private static final Set<String> MEMBERS = Set.of("rules", "check", "era", "tool", "property", "observed");
    private static final ObjectWriter ASCII = Json.mapper().writer().with(JsonWriteFeature.ESCAPE_NON_ASCII);

    /** Writes the file whole or not at all. */
    public static void write(Path file, SortedSet<FindingKey> findings) throws IOException {
        StringBuilder text = new StringBuilder("{\"format\": \"" + FORMAT + "\", \"formatVersion\": " + VERSION + ",\n \"findings\": [");
        String separator = "\n  ";
        for (FindingKey key : findings) {
            ObjectNode node = Json.object().put("rules", key.rules()).put("check", key.check());
            put(node, "era", key.era());
            put(node, "tool", key.tool());
            put(node, "property", key.property());
            node.put("observed", key.observed());
            text.append(separator).append(ASCII.writeValueAsString(node).replace("\u007f", "\\u007f"));
            separator = ",\n  ";
        }
        AtomicFiles.write(file, text.append("\n]}\n").toString().getBytes(StandardCharsets.UTF_8));
    }

    private static void put(ObjectNode node, String name, String value) {
        if (!value.isEmpty()) {
            node.put(name, value);
        }
    }

    /** @throws UserError as {@code FILE:LINE: what is wrong} */
    public static Baseline read(Path file) throws UserError, IOException {
        if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
            throw new UserError("--baseline: " + Printable.text(file.toString(), 300) + ": no such file, or not readable (check --write-baseline FILE makes one)");
        }
        if (Files.size(file) > MAX_BYTES) {
            throw new UserError("--baseline: " + Printable.text(file.toString(), 300) + " is too large to be a baseline of this program");
        }
        try (InputStream in = Files.newInputStream(file); JsonParser parser = Json.tokens(in).enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)) {
            return new Reading(file, parser).document();
        }
    }

    /** One pass over the tokens, because a tree no longer knows its lines. */
    private record Reading(Path file, JsonParser parser) {
        Baseline document() throws UserError, IOException {
            expect(next(), JsonToken.START_OBJECT, "a baseline is a JSON object");
            SortedSet<FindingKey> findings = null;
            boolean format = false;
            boolean version = false;
            while (next() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                JsonToken value = next();
                switch (name) {
                    case "format" -> {
                        format = value == JsonToken.VALUE_STRING && parser.getText().equals(FORMAT);
                        require(format, "\"format\" has to be \"" + FORMAT + "\"");
                    }
                    case "formatVersion" -> {
                        version = value == JsonToken.VALUE_NUMBER_INT && parser.getText().equals(Integer.toString(VERSION));
                        require(version, "\"formatVersion\" has to be " + VERSION);
                    }
                    case "findings" -> findings = findings(value);
                    default -> throw wrong("no member \"" + Printable.text(name, 60) + "\" is known here (format, formatVersion, findings)");
                }
            }
            require(format, "\"format\": \"" + FORMAT + "\" is missing");
            require(version, "\"formatVersion\": " + VERSION + " is missing");
            require(findings != null, "\"findings\" is missing");
            require(next() == null, "there is more after the end of the baseline");
            return new Baseline(findings);
        }

        private SortedSet<FindingKey> findings(JsonToken value) throws UserError, IOException {
            expect(value, JsonToken.START_ARRAY, "\"findings\" has to be a list");
            SortedSet<FindingKey> out = new TreeSet<>();
            while (next() != JsonToken.END_ARRAY) {
                expect(parser.currentToken(), JsonToken.START_OBJECT, "a finding is a JSON object");
                FindingKey key = finding();
                require(out.add(key), "the same finding a second time: " + key);
                require(out.size() <= MAX_FINDINGS, "more than " + MAX_FINDINGS + " findings");
            }
            return out;
        }

        private FindingKey finding() throws UserError, IOException {
            Map<String, String> members = new HashMap<>();
            while (next() != JsonToken.END_OBJECT) {
                String name = parser.currentName();
                require(MEMBERS.contains(name), "no member \"" + Printable.text(name, 60) + "\" is known of a finding ("
                        + MEMBERS.stream().sorted().collect(Collectors.joining(", ")) + ")");
                expect(next(), JsonToken.VALUE_STRING, "\"" + name + "\" has to be a string");
                members.put(name, parser.getText());
            }
            for (String name : REQUIRED) {
                require(!members.getOrDefault(name, "").isEmpty(), "\"" + name + "\" of a finding is missing");
            }
            require(!members.get("rules").contains("@"), "\"rules\" is the id of a rule set without its version");
            return new FindingKey(members.get("rules"), members.get("check"), members.getOrDefault("era", ""), members.getOrDefault("tool", ""),
                    members.getOrDefault("property", ""), members.get("observed"));
        }

        private JsonToken next() throws UserError, IOException {
            try {
                return parser.nextToken();
            } catch (JsonProcessingException e) {
                int line = e.getLocation() == null ? 1 : e.getLocation().getLineNr();
                throw new UserError(at(line) + "not JSON: " + Printable.text(Json.problem(e), 200));
            }
        }

        private void expect(JsonToken is, JsonToken should, String message) throws UserError {
            require(is == should, message);
        }

        private void require(boolean holds, String message) throws UserError {
            if (!holds) {
                throw wrong(message);
            }
        }

        private UserError wrong(String message) {
            return new UserError(at(parser.currentTokenLocation().getLineNr()) + message);
        }

        private String at(int line) {
            return "--baseline: " + Printable.text(file.toString(), 300) + ":" + line + ": ";
        }
    }
}
