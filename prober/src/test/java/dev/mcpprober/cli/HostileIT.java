package dev.mcpprober.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mcpprober.dataset.PackageChecker;
import dev.mcpprober.sandbox.docker.Leftovers;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.TranscriptReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A census of servers that do all the harm they can, with well-behaved ones between them. Each hostile one gets what it deserves; the
 * others keep the verdicts that they have alone; nothing is a fault, nothing is left, and nothing was reached.
 */
class HostileIT {
    private static final Path CORPUS = ProberProcess.HOME.resolveSibling("corpus");
    private static final Path EXPECTED = CORPUS.resolve("fixtures/hostile-expected.csv");
    private static final List<String> NEIGHBOURS = List.of("ts-wellbehaved", "py-wellbehaved");
    private static final int EVERY = 6;
    /** Of the archives of many files; 100,000 take a busy machine minutes. */
    private static final String FILES = "5000";
    /** Of the orchestrator: 240 MiB of heap and what a Java machine takes besides. */
    private static final long MOST_MEMORY_KIB = 600 << 10;
    /** What a quick session does not show: how a server ends. */
    private static final List<String> ENDINGS = List.of("ignores-end", "detached");

    @TempDir(cleanup = CleanupMode.ON_SUCCESS) static Path temp;

    private static Leftovers engine;
    private static Run alone;
    private static Run beside;
    private static Run endings;

    /** One census: how it ended, what it took, what it says. */
    private record Run(Path folder, long pid, long peakKib, ProberProcess.Ended ended, PackageChecker dataset) {
        static Run of(String name, String profile) throws Exception {
            Path folder = temp.resolve(name);
            long peak = 0;
            try (ProberProcess prober = new ProberProcess(temp, Map.of("PROBER_CACHE", temp.resolve("cache").toString()), "census", "run",
                    temp.resolve(name + ".csv").toString(), "--to", folder.toString(), "--profile", profile, "--workers", "2", "--install-workers", "2", "--start-timeout", "8", "--install-timeout", "900", "--keep-images")) {
                while (prober.isAlive()) {
                    peak = Math.max(peak, residentKib(prober.pid()));
                    Thread.sleep(500);
                }
                ProberProcess.Ended ended = prober.await();
                assertEquals(0, ended.status(), ended::toString);
                return new Run(folder, prober.pid(), peak, ended, PackageChecker.check(folder.resolve("dataset")));
            }
        }

        private static long residentKib(long pid) {
            try {
                Matcher peak = Pattern.compile("VmHWM:\\s*(\\d+) kB").matcher(Files.readString(Path.of("/proc/" + pid + "/status")));
                return peak.find() ? Long.parseLong(peak.group(1)) : 0;
            } catch (IOException e) {
                return 0; // it has ended
            }
        }

        List<Map<String, String>> targets(String name) {
            return dataset.tables.get("targets").stream().filter(row -> row.get("label").equals("./fixtures/" + name)).toList();
        }

        Map<String, String> target(String name, String deed) {
            return targets(name).stream().filter(row -> row.get("args").equals("[\"" + deed + "\"]")).findFirst().orElseThrow();
        }

        Set<String> verdicts(Map<String, String> target) {
            Map<String, Map<String, String>> observations = dataset.tables.get("observations").stream()
                    .filter(row -> row.get("target_id").equals(target.get("target_id"))).collect(Collectors.toMap(row -> row.get("observation"), row -> row));
            return dataset.tables.get("verdicts").stream().filter(row -> row.get("target_id").equals(target.get("target_id"))).map(row -> {
                Map<String, String> of = observations.get(row.get("observation"));
                return row.get("rule_set") + " " + of.get("session") + " " + of.get("check") + " " + of.get("tool_text") + ": " + of.get("observed") + " "
                        + of.get("code") + " " + row.get("verdict");
            }).collect(Collectors.toCollection(TreeSet::new));
        }

        /** What the server said on stderr in its first session. */
        List<String> said(Map<String, String> target) throws IOException {
            Map<String, String> session = dataset.tables.get("sessions").stream()
                    .filter(row -> row.get("target_id").equals(target.get("target_id"))).findFirst().orElseThrow();
            StringBuilder text = new StringBuilder();
            for (Event event : TranscriptReader.read(folder.resolve(session.get("transcript"))).events()) {
                if (event instanceof Event.Stderr stderr) {
                    text.append(new String(stderr.bytes(), StandardCharsets.UTF_8));
                }
            }
            return text.toString().lines().filter(line -> !line.isBlank()).toList();
        }
    }

