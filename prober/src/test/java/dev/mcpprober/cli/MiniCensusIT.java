package dev.mcpprober.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.dataset.PackageChecker;
import dev.mcpprober.run.Coverage;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.LedgerReader;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.sandbox.docker.Leftovers;
import dev.mcpprober.transcript.TranscriptReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/** A census over our own fixtures: real engine, real installs (nothing is taken from earlier ones), every session of the plan. */
class MiniCensusIT {
    private static final Path CORPUS = ProberProcess.HOME.resolveSibling("corpus");
    private static final Path EXPECTED = CORPUS.resolve("fixtures/expected.csv");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS) static Path temp;

    private static Path folder;
    private static Map<String, String> environment;
    private static Leftovers engine;
    private static long pid;
    private static ProberProcess.Ended census;
    private static ProberProcess.Ended meanwhile;
    private static PackageChecker dataset;

    @BeforeAll
    static void run() throws Exception {
        folder = temp.resolve("run");
        environment = Map.of("PROBER_CACHE", temp.resolve("cache").toString());
        engine = new Leftovers();
        try (ProberProcess first = new ProberProcess(temp, environment, command("fixtures.csv"))) {
            pid = first.pid();
            while (first.isAlive() && !Files.exists(new RunFolder(folder).ledger())) {
                Thread.sleep(50);
            }
            meanwhile = ProberProcess.run(temp, environment, command("fixtures.csv"));
            census = first.await();
        }
        assertEquals(0, census.status(), census::toString);
        dataset = PackageChecker.check(folder.resolve("dataset"));
    }

    @AfterAll
    static void clean() {
        if (dataset != null) {
            dataset.tables.get("targets").stream().map(target -> target.get("image")).filter(image -> !image.isEmpty()).distinct().forEach(engine::removeImage);
        }
        engine.close();
    }

    /** A start-up limit below the default: one fixture never answers, and that is waited for. */
    private static String[] command(String frame, String... more) {
        List<String> command = new ArrayList<>(List.of("census", "run", CORPUS.resolve(frame).toString(), "--to", folder.toString(), "--profile", "full",
                "--workers", "3", "--start-timeout", "15"));
        command.addAll(List.of(more));
        return command.toArray(String[]::new);
    }

    private static List<LedgerEvent> ledger() throws IOException {
        List<LedgerEvent> events = new ArrayList<>();
        LedgerReader.read(new RunFolder(folder).ledger(), events::add);
        return events;
    }

    private static int count(String table, Predicate<Map<String, String>> rows) {
        return (int) dataset.tables.get(table).stream().filter(rows).count();
    }

    @Test
    void everyFixtureIsWhatItStandsFor() throws Exception {
        List<String> differences = ExpectedResults.differences(EXPECTED, folder, dataset);
        assertEquals(List.of(), differences, () -> differences.size() + " differences:\n" + String.join("\n", differences) + "\n");
    }

    @Test
    void theNumbersAddUp() throws Exception {
        Coverage coverage = new RunFolder(folder).readLedger().coverage(new RunFolder(folder).readFrame().stream().map(row -> row.target()).toList());
        assertTrue(coverage.complete(), coverage::toString);
        assertEquals(new Coverage(21, 0, 0, 2, 6, 13), coverage);
        assertEquals(21, dataset.tables.get("coverage").stream().mapToInt(row -> Integer.parseInt(row.get("count"))).sum());
        assertEquals(2, count("targets", row -> row.get("state").equals("not-installed")));
        assertEquals(6, count("targets", row -> row.get("state").equals("start-failed")));
        assertEquals(13, count("targets", row -> row.get("state").equals("started")));
        assertEquals(0, count("attempts", row -> !row.get("fault").isEmpty()), () -> dataset.tables.get("attempts").toString());

        ProberProcess.Ended verified = ProberProcess.run(temp, environment, "census", "verify", folder.toString());
        assertEquals(0, verified.status(), verified::toString);
        assertTrue(verified.out().startsWith("21 targets = 0 excluded + 0 unmeasured + 21 measured; ") && verified.out().endsWith("; sound\n"), verified.out());
    }

    @Test
    void theDatasetIsWhatItsDescriptionSays() {
        assertEquals(List.of(), dataset.problems);
        assertEquals(List.of("runs", "targets", "attempts", "sessions", "versions", "observations", "verdicts", "flaky", "rules", "attribution", "failure-shapes", "declared-tools", "vocabulary", "coverage"),
                List.copyOf(dataset.tables.keySet()));
        dataset.tables.forEach((table, rows) -> assertEquals(List.of("flaky", "vocabulary").contains(table), rows.isEmpty(), table));
        Set<String> ruled = dataset.tables.get("rules").stream().filter(row -> row.get("rule_set").startsWith("spec@")).map(row -> row.get("check"))
                .collect(Collectors.toSet());
        assertTrue(ruled.size() > 50, ruled.toString());
        assertEquals(count("observations", row -> ruled.contains(row.get("check"))), count("verdicts", row -> row.get("rule_set").startsWith("spec@")));
        assertEquals(count("targets", row -> !row.get("state").equals("not-installed")), count("attribution", row -> true));
        assertEquals(19, count("attribution", row -> true));
        assertTrue(census.out().contains("\nrun folder " + folder + "\n") && census.out().contains("\n  dataset/datapackage.json\n"), census.out());
    }

    @Test
    void everyWitnessIsInItsTranscript() throws Exception {
        Map<String, Integer> events = new HashMap<>();
        for (Map<String, String> session : dataset.tables.get("sessions")) {
            events.put(session.get("target_id") + " " + session.get("session"),
                    TranscriptReader.read(folder.resolve(session.get("transcript"))).events().size());
        }
        int looked = 0;
        for (Map<String, String> observation : dataset.tables.get("observations")) {
            for (String index : observation.get("witness").isEmpty() ? new String[0] : observation.get("witness").split(";")) {
                int of = events.getOrDefault(observation.get("target_id") + " " + observation.get("session"), 0);
                assertTrue(Integer.parseInt(index) < of, observation::toString);
                looked++;
            }
        }
        assertTrue(looked > 400, looked + " witnesses");
    }

    @Test
    void theSecondRunOnAFolderInUseIsRefused() {
        assertEquals(2, meanwhile.status(), meanwhile::toString);
        assertTrue(meanwhile.err().contains("run folder " + folder + " is in use by process " + pid), meanwhile.err());
        assertEquals("", meanwhile.out());
    }

    @Test
    void theSameCommandAgainDoesNothingNew() throws Exception {
        List<LedgerEvent> before = ledger();
        Map<String, byte[]> files = files("dataset");
        ProberProcess.Ended again = ProberProcess.run(temp, environment, command("fixtures.csv"));
        assertEquals(0, again.status(), again::toString);
        List<LedgerEvent> added = ledger().subList(before.size(), ledger().size());
        assertEquals(List.of("Opened", "Closed"), added.stream().map(event -> event.getClass().getSimpleName()).toList());
        assertEquals(21, again.err().lines().filter(line -> line.endsWith("(from before)")).count(), again.err());
        assertFalse(again.err().contains("gateway"), again.err());
        assertEquals(census.out(), again.out());
        Map<String, byte[]> now = files("dataset");
        assertEquals(files.keySet(), now.keySet());
        files.forEach((name, bytes) -> assertEquals(new String(bytes), new String(now.get(name)), name));
    }

    private static Map<String, byte[]> files(String below) throws IOException {
        Map<String, byte[]> found = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder.resolve(below))) {
            for (Path file : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
                found.put(folder.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return found;
    }

    @Test
    void aFolderOfAnotherRunIsRefused() throws Exception {
        List<LedgerEvent> before = ledger();
        ProberProcess.Ended frame = ProberProcess.run(temp, environment, command("reference.csv"));
        assertEquals(2, frame.status(), frame::toString);
        assertTrue(frame.err().contains(folder + " cannot be continued: it holds the census of another frame (21 rows"), frame.err());
        ProberProcess.Ended profile = ProberProcess.run(temp, environment, command("fixtures.csv", "--request-timeout", "3"));
        assertEquals(2, profile.status(), profile::toString);
        assertTrue(profile.err().contains("it was made with request timeout ms 10000, asked for: 3000"), profile.err());
        Path other = Files.createDirectory(temp.resolve("other"));
        Files.writeString(other.resolve("letter.txt"), "not a run");
        ProberProcess.Ended foreign = ProberProcess.run(temp, environment, "census", "run", CORPUS.resolve("fixtures.csv").toString(), "--to", other.toString());
        assertEquals(2, foreign.status(), foreign::toString);
        assertTrue(foreign.err().contains("folder " + other + " holds files and is no folder of a run"), foreign.err());
        assertEquals(before, ledger());
    }

    @Test
    void nothingOfOursIsLeftOnTheEngine() {
        assertEquals(List.of(), engine.of(pid));
    }
}
