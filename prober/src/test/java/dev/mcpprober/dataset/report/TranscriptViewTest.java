package dev.mcpprober.dataset.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.Era;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.Transcript;
import dev.mcpprober.transcript.TranscriptHeader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A page is bounded whatever servers say, and tells what it leaves out. */
class TranscriptViewTest {
    private static Transcript transcript(int events, String line) {
        List<Event> out = new ArrayList<>();
        for (int i = 0; i < events; i++) {
            out.add(new Event.Received(i, i * 1_000_000L, line.getBytes(), true, line.length()));
        }
        return new Transcript(new TranscriptHeader("a-1", "k", "pkg:npm/x@1", "legacy", "legacy-full@1", Era.LEGACY, "2025-11-25", List.of("node"), "sha256:bb", "network=none", "0.1.0",
                "2026-11-30T12:00:00.000Z", 1, 2, 3), out);
    }

    @Test
    void aTalkativeServerMakesNoEndlessPage() {
        TranscriptView view = new TranscriptView();
        StringBuilder page = new StringBuilder();
        for (String session : List.of("legacy", "legacy-tools", "legacy-negative")) {
            page.append(view.html(session, transcript(5_000, "<b>&\u202E" + "x".repeat(5_000)), Set.of(3, 4_990)));
        }
        assertTrue(page.length() < 1_000_000, "length " + page.length());
        assertFalse(page.toString().contains("<b>"));
        assertTrue(Pattern.compile("… \\d+ events not shown, the page would be too long").matcher(page).find());
        assertTrue(view.has("legacy-negative", 4_990), "what a verdict rests on is shown where others are not");
        assertTrue(page.toString().contains(" more bytes)"), "long lines are cut, and it is said");
        assertFalse(view.has("legacy-negative", 4_000));
    }

    @Test
    void everyEventIsShownAndCountedOrLeftOut() {
        TranscriptView view = new TranscriptView();
        String html = view.html("legacy", transcript(3_000, "y".repeat(1_000)), Set.of());
        int shown = html.split("<pre ", -1).length - 1;
        var gap = Pattern.compile("… (\\d+) events not shown").matcher(html);
        int left = 0;
        while (gap.find()) {
            left += Integer.parseInt(gap.group(1));
        }
        assertEquals(3_000, shown + left);
        assertTrue(left > 0 && html.contains("3000 events</summary>"));
    }

    /** The order of an immutable map is another one in every process: two builds of one release differed. */
    @Test
    void whatWasTakenOutIsToldInOrder() {
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 40; i > 10; i--) {
            counts.put("rule-" + i, i);
        }
        Transcript shown = new Transcript(transcript(1, "x").header(), List.of(new Event.Redacted(0, 0, counts)));
        String told = IntStream.rangeClosed(11, 40).mapToObj(i -> "rule-" + i + " " + i).collect(Collectors.joining(", "));
        String html = new TranscriptView().html("legacy", shown, Set.of());
        assertTrue(html.contains("taken out: " + told + "<"), html);
    }

    @Test
    void namesOfSessionsMakeAnchors() {
        assertEquals("e-legacy-tools.2-7", TranscriptView.anchor("legacy-tools.2", 7));
        assertEquals("e-a-b--7", TranscriptView.anchor("a\"b>", 7));
    }
}
