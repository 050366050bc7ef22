package dev.mcpprober.dataset.report;

import java.util.List;

/**
 * A part of the first page.
 *
 * @param id      anchor
 * @param text    HTML that stands before its figures
 * @param figures may be none
 */
record Section(String id, String title, String text, List<Figure> figures) {
    Section {
        figures = List.copyOf(figures);
    }

    static String paragraph(String text) {
        return "<p>" + Html.text(text) + "</p>\n";
    }

    String html() {
        StringBuilder out = new StringBuilder("<section><h2 id=\"").append(id).append("\">").append(Html.text(title)).append("</h2>\n").append(text);
        figures.forEach(figure -> out.append(figure.html()));
        return out.append("</section>\n").toString();
    }
}
