package dev.mcpprober.dataset.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The kinds of pictures. Long ones are parted, so that each part fits onto a printed page. */
final class Charts {
    /** Rows of one picture. */
    static final int ROWS = 22;
    private static final double LEFT = 2;
    private static final double RIGHT = Svg.WIDTH - 2;
    private static final double SPAN = RIGHT - LEFT;
    private static final int LABEL = 46;
    private static final String BLUE = "#0072B2";

    private Charts() {}

    /** @param note what stands at the right of the label */
    record Bar(String label, double share, double low, double high, String note) {}

    /** @param parts counts, one for each category; their sum is the whole */
    record Stack(String label, String note, List<Integer> parts) {}

    /** @param n servers behind it */
    record Cell(double share, int n) {}

    /** Less than this many servers say little; such figures get an asterisk. */
    static String servers(int n) {
        return n + (n < 30 ? "*" : "");
    }

    private static double x(double share) {
        return LEFT + SPAN * Math.max(0, Math.min(1, share));
    }

    private static <T> List<List<T>> parted(List<T> rows) {
        List<List<T>> out = new ArrayList<>();
        for (int i = 0; i < rows.size(); i += ROWS) {
            out.add(rows.subList(i, Math.min(rows.size(), i + ROWS)));
        }
        return out;
    }

    private static void percentAxis(Svg svg, double left, double span, double bottom) {
        for (int tick = 0; tick <= 100; tick += 25) {
            double at = left + span * tick / 100;
            svg.axis(at, 14, at, bottom);
            svg.text(at, 10, tick == 0 ? "start" : tick == 100 ? "end" : "middle", tick + " %", 8, " class=\"tick\"");
        }
    }

    /** Horizontal bars from 0 to 100 % with their intervals. */
    static List<String> bars(String id, String title, List<Bar> bars) {
        List<String> out = new ArrayList<>();
        for (List<Bar> part : parted(bars)) {
            Svg svg = new Svg(id + out.size(), title);
            percentAxis(svg, LEFT, SPAN, 18 + part.size() * 32.0);
            for (int i = 0; i < part.size(); i++) {
                Bar bar = part.get(i);
                double y = 20 + i * 32.0;
                svg.say(bar.label() + " " + bar.note()).text(LEFT, y + 10, "start", bar.label(), LABEL).text(RIGHT, y + 10, "end", bar.note(), 24);
                svg.rect(LEFT, y + 14, SPAN * bar.share(), 12, BLUE).whisker(x(bar.low()), x(bar.high()), y + 20);
            }
            out.add(svg.toString());
        }
        return out;
    }

    /** Wholes in their parts, each as long as the others. */
    static List<String> stacks(String id, String title, List<Palette.Fill> fills, List<Stack> stacks) {
        List<String> out = new ArrayList<>();
        for (List<Stack> part : parted(stacks)) {
            Svg svg = new Svg(id + out.size(), title);
            double top = legend(svg, fills);
            for (int i = 0; i < part.size(); i++) {
                Stack stack = part.get(i);
                double y = top + i * 30.0;
                int whole = Math.max(1, stack.parts().stream().mapToInt(Integer::intValue).sum());
                svg.text(LEFT, y + 10, "start", stack.label(), LABEL).text(RIGHT, y + 10, "end", stack.note(), 24);
                double at = LEFT;
                List<String> told = new ArrayList<>();
                for (int p = 0; p < fills.size(); p++) {
                    int count = stack.parts().get(p);
                    if (count > 0) {
                        double width = SPAN * count / whole;
                        svg.rect(at, y + 14, Math.max(0.6, width - 1), 11, fills.get(p));
                        at += width;
                        told.add(fills.get(p).name() + " " + count);
                    }
                }
                svg.say(stack.label() + ": " + String.join(", ", told));
            }
            out.add(svg.toString());
        }
        return out;
    }

    /** @return where the picture goes on */
    private static double legend(Svg svg, List<Palette.Fill> fills) {
        double at = LEFT;
        double y = 2;
        for (Palette.Fill fill : fills) {
            double width = 20 + fill.name().length() * 6.2;
            if (at > LEFT && at + width > RIGHT) {
                at = LEFT;
                y += 16;
            }
            svg.rect(at, y, 12, 10, fill).text(at + 15, y + 9, "start", fill.name(), LABEL);
            at += width + 8;
        }
        return y + 18;
    }

