package dev.mcpprober.parquet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.dataset.Column;
import dev.mcpprober.dataset.ParquetTables;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DuckParquetTest {
    private static final List<Column> COLUMNS = List.of(Column.plain("id", "").always(), Column.integer("n", ""), Column.number("share", ""), Column.flag("right", ""),
            Column.instant("at", ""), Column.text("said_text", ""));
    private static final String HEADER = "id,n,share,right,at,said_text\n";

    private final ParquetTables parquet = new DuckParquet();

    @TempDir Path temp;

    @Test
    void everyTypeAndEveryHostileTextComesBack() throws Exception {
        Path csv = table("data", """
                a,-32601,0.1,true,2026-11-30T12:00:00.123Z,"say ""hi"", <b>you</b>"
                b,,,,,
                c,9223372036854775807,-0.25,false,1969-12-31T23:59:59Z,'=HYPERLINK(1)
                d,-9223372036854775808,123456789.123456789,true,2026-11-01T00:00:00Z,NULL
                e,0,1,false,2026-11-30T12:00:00.000001Z,#no comment
                f,0,0,false,2026-11-30T12:00:00Z,  spaces\u00A0
                g,0,0,false,2026-11-30T12:00:00Z,'; DROP TABLE t; -- $1 ? {x} \\n \\ \\u0000
                h,0,0,false,2026-11-30T12:00:00Z,héllo 漢字 \uD83D\uDE00
                i,0,0,false,2026-11-30T12:00:00Z,"a;b|c\td"
                j,0,0,false,2026-11-30T12:00:00Z,0x1F
                "k,l",0,0,false,2026-11-30T12:00:00Z,"''"
                """);
        assertEquals(List.of(
                Arrays.asList("a", -32601L, 0.1, true, Instant.parse("2026-11-30T12:00:00.123Z"), "say \"hi\", <b>you</b>"),
                Arrays.asList("b", null, null, null, null, null),
                Arrays.asList("c", Long.MAX_VALUE, -0.25, false, Instant.parse("1969-12-31T23:59:59Z"), "'=HYPERLINK(1)"),
                Arrays.asList("d", Long.MIN_VALUE, 123456789.123456789, true, Instant.parse("2026-11-01T00:00:00Z"), "NULL"),
                Arrays.asList("e", 0L, 1.0, false, Instant.parse("2026-11-30T12:00:00.000001Z"), "#no comment"),
                Arrays.asList("f", 0L, 0.0, false, Instant.parse("2026-11-30T12:00:00Z"), "  spaces\u00A0"),
                Arrays.asList("g", 0L, 0.0, false, Instant.parse("2026-11-30T12:00:00Z"), "'; DROP TABLE t; -- $1 ? {x} \\n \\ \\u0000"),
                Arrays.asList("h", 0L, 0.0, false, Instant.parse("2026-11-30T12:00:00Z"), "héllo 漢字 \uD83D\uDE00"),
                Arrays.asList("i", 0L, 0.0, false, Instant.parse("2026-11-30T12:00:00Z"), "a;b|c\td"),
                Arrays.asList("j", 0L, 0.0, false, Instant.parse("2026-11-30T12:00:00Z"), "0x1F"),
                Arrays.asList("k,l", 0L, 0.0, false, Instant.parse("2026-11-30T12:00:00Z"), "''")), written(csv));
        assertEquals(List.of("id VARCHAR", "n BIGINT", "share DOUBLE", "right BOOLEAN", "at TIMESTAMP", "said_text VARCHAR"),
                sql("DESCRIBE SELECT * FROM '" + temp.resolve("data/t.parquet") + "'", 2));
        assertEquals(List.of("ZSTD"), sql("SELECT DISTINCT compression FROM parquet_metadata('" + temp.resolve("data/t.parquet") + "')", 1));
    }

    @Test
    void aTableWithoutRowsHasItsColumns() throws Exception {
        assertEquals(List.of(), written(table("data", "")));
    }

    @Test
    void orderAndBytesAreTheSameEachTimeWithManyGroups() throws Exception {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < 130_000; i++) {
            rows.append(Integer.toString(i * 7919 % 130_003, 36)).append(',').append(i).append(",0.5,true,2026-11-30T12:00:00Z,text ").append(i % 97).append('\n');
        }
        Path csv = table("data", rows.toString());
        List<List<Object>> first = written(csv);
        assertEquals(130_000, first.size());
        for (int i = 0; i < first.size(); i++) {
            assertEquals((long) i, first.get(i).get(1));
        }
        byte[] bytes = Files.readAllBytes(temp.resolve("data/t.parquet"));
        parquet.write(csv, COLUMNS, temp.resolve("again.parquet"));
        assertTrue(Arrays.equals(bytes, Files.readAllBytes(temp.resolve("again.parquet"))));
    }

    @Test
    void theNameOfAFolderIsNeitherPatternNorPartition() throws Exception {
        for (String folder : List.of("g*", "day=1", "a[b]?'{c} \\n;é")) {
            assertEquals(List.of(Arrays.asList("mine", null, null, null, null, null)), written(table(folder, "mine,,,,,\n")), folder);
        }
    }

    @Test
    void aPatternOfFilesElsewhereIsRefused() throws Exception {
        table("gx", "another,,,,,\n");
        Path csv = table("g*", "mine,,,,,\n");
        String refused = assertThrows(IOException.class, () -> written(csv)).getMessage();
        assertTrue(refused.contains("Cannot access file"), refused);
    }

    @Test
    void whatDoesNotFitItsTypeIsRefused() throws Exception {
        for (String row : List.of("a,9223372036854775808,,,,", "a,1.5e,,,,", "a,,x,,,", "a,,,maybe,,", "a,,,,yesterday,", "a,,,,", "a,,,,,,x", "a,,,,,\"x\"y")) {
            Path csv = table("data", row + "\n");
            IOException refused = assertThrows(IOException.class, () -> parquet.write(csv, COLUMNS, temp.resolve("data/t.parquet")), row);
            assertTrue(refused.getMessage().startsWith(csv + ": cannot be written as Parquet: "), refused.getMessage());
        }
    }

    @Test
    void otherColumnsAndOtherFilesAreRefused() throws Exception {
        written(table("data", "a,,,,,\n"));
        Path file = temp.resolve("data/t.parquet");
        String columns = assertThrows(IOException.class, () -> parquet.read(file, COLUMNS.subList(0, 2), row -> {})).getMessage();
        assertTrue(columns.startsWith("has the columns [id VARCHAR, n BIGINT, "), columns);
        List<Column> hostile = List.of(Column.plain("id\" FROM glob('/etc/*'); --", ""));
        assertTrue(assertThrows(IOException.class, () -> parquet.read(file, hostile, row -> {})).getMessage().startsWith("has the columns"));
        Files.writeString(file, "PAR1 and no more");
        String broken = assertThrows(IOException.class, () -> parquet.read(file, COLUMNS, row -> {})).getMessage();
        assertTrue(broken.startsWith("cannot be read as Parquet: "), broken);
    }

    @Test
    void namesOfColumnsAreNoSql() throws Exception {
        String name = "x\" y', --{}";
        Path csv = Files.writeString(temp.resolve("t.csv"), "id,\"x\"\" y', --{}\"\n1,2\n");
        List<Column> columns = List.of(Column.plain("id", ""), Column.integer(name, ""));
        parquet.write(csv, columns, temp.resolve("t.parquet"));
        List<List<Object>> rows = new ArrayList<>();
        parquet.read(temp.resolve("t.parquet"), columns, rows::add);
        assertEquals(List.of(List.of("1", 2L)), rows);
    }

    @Test
    void itIsFoundAndSaysWhatItIs() {
        assertEquals(DuckParquet.class, ParquetTables.installed().orElseThrow().getClass());
        assertTrue(parquet.library().matches("DuckDB v\\d+\\.\\d+\\.\\d+"), parquet.library());
    }

    private Path table(String folder, String rows) throws IOException {
        Files.createDirectories(temp.resolve(folder));
        return Files.write(temp.resolve(folder).resolve("t.csv"), (HEADER + rows).getBytes(StandardCharsets.UTF_8));
    }

    private List<List<Object>> written(Path csv) throws IOException {
        Path file = csv.resolveSibling("t.parquet");
        parquet.write(csv, COLUMNS, file);
        return read(file);
    }

    private List<List<Object>> read(Path file) throws IOException {
        List<List<Object>> rows = new ArrayList<>();
        parquet.read(file, COLUMNS, rows::add);
        return rows;
    }

    private static List<String> sql(String query, int columns) throws SQLException {
        List<String> out = new ArrayList<>();
        try (Connection duck = DriverManager.getConnection("jdbc:duckdb:"); Statement statement = duck.createStatement(); ResultSet result = statement.executeQuery(query)) {
            while (result.next()) {
                out.add(columns == 1 ? result.getString(1) : result.getString(1) + " " + result.getString(2));
            }
        }
        return out;
    }
}
