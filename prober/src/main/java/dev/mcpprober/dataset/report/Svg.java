package dev.mcpprober.dataset.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Charts as SVG, written out: the same numbers give the same bytes. */
final class Svg {
    private static final int LABEL = 260;
    private static final int WIDTH = 420;
    private static final int ROW = 24;

    private Svg() {}

    /** @param low bounds of the interval, from 0 to 1 like {@code share} */
    record Bar(String label, double share, double low, double high, String note) {}

    /** Horizontal bars from 0 to 100 %, with whiskers for the intervals. */
    static String bars(String title, List<Bar> bars) {
        int height = bars.size() * ROW + 34;
        StringBuilder out = new StringBuilder(open(title, LABEL + WIDTH + 150, height));
        for (int tick = 0; tick <= 100; tick += 25) {
            double x = LABEL + WIDTH * tick / 100.0;
            out.append(String.format(Locale.ROOT, "<line class=\"axis\" x1=\"%.1f\" x2=\"%.1f\" y1=\"18\" y2=\"%d\"/>", x, x, height - 14));
            out.append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"12\" text-anchor=\"middle\">%d %%</text>", x, tick));
        }
        for (int i = 0; i < bars.size(); i++) {
            Bar bar = bars.get(i);
            int y = 22 + i * ROW;
            out.append(String.format(Locale.ROOT, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>", LABEL - 8, y + 14, Html.text(bar.label(), 44)));
            out.append(String.format(Locale.ROOT, "<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"16\" fill=\"#0072B2\"/>", LABEL, y + 2, WIDTH * bar.share()));
            double low = LABEL + WIDTH * bar.low();
            double high = LABEL + WIDTH * bar.high();
            out.append(String.format(Locale.ROOT, "<path class=\"whisker\" fill=\"none\" d=\"M%.1f %d h%.1f M%.1f %d v8 M%.1f %d v8\"/>", low, y + 10, high - low,
                    low, y + 6, high, y + 6));
            out.append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%d\">%s</text>", LABEL + WIDTH + 8.0, y + 14, Html.text(bar.note())));
        }
        return out.append("</svg>\n").toString();
    }

    /**
     * A grid of shares: the darker, the larger. An asterisk marks cells of less than 30 servers.
     *
     * @param cells row and column to bar; its note is the number of servers
     */
    static String grid(String title, List<String> rows, List<String> columns, Map<List<String>, Bar> cells) {
        int cell = 104;
        StringBuilder out = new StringBuilder(open(title, LABEL + cell * columns.size() + 10, rows.size() * 30 + 40));
        for (int c = 0; c < columns.size(); c++) {
            out.append(String.format(Locale.ROOT, "<text x=\"%d\" y=\"16\" text-anchor=\"middle\">%s</text>", LABEL + c * cell + cell / 2, Html.text(columns.get(c), 14)));
        }
        for (int r = 0; r < rows.size(); r++) {
            int y = 26 + r * 30;
            out.append(String.format(Locale.ROOT, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>", LABEL - 8, y + 19, Html.text(rows.get(r), 44)));
            for (int c = 0; c < columns.size(); c++) {
                Bar bar = cells.get(List.of(rows.get(r), columns.get(c)));
                int x = LABEL + c * cell;
                out.append(String.format(Locale.ROOT, "<rect class=\"axis\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"28\" fill=\"#D55E00\" fill-opacity=\"%.3f\"/>", x, y,
                        cell - 2, bar == null ? 0 : 0.75 * bar.share()));
                if (bar != null) {
                    out.append(String.format(Locale.ROOT, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>", x + cell / 2, y + 19,
                            Html.text(Html.percent(bar.share()) + " of " + bar.note())));
                }
            }
        }
        return out.append("</svg>\n").toString();
    }

    private static String open(String title, int width, int height) {
        return "<svg viewBox=\"0 0 " + width + " " + height + "\" width=\"" + width + "\" height=\"" + height + "\" role=\"img\" aria-label=\"" + Html.text(title)
                + "\"><title>" + Html.text(title) + "</title>";
    }
}
