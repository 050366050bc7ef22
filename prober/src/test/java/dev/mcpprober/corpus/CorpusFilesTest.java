package dev.mcpprober.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.PackageUrl;
import dev.mcpprober.model.ProtocolRevision;
import dev.mcpprober.model.SdkFamily;
import dev.mcpprober.model.Target;
import dev.mcpprober.observation.Check;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.Test;

/** The frames and fixtures that the repository ships: readable, complete, and written in the words the prober uses. */
class CorpusFilesTest {
    private static final Path CORPUS = corpus();
    private static final Set<String> VERDICTS =
            Set.of("pass", "fail", "warn", "divergent", "inconclusive", "not-applicable", "not-run", "");

    @Test
    void everyRowOfTheShippedFramesNamesATarget() throws Exception {
        for (String name : List.of("reference.csv", "fixtures.csv", "hostile.csv")) {
            Frame frame = FrameReader.read(CORPUS.resolve(name));
            assertEquals(List.of(), frame.excluded(), name);
            assertFalse(frame.eligible().isEmpty(), name);
        }
    }

    @Test
    void referenceServersArePinnedAndComeFromBothRegistries() throws Exception {
        List<PackageUrl> urls = FrameReader.read(CORPUS.resolve("reference.csv")).eligible().stream().map(FrameEntry::url).toList();
        for (PackageUrl url : urls) {
            assertTrue(url.purl().matches("pkg:(npm|pypi)/.+@[0-9].*"), url.purl());
        }
        Map<Boolean, Long> byRegistry = urls.stream().collect(Collectors.partitioningBy(url -> url.purl().startsWith("pkg:npm/"), Collectors.counting()));
        assertEquals(byRegistry.get(true), byRegistry.get(false), "as many of npm as of PyPI");
    }

    @Test
    void everyFixtureIsInTheFrameAndHasAnExpectation() throws Exception {
        Set<String> folders = fixtureFolders();
        Set<String> framed = new TreeSet<>();
        for (String name : List.of("fixtures.csv", "hostile.csv")) {
            for (FrameEntry entry : FrameReader.read(CORPUS.resolve(name)).eligible()) {
                framed.add(((Target.OnDisk) entry.target()).path().getFileName().toString());
            }
        }
        Set<String> expected = new TreeSet<>();
        expectations("expected.csv").forEach(row -> expected.add(row.get("fixture")));
        expectations("hostile-expected.csv").stream().filter(row -> !row.get("args").isEmpty()).forEach(row -> expected.add(row.get("fixture")));
        assertEquals(folders, framed);
        assertEquals(folders, expected);
    }

    @Test
    void everyHostileDeedHasAnExpectation() throws Exception {
        Set<String> framed = new TreeSet<>();
        for (FrameEntry entry : FrameReader.read(CORPUS.resolve("hostile.csv")).eligible()) {
            framed.add(((Target.OnDisk) entry.target()).path().getFileName() + " " + entry.argsJson());
        }
        Set<String> expected = new TreeSet<>();
        expectations("hostile-expected.csv").stream().filter(row -> !row.get("args").isEmpty()).forEach(row -> expected.add(row.get("fixture") + " " + row.get("args")));
        assertEquals(framed, expected);
    }

    @Test
    void expectationsUseTheClosedVocabularies() throws Exception {
        for (CSVRecord row : expectations("expected.csv")) {
            String manifest = row.get("registry").equals("npm") ? "package.json" : "pyproject.toml";
            assertTrue(Files.exists(CORPUS.resolve("fixtures").resolve(row.get("fixture")).resolve(manifest)), row.get("fixture"));
        }
        for (String file : List.of("expected.csv", "hostile-expected.csv")) {
            useTheClosedVocabularies(file);
        }
    }

    private static void useTheClosedVocabularies(String file) throws Exception {
        for (CSVRecord row : expectations(file)) {
            String where = file + " record " + row.getRecordNumber();
            assertTrue(VERDICTS.contains(row.get("verdict")), where);
            assertTrue(Set.of("legacy", "modern", "").contains(row.get("era")), where);
            if (!row.get("sdk_family").isEmpty()) {
                SdkFamily.of(row.get("sdk_family"));
            }
            if (!row.get("negotiated").isEmpty()) {
                assertTrue(ProtocolRevision.of(row.get("negotiated")).isPresent(), where);
            }
            assertEquals(row.get("install_outcome").equals("installed"), !row.get("startup_failure").startsWith("install-"), where);
            if (!row.get("check").isEmpty()) {
                Check check = Check.of(row.get("check")).orElseThrow(() -> new AssertionError(where + ": no check " + row.get("check")));
                String observed = row.get("observed").replaceFirst("\\(.*", "");
                assertTrue(observed.isEmpty() || check.observable().contains(observed), where + ": " + observed);
            }
        }
    }

    private static Set<String> fixtureFolders() throws IOException {
        try (Stream<Path> all = Files.list(CORPUS.resolve("fixtures"))) {
            return all.filter(Files::isDirectory).map(path -> path.getFileName().toString()).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    private static List<CSVRecord> expectations(String file) throws IOException {
        CSVFormat format = CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).get();
        try (CSVParser parser = CSVParser.parse(CORPUS.resolve("fixtures").resolve(file), StandardCharsets.UTF_8, format)) {
            return parser.getRecords();
        }
    }

    /** The repository's own folder, whether Maven runs in the module or above it. */
    private static Path corpus() {
        Path module = Path.of("corpus");
        return Files.isDirectory(module) ? module : Path.of("..", "corpus");
    }
}
