package dev.mcpprober.dataset.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.dataset.Decimal;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.Printable;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/**
 * The table behind a figure: the one source of its picture, its HTML, its CSV and the data of its Vega-Lite specification.
 *
 * @param rows one value for each column: text, a whole number, or a real one, by the column's kind; NaN is a missing one
 */
record Sheet(List<Col> columns, List<List<Object>> rows) {
    private static final CSVFormat FORMAT = CSVFormat.RFC4180.builder().setRecordSeparator("\n").setNullString("").get();
    private static final int SHOWN = 400;
    private static final int CELL = 200;

    /** What a column holds. {@link #LOW} and {@link #HIGH} stand beside each other and are one column of the page; {@link #FILE} is only in the CSV. */
    enum Kind {
        TEXT, WORD, COUNT, SHARE, LOW, HIGH, NUMBER, FILE;

        boolean shown() {
            return this != HIGH && this != FILE;
        }
    }

    /**
     * @param name in the CSV
     * @param head in the page
     */
    record Col(String name, String head, Kind kind) {}

    Sheet {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        for (List<Object> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException("a row of " + row.size() + " in " + columns.size() + " columns: " + row);
            }
        }
    }

    /** Columns {@code NAME}, {@code NAME_low} and {@code NAME_high}. */
    static List<Col> interval(String name, String low, String head) {
        return List.of(new Col(name, head, Kind.SHARE), new Col(low + "_low", "95 % interval", Kind.LOW), new Col(low + "_high", "", Kind.HIGH));
    }

    static Col text(String name, String head) {
        return new Col(name, head, Kind.TEXT);
    }

    static Col count(String name, String head) {
        return new Col(name, head, Kind.COUNT);
    }

    /** Columns of a share, see {@link #of}. */
    static final List<Col> SHARE = List.of(count("k", "k"), count("n", "n"), new Col("share", "share", Kind.SHARE), new Col("ci_low", "95 % interval", Kind.LOW),
            new Col("ci_high", "", Kind.HIGH), new Col("ci_method", "", Kind.FILE), count("n_clusters", "publishers"));

    /** The cells of these columns. */
    static List<Object> of(ShareRow share) {
        return List.of(share.k(), share.n(), share.share(), share.low(), share.high(), share.method(), share.publishers());
    }

    /** A table whose rows are shares under labels. */
    static Sheet shares(List<Col> labels, List<ShareRow> rows, java.util.function.Function<ShareRow, List<Object>> label) {
        List<Col> columns = new ArrayList<>(labels);
        columns.addAll(SHARE);
        List<List<Object>> out = new ArrayList<>();
        for (ShareRow row : rows) {
            List<Object> cells = new ArrayList<>(label.apply(row));
            cells.addAll(of(row));
            out.add(cells);
        }
        return new Sheet(columns, out);
    }

    String html(String caption) {
        List<String> header = new ArrayList<>();
        for (Col column : columns) {
            if (column.kind().shown()) {
                header.add(column.head() + (column.kind() == Kind.TEXT || column.kind() == Kind.WORD ? "" : "#"));
            }
        }
        List<List<String>> body = new ArrayList<>();
        for (List<Object> row : rows.subList(0, Math.min(SHOWN, rows.size()))) {
            List<String> cells = new ArrayList<>();
            for (int i = 0; i < row.size(); i++) {
                if (columns.get(i).kind().shown()) {
                    cells.add(shown(row, i));
                }
            }
            body.add(cells);
        }
        String rest = rows.size() > SHOWN ? "<p class=\"dim\">" + (rows.size() - SHOWN) + " more rows are in the CSV.</p>\n" : "";
        return Html.table(Html.text(caption), header, body) + rest;
    }

    private String shown(List<Object> row, int at) {
        Object value = row.get(at);
        return switch (columns.get(at).kind()) {
            case TEXT -> Html.text(value.toString(), CELL);
            case WORD -> Page.verdict(value.toString());
            case COUNT, HIGH, FILE -> value.toString();
            case SHARE -> Double.isNaN((Double) value) ? "" : Html.percent((Double) value);
            case LOW -> Double.isNaN((Double) value) ? "" : Html.percent((Double) value) + " to " + Html.percent((Double) row.get(at + 1));
            case NUMBER -> Double.isNaN((Double) value) ? "" : String.format(Locale.ROOT, "%.2g", (Double) value);
        };
    }

    String csv() throws IOException {
        StringWriter text = new StringWriter();
        try (CSVPrinter out = new CSVPrinter(text, FORMAT)) {
            out.printRecord(columns.stream().map(Col::name).toList());
            for (List<Object> row : rows) {
                out.printRecord(row.stream().map(Sheet::cell).toList());
            }
        }
        return text.toString();
    }

    private static String cell(Object value) {
        if (value instanceof Double real) {
            Number rounded = Decimal.text(real);
            return rounded == null ? null : new java.math.BigDecimal(rounded.toString()).toPlainString();
        }
        return value instanceof Integer || value.toString().isEmpty() ? value.toString() : Printable.cell(value.toString(), Integer.MAX_VALUE);
    }

    /** The rows as objects; the order of rows is column {@code row}. */
    ArrayNode json() {
        ArrayNode out = Json.mapper().createArrayNode();
        for (List<Object> row : rows) {
            ObjectNode node = out.addObject().put("row", out.size());
            for (int i = 0; i < row.size(); i++) {
                String name = columns.get(i).name();
                Object value = row.get(i);
                if (value instanceof Integer whole) {
                    node.put(name, whole);
                } else if (value instanceof Double real) {
                    node.set(name, Double.isNaN(real) ? Json.mapper().nullNode() : Json.mapper().getNodeFactory().numberNode(new java.math.BigDecimal(cell(real))));
                } else {
                    node.put(name, Printable.text(value.toString(), CELL));
                }
            }
        }
        return out;
    }

    static List<Object> row(Object... values) {
        return new ArrayList<>(Arrays.asList(values));
    }
}
