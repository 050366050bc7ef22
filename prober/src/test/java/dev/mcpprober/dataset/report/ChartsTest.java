package dev.mcpprober.dataset.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.rules.VerdictWord;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Pictures at their edges: nothing, one, 0 %, 100 %, many, and words of servers. */
class ChartsTest {
    private static final String EVIL = "</text><script>alert(1)</script>\u202E\u0000\"'&" + "x".repeat(300);

    private static List<Element> elements(String svg, String name) throws Exception {
        Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
        NodeList nodes = document.getElementsByTagName(name);
        List<Element> out = new ArrayList<>();
        for (int i = 0; i < nodes.getLength(); i++) {
            out.add((Element) nodes.item(i));
        }
        return out;
    }

    private static double number(Element element, String name) {
        return Double.parseDouble(element.getAttribute(name));
    }

    /** Everything drawn is within the picture. */
    private static void within(String svg) throws Exception {
        String[] box = elements(svg, "svg").get(0).getAttribute("viewBox").split(" ");
        double height = Double.parseDouble(box[3]);
        for (Element rect : elements(svg, "rect")) {
            if (rect.getParentNode().getNodeName().equals("pattern")) {
                continue;
            }
            assertTrue(number(rect, "x") >= 0 && number(rect, "width") >= 0 && number(rect, "x") + number(rect, "width") <= Svg.WIDTH, svg);
            assertTrue(number(rect, "y") >= 0 && number(rect, "y") + number(rect, "height") <= height, svg);
        }
        for (Element text : elements(svg, "text")) {
            assertTrue(number(text, "x") >= 0 && number(text, "x") <= Svg.WIDTH && number(text, "y") <= height, svg);
        }
    }

    @Test
    void aBarIsAsLongAsItsShare() throws Exception {
        List<Charts.Bar> bars = List.of(new Charts.Bar("none", 0, 0, 0.8, ""), new Charts.Bar("half", 0.5, 0.2, 0.8, ""), new Charts.Bar("all", 1, 0.2, 1, ""));
        String svg = Charts.bars("b", "Bars", bars).get(0);
        within(svg);
        List<Element> rects = elements(svg, "rect");
        assertEquals(List.of(0.0, 168.0, 336.0), rects.stream().map(rect -> number(rect, "width")).toList());
        assertEquals(3, elements(svg, "path").size());
    }

