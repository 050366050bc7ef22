package dev.mcpprober.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.dataset.release.Verification;
import dev.mcpprober.io.Digests;
import dev.mcpprober.io.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** What a release and its verification make of Parquet files. What is in such a file is tested where one is written, in module parquet; here it is a mark and the CSV. */
class ReleaseParquetTest {
    /** @param mark begins each file */
    private record Marked(String mark) implements ParquetTables {
        @Override
        public String library() {
            return "marker " + mark;
        }

        @Override
        public void write(Path csv, List<Column> columns, Path parquet) throws IOException {
            Files.writeString(parquet, mark + "\n" + columns.size() + "\n" + Files.readString(csv));
        }

        @Override
        public void read(Path parquet, List<Column> columns, Rows rows) throws IOException {
            throw new IOException("is read");
        }
    }

    private static final Optional<ParquetTables> PARQUET = Optional.of(new Marked("PAR1"));

    @TempDir static Path temp;
    private static Path sound;
    private ReleaseFixture release;

    @BeforeAll
    static void build() throws Exception {
        sound = ReleaseFixture.make(temp, "sound", null, PARQUET).folder;
    }

    @BeforeEach
    void copy(TestInfo test) throws Exception {
        release = ReleaseFixture.copy(sound, temp.resolve(test.getTestMethod().orElseThrow().getName()));
    }

    @Test
    void everyTableHasOneThatIsDescribedHashedAndExplained() throws Exception {
        Verification verification = Verification.of(sound);
        assertEquals(List.of(), verification.problems());
        assertEquals(verification.tables().size(), verification.parquet());
        List<String> sums = Files.readAllLines(sound.resolve("SHA256SUMS"));
        for (JsonNode resource : root(sound).get("resources")) {
            JsonNode told = resource.get("x-parquet");
            String path = told.get("path").asText();
            assertEquals(resource.get("path").asText().replace(".csv", ".parquet"), path);
            assertEquals("parquet", told.get("format").asText());
            assertEquals(Files.size(sound.resolve(path)), told.get("bytes").asLong());
            assertEquals("sha256:" + Digests.sha256(sound.resolve(path)), told.get("hash").asText());
            assertTrue(sums.contains(Digests.sha256(sound.resolve(path)) + "  " + path), path);
            assertEquals("csv", resource.get("format").asText());
            assertEquals("PAR1\n" + resource.at("/schema/fields").size() + "\n" + Files.readString(sound.resolve(resource.get("path").asText())), Files.readString(sound.resolve(path)));
        }
        JsonNode provenance = Json.mapper().readTree(sound.resolve("provenance.json").toFile());
        assertEquals("marker PAR1", provenance.at("/tool/parquet").asText());
        assertTrue(provenance.get("argv").toString().contains("\"--parquet\""), provenance.get("argv").toString());
        assertTrue(Files.readString(sound.resolve("README.md")).contains("`data/*.parquet` are the same tables again"));
    }

