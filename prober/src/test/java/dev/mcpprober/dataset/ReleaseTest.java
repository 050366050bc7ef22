package dev.mcpprober.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.mcpprober.dataset.release.RefusedException;
import dev.mcpprober.dataset.release.Release;
import dev.mcpprober.dataset.release.Verification;
import dev.mcpprober.io.Digests;
import dev.mcpprober.io.Json;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReleaseTest {
    private static final String GOOD = "pkg:npm/%40scope/good@1.0.0";

    @TempDir Path temp;

    @Test
    void aReleaseIsSoundAndItsTablesAreWhatTheySay() throws Exception {
        for (boolean transcripts : List.of(true, false)) {
            ReleaseFixture release = ReleaseFixture.make(temp, "out-" + transcripts, transcripts);
            Verification verification = Verification.of(release.folder);
            assertEquals(List.of(), verification.problems());
            assertEquals(21, verification.tables().size());
            PackageChecker checker = PackageChecker.check(release.folder);
            assertEquals(List.of(), checker.problems);
            Map<String, String> good = checker.tables.get("servers").stream().filter(row -> row.get("target_id").equals(GOOD)).findFirst().orElseThrow();
            assertEquals("divergent", good.get("tools-call-unknown"));
            assertEquals("pass", good.get("tools-call-wrong-type"), "by the primary observation");
            assertEquals(transcripts, Files.isDirectory(release.folder.resolve("transcripts")));
            for (String name : List.of("README.md", "LICENSE", "CITATION.cff", "CHANGELOG.md", "provenance.json", "SHA256SUMS")) {
                assertTrue(Files.size(release.folder.resolve(name)) > 0, name);
            }
        }
    }

    @Test
    void everythingIsDescribed() throws Exception {
        ReleaseFixture release = ReleaseFixture.make(temp, "out", false);
        JsonNode root = Json.mapper().readTree(release.folder.resolve("datapackage.json").toFile());
        assertEquals("1.0.0", root.get("version").asText());
        assertEquals("CC-BY-4.0", root.at("/licenses/0/name").asText());
        Set<String> codes = new HashSet<>();
        PackageChecker.check(release.folder).tables.get("codes").forEach(row -> codes.add(row.get("code")));
        // Named by what they are: revisions by their dates, checks by the rules, the rest of table shares in its own description.
        Set<String> elsewhere = Set.of("check", "figure", "group_by", "ci_method");
        for (JsonNode resource : root.get("resources")) {
            assertTrue(resource.path("hash").asText().matches("sha256:[0-9a-f]{64}") && resource.get("bytes").asLong() > 0, resource.toString());
            for (JsonNode field : resource.at("/schema/fields")) {
                String name = field.get("name").asText();
                assertFalse(field.path("description").asText().isBlank(), name);
                assertEquals(name.endsWith("_ms") ? "ms" : name.endsWith("_bytes") ? "byte" : field.get("type").asText().equals("number") ? "1" : "",
                        field.path("x-unit").asText(), name);
                for (JsonNode value : field.at("/constraints/enum")) {
                    String code = value.asText().replaceFirst("^install-(?!script)", "");
                    assertTrue(elsewhere.contains(name) || code.matches("\\d{4}-\\d{2}-\\d{2}") || codes.contains(value.asText()) || codes.contains(code)
                            || codes.contains(value.asText().replaceFirst("^install-", "")), name + " " + value);
                }
            }
        }
    }

    @Test
    void aReleaseWithUnmeasuredTargetsSaysSoFirst() throws Exception {
        ReleaseFixture release = ReleaseFixture.make(temp, "out", false);
        String readme = Files.readString(release.folder.resolve("README.md"));
        String body = readme.substring(readme.indexOf("\n# ") + 1);
        assertTrue(body.lines().skip(1).filter(line -> !line.isBlank()).findFirst().orElseThrow()
                .startsWith("> **Incomplete: 2 of 8 rows of the frame are unmeasured** (channel-lost 1, not-tried 1)"), body.substring(0, 300));
        assertTrue(Json.mapper().readTree(release.folder.resolve("datapackage.json").toFile()).get("description").asText().startsWith("Incomplete: 2 of 8"));
    }

    @Test
    void theSameRunGivesTheSameBytesWhereverItLies() throws Exception {
        Path a = ReleaseFixture.make(temp.resolve("here"), "one", true).folder;
        Path b = ReleaseFixture.make(temp.resolve("there"), "two", true).folder;
        assertEquals(hashes(a), hashes(b));
        RunFixture run = RunFixture.make(temp.resolve("again"), "run");
        Release.build(run.folder, ReleaseFixture.analysis(Map.of(), "house@1"), a, new Release.Options(Map.of("house@1", "abc"), true, "A. Nother", null, ""));
        assertEquals(hashes(b), hashes(a), "in place");
        try (Stream<Path> files = Files.list(a.getParent())) {
            assertTrue(files.noneMatch(file -> file.getFileName().toString().startsWith(".")), "nothing is left behind");
        }
    }

    @Test
    void nothingOfThisMachineIsInIt() throws Exception {
        ReleaseFixture release = ReleaseFixture.make(temp, "out", true);
        for (String file : hashes(release.folder).keySet()) {
            if (!file.endsWith(".gz")) {
                String text = Files.readString(release.folder.resolve(file), StandardCharsets.UTF_8);
                assertFalse(text.contains(temp.toString()) || text.contains("/somewhere/frame.csv") || text.contains("s3cret-value"), file);
            }
        }
    }

    @Test
    void whatIsNoReleaseIsNotOverwritten() throws Exception {
        Path mine = Files.createDirectories(temp.resolve("mine"));
        Files.writeString(mine.resolve("thesis.tex"), "years of work");
        String message = assertThrows(RefusedException.class, () -> ReleaseFixture.make(temp, "mine", false)).getMessage();
        assertTrue(message.contains("holds something that is no release"), message);
        ReleaseFixture release = ReleaseFixture.make(temp, "out", false);
        Files.writeString(release.folder.resolve("notes.txt"), "mine too");
        message = assertThrows(RefusedException.class, () -> ReleaseFixture.make(temp, "out", false)).getMessage();
        assertTrue(message.contains("notes.txt"), message);
        assertEquals("mine too", Files.readString(release.folder.resolve("notes.txt")));
        assertThrows(RefusedException.class, () -> Verification.of(mine));
    }

    @Test
    void theVersionFollowsFromWhatChanged() throws Exception {
        Path first = ReleaseFixture.make(temp, "first", false).folder;
        assertEquals("1.0.0", version(first, "same", ReleaseFixture.analysis(Map.of(), "house@1"), ""));
        assertEquals(hashes(first), hashes(temp.resolve("same")));
        assertEquals("1.0.1", version(first, "corrected", ReleaseFixture.analysis(Map.of("tools-call-unknown", "warn"), "house@1"), ""));
        assertEquals("1.1.0", version(first, "more", ReleaseFixture.analysis(Map.of(), "house@1", "other@1"), ""));
        assertEquals("2.0.0", version(first, "renamed", ReleaseFixture.analysis(Map.of(), "house@2"), ""));
        assertEquals("3.1.4", version(first, "chosen", ReleaseFixture.analysis(Map.of(), "house@2"), "3.1.4"));
        String message = assertThrows(RefusedException.class, () -> version(first, "low", ReleaseFixture.analysis(Map.of(), "house@2"), "1.9.0")).getMessage();
        assertTrue(message.startsWith("data version 1.9.0 does not follow 1.0.0: at least 2.0.0 is due."), message);
        assertThrows(RefusedException.class, () -> version(first, "odd", ReleaseFixture.analysis(Map.of(), "house@1"), "v2"));
        assertThrows(RefusedException.class, () -> version(temp, "none", ReleaseFixture.analysis(Map.of(), "house@1"), ""));
        assertTrue(Files.readString(temp.resolve("renamed/CHANGELOG.md")).endsWith("\n# 1.0.0\n\nFirst release.\n"));
    }

    private String version(Path previous, String name, Analysis analysis, String wanted) throws Exception {
        Path out = ReleaseFixture.make(temp, name, analysis, new Release.Options(Map.of("house@1", "abc"), false, "A. Nother", previous, wanted)).folder;
        assertEquals(List.of(), Verification.of(out).problems());
        return Json.mapper().readTree(out.resolve("datapackage.json").toFile()).get("version").asText();
    }

    private static Map<String, String> hashes(Path folder) throws Exception {
        Map<String, String> hashes = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                hashes.put(folder.relativize(file).toString(), Digests.sha256(file));
            }
        }
        return hashes;
    }
}
