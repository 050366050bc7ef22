package dev.mcpprober.dataset.report;

import dev.mcpprober.rules.VerdictWord;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Colours of categories: those of Okabe and Ito (2008), which people with any colour vision tell apart, each with a pattern of its own, so that
 * nothing is told by hue alone. Those of shares are the five blues of ColorBrewer (Brewer and Harrower 2002), from light to dark.
 */
final class Palette {
    private static final List<String> BLUES = List.of("#eff3ff", "#bdd7e7", "#6baed6", "#2171b5", "#08306b");
    private static final List<String> COLOURS = List.of("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#999999");
    private static final List<String> PATTERNS = List.of("", "rising", "dots", "lines", "falling", "cross", "posts", "");

    /** Values that several figures share look the same in all. */
    private static final List<String> KNOWN = List.of("protocol-error", "tool-error", "success", "other", "unmatched-error", "silence", "no-response", "exited", "unresponsive",
            "closed", "invalid-response", "result");

    private Palette() {}

    /**
     * How a category looks.
     *
     * @param name    of the category
     * @param pattern drawn over the colour: {@code rising}, {@code falling}, {@code cross}, {@code dots}, {@code lines}, {@code posts}, or empty
     */
    record Fill(String name, String colour, String pattern) {}

    static Fill of(VerdictWord word) {
        return switch (word) {
            case PASS -> new Fill(word.id(), "#009E73", "");
            case DIVERGENT -> new Fill(word.id(), "#56B4E9", "lines");
            case WARN -> new Fill(word.id(), "#E69F00", "dots");
            case FAIL -> new Fill(word.id(), "#D55E00", "rising");
            default -> new Fill(word.id(), "#999999", "");
        };
    }

    /** For categories without a verdict of their own; after eight colours they come again with another pattern. */
    static List<Fill> of(List<String> names) {
        List<String> order = new ArrayList<>(KNOWN);
        names.stream().filter(name -> !KNOWN.contains(name)).forEach(order::add);
        return names.stream().map(name -> {
            int place = order.indexOf(name);
            int turn = place / COLOURS.size();
            return new Fill(name, COLOURS.get(place % COLOURS.size()), PATTERNS.get((place + turn * 3) % PATTERNS.size()));
        }).toList();
    }

    /** The shade of a share from 0 to 1. */
    static String shade(double share) {
        return BLUES.get(Math.min(BLUES.size() - 1, (int) (share * BLUES.size())));
    }

    /** Style class of letters on that shade. */
    static String ink(double share) {
        return share < 0.6 ? "on-light" : "on-dark";
    }

    /** Definition of a pattern that is drawn over its colour. */
    static String pattern(String id, Fill fill) {
        String ink = "stroke=\"#1b1b1b\" stroke-width=\"1.1\" stroke-opacity=\".65\" fill=\"none\"";
        String drawing = switch (fill.pattern()) {
            case "rising" -> "<path d=\"M-1 7L7-1M-1 1L1-1M5 7L7 5\" " + ink + "/>";
            case "falling" -> "<path d=\"M-1-1L7 7M-1 5L1 7M5-1L7 1\" " + ink + "/>";
            case "cross" -> "<path d=\"M0 0L6 6M6 0L0 6\" " + ink + "/>";
            case "dots" -> "<circle cx=\"2\" cy=\"2\" r=\"1\" fill=\"#1b1b1b\" fill-opacity=\".7\"/>";
            case "lines" -> "<path d=\"M0 3H6\" " + ink + "/>";
            case "posts" -> "<path d=\"M3 0V6\" " + ink + "/>";
            default -> "";
        };
        return String.format(Locale.ROOT, "<pattern id=\"%s\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><rect width=\"6\" height=\"6\" fill=\"%s\"/>%s</pattern>",
                id, fill.colour(), drawing);
    }
}
