package dev.mcpprober.dataset.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.dataset.shares.ShareLine;
import dev.mcpprober.io.AtomicFiles;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.Printable;
import dev.mcpprober.stats.Interval;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A figure with its table, its CSV and a Vega-Lite specification for whoever wants to draw it anew.
 *
 * @param id    file name
 * @param lines the shares that it shows, in order, with the label of each
 */
record Figure(String id, String title, List<Labelled> lines) {
    /** A share under the name that the figure gives it. */
    record Labelled(String label, ShareLine line) {}

    /** The figure as HTML; {@code svg} is its picture. */
    String html(String svg) {
        List<List<String>> rows = new ArrayList<>();
        for (Labelled labelled : lines) {
            ShareLine line = labelled.line();
            Interval interval = line.share().wilson();
            rows.add(List.of(Html.text(labelled.label(), 100), Integer.toString(line.share().all().k()), Integer.toString(line.share().all().n()),
                    Html.percent(line.share().all().share().orElse(0)), Html.percent(interval.low()) + " to " + Html.percent(interval.high()), line.method(),
                    Integer.toString(line.share().publishers()), "not audited"));
        }
        return "<figure>" + svg + "<details><summary>Table</summary>"
                + Html.table(Html.text(title), List.of("", "k#", "n#", "share#", "95 % interval#", "method", "publishers#", "corrected for the extractor's errors"), rows)
                + "</details><figcaption class=\"dim\">" + Html.text(title) + ". <a href=\"figures/" + id + ".csv\">CSV</a>, <a href=\"figures/" + id
                + ".vl.json\">Vega-Lite</a></figcaption></figure>\n";
    }

    String bars() {
        List<Svg.Bar> bars = new ArrayList<>();
        for (Labelled labelled : lines) {
            ShareLine line = labelled.line();
            Interval interval = line.share().wilson();
            double share = line.share().all().share().orElse(0);
            bars.add(new Svg.Bar(labelled.label(), share, interval.low(), interval.high(), Html.percent(share) + " of " + line.share().all().n()));
        }
        return Svg.bars(title, bars);
    }

    List<Path> write(Path folder) throws IOException {
        StringBuilder csv = new StringBuilder("label_text,k,n,share,ci_low,ci_high,ci_method,n_clusters\n");
        ObjectNode spec = Json.object().put("$schema", "vega-lite v5").put("title", title);
        ObjectNode data = spec.putObject("data");
        for (Labelled labelled : lines) {
            ShareLine line = labelled.line();
            Interval interval = line.share().wilson();
            double share = line.share().all().share().orElse(0);
            String label = Printable.cell(labelled.label(), 200);
            csv.append(String.format(Locale.ROOT, "\"%s\",%d,%d,%.6f,%.6f,%.6f,%s,%d\n", label.replace("\"", "\"\""), line.share().all().k(), line.share().all().n(), share,
                    interval.low(), interval.high(), line.method(), line.share().publishers()));
            data.withArray("values").addObject().put("label", label).put("share", share).put("low", interval.low()).put("high", interval.high());
        }
        spec.putObject("encoding").putObject("y").put("field", "label").put("type", "nominal").putNull("title").putNull("sort");
        ObjectNode bar = spec.withArray("layer").addObject().put("mark", "bar");
        bar.putObject("encoding").putObject("x").put("field", "share").put("type", "quantitative");
        ObjectNode rule = spec.withArray("layer").addObject().put("mark", "rule");
        ObjectNode encoding = rule.putObject("encoding");
        encoding.putObject("x").put("field", "low").put("type", "quantitative");
        encoding.putObject("x2").put("field", "high");
        Path table = folder.resolve(id + ".csv");
        Path vega = folder.resolve(id + ".vl.json");
        AtomicFiles.write(table, csv.toString().getBytes(StandardCharsets.UTF_8));
        AtomicFiles.write(vega, (Json.write(spec) + "\n").getBytes(StandardCharsets.UTF_8));
        return List.of(table, vega);
    }
}