    @BeforeAll
    static void run() throws Exception {
        Path fixtures = temp.resolve("fixtures");
        make(fixtures);
        engine = new Leftovers();
        for (String folder : List.of("hostile-npm", "hostile-py", NEIGHBOURS.get(0), NEIGHBOURS.get(1))) {
            copy(CORPUS.resolve("fixtures").resolve(folder), fixtures.resolve(folder));
        }
        // Packages of their own, so that their images are told from those of others who install the same fixtures.
        try (Stream<Path> all = Files.list(fixtures)) {
            for (Path folder : (Iterable<Path>) all.filter(Files::isDirectory)::iterator) {
                Files.writeString(folder.resolve("marker.txt"), UUID.randomUUID().toString());
            }
        }
        frame("alone", NEIGHBOURS.stream().map(name -> "./fixtures/" + name + ",,,").toList());
        List<String> hostile = new ArrayList<>(Files.readAllLines(CORPUS.resolve("hostile.csv")));
        hostile.remove(0);
        frame("endings", hostile.stream().filter(row -> ENDINGS.stream().anyMatch(deed -> row.contains("[\"\"" + deed + "\"\"]"))).toList());
        Files.readAllLines(fixtures.resolve("frame.csv")).stream().skip(1).map(row -> row.replaceFirst("\\./", "./fixtures/")).forEach(hostile::add);
        for (int at = 0; at < hostile.size(); at += EVERY + 2) {
            hostile.addAll(at, NEIGHBOURS.stream().map(name -> "./fixtures/" + name + ",\"[\"\"neighbour\"\"]\",,").map(row -> row.replace("neighbour", "n" + hostile.size())).toList());
        }
        frame("beside", hostile);
        alone = Run.of("alone", "quick");
        beside = Run.of("beside", "quick");
        endings = Run.of("endings", "full");
    }

    private static void make(Path fixtures) throws Exception {
        Process made;
        try {
            made = new ProcessBuilder("python3", CORPUS.resolve("fixtures/hostile-make").toString(), fixtures.toString(), FILES).inheritIO().start();
        } catch (IOException e) {
            assumeTrue(false, "python3 is not here: the tests of hostile packages are skipped");
            return;
        }
        assertEquals(0, made.waitFor());
    }

    private static void frame(String name, List<String> rows) throws IOException {
        Files.writeString(temp.resolve(name + ".csv"), "target,args,env,note\n" + String.join("\n", rows) + "\n");
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path file : (Iterable<Path>) all::iterator) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    @AfterAll
    static void clean() {
        if (engine == null) {
            return;
        }
        Stream.of(alone, beside, endings).filter(run -> run != null).flatMap(run -> run.dataset().tables.get("targets").stream()).map(target -> target.get("image"))
                .filter(image -> !image.isEmpty()).distinct().forEach(engine::removeImage);
        engine.close();
    }

    @Test
    void eachIsWhatItDeserves() throws Exception {
        List<String> differences = ExpectedResults.differences(EXPECTED, beside.folder(), beside.dataset());
        assertEquals(List.of(), differences, () -> differences.size() + " differences:\n" + String.join("\n", differences) + "\n" + beside.ended());
        assertEquals(List.of(), beside.dataset().problems);
    }

    @Test
    void nothingOfItIsAFault() throws Exception {
        for (Run run : List.of(alone, beside, endings)) {
            assertEquals(List.of(), run.dataset().tables.get("attempts").stream().filter(row -> !row.get("fault").isEmpty()).toList());
            ProberProcess.Ended verified = ProberProcess.run(temp, Map.of(), "census", "verify", run.folder().toString());
            assertTrue(verified.status() == 0 && verified.out().endsWith("; sound\n"), verified::toString);
        }
    }

    @Test
    void neighboursKeepTheirVerdicts() {
        for (String name : NEIGHBOURS) {
            Set<String> own = alone.verdicts(alone.targets(name).get(0));
            assertTrue(own.size() > 30, own::toString);
            List<Map<String, String>> all = beside.targets(name);
            assertTrue(all.size() >= 5, all::toString);
            for (Map<String, String> target : all) {
                Set<String> here = beside.verdicts(target);
                Set<String> changed = new TreeSet<>(here);
                changed.removeAll(own);
                assertEquals(own, here, () -> name + " on line " + target.get("line") + " differs: " + changed);
            }
        }
    }

    @Test
    void thereIsNoWayOut() throws Exception {
        for (String name : List.of("hostile-npm", "hostile-py")) {
            List<String> said = beside.said(beside.target(name, "network"));
            assertEquals(1, said.size(), said::toString);
            assertTrue(said.get(0).matches("tried [5-9]\\d ways out, reached 0|tried \\d{3} ways out, reached 0"), said::toString);
            // While installing there is one neighbour, by its name or its address, at the ports that it serves.
            List<String> installed = beside.said(beside.target(name, "installed"));
            assertTrue(installed.get(0).matches("tried (\\d{3}|[5-9]\\d)"), installed::toString);
            String gateway = "(gw|172\\.\\d+\\.\\d+\\.\\d+|192\\.168\\.\\d+\\.\\d+|10\\.\\d+\\.\\d+\\.\\d+)";
            assertEquals(List.of(), installed.stream().filter(line -> line.startsWith("reached "))
                    .filter(line -> !line.matches("reached (name gw|dns " + gateway + "|tcp " + gateway + " (3128|3141|4873))")).toList());
            assertEquals(List.of(), installed.stream().filter(line -> line.startsWith("folder "))
                    .filter(line -> !line.matches("folder (/tmp|/home/mcp|/dev/shm|/dev/mqueue|/var/tmp|/run/lock|/srv/app)(/.*)?")).toList());
        }
    }

