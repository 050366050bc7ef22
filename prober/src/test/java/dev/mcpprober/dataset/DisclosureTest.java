package dev.mcpprober.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.dataset.disclosure.Disclosure;
import dev.mcpprober.dataset.disclosure.DisclosureException;
import dev.mcpprober.dataset.disclosure.Letters;
import dev.mcpprober.dataset.disclosure.StudyKey;
import dev.mcpprober.dataset.release.RefusedException;
import dev.mcpprober.dataset.release.Release;
import dev.mcpprober.dataset.release.Verification;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The fixture's servers that start run a tool on arguments that its schema forbids, which carries a severity. The run is of 2026-11-30. */
class DisclosureTest {
    private static final LocalDate BEFORE = LocalDate.parse("2026-12-24");
    private static final LocalDate AFTER = LocalDate.parse("2027-03-01");
    private static final Analysis ANALYSIS = ReleaseFixture.analysis(Map.of(), "house@1");

    @TempDir Path temp;
    private Path key;
    private RunFixture run;

    @BeforeEach
    void setUp() throws Exception {
        key = temp.resolve("study.key");
        StudyKey.create(key);
        run = RunFixture.make(temp.resolve("of"), "run", 10);
    }

    private Path file(String... lines) throws IOException {
        return Files.writeString(temp.resolve("disclosure.csv"), "target,check,policy,date,answer,note\n" + String.join("\n", lines) + "\n");
    }

    private Disclosure.Request request(Path file, LocalDate today, boolean cover) {
        return new Disclosure.Request(file, 90, today, key, cover);
    }

    private ReleaseFixture release(String name, Path file, LocalDate today, boolean cover) throws Exception {
        Disclosure disclosure = Disclosure.of(run.folder, ANALYSIS, request(file, today, cover));
        Path out = temp.resolve(name);
        Release.build(run.folder, ANALYSIS, out, new Release.Options(Map.of("house@1", "abc"), true, "A. Nother", null, "", true, disclosure));
        return ReleaseFixture.copy(out, Files.createDirectories(temp.resolve(name + "-copies")).resolve("c"));
    }

    private String refused(String... lines) throws Exception {
        return assertThrows(DisclosureException.class, () -> Disclosure.of(run.folder, ANALYSIS, request(file(lines), BEFORE, true))).getMessage();
    }

