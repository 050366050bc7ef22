package dev.mcpprober.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mcpprober.dataset.report.Gallery;
import dev.mcpprober.dataset.report.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The pages as a browser shows them: light, dark, on a phone, on paper, what comes first of each; held against pictures in {@code src/test/resources/screens}. After a change that is
 * meant, look at the page, then {@code mvn test -Dtest=ReportScreenTest -Dscreens.rewrite=true}, and look at the pictures.
 */
class ReportScreenTest {
    private static final Path REFERENCES = Path.of(System.getProperty("prober.home", ".")).resolve("src/test/resources/screens");
    /** That of the references; with another one, lines are of another length. */
    private static final String FONT = "DejaVu Sans";

    @TempDir Path temp;

    @BeforeEach
    void browser() throws Exception {
        assumeTrue(Screen.browser() != null, "no Chromium on this machine: pages are not looked at");
        String font = Screen.said("fc-match", "-f", "%{family}", "system-ui");
        assumeTrue(font.equals(FONT), "the system's font is " + font + ", not " + FONT + ": pages are not looked at");
    }

    private Path gallery(String html) throws IOException {
        return Files.writeString(temp.resolve("gallery.html"), html);
    }

    private Path report() throws Exception {
        return Report.ofRun(RunFixture.make(temp, "run").folder, ReleaseFixture.analysis(Map.of(), "house@1", "other@2"), null, temp.resolve("report"));
    }

    private static void looksAs(String name, Screen screen) throws IOException {
        Path reference = REFERENCES.resolve(name + ".png");
        if (Boolean.getBoolean("screens.rewrite")) {
            screen.write(reference);
        }
        List<String> differences = screen.differences(Screen.read(reference));
        if (!differences.isEmpty()) {
            Path seen = Path.of(System.getProperty("prober.home", ".")).resolve("target/screens/" + name + ".png");
            screen.write(seen);
            assertEquals(List.of(), differences, name + " does not look as " + reference + "; what was seen is in " + seen);
        }
    }

    @Test
    void everyPictureInTheLight() throws Exception {
        looksAs("gallery-light", Screen.of(gallery(Gallery.html()), 1000, 1000, false, temp));
    }

    @Test
    void everyPictureInTheDark() throws Exception {
        looksAs("gallery-dark", Screen.of(gallery(Gallery.html()), 1000, 1000, true, temp));
    }

    @Test
    void theFirstPageOnAPhone() throws Exception {
        looksAs("report-phone", Screen.of(report(), 375, 1100, false, temp));
    }

    @Test
    void theFirstPageOnPaper() throws Exception {
        assumeTrue(!Screen.said("pdftoppm", "-v").isEmpty(), "no pdftoppm on this machine: the printed page is not looked at");
        looksAs("report-print", Screen.printed(report(), 1, temp));
    }

    @Test
    void thePageOfAServer() throws Exception {
        Path page;
        try (Stream<Path> pages = Files.list(report().resolveSibling("servers"))) {
            page = pages.filter(file -> file.getFileName().toString().contains("good")).findFirst().orElseThrow();
        }
        looksAs("server", Screen.of(page, 900, 1200, false, temp));
    }

    /** The comparison is worth something: one bar that is cut, one in another colour, one label that is gone. */
    @Test
    void aPictureThatIsWrongIsSeen() throws Exception {
        String html = Gallery.html();
        Screen right = Screen.read(REFERENCES.resolve("gallery-light.png"));
        for (Map.Entry<String, String> fault : Map.of("width=\"168.0\" height=\"12.0\"", "width=\"120.0\" height=\"12.0\"", "fill=\"#0072B2\"/><path", "fill=\"#D55E00\"/><path",
                "<text x=\"2.0\" y=\"30.0\">share-0</text>", "").entrySet()) {
            assertTrue(html.contains(fault.getKey()), fault.getKey());
            Screen wrong = Screen.of(gallery(html.replace(fault.getKey(), fault.getValue())), 1000, 1000, false, temp);
            assertTrue(!wrong.differences(right).isEmpty(), "not seen: " + fault);
        }
    }
}
