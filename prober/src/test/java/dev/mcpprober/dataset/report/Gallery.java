package dev.mcpprober.dataset.report;

import dev.mcpprober.rules.VerdictWord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A page with every kind of picture, at its edges and in between: always the same numbers. */
public final class Gallery {
    private Gallery() {}

    public static String html() {
        List<Charts.Bar> bars = new ArrayList<>();
        for (int i = 0; i <= 8; i++) {
            double share = i / 8.0;
            bars.add(new Charts.Bar("share-" + i, share, Math.max(0, share - 0.15), Math.min(1, share + 0.1), Html.percent(share) + " of " + Charts.servers(i * 8)));
        }
        bars.add(new Charts.Bar("<b>=HYPERLINK(\"x\")\u202Eevil & long, longer than there is room for it in the picture", 0.3, 0.1, 0.9, "of 1*"));
        List<Palette.Fill> words = List.of(Palette.of(VerdictWord.PASS), Palette.of(VerdictWord.DIVERGENT), Palette.of(VerdictWord.WARN), Palette.of(VerdictWord.FAIL));
        List<Charts.Stack> stacks = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            stacks.add(new Charts.Stack("check-" + i, "n 20*", List.of(20 - 2 * i, i % 3 == 0 ? 0 : i / 2, i % 2, i)));
        }
        List<Palette.Fill> many = Palette.of(List.of("protocol-error", "tool-error", "success", "other", "unmatched-error", "silence", "no-response", "exited", "unresponsive", "closed"));
        Map<List<String>, Charts.Cell> cells = new HashMap<>();
        List<String> rows = List.of("official-ts", "official-py", "hand-rolled");
        List<String> columns = List.of("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "none");
        for (int r = 0; r < rows.size(); r++) {
            for (int c = 0; c < columns.size(); c++) {
                if ((r + c) % 4 != 3) {
                    cells.put(List.of(rows.get(r), columns.get(c)), new Charts.Cell((r * 6 + c) / 17.0, 1 + r * 40));
                }
            }
        }
        List<String> pictures = new ArrayList<>(Charts.bars("bars", "Bars", bars));
        pictures.addAll(Charts.stacks("stacks", "Stacks", words, stacks));
        pictures.addAll(Charts.stacks("many", "Many", many, List.of(new Charts.Stack("ten values", "n 10*", List.of(1, 1, 1, 1, 1, 1, 1, 1, 1, 1)))));
        pictures.addAll(Charts.grid("grid", "Grid", rows, columns, cells));
        pictures.addAll(Charts.curve("curve", "official-ts", "Curve", bars.subList(0, 9)));
        pictures.addAll(Charts.fall("fall", "Fall", List.of(new Charts.Bar("declared", 1, 0, 1, "8"), new Charts.Bar("excluded", 0, 0.75, 1, "2"), new Charts.Bar("measured", 1, 0, 0.75, "6"))));
        pictures.addAll(Charts.counts("counts", "Counts", List.of("most", "few", "none"), List.of(40, 3, 0)));
        return Page.of("gallery", "", "<h1>Every kind of picture</h1>\n<div class=\"big\"><div><b>33.3 %</b>of servers</div></div>\n<figure class=\"many\"><div class=\"pictures\">"
                + String.join("", pictures) + "</div></figure>\n<p>" + Page.verdict("pass") + " " + Page.verdict("fail") + " " + Page.verdict("warn") + " " + Page.verdict("divergent") + "</p>\n");
    }
}
