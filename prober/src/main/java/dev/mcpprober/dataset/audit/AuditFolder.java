package dev.mcpprober.dataset.audit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.dataset.audit.Decision.Stratum;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.Printable;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/**
 * What {@code audit sample} left: the key, and what was drawn from how many.
 *
 * @param sample id of the sample
 * @param run    that it was drawn from
 * @param key    decision to what the program decided
 * @param strata in a fixed order
 */
public record AuditFolder(String sample, String run, Map<String, Keyed> key, Map<Stratum, Drawn> strata) {
    private static final long MAX_FILE = 64 << 20;

    /** @param row observation or failure; empty for others */
    public record Keyed(Stratum stratum, String target, String row) {}

    /**
     * @param population decisions with this word
     * @param of         decisions that its share is of
     * @param effective  the same as independent ones
     */
    public record Drawn(int population, int sampled, int of, double effective) {}

    /** A row of a file, with the line on which it ends. */
    record At(int line, CSVRecord cells) {
        String get(String column) {
            return cells.get(column).strip();
        }
    }

    /** @throws AuditException naming the file, where one is missing or is not what was written */
    static AuditFolder read(Path folder) throws IOException, AuditException {
        Path file = folder.resolve(AuditFiles.FACTS);
        if (!Files.isRegularFile(file)) {
            throw new AuditException(folder + " holds no " + AuditFiles.FACTS + ", so it is no audit; name the folder that audit sample made");
        }
        JsonNode facts;
        try {
            facts = Json.mapper().readTree(file.toFile());
        } catch (IOException e) {
            throw new AuditException(file + ": no JSON: " + e.getMessage());
        }
        Map<String, Keyed> key = new HashMap<>();
        for (At row : rows(folder.resolve(AuditFiles.KEY.fileName()), List.of("decision", "kind", "rule_set", "rule", "decided", "target_id", "row"))) {
            key.put(row.get("decision"), new Keyed(stratum(row), row.get("target_id"), row.get("row")));
        }
        Path strataFile = folder.resolve(AuditFiles.STRATA.fileName());
        Map<Stratum, Drawn> strata = new TreeMap<>(Population.ORDER);
        for (At row : rows(strataFile, List.of("kind", "rule_set", "rule", "decided", "population", "sampled", "of", "n_eff"))) {
            try {
                strata.put(stratum(row), new Drawn(Integer.parseInt(row.get("population")), Integer.parseInt(row.get("sampled")), Integer.parseInt(row.get("of")),
                        Double.parseDouble(row.get("n_eff"))));
            } catch (NumberFormatException e) {
                throw new AuditException(strataFile + ":" + row.line() + ": a number is expected: " + Printable.text(String.valueOf(e.getMessage()), 200));
            }
        }
        Map<Stratum, Integer> drawn = new HashMap<>();
        key.values().forEach(keyed -> drawn.merge(keyed.stratum(), 1, Integer::sum));
        for (Map.Entry<Stratum, Drawn> stratum : strata.entrySet()) {
            Drawn is = stratum.getValue();
            if (drawn.getOrDefault(stratum.getKey(), 0) != is.sampled() || is.sampled() > is.population()) {
                throw new AuditException(folder + ": " + AuditFiles.KEY.fileName() + " and " + AuditFiles.STRATA.fileName() + " do not agree on " + String.join(" ", stratum.getKey().key())
                        + "; they were edited, so draw the sample again (the same seed gives the same one)");
            }
        }
        if (!strata.keySet().containsAll(drawn.keySet()) || key.size() != facts.path("decisions").asInt(-1)) {
            throw new AuditException(folder + ": " + AuditFiles.KEY.fileName() + " is not that of " + AuditFiles.FACTS + "; draw the sample again (the same seed gives the same one)");
        }
        return new AuditFolder(facts.path("sample").asText(), facts.path("run").asText(), key, strata);
    }

    private static Stratum stratum(At row) {
        return new Stratum(row.get("kind"), row.get("rule_set"), row.get("rule"), row.get("decided"));
    }

    /** The rows of a CSV file that has at least these columns. A mark at its beginning and carriage returns are read past: spreadsheets leave them. */
    static List<At> rows(Path file, List<String> columns) throws IOException, AuditException {
        if (!Files.isRegularFile(file)) {
            throw new AuditException(file + " is missing");
        } else if (Files.size(file) > MAX_FILE) {
            throw new AuditException(file + " is too large for what it should hold");
        }
        String text;
        try {
            text = Files.readString(file, StandardCharsets.UTF_8);
        } catch (CharacterCodingException e) {
            throw new AuditException(file + ": not UTF-8; save it as CSV in UTF-8");
        }
        CSVFormat format = CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).setIgnoreEmptyLines(true).get();
        try (CSVParser parser = CSVParser.parse(text.startsWith("\uFEFF") ? text.substring(1) : text, format)) {
            List<String> missing = new ArrayList<>(columns);
            missing.removeAll(parser.getHeaderNames());
            if (!missing.isEmpty()) {
                throw new AuditException(file + ":1: no column " + String.join(", ", missing) + "; a comma parts the columns, and the first line names them");
            }
            List<At> out = new ArrayList<>();
            for (CSVRecord row : parser) {
                if (!row.isConsistent()) {
                    throw new AuditException(file + ":" + parser.getCurrentLineNumber() + ": " + row.size() + " cells, the header has " + parser.getHeaderNames().size());
                }
                out.add(new At((int) parser.getCurrentLineNumber(), row));
            }
            return out;
        } catch (IllegalArgumentException | IllegalStateException | CSVException | java.io.UncheckedIOException e) {
            throw new AuditException(file + ": no CSV that can be read: " + Printable.text(String.valueOf(e.getMessage()), 300));
        }
    }
}