    @Test
    void manyRowsArePartedAndNothingIsLost() throws Exception {
        List<Charts.Bar> bars = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            bars.add(new Charts.Bar("check-" + i, i / 60.0, 0, 1, ""));
        }
        List<String> pictures = Charts.bars("b", "Bars", bars);
        assertEquals(3, pictures.size());
        int rects = 0;
        Set<String> ids = new HashSet<>();
        for (String svg : pictures) {
            within(svg);
            rects += elements(svg, "rect").size();
            elements(svg, "title").forEach(title -> assertTrue(ids.add(title.getAttribute("id")), "ids are unique in a page"));
        }
        assertEquals(60, rects);
    }

    @Test
    void nothingIsDrawnOfNothing() throws Exception {
        assertEquals(List.of(), Charts.bars("b", "Bars", List.of()));
        assertEquals(List.of(), Charts.grid("g", "Grid", List.of(), List.of(), Map.of()));
        assertEquals(List.of(), Charts.counts("c", "Counts", List.of(), List.of()));
        String empty = Charts.stacks("s", "Stack", List.of(Palette.of(VerdictWord.PASS)), List.of(new Charts.Stack("no server", "n 0*", List.of(0)))).get(0);
        within(empty);
        assertEquals(2, elements(empty, "rect").size(), "the legend alone, and its pattern");
        String counts = Charts.counts("c", "Counts", List.of("zero"), List.of(0)).get(0);
        assertEquals(0, number(elements(counts, "rect").get(0), "width"));
        within(Charts.fall("f", "Funnel", List.of(new Charts.Bar("declared", 1, 0, 0, "0"))).get(0));
    }

    @Test
    void partsOfAWholeFillIt() throws Exception {
        List<Palette.Fill> fills = Arrays.stream(VerdictWord.values()).limit(4).map(Palette::of).toList();
        String svg = Charts.stacks("s", "Stack", fills, List.of(new Charts.Stack("check", "n 3*", List.of(1, 0, 1, 1)))).get(0);
        within(svg);
        List<Element> bars = elements(svg, "rect").stream().filter(rect -> rect.getAttribute("height").equals("11.0")).toList();
        assertEquals(3, bars.size(), "nothing for a count of 0");
        assertEquals(336, bars.stream().mapToDouble(bar -> number(bar, "width") + 1).sum(), 0.5);
    }

    @Test
    void whatServersSayIsInert() throws Exception {
        List<Charts.Bar> bars = List.of(new Charts.Bar(EVIL, 0.5, 0.1, 0.9, EVIL));
        for (List<String> pictures : List.of(Charts.bars("b", EVIL, bars), Charts.curve("c", EVIL, EVIL, bars),
                Charts.grid("g", EVIL, List.of(EVIL), List.of(EVIL), Map.of(List.of(EVIL, EVIL), new Charts.Cell(1, 1))),
                Charts.stacks("s", EVIL, Palette.of(List.of(EVIL)), List.of(new Charts.Stack(EVIL, EVIL, List.of(1)))),
                Charts.counts("n", EVIL, List.of(EVIL), List.of(1)), Charts.fall("f", EVIL, bars))) {
            assertEquals(List.of(), elements(pictures.get(0), "script"));
            assertTrue(elements(pictures.get(0), "text").stream().allMatch(text -> text.getTextContent().length() < 120), "cut");
        }
    }

    @Test
    void categoriesDifferInMoreThanHue() {
        List<Palette.Fill> fills = Palette.of(List.of("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"));
        assertEquals(12, fills.stream().map(fill -> fill.colour() + fill.pattern()).distinct().count());
        Set<String> patterns = new HashSet<>();
        List.of(VerdictWord.PASS, VerdictWord.DIVERGENT, VerdictWord.WARN, VerdictWord.FAIL).forEach(word -> assertTrue(patterns.add(Palette.of(word).pattern()), word.id()));
        assertEquals(Palette.of(List.of("tool-error", "success")).get(0), Palette.of(List.of("protocol-error", "tool-error")).get(1), "the same in every figure");
        double before = 2;
        for (double share : List.of(0.0, 0.2, 0.4, 0.6, 0.8)) {
            double light = luminance(Palette.shade(share));
            assertTrue(light < before, "the larger the darker");
            double letters = Palette.ink(share).equals("on-dark") ? 1 : 0;
            assertTrue((Math.max(light, letters) + 0.05) / (Math.min(light, letters) + 0.05) >= 4.5, "letters can be read on " + Palette.shade(share));
            before = light;
        }
        assertNotEquals(Palette.shade(0.79), Palette.shade(1));
    }

    /** Relative luminance by WCAG. */
    private static double luminance(String colour) {
        double[] parts = new double[3];
        for (int i = 0; i < 3; i++) {
            double value = Integer.parseInt(colour.substring(1 + 2 * i, 3 + 2 * i), 16) / 255.0;
            parts[i] = value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
        }
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
    }

    @Test
    void releasesStandInTheirOrder() {
        List<String> sorted = List.of("0.9.0", "1.0.0-alpha.2", "1.0.0-alpha.10", "1.0.0-rc.1", "1.0.0", "1.0.0.post1", "1.2.0a1", "1.2.0b1", "1.2.0", "1.2.0.1", "1.2.10", "1.10.0", "2.0", "2026.10.19",
                "99999999999999999999.0");
        List<String> mixed = new ArrayList<>(sorted);
        java.util.Collections.reverse(mixed);
        mixed.sort(Versions.ORDER);
        assertEquals(sorted, mixed);
        assertEquals(0, Versions.ORDER.compare("unknown", "unknown"));
    }
}
