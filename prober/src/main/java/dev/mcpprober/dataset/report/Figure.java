package dev.mcpprober.dataset.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.io.AtomicFiles;
import dev.mcpprober.io.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * A figure: pictures, the table behind them, its CSV, and a Vega-Lite specification for whoever wants to draw it anew.
 *
 * @param id       file name, unique in a report
 * @param pictures SVG; none for what is only a table
 * @param spec     null for what is only a table
 */
record Figure(String id, String title, Sheet sheet, List<String> pictures, ObjectNode spec) {
    static final String FOLDER = "figures/";

    /** Only a table. */
    static Figure table(String id, String title, Sheet sheet) {
        return new Figure(id, title, sheet, List.of(), null);
    }

    String html() {
        boolean drawn = !pictures.isEmpty();
        String files = "<a href=\"" + FOLDER + id + ".csv\">CSV</a>" + (spec == null ? "" : ", <a href=\"" + FOLDER + id + ".vl.json\">Vega-Lite</a>");
        return "<figure id=\"figure-" + id + "\"" + (pictures.size() > 2 ? " class=\"many\"" : drawn ? " class=\"drawn\"" : "") + "><figcaption>" + Html.text(title) + " <span class=\"dim\">" + files + "</span></figcaption>\n"
                + (drawn ? "<div class=\"pictures\">" + String.join("", pictures) + "</div>\n" : "")
                + "<details" + (sheet.rows().size() <= (drawn ? 24 : 60) ? " open" : "") + "><summary>Table</summary>" + sheet.html(title) + "</details></figure>\n";
    }

    void write(Path report) throws IOException {
        Path folder = report.resolve(FOLDER);
        AtomicFiles.write(folder.resolve(id + ".csv"), sheet.csv().getBytes(StandardCharsets.UTF_8));
        if (spec != null) {
            AtomicFiles.write(folder.resolve(id + ".vl.json"), (Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(spec) + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }
}
