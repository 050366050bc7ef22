package dev.mcpprober.dataset.report;

import dev.mcpprober.model.Printable;
import java.util.List;
import java.util.Locale;

/** Text as HTML. Whatever a server said becomes printable characters first, and those are escaped for text and attributes alike. */
public final class Html {
    private Html() {}

    public static String text(String raw) {
        return text(raw, Integer.MAX_VALUE);
    }

    /** The same, cut to {@code limit} characters of the input. */
    public static String text(String raw, int limit) {
        String printable = Printable.text(raw, limit);
        StringBuilder out = new StringBuilder(printable.length() + 16);
        for (int i = 0; i < printable.length(); i++) {
            char c = printable.charAt(i);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.append(c);
            }
        }
        return out.toString();
    }

    /** A table; cells are HTML already. Columns whose name ends in {@code #} hold numbers. */
    static String table(String caption, List<String> header, List<List<String>> rows) {
        StringBuilder out = new StringBuilder("<div class=\"scroll\"><table><caption>").append(caption).append("</caption><thead><tr>");
        for (String name : header) {
            out.append("<th scope=\"col\"").append(number(name)).append('>').append(text(name.replace("#", ""))).append("</th>");
        }
        out.append("</tr></thead><tbody>\n");
        for (List<String> row : rows) {
            out.append("<tr>");
            for (int i = 0; i < row.size(); i++) {
                String tag = i == 0 ? "th scope=\"row\"" : "td";
                out.append('<').append(tag).append(number(header.get(i))).append('>').append(row.get(i)).append(i == 0 ? "</th>" : "</td>");
            }
            out.append("</tr>\n");
        }
        return out.append("</tbody></table></div>\n").toString();
    }

    private static String number(String name) {
        return name.endsWith("#") ? " class=\"n\"" : "";
    }

    /** With a space at which no line breaks. */
    static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f\u00A0%%", 100 * share);
    }
}
