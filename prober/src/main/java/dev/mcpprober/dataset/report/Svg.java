package dev.mcpprober.dataset.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One picture as SVG, written out: the same numbers give the same bytes. It is as wide as a phone; on a larger screen the page makes it larger.
 * Names of its parts begin with its own, for several pictures are in one page.
 */
final class Svg {
    static final int WIDTH = 340;
    private static final int TOLD = 40;

    private final String id;
    private final String title;
    private final StringBuilder body = new StringBuilder();
    private final StringBuilder patterns = new StringBuilder();
    private final Map<Palette.Fill, String> fills = new HashMap<>();
    private final List<String> words = new ArrayList<>();
    private int height;

    /** @param id unique in its page */
    Svg(String id, String title) {
        this.id = id;
        this.title = title;
    }

    /** Says in words what is drawn next; for those who do not see it. */
    Svg say(String what) {
        words.add(what);
        return this;
    }

    /** @param anchor {@code start}, {@code middle} or {@code end} */
    Svg text(double x, double y, String anchor, String text, int limit) {
        return text(x, y, anchor, text, limit, "");
    }

    Svg text(double x, double y, String anchor, String text, int limit, String attributes) {
        body.append(String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\"%s%s>%s</text>", x, y, anchor.equals("start") ? "" : " text-anchor=\"" + anchor + "\"",
                attributes, Html.text(cut(text, limit))));
        return grow(y + 4);
    }

    private static String cut(String text, int limit) {
        return text.length() <= limit ? text : text.substring(0, limit - 1) + "…";
    }

    /** @param fill colour */
    Svg rect(double x, double y, double width, double height, String fill) {
        body.append(String.format(Locale.ROOT, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>", x, y, width, height, fill));
        return grow(y + height);
    }

    /** The same in the colours of a category. */
    Svg rect(double x, double y, double width, double height, Palette.Fill fill) {
        return rect(x, y, width, height, "url(#" + fills.computeIfAbsent(fill, key -> {
            String name = id + "-p" + fills.size();
            patterns.append(Palette.pattern(name, key));
            return name;
        }) + ")");
    }

    Svg frame(double x, double y, double width, double height) {
        body.append(String.format(Locale.ROOT, "<rect class=\"axis\" fill=\"none\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", x, y, width, height));
        return grow(y + height);
    }

    Svg axis(double x1, double y1, double x2, double y2) {
        body.append(String.format(Locale.ROOT, "<line class=\"axis\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>", x1, y1, x2, y2));
        return grow(Math.max(y1, y2));
    }

    /** An interval from {@code low} to {@code high}, with its ends marked. */
    Svg whisker(double low, double high, double y) {
        body.append(String.format(Locale.ROOT, "<path class=\"whisker\" fill=\"none\" d=\"M%.1f %.1fH%.1fM%.1f %.1fv8M%.1f %.1fv8\"/>", low, y, high, low, y - 4, high, y - 4));
        return grow(y + 4);
    }

    Svg dot(double x, double y) {
        body.append(String.format(Locale.ROOT, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"/>", x, y));
        return grow(y + 4);
    }

    /** @param points x and y of each */
    Svg line(List<double[]> points) {
        StringBuilder path = new StringBuilder();
        points.forEach(point -> path.append(String.format(Locale.ROOT, "%s%.1f,%.1f", path.length() == 0 ? "" : " ", point[0], point[1])));
        body.append("<polyline class=\"curve\" fill=\"none\" points=\"").append(path).append("\"/>");
        return this;
    }

    private Svg grow(double to) {
        height = Math.max(height, (int) Math.ceil(to) + 2);
        return this;
    }

    @Override
    public String toString() {
        String told = String.join("; ", words.subList(0, Math.min(TOLD, words.size()))) + (words.size() > TOLD ? "; the rest is in the table" : "");
        return "<svg viewBox=\"0 0 " + WIDTH + " " + height + "\" role=\"img\" aria-labelledby=\"" + id + "-t " + id + "-d\"><title id=\"" + id + "-t\">" + Html.text(title)
                + "</title><desc id=\"" + id + "-d\">" + Html.text(told.isEmpty() ? "Nothing to draw." : told) + "</desc>"
                + (patterns.length() == 0 ? "" : "<defs>" + patterns + "</defs>") + body + "</svg>\n";
    }
}
