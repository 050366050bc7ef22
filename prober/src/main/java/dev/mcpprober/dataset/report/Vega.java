package dev.mcpprober.dataset.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.Json;
import java.util.List;

/** Vega-Lite specifications of the figures, with their data, for whoever wants to draw them anew. */
final class Vega {
    private static final String SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json";

    private Vega() {}

    private static ObjectNode begin(String title, Sheet sheet) {
        ObjectNode spec = Json.object().put("$schema", SCHEMA).put("title", title);
        spec.putObject("data").set("values", sheet.json());
        return spec;
    }

    private static ObjectNode channel(ObjectNode encoding, String channel, String field, String type) {
        return encoding.putObject(channel).put("field", field).put("type", type);
    }

    private static void inRows(ObjectNode channel) {
        channel.putNull("title").putNull("sort");
    }

    private static void percent(ObjectNode channel) {
        channel.putObject("axis").put("format", "%");
        channel.putObject("scale").putArray("domain").add(0).add(1);
    }

    /** Shares with their intervals, in the order of rows. */
    static ObjectNode bars(String title, Sheet sheet, String label) {
        ObjectNode spec = begin(title, sheet);
        inRows(channel(spec.putObject("encoding"), "y", label, "nominal"));
        ObjectNode bar = spec.withArray("layer").addObject().put("mark", "bar");
        percent(channel(bar.putObject("encoding"), "x", "share", "quantitative"));
        ObjectNode rule = spec.withArray("layer").addObject();
        rule.putObject("mark").put("type", "rule");
        ObjectNode encoding = rule.putObject("encoding");
        channel(encoding, "x", "ci_low", "quantitative");
        encoding.putObject("x2").put("field", "ci_high");
        return spec;
    }

    /** The same in panels. */
    static ObjectNode barsByPanel(String title, Sheet sheet, String panel, String label) {
        ObjectNode inner = bars(title, sheet, label);
        ObjectNode spec = begin(title, sheet);
        channel(spec.putObject("facet"), "row", panel, "nominal");
        spec.putObject("resolve").putObject("scale").put("y", "independent");
        ObjectNode unit = spec.putObject("spec");
        unit.set("encoding", inner.get("encoding"));
        unit.set("layer", inner.get("layer"));
        return spec;
    }

    /** Parts of a whole, each row in its parts. */
    static ObjectNode stacks(String title, Sheet sheet, String label, String part, List<Palette.Fill> fills, boolean normalised) {
        ObjectNode spec = begin(title, sheet).put("mark", "bar");
        ObjectNode encoding = spec.putObject("encoding");
        inRows(channel(encoding, "y", label, "nominal"));
        ObjectNode x = channel(encoding, "x", "k", "quantitative").put("title", normalised ? "share" : "servers");
        if (normalised) {
            x.put("stack", "normalize");
        }
        ObjectNode colour = channel(encoding, "color", part, "nominal");
        ObjectNode scale = colour.putObject("scale");
        fills.forEach(fill -> {
            scale.withArray("domain").add(fill.name());
            scale.withArray("range").add(fill.colour());
        });
        return spec;
    }

    /** The same in panels, one for each family. */
    static ObjectNode stacksByPanel(String title, Sheet sheet, String panel, String label, String part, List<Palette.Fill> fills) {
        ObjectNode inner = stacks(title, sheet, label, part, fills, true);
        ObjectNode spec = begin(title, sheet);
        channel(spec.putObject("facet"), "row", panel, "nominal");
        spec.putObject("resolve").putObject("scale").put("y", "independent");
        ObjectNode unit = spec.putObject("spec");
        unit.set("mark", inner.get("mark"));
        unit.set("encoding", inner.get("encoding"));
        return spec;
    }

    /** Parts of a whole that are columns of the table. */
    static ObjectNode folded(String title, Sheet sheet, String label, List<String> columns, List<Palette.Fill> fills) {
        ObjectNode spec = begin(title, sheet).put("mark", "bar");
        ObjectNode fold = spec.withArray("transform").addObject();
        columns.forEach(fold.withArray("fold")::add);
        fold.withArray("as").add("part").add("k");
        ObjectNode encoding = spec.putObject("encoding");
        inRows(channel(encoding, "y", label, "nominal"));
        channel(encoding, "x", "k", "quantitative").put("stack", "normalize").put("title", "share");
        ObjectNode scale = channel(encoding, "color", "part", "nominal").putObject("scale");
        for (int i = 0; i < columns.size(); i++) {
            scale.withArray("domain").add(columns.get(i));
            scale.withArray("range").add(fills.get(i).colour());
        }
        return spec;
    }

    /** A grid of shares. */
    static ObjectNode grid(String title, Sheet sheet, String row, String column) {
        ObjectNode spec = begin(title, sheet);
        ObjectNode encoding = spec.putObject("encoding");
        channel(encoding, "y", row, "nominal").putNull("title");
        channel(encoding, "x", column, "nominal").putNull("title");
        ObjectNode cell = spec.withArray("layer").addObject().put("mark", "rect");
        ObjectNode colour = channel(cell.putObject("encoding"), "color", "share", "quantitative");
        colour.putObject("scale").put("scheme", "blues").putArray("domain").add(0).add(1);
        ObjectNode text = spec.withArray("layer").addObject().put("mark", "text");
        channel(text.putObject("encoding"), "text", "n", "quantitative");
        return spec;
    }

    /** Shares by version, one panel for each family. */
    static ObjectNode curves(String title, Sheet sheet, String panel, String step) {
        ObjectNode spec = begin(title, sheet);
        channel(spec.putObject("facet"), "row", panel, "nominal");
        spec.putObject("resolve").putObject("scale").put("x", "independent");
        ObjectNode inner = spec.putObject("spec");
        ObjectNode encoding = inner.putObject("encoding");
        ObjectNode x = channel(encoding, "x", step, "nominal").putNull("title");
        x.putObject("sort").put("field", "row").put("op", "min");
        ObjectNode line = inner.withArray("layer").addObject();
        line.putObject("mark").put("type", "line").put("point", true);
        percent(channel(line.putObject("encoding"), "y", "share", "quantitative"));
        ObjectNode rule = inner.withArray("layer").addObject().put("mark", "rule");
        ObjectNode bounds = rule.putObject("encoding");
        channel(bounds, "y", "ci_low", "quantitative");
        bounds.putObject("y2").put("field", "ci_high");
        return spec;
    }

    /** Counts. */
    static ObjectNode counts(String title, Sheet sheet, String label, String count) {
        ObjectNode spec = begin(title, sheet).put("mark", "bar");
        ObjectNode encoding = spec.putObject("encoding");
        inRows(channel(encoding, "y", label, "nominal"));
        channel(encoding, "x", count, "quantitative");
        return spec;
    }
}
