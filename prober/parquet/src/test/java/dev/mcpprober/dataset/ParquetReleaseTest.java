package dev.mcpprober.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.dataset.audit.Audited;
import dev.mcpprober.dataset.disclosure.Disclosure;
import dev.mcpprober.dataset.disclosure.StudyKey;
import dev.mcpprober.dataset.release.Release;
import dev.mcpprober.dataset.release.Verification;
import dev.mcpprober.io.Json;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Releases of servers that say hostile things, read back by SQL. */
class ParquetReleaseTest {
    private static final Map<String, String> TYPES = Map.of("string", "VARCHAR", "integer", "BIGINT", "number", "DOUBLE", "boolean", "BOOLEAN", "datetime", "TIMESTAMP");
    private static final Optional<ParquetTables> PARQUET = ParquetTables.installed();

    @TempDir static Path temp;
    private static Path sound;

    @BeforeAll
    static void build() throws Exception {
        sound = ReleaseFixture.make(temp, "sound", null, PARQUET).folder;
    }

    @Test
    void everyTableReadsBackAsItsCsv() throws Exception {
        Set<String> types = new TreeSet<>();
        Set<String> texts = new TreeSet<>();
        int nulls = same(sound, types, texts);
        assertEquals(new TreeSet<>(TYPES.values()), types, "every type was tried");
        assertTrue(nulls > 0);
        assertTrue(texts.stream().anyMatch(text -> text.startsWith("'=HYPERLINK(\"x\")\\n\\u001b[2J\\u202eevil,\"quoted\"<img src=x onerror=y>")), texts.toString());
        Verification verification = Verification.of(sound, PARQUET);
        assertEquals(List.of(), verification.problems());
        assertEquals(verification.tables().size(), verification.parquet());
    }

    @Test
    void theSameRunGivesTheSameBytes() throws Exception {
        Path again = ReleaseFixture.make(temp, "again", null, PARQUET).folder;
        assertEquals(Files.readString(sound.resolve("SHA256SUMS")), Files.readString(again.resolve("SHA256SUMS")));
        assertTrue(Files.readString(sound.resolve("SHA256SUMS")).contains("  data/targets.parquet\n"));
        assertTrue(Files.readString(again.resolve("provenance.json")).contains("\"parquet\" : \"" + PARQUET.orElseThrow().library() + "\""));
    }