    /** A grid of shares, the darker the larger, with share and number of servers in each cell. */
    static List<String> grid(String id, String title, List<String> rows, List<String> columns, Map<List<String>, Cell> cells) {
        List<String> out = new ArrayList<>();
        double width = SPAN / Math.max(1, columns.size());
        for (List<String> part : parted(rows)) {
            Svg svg = new Svg(id + out.size(), title);
            for (int c = 0; c < columns.size(); c++) {
                svg.text(LEFT + (c + 0.5) * width, 10, "middle", columns.get(c), Math.max(5, (int) (width / 5)), " class=\"tick\"");
            }
            for (int r = 0; r < part.size(); r++) {
                double y = 16 + r * 46.0;
                svg.text(LEFT, y + 12, "start", part.get(r), LABEL);
                for (int c = 0; c < columns.size(); c++) {
                    cell(svg, LEFT + c * width, y + 16, width - 2, part.get(r) + " " + columns.get(c), cells.get(List.of(part.get(r), columns.get(c))));
                }
            }
            out.add(svg.toString());
        }
        return out;
    }

    private static void cell(Svg svg, double x, double y, double width, String label, Cell cell) {
        if (cell == null) {
            svg.frame(x, y, width, 26).text(x + width / 2, y + 17, "middle", "–", 1);
            return;
        }
        String ink = " class=\"" + Palette.ink(cell.share()) + "\"";
        svg.say(label + ": " + Html.percent(cell.share()) + " of " + cell.n());
        svg.rect(x, y, width, 26, Palette.shade(cell.share())).frame(x, y, width, 26);
        svg.text(x + width / 2, y + 11, "middle", Html.percent(cell.share()), 8, ink).text(x + width / 2, y + 22, "middle", "n " + servers(cell.n()), 9, ink);
    }

    /** A curve that runs down the page, one step a row, each with its interval. {@code name} stands at its head. */
    static List<String> curve(String id, String name, String title, List<Bar> steps) {
        List<String> out = new ArrayList<>();
        double left = 92;
        double span = Svg.WIDTH - left - 48;
        for (List<Bar> part : parted(steps)) {
            Svg svg = new Svg(id + out.size(), title);
            svg.text(LEFT, 10, "start", name, 16);
            percentAxis(svg, left, span, 16 + part.size() * 22.0);
            List<double[]> points = new ArrayList<>();
            for (int i = 0; i < part.size(); i++) {
                points.add(new double[] {left + span * part.get(i).share(), 26 + i * 22.0});
            }
            svg.line(points);
            for (int i = 0; i < part.size(); i++) {
                Bar step = part.get(i);
                double y = 26 + i * 22.0;
                svg.say(step.label() + ": " + Html.percent(step.share()) + ", n " + step.note()).text(left - 6, y + 4, "end", step.label(), 15);
                svg.whisker(left + span * step.low(), left + span * step.high(), y).dot(points.get(i)[0], y).text(RIGHT, y + 4, "end", "n " + step.note(), 8);
            }
            out.add(svg.toString());
        }
        return out;
    }

    /** Counts that begin where others end: from the whole frame to what is left of it. Each has start and end. */
    static List<String> fall(String id, String title, List<Bar> steps) {
        Svg svg = new Svg(id + 0, title);
        for (int i = 0; i < steps.size(); i++) {
            Bar step = steps.get(i);
            double y = 2 + i * 28.0;
            svg.say(step.label() + " " + step.note()).text(LEFT, y + 10, "start", step.label(), LABEL).text(RIGHT, y + 10, "end", step.note(), 24);
            svg.frame(LEFT, y + 14, SPAN, 9);
            svg.rect(x(step.low()), y + 14, Math.max(step.high() > step.low() ? 0.6 : 0, SPAN * (step.high() - step.low())), 9, step.share() > 0 ? BLUE : "#E69F00");
        }
        return List.of(svg.toString());
    }

    /** Counts; the largest is as long as the picture is wide. */
    static List<String> counts(String id, String title, List<String> labels, List<Integer> counts) {
        List<String> out = new ArrayList<>();
        int most = Math.max(1, counts.stream().mapToInt(Integer::intValue).max().orElse(1));
        List<Bar> bars = new ArrayList<>();
        for (int i = 0; i < labels.size(); i++) {
            bars.add(new Bar(labels.get(i), (double) counts.get(i) / most, 0, 0, Integer.toString(counts.get(i))));
        }
        for (List<Bar> part : parted(bars)) {
            Svg svg = new Svg(id + out.size(), title);
            for (int i = 0; i < part.size(); i++) {
                Bar bar = part.get(i);
                double y = 2 + i * 30.0;
                svg.say(bar.label() + " " + bar.note()).text(LEFT, y + 10, "start", bar.label(), LABEL).text(RIGHT, y + 10, "end", bar.note(), 24);
                svg.rect(LEFT, y + 14, SPAN * bar.share(), 11, BLUE);
            }
            out.add(svg.toString());
        }
        return out;
    }
}