    @Test
    void nobodyWhoDidNotAskSeesAnythingOfIt() throws Exception {
        Path plain = ReleaseFixture.make(temp, "plain", null, Optional.empty()).folder;
        Verification verification = Verification.of(plain, PARQUET);
        assertEquals(List.of(), verification.problems());
        assertEquals(0, verification.parquet());
        try (Stream<Path> files = Files.walk(plain)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1);
                assertFalse(file.toString().contains("parquet") || text.contains("parquet"), file.toString());
            }
        }
        for (JsonNode resource : root(plain).get("resources")) {
            String path = resource.get("path").asText();
            assertEquals(Files.readString(plain.resolve(path)), Files.readString(sound.resolve(path)), "the CSVs are the same with and without");
        }
    }

    @Test
    void itIsReplacedByTheSameBytes() throws Exception {
        assertEquals(Files.readString(sound.resolve("SHA256SUMS")), Files.readString(ReleaseFixture.make(temp, "again", null, PARQUET).folder.resolve("SHA256SUMS")));
        ReleaseFixture.make(temp, "again", null, Optional.empty());
        assertFalse(Files.exists(temp.resolve("again/data/targets.parquet")));
        assertEquals(List.of(), Verification.of(temp.resolve("again")).problems());
    }

    @Test
    void theVersionFollowsFromFilesThatComeChangeAndGo() throws Exception {
        Path plain = ReleaseFixture.make(temp, "csv", null, Optional.empty()).folder;
        assertEquals("1.1.0 After 1.0.0: Table runs is there as Parquet too.", version(ReleaseFixture.make(temp, "came", plain, PARQUET)));
        assertEquals("1.0.0 First release.", version(ReleaseFixture.make(temp, "same", sound, PARQUET)));
        assertEquals("1.0.1 After 1.0.0: The Parquet file of table runs changed.", version(ReleaseFixture.make(temp, "other", sound, Optional.of(new Marked("PAR2")))));
        assertEquals("2.0.0 After 1.0.0: Table runs is no longer there as Parquet.", version(ReleaseFixture.make(temp, "gone", sound, Optional.empty())));
    }

    @Test
    void aChangedFile() throws Exception {
        Files.writeString(release.folder.resolve("data/targets.parquet"), "PAR1");
        caught("SHA256SUMS:" + release.line("SHA256SUMS", "data/targets.parquet") + ": data/targets.parquet has another SHA-256");
        caught("datapackage.json: table targets: data/targets.parquet has another size or SHA-256");
    }

    @Test
    void aMissingFile() throws Exception {
        Files.delete(release.folder.resolve("data/codes.parquet"));
        caught("SHA256SUMS:" + release.line("SHA256SUMS", "data/codes.parquet") + ": data/codes.parquet is missing");
        release.seal();
        caught("datapackage.json: table codes: no Parquet file data/codes.parquet");
    }

    @Test
    void aFileThatIsNotDescribed() throws Exception {
        Files.writeString(release.folder.resolve("data/more.parquet"), "PAR1");
        caught("SHA256SUMS: data/more.parquet is in the folder and not in this list");
        release.seal();
        caught("datapackage.json: data/more.parquet is in the folder and not described");
    }

    @Test
    void aTableThatHasNone() throws Exception {
        describe(resource -> resource.remove("x-parquet"));
        caught("datapackage.json: 20 of 21 tables have a Parquet file; all have one or none");
        caught("datapackage.json: data/targets.parquet is in the folder and not described");
    }

    @Test
    void aFileOfAnotherTableOrFolder() throws Exception {
        for (String path : List.of("data/codes.parquet", "../targets.parquet", "/etc/hostname", "README.md", "")) {
            describe(resource -> ((ObjectNode) resource.get("x-parquet")).put("path", path));
            caught("datapackage.json: table targets: no Parquet file " + path);
        }
    }

    @Test
    void rowsAreReadOnlyWhereTheHashIsRight() throws Exception {
        Files.writeString(release.folder.resolve("data/targets.parquet"), "PAR1");
        List<String> problems = Verification.of(release.folder, PARQUET).problems();
        assertFalse(problems.contains("data/targets.parquet: is read"), problems.toString());
        assertEquals(20, problems.stream().filter(problem -> problem.endsWith(".parquet: is read")).count());
    }

    private void caught(String problem) throws Exception {
        List<String> problems = Verification.of(release.folder).problems();
        assertTrue(problems.contains(problem), problem + "\n  is not among\n" + String.join("\n", problems));
    }

    /** Changes the description of table targets. */
    private void describe(Consumer<ObjectNode> change) throws Exception {
        JsonNode root = root(release.folder);
        for (JsonNode resource : root.get("resources")) {
            if (resource.get("name").asText().equals("targets")) {
                change.accept((ObjectNode) resource);
            }
        }
        Files.writeString(release.folder.resolve("datapackage.json"), root.toString());
    }

    private static String version(ReleaseFixture release) throws Exception {
        List<String> lines = new ArrayList<>(Files.readAllLines(release.folder.resolve("CHANGELOG.md")));
        lines.removeIf(String::isBlank);
        return root(release.folder).get("version").asText() + " " + lines.get(1);
    }

    private static JsonNode root(Path folder) throws IOException {
        return Json.mapper().readTree(folder.resolve("datapackage.json").toFile());
    }
}