    @Test
    void onlyThreeSmallFoldersCanBeWritten() throws Exception {
        for (String name : List.of("hostile-npm", "hostile-py")) {
            assertEquals(Set.of("wrote 64 MiB in /home/mcp", "wrote 64 MiB in /tmp", "wrote 16 MiB in /dev/shm"),
                    Set.copyOf(beside.said(beside.target(name, "disk"))));
            List<String> files = new ArrayList<>(beside.said(beside.target(name, "writes")));
            // Devices without effect, and the memory of the program that starts the server: of the same user, in the same container.
            files.removeIf(line -> line.matches("can write (/dev/(full|null|zero|random|urandom|tty|ptmx|pts/.*)|/proc/1/mem)"));
            assertEquals(List.of(), files);
        }
    }

    @Test
    void pathsOfAnArchiveLeadNowhereElse() throws Exception {
        for (String name : List.of("npm-path-tricks.tgz", "wheel_tricks-1.0.0-py3-none-any.whl")) {
            List<String> escaped = engine.paths(beside.targets(name).get(0).get("image"), "/srv/app").stream().filter(path -> path.contains("escaped")).toList();
            assertEquals(List.of(), escaped.stream().filter(path -> !path.startsWith("node_modules/@mcp-prober-fixtures/path-tricks/")
                    && !path.matches("venv/lib/python3\\.\\d+/site-packages/.*")).toList());
        }
        try (Stream<Path> here = Files.list(Path.of("/tmp"))) {
            assertEquals(List.of(), here.filter(path -> path.getFileName().toString().startsWith("escaped")).toList());
        }
    }

    @Test
    void nothingOfAServerReachesATerminalOrATableUnescaped() throws Exception {
        ProberProcess.Ended report = ProberProcess.run(temp, Map.of(), "report", beside.folder().toString());
        assertEquals(0, report.status(), report::toString);
        for (ProberProcess.Ended ended : List.of(alone.ended(), beside.ended(), endings.ended(), report)) {
            assertFalse((ended.out() + ended.err()).chars().anyMatch(c -> c < ' ' && c != '\n' || c >= 0x7f && c < 0xa0 || c == 0x202e), ended::toString);
        }
        beside.dataset().tables.forEach((table, rows) -> rows.forEach(row -> row.forEach((column, cell) -> {
            assertFalse(cell.chars().anyMatch(c -> c < ' ' || c >= 0x7f && c < 0xa0 || c == 0x202e), table + "." + column + ": " + cell);
            assertFalse(column.endsWith("_text") && !cell.isEmpty() && "=+-@".indexOf(cell.charAt(0)) >= 0, table + "." + column + ": " + cell);
        })));
        try (Stream<Path> pages = Files.walk(beside.folder().resolve("report"))) {
            for (Path page : (Iterable<Path>) pages.filter(path -> path.toString().endsWith(".html"))::iterator) {
                String html = Files.readString(page);
                assertFalse(html.contains("<script>alert") || html.contains("<img src=x"), page.toString());
            }
        }
    }

    @Test
    void whatDoesNotEndIsEnded() throws Exception {
        List<Map<String, String>> eof = endings.dataset().tables.get("observations").stream().filter(row -> row.get("check").equals("stdin-eof")).toList();
        assertFalse(eof.isEmpty());
        for (Map<String, String> row : eof) {
            String deed = endings.dataset().tables.get("targets").stream().filter(target -> target.get("target_id").equals(row.get("target_id"))).findFirst().orElseThrow().get("args");
            assertEquals(deed.contains("detached") ? "exited" : "sigkill-needed", row.get("observed"), row::toString);
        }
    }

    @Test
    void nothingOfOursIsLeftOnTheEngine() {
        Set<String> seen = new HashSet<>();
        for (Run run : List.of(alone, beside, endings)) {
            assertEquals(List.of(), engine.of(run.pid()));
            for (Map<String, String> target : run.dataset().tables.get("targets")) {
                String digest = target.get("integrity");
                if (!digest.isEmpty() && Files.isDirectory(temp.resolve(target.get("label"))) && seen.add(digest)) {
                    List<String> kept = run.dataset().tables.get("targets").stream().filter(row -> row.get("integrity").equals(digest)).map(row -> row.get("image")).distinct().toList();
                    assertEquals(List.of(), engine.imagesOf(digest).stream().filter(image -> !kept.contains(image)).toList(), target::toString);
                }
            }
        }
    }

    @Test
    void memoryOfTheOrchestratorIsBounded() {
        assertTrue(beside.peakKib() > 0 && beside.peakKib() < MOST_MEMORY_KIB, beside.peakKib() + " KiB");
    }
}
