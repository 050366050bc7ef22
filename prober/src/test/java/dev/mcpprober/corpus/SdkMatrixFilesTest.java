package dev.mcpprober.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mcpprober.model.Era;
import dev.mcpprober.model.ProtocolRevision;
import dev.mcpprober.model.SdkFamily;
import dev.mcpprober.model.Target;
import dev.mcpprober.observation.Check;
import dev.mcpprober.observation.Consequence;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code corpus/sdk-matrix}: its generator gives the committed frame and expectations, byte for byte; nothing is installed. */
class SdkMatrixFilesTest {
    private static final Path MATRIX = matrix();
    private static final Pattern VALUE = Pattern.compile("([a-z0-9-]+)(?:\\((-?\\d+)\\))?(?: ([a-z-]+))?");
    private static final Set<String> CONSEQUENCES =
            Set.of(Consequence.SILENT_EXECUTION, Consequence.IN_BAND_ERROR, Consequence.EMPTY_RESULT, Consequence.UNDETERMINED);
    @TempDir Path folder;

    @Test
    void theGeneratorIsDeterministicAndItsFrameIsTheCommittedOne() throws Exception {
        Map<String, String> once = generated("once");
        assertEquals(once, generated("again"));
        for (String name : List.of("frame.csv", "expected.csv")) {
            assertEquals(once.get(name), Files.readString(MATRIX.resolve(name)), name + " is out of date: run corpus/sdk-matrix/generate");
        }
        Frame frame = FrameReader.read(folder.resolve("once/frame.csv"));
        assertEquals(List.of(), frame.excluded());
        for (FrameEntry entry : frame.eligible()) {
            Path server = ((Target.OnDisk) entry.target()).path();
            String name = "build/" + server.getFileName() + "/";
            assertTrue(once.containsKey(name + "package.json") != once.containsKey(name + "pyproject.toml"), name);
        }
        once.forEach((name, text) -> assertTrue(!text.contains("__NAME__") && !text.contains("https://") && !text.contains("http://"), name));
    }

    @Test
    void everyServerIsExpectedInTheClosedVocabularies() throws Exception {
        Map<String, Map<String, String>> expected = new TreeMap<>();
        for (CSVRecord row : rows("expected.csv")) {
            String what = row.get("what");
            assertEquals(null, expected.computeIfAbsent(row.get("target"), t -> new TreeMap<>()).put(what, row.get("expected")), row.toString());
            assertTrue(wellFormed(what, row.get("expected")), row.toString());
        }
        List<CSVRecord> frame = rows("frame.csv");
        assertEquals(frame.size(), rows("matrix.csv").size());
        assertEquals(frame.stream().map(row -> row.get("target")).collect(Collectors.toSet()), expected.keySet());
        expected.forEach((target, of) -> assertTrue(of.containsKey("startup_failure") || of.keySet().containsAll(
                Set.of("sdk_family", "sdk_version", "sdk_style", "eras", "revision", "tools-call-unknown", "tools-call-wrong-type")), target + of));
    }

    private static boolean wellFormed(String what, String value) {
        switch (what) {
            case "startup_failure":
                return value.equals("crash-traceback");
            case "install_outcome":
                return value.equals("installed");
            case "sdk_family":
                return SdkFamily.of(value) != SdkFamily.UNKNOWN;
            case "sdk_version":
                return value.matches("\\d+\\.\\d+\\.\\d+");
            case "sdk_style":
                return value.matches("|(high|low)(\\+serveStdio|\\+transport)?");
            case "eras":
                Set<String> eras = Arrays.stream(Era.values()).map(Era::id).collect(Collectors.toSet());
                return eras.containsAll(List.of(value.split(";")));
            case "revision":
                return ProtocolRevision.of(value).isPresent();
            default:
                Matcher matcher = VALUE.matcher(value);
                return value.equals("no-row") || matcher.matches() && Check.of(what.replaceFirst("(/[a-z]+)?(@modern)?$", "")).orElseThrow().observable().contains(matcher.group(1))
                        && (matcher.group(3) == null || CONSEQUENCES.contains(matcher.group(3)));
        }
    }

    /** Path to text of everything that the generator writes. */
    private Map<String, String> generated(String name) throws IOException, InterruptedException {
        Path to = Files.createDirectory(folder.resolve(name));
        Process process;
        try {
            process = new ProcessBuilder("python3", MATRIX.resolve("generate").toString(), "--to", to.toString()).redirectErrorStream(true).start();
        } catch (IOException e) {
            assumeTrue(false, "no python3 on this machine: the generator of corpus/sdk-matrix is not tested");
            throw e;
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
        Map<String, String> files = new TreeMap<>();
        List<Path> found = new ArrayList<>();
        try (Stream<Path> walk = Files.walk(to)) {
            walk.filter(Files::isRegularFile).forEach(found::add);
        }
        for (Path file : found) {
            files.put(to.relativize(file).toString(), Files.readString(file));
        }
        return files;
    }

    private static List<CSVRecord> rows(String name) throws IOException {
        CSVFormat format = CSVFormat.RFC4180.builder().setHeader().setSkipHeaderRecord(true).get();
        try (CSVParser parser = CSVParser.parse(MATRIX.resolve(name), StandardCharsets.UTF_8, format)) {
            return parser.getRecords();
        }
    }

    /** The repository's own folder, whether Maven runs in the module or above it. */
    private static Path matrix() {
        Path here = Path.of("corpus");
        return (Files.isDirectory(here) ? here : Path.of("..", "corpus")).resolve("sdk-matrix");
    }
}
