package dev.mcpprober.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.dataset.release.Release;
import dev.mcpprober.dataset.release.Verification;
import dev.mcpprober.dataset.report.Policy;
import dev.mcpprober.dataset.report.Report;
import dev.mcpprober.dataset.shares.ShareLine;
import dev.mcpprober.dataset.shares.Shares;
import dev.mcpprober.io.Digests;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

/** The report of a run in which every state occurs and servers say hostile things. */
class ReportTest {
    private static final Analysis ANALYSIS = ReleaseFixture.analysis(Map.of(), "house@1", "other@2");

    @TempDir Path temp;

    private Path report(String name) throws IOException {
        return Report.ofRun(RunFixture.make(temp.resolve(name), "run").folder, ANALYSIS, null, temp.resolve(name + "-report")).getParent();
    }

    private static Map<String, String> files(Path folder) throws IOException {
        Map<String, String> out = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) walk.filter(Files::isRegularFile)::iterator) {
                out.put(folder.relativize(file).toString(), Files.readString(file));
            }
        }
        return out;
    }

    @Test
    void theSameRunGivesTheSameBytes() throws Exception {
        RunFixture fixture = RunFixture.make(temp, "run");
        Path first = Report.ofRun(fixture.folder, ANALYSIS, null, temp.resolve("a"));
        Path second = Report.ofRun(fixture.folder, ANALYSIS, null, temp.resolve("b"));
        assertEquals(Digests.sha256(first), Digests.sha256(second));
        assertEquals(files(temp.resolve("a")), files(temp.resolve("b")));
    }

    @Test
    void nothingThatAServerSaidIsMarkupAndNothingIsFetched() throws Exception {
        Map<String, String> files = files(report("r"));
        assertTrue(files.size() >= 6, files.keySet().toString());
        files.forEach((name, content) -> {
            assertFalse(content.contains("\u001b") || content.contains("\u202E") || content.contains("\u0000"), name);
            assertFalse(content.contains("s3cret-value"), name);
            if (name.endsWith(".html")) {
                assertFalse(content.contains("<script") || content.contains("javascript:") || Pattern.compile("<[^>]* src=").matcher(content).find() || content.contains("http-equiv=\"refresh"), name);
                Matcher style = Pattern.compile("<style>(.*?)</style>", Pattern.DOTALL).matcher(content);
                assertTrue(style.find() && content.contains("content=\"default-src 'none'; style-src " + Policy.hash(style.group(1)) + "; base-uri 'none'; form-action 'none'\""), name);
                assertFalse(style.find() || content.contains(" style=") || content.contains("unsafe"), name + ": only the page's own style is let in");
                assertTrue(!content.contains("<img") && !content.contains("HYPERLINK(\"x\")"), name);
                assertEquals(List.of(), elements(content), name);
            }
        });
    }

    /** Elements that are none of the report's own: what came in with a server's text. */
    private static List<String> elements(String html) {
        Set<String> own = Set.of("html", "head", "meta", "title", "style", "body", "p", "a", "h1", "h2", "div", "table", "caption", "thead", "tbody", "tr", "th", "td",
                "span", "pre", "figure", "figcaption", "details", "summary", "section", "main", "nav", "ul", "li", "h3", "b", "br", "strong", "!doctype",
                "svg", "desc", "defs", "pattern", "line", "polyline", "text", "rect", "circle", "path");
        List<String> foreign = new ArrayList<>();
        Matcher tags = Pattern.compile("</?([a-zA-Z!][a-zA-Z0-9]*)").matcher(html);
        while (tags.find()) {
            if (!own.contains(tags.group(1))) {
                foreign.add(tags.group(1));
            }
        }
        return foreign;
    }

    @Test
    void picturesAreXmlAndHaveWords() throws Exception {
        String index = Files.readString(report("r").resolve("index.html"));
        Matcher pictures = Pattern.compile("<svg.*?</svg>", Pattern.DOTALL).matcher(index);
        int count = 0;
        while (pictures.find()) {
            count++;
            DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(pictures.group())));
            assertTrue(pictures.group().contains("<title id=") && pictures.group().contains("<desc id=") && pictures.group().contains("role=\"img\""));
        }
        assertTrue(count >= 8, "pictures: " + count);
        Matcher heads = Pattern.compile("<th(?![a-z])[^>]*>").matcher(index);
        while (heads.find()) {
            assertTrue(heads.group().contains("scope=\""), heads.group());
        }
    }

    @Test
    void everyLinkLeadsSomewhere() throws Exception {
        Path folder = report("r");
        for (Map.Entry<String, String> file : files(folder).entrySet()) {
            Matcher links = Pattern.compile("href=\"([^\"#]+)").matcher(file.getValue());
            while (links.find()) {
                Path target = folder.resolve(file.getKey()).resolveSibling(links.group(1)).normalize();
                assertTrue(Files.isRegularFile(target), file.getKey() + " -> " + links.group(1));
            }
            Set<String> ids = new HashSet<>();
            Matcher marks = Pattern.compile(" id=\"([^\"]+)\"").matcher(file.getValue());
            while (marks.find()) {
                assertTrue(ids.add(marks.group(1)), file.getKey() + " has two of " + marks.group(1));
            }
            Matcher within = Pattern.compile("href=\"#([^\"]+)\"").matcher(file.getValue());
            while (within.find()) {
                assertTrue(ids.contains(within.group(1)), file.getKey() + " #" + within.group(1));
            }
        }
    }

    @Test
    void theNumbersAreThoseOfTheShares() throws Exception {
        RunFixture fixture = RunFixture.make(temp, "run");
        Path folder = Report.ofRun(fixture.folder, ANALYSIS, null, temp.resolve("out")).getParent();
        List<ShareLine> lines = Shares.of(fixture.folder, ANALYSIS);
        List<String> expected = lines.stream().filter(line -> line.group().by().equals("all") && line.of().figure().equals("verdict") && line.of().value().equals("fail"))
                .filter(line -> line.of().ruleSet().equals(ANALYSIS.judges().get(0).label()))
                .map(line -> line.of().check() + ",fail," + line.share().all().k() + "," + line.share().all().n()).sorted().toList();
        List<String> written = Files.readAllLines(folder.resolve("figures/verdicts-by-check.csv")).stream().filter(line -> line.contains(",fail,"))
                .map(line -> String.join(",", List.of(line.split(",")).subList(0, 4))).sorted().toList();
        assertEquals(expected, written);
        String index = Files.readString(folder.resolve("index.html"));
        assertTrue(index.contains("unmeasured"), "what was not measured is said first");
    }

    @Test
    void aReleaseSaysTheSameAsItsRun() throws Exception {
        Map<String, String> ofRun = files(report("r"));
        Map<String, String> ofRelease = files(Report.ofRelease(ReleaseFixture.make(temp, "release", ANALYSIS,
                new Release.Options(Map.of(), true, "A. Nother", null, "")).folder, temp.resolve("of-release")).getParent());
        assertEquals(ofRun.keySet(), ofRelease.keySet());
        ofRun.remove("index.html");
        String index = ofRelease.remove("index.html");
        assertEquals(ofRun, ofRelease);
        assertTrue(index.contains("Data 1.0.0."), "the version of the data");
    }

    @Test
    void aReleaseMayHoldItsReport() throws Exception {
        Path release = ReleaseFixture.make(temp, "release", ANALYSIS, new Release.Options(Map.of(), true, "A. Nother", null, "", true)).folder;
        assertEquals(List.of(), Verification.of(release).problems(), "its files are in the checksums");
        Map<String, String> beside = files(Report.ofRelease(release, temp.resolve("beside")).getParent());
        assertEquals(beside, files(release.resolve("report")));
    }

    @Test
    void withoutTranscriptsTheWitnessesOfTheTablesAreShown() throws Exception {
        Map<String, String> files = files(Report.ofRelease(ReleaseFixture.make(temp, "release", false).folder, temp.resolve("out")).getParent());
        String page = files.entrySet().stream().filter(file -> file.getKey().contains("good")).findFirst().orElseThrow().getValue();
        assertTrue(page.contains("Transcripts are not part of this data set"), page);
        assertTrue(page.contains("<pre class=\"hit\">1  0.005 s  &lt;- =HYPERLINK(&quot;x&quot;)\\n"), page);
    }

    @Test
    void everyVerdictLinksToItsWitnessesAndThoseAreMarked() throws Exception {
        Map<String, String> files = files(report("r"));
        String page = files.entrySet().stream().filter(file -> file.getKey().contains("good")).findFirst().orElseThrow().getValue();
        assertTrue(page.contains("legacy <a href=\"#e-legacy-1\">1</a>"), page);
        assertTrue(page.contains("<pre id=\"e-legacy-1\" class=\"hit\">"), page);
        assertTrue(page.contains("<pre id=\"e-legacy-2\">"), "what no verdict names is not marked");
    }

    @Test
    void anEarlierRunIsComparedWith() throws Exception {
        RunFixture run = RunFixture.make(temp.resolve("now"), "run");
        Path folder = Report.ofRun(run.folder, ANALYSIS, RunFixture.make(temp.resolve("then"), "then").folder, temp.resolve("out")).getParent();
        String index = Files.readString(folder.resolve("index.html"));
        assertTrue(index.contains("A is the earlier run, then of 2026-11-30"), index);
        assertEquals("what,count", Files.readAllLines(folder.resolve("figures/drift-servers.csv")).get(0));
        assertEquals("\"measured in both runs, unchanged\",4", Files.readAllLines(folder.resolve("figures/drift-servers.csv")).get(1));
        assertFalse(Files.readString(report("alone").resolve("index.html")).contains("earlier run"), "nothing is said where there is none");
    }

    @Test
    void onlyAReportIsReplaced() throws Exception {
        Path out = report("r");
        assertEquals(Optional.empty(), Report.refusal(out));
        Files.writeString(out.resolve("servers/held.html"), "of a server that may no longer be named");
        report("r");
        assertFalse(Files.exists(out.resolve("servers/held.html")), "pages of an earlier report are gone");
        Path mine = Files.createDirectories(temp.resolve("mine"));
        assertEquals(Optional.empty(), Report.refusal(mine));
        Files.writeString(mine.resolve("index.html"), "<title>thesis</title>");
        assertTrue(Report.refusal(mine).orElseThrow().contains("no report"));
        assertTrue(Report.refusal(mine.resolve("index.html")).orElseThrow().contains("is a file"));
        try (Stream<Path> left = Files.list(temp)) {
            assertTrue(left.noneMatch(file -> file.getFileName().toString().startsWith(".")), "nothing is left behind");
        }
    }

    @Test
    void theFunnelAddsUp() throws Exception {
        List<String> lines = Files.readAllLines(report("r").resolve("figures/funnel.csv"));
        Map<String, Integer> rows = new TreeMap<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            rows.merge(cells[0].endsWith("because") ? "because " + cells[1] : cells[0], Integer.parseInt(cells[3]), Integer::sum);
        }
        assertEquals(8, rows.get("declared"));
        assertEquals(rows.get("declared"), rows.get("excluded") + rows.get("unmeasured") + rows.get("measured"));
        assertEquals(rows.get("measured"), rows.get("not-installed") + rows.get("start-failed") + rows.get("started"));
        for (String state : List.of("excluded", "unmeasured", "not-installed", "start-failed")) {
            assertEquals(rows.get(state), rows.get("because " + state), state);
        }
    }
}
