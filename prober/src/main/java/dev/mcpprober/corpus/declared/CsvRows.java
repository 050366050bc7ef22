package dev.mcpprober.corpus.declared;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Rows of CSV, of which one may take several lines, as text. A quote that is not closed costs the line that opens it and not all that
 * follow; so does a line that is not UTF-8. Blank lines are no rows.
 */
final class CsvRows implements Closeable {
    /** A cell with more line breaks is taken for one whose quote is missing. */
    private static final int LINES = 200;

    private final LimitedLines lines;
    private final Deque<LimitedLines.Line> waiting = new ArrayDeque<>();
    private int number;

    CsvRows(InputStream in) {
        this.lines = new LimitedLines(in);
    }

    /**
     * @param line    of its beginning, from 1
     * @param problem why there is no text, or null
     */
    record Row(int line, String text, String problem) {}

    /** Null at the end. */
    Row next() throws IOException {
        for (LimitedLines.Line line = take(); line != null; line = take()) {
            if (line.problem() != null) {
                return new Row(number, null, line.problem());
            }
            if (!line.text().isBlank()) {
                return row(line);
            }
        }
        return null;
    }

    private LimitedLines.Line take() throws IOException {
        LimitedLines.Line line = waiting.isEmpty() ? lines.next() : waiting.poll();
        number += line == null ? 0 : 1;
        return line;
    }

    private Row row(LimitedLines.Line first) throws IOException {
        int begin = number;
        StringBuilder text = new StringBuilder(first.text());
        boolean open = odd(first.text());
        List<LimitedLines.Line> more = new ArrayList<>();
        while (open && more.size() < LINES && text.length() < LimitedLines.LIMIT) {
            LimitedLines.Line line = take();
            if (line == null) {
                break;
            }
            more.add(line);
            if (line.problem() != null) {
                break;
            }
            text.append('\n').append(line.text());
            open ^= odd(line.text());
        }
        if (!open) {
            return new Row(begin, text.toString(), null);
        }
        for (int i = more.size() - 1; i >= 0; i--) {
            waiting.addFirst(more.get(i));
        }
        number = begin;
        return new Row(begin, null, "a quote is opened and not closed (quotes inside a cell are doubled)");
    }

    private static boolean odd(String line) {
        return line.chars().filter(c -> c == '"').count() % 2 != 0;
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