    /** File to text, transcripts unpacked. */
    private static Map<String, String> texts(Path folder) throws IOException {
        Map<String, String> out = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                try (InputStream raw = Files.newInputStream(file); InputStream in = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw) {
                    out.put(folder.relativize(file).toString(), new String(in.readAllBytes(), StandardCharsets.UTF_8));
                }
            }
        }
        return out;
    }

    @Test
    void untilTheHoldIsOverNoByteOfAReleaseNamesAServerWithASevereFinding() throws Exception {
        ReleaseFixture release = release("out", null, BEFORE, false);
        assertEquals(List.of(), Verification.of(release.folder).problems());
        texts(release.folder).forEach((file, text) -> {
            for (String name : List.of("@scope", "tool-server", "@pub", "%40pub", "modern@", "pypi:modern")) {
                assertFalse(text.contains(name), file + " names " + name);
            }
        });
        PackageChecker tables = PackageChecker.check(release.folder);
        assertEquals(List.of(), tables.problems);
        List<Map<String, String>> held = tables.tables.get("targets").stream().filter(row -> row.get("disclosure").equals("withheld")).toList();
        assertEquals(12, held.size());
        assertTrue(held.stream().allMatch(row -> row.get("target_id").matches("held-[a-z2-7]{16}") && row.get("state").equals("started")), held.toString());
        assertTrue(tables.tables.get("targets").stream().anyMatch(row -> row.get("target_id").equals("pkg:npm/silent@1.0.0")), "others are named");
        assertTrue(tables.tables.get("verdicts").stream().anyMatch(row -> row.get("target_id").startsWith("held-") && row.get("verdict").equals("fail")
                || row.get("target_id").startsWith("held-") && row.get("verdict").equals("divergent")), "what they do is there");
        assertFalse(Files.exists(release.folder.resolve("study.key")));
        assertTrue(texts(release.folder).values().stream().noneMatch(text -> text.contains("study key 1")));
        // k: each withheld row shares what it is known by with four others.
        Map<List<String>, Integer> alike = new java.util.HashMap<>();
        held.forEach(row -> alike.merge(List.of(row.get("registry"), row.get("sdk_family"), row.get("sdk_version"), row.get("revision"), row.get("eras")), 1, Integer::sum));
        assertTrue(alike.values().stream().allMatch(count -> count >= 5), alike.toString());
    }

    @Test
    void figuresOfAllCountEveryServerWhetherItIsNamedOrNot() throws Exception {
        for (String table : List.of("data/shares.csv", "data/declared-shares.csv")) {
            List<String> named = texts(release("named-" + table.length(), null, AFTER, false).folder).get(table).lines().filter(line -> line.contains(",all,all,")).toList();
            assertFalse(named.isEmpty());
            assertEquals(named, texts(release("held-" + table.length(), null, BEFORE, false).folder).get(table).lines().filter(line -> line.contains(",all,all,")).toList());
        }
    }

    /** What a group has more than its rows in table targets is what a withheld server is: of 12 that are withheld, one is of PyPI, and all have a rare SDK version. */
    @Test
    void noGroupOfServersTellsMoreOfAWithheldServerThanItsRow() throws Exception {
        Path held = release("groups", null, BEFORE, false).folder;
        PackageChecker tables = PackageChecker.check(held);
        List<Map<String, String>> targets = tables.tables.get("targets");
        assertTrue(targets.stream().anyMatch(row -> row.get("disclosure").equals("withheld") && row.get("registry").isEmpty()), "some are told nothing of");
        for (Map.Entry<String, String> by : Map.of("registry", "registry", "sdk_family", "sdk_family", "revision", "revision").entrySet()) {
            Map<String, Long> told = targets.stream().filter(row -> row.get("state").equals("started") && !row.get(by.getValue()).isEmpty())
                    .collect(java.util.stream.Collectors.groupingBy(row -> row.get(by.getValue()), java.util.stream.Collectors.counting()));
            Map<String, Long> counted = new TreeMap<>();
            tables.tables.get("shares").stream().filter(row -> row.get("figure").equals("no-fail") && row.get("group_by").equals(by.getKey()))
                    .forEach(row -> counted.put(row.get("group"), Long.valueOf(row.get("n"))));
            assertEquals(new TreeMap<>(told), counted, by.getKey());
        }
        assertTrue(tables.tables.get("shares").stream().noneMatch(row -> row.get("group_by").equals("sdk_version")), "every server that started is withheld, and no exact version is told");
        assertTrue(tables.tables.get("declared-shares").stream().noneMatch(row -> row.get("group").equals("pypi")));
        String card = texts(held).get("README.md");
        assertFalse(card.contains("| official-py | other |"), card);
        long started = targets.stream().filter(row -> row.get("state").equals("started")).count();
        long untold = targets.stream().filter(row -> row.get("state").equals("started") && row.get("sdk_family").isEmpty()).count();
        assertTrue(untold > 0 && card.contains("\n\n**" + untold + " of " + started + " servers that started are in none of these lines**"), card);
    }

    @Test
    void afterTheHoldOrByTheMaintainersAnswerAServerIsNamed() throws Exception {
        assertTrue(texts(release("later", null, AFTER, false).folder).get("data/targets.csv").contains("pkg:npm/%40scope/good@1.0.0,named"));
        String targets = texts(release("answered", file("npm:@scope/good,silent-execution,named,2026-12-10,\"mended, thanks\","), BEFORE, false).folder).get("data/targets.csv");
        assertTrue(targets.contains("pkg:npm/%40scope/good@1.0.0,named") && !targets.contains("tool-server"), targets);
        String all = texts(release("all", file("*,*,named,,,a study of our own servers"), BEFORE, false).folder).get("data/targets.csv");
        assertFalse(all.contains("withheld"), all);
        String longer = texts(release("longer", file("*,*,named,,,", "npm:@pub1/tool-server-1,*,withheld-until,2028-01-01,asked for a year,"), AFTER, true).folder).get("data/targets.csv");
        assertFalse(longer.contains("tool-server-1@"), longer);
        assertEquals(5, longer.lines().filter(line -> line.startsWith("held-")).count(), "one that is withheld, four that it hides among");
        String asked = texts(release("asked", file("*,*,named,,,", "pkg:npm/%40pub3/tool-server-3,*,withheld,,never,"), AFTER, true).folder).get("data/targets.csv");
        assertFalse(asked.contains("tool-server-3@"), asked);
    }

    @Test
    void theSameKeyGivesTheSameBytesAndPseudonymsAnotherOneOthers() throws Exception {
        Map<String, String> first = texts(release("a", null, BEFORE, false).folder);
        assertEquals(first, texts(release("b", null, BEFORE, false).folder));
        Files.delete(key);
        StudyKey.create(key);
        String other = texts(release("c", null, BEFORE, false).folder).get("data/targets.csv");
        first.get("data/targets.csv").lines().filter(line -> line.startsWith("held-")).forEach(line -> assertFalse(other.contains(line.substring(0, 21))));
    }

    @Test
    void tooFewToHideAmongEachOtherAreRefusedUnlessOthersCoverThem() throws Exception {
        Path one = file("*,*,named,,,", "npm:@pub1/tool-server-1,*,withheld,,,");
        String message = assertThrows(DisclosureException.class, () -> Disclosure.of(run.folder, ANALYSIS, request(one, BEFORE, false))).getMessage();
        assertTrue(message.contains("fewer than 5 are alike") && message.contains("--cover"), message);
        assertFalse(message.contains("tool-server"), message);
        RunFixture small = RunFixture.make(temp.resolve("small"), "run");
        String few = assertThrows(DisclosureException.class, () -> Disclosure.of(small.folder, ANALYSIS, request(null, BEFORE, true)), "there are not five").getMessage();
        assertTrue(few.contains("measure a larger frame") && !few.contains("--cover withholds"), few);
    }

    @Test
    void withoutAKeyNothingIsPublishedAndTheMessageSaysHowToMakeOne() throws Exception {
        String message = assertThrows(DisclosureException.class, () -> Disclosure.of(run.folder, ANALYSIS, new Disclosure.Request(null, 90, BEFORE, null, false))).getMessage();
        assertTrue(message.startsWith("12 servers have findings") && message.contains("prober dataset key --to FILE"), message);
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(key)));
        assertTrue(assertThrows(DisclosureException.class, () -> StudyKey.create(key)).getMessage().contains("is there already"));
        assertTrue(assertThrows(DisclosureException.class, () -> StudyKey.read(temp.resolve("none"))).getMessage().contains("no such file"));
        assertTrue(assertThrows(DisclosureException.class, () -> StudyKey.read(Files.writeString(temp.resolve("bad"), "mcp-prober study key 1: abcd"))).getMessage().contains("no key of this program"));
        // Nobody needs one where nothing is withheld.
        Disclosure.of(run.folder, ANALYSIS, new Disclosure.Request(null, 90, AFTER, null, false));
        Path none = run.folder.path().resolve("no.key");
        assertThrows(DisclosureException.class, () -> Disclosure.of(run.folder, ANALYSIS, new Disclosure.Request(null, 90, AFTER, none, false)), "named, and not there");
    }

    @Test
    void aNameOfAWithheldServerAnywhereIsRefusedByFileAndLine() throws Exception {
        Disclosure disclosure = Disclosure.of(run.folder, ANALYSIS, request(null, BEFORE, false));
        String message = assertThrows(RefusedException.class, () -> Release.build(run.folder, ANALYSIS, temp.resolve("leaky"),
                new Release.Options(Map.of(), false, "the author of @pub1/tool-server-1", null, "", true, disclosure))).getMessage();
        assertTrue(message.matches("\\d files? names? a server that is withheld, the first one [A-Z.a-z]+, line \\d+ \\(the server of line 11 of the frame\\).*"), message);
        assertFalse(message.contains("tool-server"), message);
        assertFalse(Files.exists(temp.resolve("leaky")));
        for (String written : List.of("@pub1%2Ftool-server-1", "%40pub1%2ftool-server-1", "@pub1\\/tool-server-1", "PKG:NPM/%40PUB1/TOOL-SERVER-1", "tool-server-1@1.0.0")) {
            assertThrows(RefusedException.class, () -> Release.build(run.folder, ANALYSIS, temp.resolve("leaky"),
                    new Release.Options(Map.of(), false, "of https://x/" + written, null, "", false, disclosure)), written);
        }
    }

    @Test
    void aBadDisclosureFileIsRefusedByLine() throws Exception {
        assertTrue(assertThrows(DisclosureException.class, () -> Disclosure.of(run.folder, ANALYSIS, request(temp.resolve("none.csv"), BEFORE, false))).getMessage().contains("no such file"));
        Path noHeader = Files.writeString(temp.resolve("x.csv"), "npm:a,*,named,,,\n");
        assertTrue(assertThrows(DisclosureException.class, () -> Disclosure.of(run.folder, ANALYSIS, request(noHeader, BEFORE, false))).getMessage()
                .endsWith("line 1: the columns have to be target,check,policy,date,answer,note"));
        Path empty = Files.writeString(temp.resolve("empty.csv"), "");
        assertTrue(assertThrows(DisclosureException.class, () -> Disclosure.of(run.folder, ANALYSIS, request(empty, BEFORE, false))).getMessage()
                .endsWith("empty.csv: is empty; its first line has to be target,check,policy,date,answer,note"));
        assertTrue(refused("*,*,hidden,,,").contains("line 2: policy \"hidden\" is none of named, withheld-until, withheld"));
        assertTrue(refused("*,*,withheld-until,,,").contains("line 2: withheld-until needs a date"));
        assertTrue(refused("*,*,named,tomorrow,,").contains("line 2: date \"tomorrow\" is no day"));
        assertTrue(refused("*,no-such-check,named,,,").contains("line 2: check \"no-such-check\" is neither a check nor a finding (silent-execution, client-crash"));
        assertTrue(refused("npm:@scope/godo,*,named,,,").contains("line 2: the frame of this run has no such target"));
        assertTrue(refused("*,*,named,,,", "*,*,withheld,,,").contains("line 3: line 2 speaks of the same target and check"));
        assertTrue(refused(",*,named,,,").contains("line 2: target is empty"));
        assertTrue(refused("*,*,named,,,with, a comma").contains("line 2: 7 cells instead of 6"));
    }

    @Test
    void verifyFindsWhatWouldNameAWithheldServer() throws Exception {
        for (Map.Entry<String, String> cell : Map.of("purl", "pkg:npm/x@1", "server_name_text", "x", "line", "3", "disclosure", "named", "tool_count", "7").entrySet()) {
            ReleaseFixture release = release("bad-" + cell.getKey(), null, BEFORE, false);
            release.cell("data/targets.csv", release.line("data/targets.csv", "held-"), cell.getKey(), cell.getValue());
            assertTrue(Verification.of(release.folder).problems().stream().anyMatch(problem -> problem.startsWith("data/targets.csv") && problem.contains(cell.getKey())), cell.getKey());
        }
    }

    @Test
    void verifyFindsWhatIsExactOrRareOfAWithheldServer() throws Exception {
        for (List<String> cell : List.of(List.of("sessions", "started_at", "2026-11-30T12:00:00Z"), List.of("sessions", "status", "7"), List.of("attribution", "style", "low"),
                List.of("attempts", "attempt", "0123456789abcdef-1"), List.of("targets", "install_caveat", "build-failed"), List.of("targets", "version", "1.2.3"))) {
            ReleaseFixture release = release("exact-" + cell.get(0) + cell.get(1), null, BEFORE, false);
            int line = release.line("data/" + cell.get(0) + ".csv", "held-");
            release.cell("data/" + cell.get(0) + ".csv", line, cell.get(1), cell.get(2));
            String says = "data/" + cell.get(0) + ".csv:" + line + ": a withheld server with ";
            assertTrue(Verification.of(release.folder).problems().stream().anyMatch(problem -> problem.startsWith(says) && problem.endsWith(cell.get(1))), says);
        }
        ReleaseFixture rare = release("rare", null, BEFORE, false);
        int line = rare.line("data/targets.csv", "held-");
        rare.cell("data/targets.csv", line, "eras", "modern");
        assertTrue(Verification.of(rare.folder).problems().contains("data/targets.csv:" + line + ": a withheld server that shares what is told of it with 0 others, and not with 4"));
    }

    @Test
    void eachMaintainerGetsOneLetterWithTheEvidence() throws Exception {
        Path out = temp.resolve("letters");
        List<Path> files = Letters.write(run.folder, ANALYSIS, request(file("npm:@pub2/tool-server-2,*,named,,,"), BEFORE, false), "A. Nother, a@example.org", out);
        assertEquals(12, files.size(), "eleven and the index");
        Path good = files.stream().filter(path -> path.getFileName().toString().startsWith("npm-scope-")).findFirst().orElseThrow();
        String letter = Files.readString(good);
        for (String part : List.of("\n## `npm:@scope/good` `1.0.0`\n", "Until 2027-02-28 your server is not named", "A tool runs on arguments that its own schema forbids", "    received  =HYPERLINK",
                "What applies: do it", "tools#x", "To A. Nother, a@example.org.")) {
            assertTrue(letter.contains(part), part + "\n" + letter);
        }
        assertTrue(letter.chars().allMatch(c -> c == '\n' || c >= 0x20 && c != 0x202E), "no control character of the server's");
        String index = Files.readString(out.resolve("index.csv"));
        assertTrue(index.startsWith("letter,publisher,targets,findings,named_from,answer\n") && index.contains(",silent-execution,2027-02-28,\n"), index);
        assertTrue(assertThrows(DisclosureException.class, () -> Letters.write(run.folder, ANALYSIS, request(null, BEFORE, false), "me", out)).getMessage().contains("is there already"));
        assertEquals(List.of(), Letters.write(run.folder, ANALYSIS, request(null, AFTER, false), "me", temp.resolve("none")));
        assertFalse(Files.exists(temp.resolve("none")));
    }
}