    @Test
    void otherRowsAreCaughtThoughEveryHashIsRight() throws Exception {
        ReleaseFixture release = ReleaseFixture.copy(sound, temp.resolve("changed"));
        Path targets = release.folder.resolve("data/targets.parquet");
        int line = release.line("data/targets.csv", "pkg:npm/silent@1.0.0");
        rewrite(targets, "* REPLACE (CASE WHEN target_id = 'pkg:npm/silent@1.0.0' THEN 4711 ELSE line END AS line)", "");
        release.seal();
        assertEquals(List.of(), Verification.of(release.folder).problems(), "hashes alone do not tell");
        assertEquals(List.of("data/targets.parquet: column line is 4711 where data/targets.csv:" + line + " has \"3\""), problems(release));
        rewrite(targets, "* REPLACE (NULL::BIGINT AS line)", "");
        release.seal();
        assertEquals("data/targets.parquet: column line is null where data/targets.csv:2 has", problems(release).get(0).replaceAll(" \".*", ""));
        Files.copy(sound.resolve("data/targets.parquet"), targets, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        rewrite(targets, "*", "WHERE target_id <> 'pkg:pypi/modern@2.0'");
        release.seal();
        assertEquals(1, problems(release).size(), problems(release).toString());
        Files.copy(sound.resolve("data/codes.parquet"), targets, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        release.seal();
        assertTrue(problems(release).get(0).startsWith("data/targets.parquet: has the columns [list VARCHAR, code VARCHAR, meaning VARCHAR], not [target_id VARCHAR, "), problems(release).toString());
        Files.writeString(targets, "PAR1 and no more");
        release.seal();
        assertTrue(problems(release).get(0).startsWith("data/targets.parquet: cannot be read as Parquet: "), problems(release).toString());
    }

    @Test
    void rowsTooManyAndTooFewAreTold() throws Exception {
        ReleaseFixture release = ReleaseFixture.copy(sound, temp.resolve("more"));
        int lines = Files.readAllLines(sound.resolve("data/codes.csv")).size();
        rewrite(release.folder.resolve("data/codes.parquet"), "*", "LIMIT 3");
        rewrite(release.folder.resolve("data/runs.parquet"), "*", "UNION ALL SELECT * FROM t");
        release.seal();
        assertTrue(lines > 4);
        assertEquals(List.of("data/runs.parquet: more rows than data/runs.csv", "data/codes.parquet: ends before line 5 of data/codes.csv"), problems(release));
    }

    @Test
    void whatIsWithheldIsWithheldHereToo() throws Exception {
        RunFixture run = RunFixture.make(temp.resolve("held"), "run", 10);
        Analysis analysis = ReleaseFixture.analysis(Map.of(), "house@1");
        Path key = temp.resolve("study.key");
        StudyKey.create(key);
        Disclosure disclosure = Disclosure.of(run.folder, analysis, new Disclosure.Request(null, 90, LocalDate.parse("2026-12-24"), key, false));
        Path out = temp.resolve("held-out");
        Release.build(run.folder, analysis, out, new Release.Options(Map.of("house@1", "abc"), true, "A. Nother", null, "", true, disclosure, Audited.none(), PARQUET));
        Set<String> texts = new TreeSet<>();
        same(out, new TreeSet<>(), texts);
        assertEquals(List.of(), Verification.of(out, PARQUET).problems());
        assertTrue(texts.stream().anyMatch(text -> text.matches("held-[a-z2-7]{16}")), "pseudonyms are there");
        for (String name : List.of("@scope", "tool-server", "@pub", "%40pub", "modern@", "pypi:modern")) {
            assertFalse(texts.stream().anyMatch(text -> text.contains(name)), name);
        }
    }

    private static List<String> problems(ReleaseFixture release) throws Exception {
        return Verification.of(release.folder, PARQUET).problems();
    }

    /** Holds each Parquet file of a release against its CSV, read by another reader. @return cells that are null */
    private static int same(Path release, Set<String> types, Set<String> texts) throws Exception {
        int nulls = 0;
        JsonNode root = Json.mapper().readTree(release.resolve("datapackage.json").toFile());
        assertTrue(root.get("resources").size() > 20);
        for (JsonNode resource : root.get("resources")) {
            String path = resource.at("/x-parquet/path").asText();
            List<List<String>> rows = new ArrayList<>();
            try (Connection duck = DriverManager.getConnection("jdbc:duckdb:"); Statement statement = duck.createStatement();
                    ResultSet result = statement.executeQuery("SELECT * FROM '" + release.resolve(path) + "'")) {
                int columns = result.getMetaData().getColumnCount();
                assertEquals(resource.at("/schema/fields").size(), columns, path);
                for (int i = 1; i <= columns; i++) {
                    JsonNode field = resource.at("/schema/fields").get(i - 1);
                    assertEquals(field.get("name").asText(), result.getMetaData().getColumnName(i), path);
                    assertEquals(TYPES.get(field.get("type").asText()), result.getMetaData().getColumnTypeName(i), path);
                    types.add(result.getMetaData().getColumnTypeName(i));
                }
                while (result.next()) {
                    List<String> row = new ArrayList<>();
                    for (int i = 1; i <= columns; i++) {
                        Object value = result.getObject(i);
                        nulls += value == null ? 1 : 0;
                        row.add(value instanceof String text ? text : value == null ? null : value instanceof Double number ? new BigDecimal(number.toString()).stripTrailingZeros().toString()
                                : value instanceof java.sql.Timestamp ? result.getObject(i, LocalDateTime.class).toInstant(ZoneOffset.UTC).toString() : value.toString());
                        if (value instanceof String text) {
                            texts.add(text);
                        }
                    }
                    rows.add(row);
                }
            }
            assertEquals(csv(release.resolve(resource.get("path").asText()), resource.at("/schema/fields")), rows, path);
        }
        return nulls;
    }

    private static List<List<String>> csv(Path file, JsonNode fields) throws Exception {
        List<List<String>> rows = new ArrayList<>();
        try (CSVParser parser = CSVParser.parse(file, StandardCharsets.UTF_8, CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).get())) {
            for (CSVRecord record : parser) {
                List<String> row = new ArrayList<>();
                for (int i = 0; i < fields.size(); i++) {
                    String cell = record.get(i);
                    row.add(cell.isEmpty() ? null : switch (fields.get(i).get("type").asText()) {
                        case "number" -> new BigDecimal(cell).stripTrailingZeros().toString();
                        case "datetime" -> Instant.parse(cell).toString();
                        default -> cell;
                    });
                }
                rows.add(row);
            }
        }
        return rows;
    }

    /** Writes a file anew from itself, as somebody would who knows how. */
    private static void rewrite(Path file, String columns, String rest) throws Exception {
        try (Connection duck = DriverManager.getConnection("jdbc:duckdb:"); Statement statement = duck.createStatement()) {
            statement.execute("CREATE TABLE t AS SELECT * FROM '" + file + "'");
            statement.execute("COPY (SELECT " + columns + " FROM t " + rest + ") TO '" + file + "' (FORMAT parquet)");
        }
    }
}
