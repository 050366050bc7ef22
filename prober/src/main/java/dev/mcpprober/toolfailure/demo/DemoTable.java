package dev.mcpprober.toolfailure.demo;

import dev.mcpprober.model.Printable;
import java.util.ArrayList;
import java.util.List;

/** The rows as a table of plain text, cells wrapped. All texts are made printable. */
public final class DemoTable {
    private static final List<String> HEAD = List.of("", "scenario", "first answer: class/code", "what the client did, and why", "relay", "log line found by correlationId");
    private static final int[] WIDTHS = {5, 22, 30, 50, 16, 37};
    private static final int MOST = 2_000;

    private DemoTable() {}

    public static List<String> lines(List<Row> rows) {
        List<String> out = new ArrayList<>();
        String server = "";
        for (Row row : rows) {
            if (!row.server().equals(server)) {
                server = row.server();
                out.add("");
                out.add(Printable.text(server, 200) + ", " + Printable.text(row.direct().revision(), 40));
                out.addAll(wrapped(HEAD));
                out.add(rule());
            }
            out.addAll(wrapped(List.of(row.right() ? "ok" : "WRONG", row.scenario().id(), row.classification(), row.did() + ". " + row.why(), row.relay(), row.logInShort())));
            row.problems().forEach(problem -> out.add("      " + Printable.text(problem, MOST)));
            out.add(rule());
        }
        return out;
    }

    private static String rule() {
        StringBuilder out = new StringBuilder();
        for (int width : WIDTHS) {
            out.append(out.isEmpty() ? "" : "-+-").append("-".repeat(width));
        }
        return out.toString();
    }

    private static List<String> wrapped(List<String> cells) {
        List<List<String>> columns = new ArrayList<>();
        for (int i = 0; i < WIDTHS.length; i++) {
            columns.add(wrap(Printable.text(cells.get(i), MOST), WIDTHS[i]));
        }
        int height = columns.stream().mapToInt(List::size).max().orElse(0);
        List<String> out = new ArrayList<>();
        for (int line = 0; line < height; line++) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < WIDTHS.length; i++) {
                String part = line < columns.get(i).size() ? columns.get(i).get(line) : "";
                text.append(i == 0 ? "" : " | ").append(part).append(" ".repeat(WIDTHS[i] - part.length()));
            }
            out.add(text.toString().stripTrailing());
        }
        return out;
    }

    /** Broken after spaces, slashes and hyphens, and within what is longer than a line. */
    static List<String> wrap(String text, int width) {
        List<String> out = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split("(?<=[ /-])")) {
            String rest = word;
            if (line.length() + rest.stripTrailing().length() > width && !line.isEmpty()) {
                out.add(line.toString().stripTrailing());
                line.setLength(0);
            }
            while (rest.stripTrailing().length() > width) {
                out.add(rest.substring(0, width));
                rest = rest.substring(width);
            }
            line.append(rest);
        }
        if (!line.isEmpty() || out.isEmpty()) {
            out.add(line.toString().stripTrailing());
        }
        return out;
    }
}
