package dev.mcpprober.dataset.release;

import dev.mcpprober.dataset.CsvTable;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Strict reading of a table as this program writes it: one row a line, RFC 4180 quoting, UTF-8, LF. Each fault has its line. */
final class CsvLines implements Closeable {
    private static final int MAX_LINE = 4 << 20;

    private final InputStream in;
    private int number;

    CsvLines(Path file) throws IOException {
        this.in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    }

    /**
     * @param number of the line, from 1
     * @param usual  quoted as this program quotes: an empty cell in quotes is a missing value for one reader and a text for another
     */
    record Line(int number, List<String> cells, boolean usual) {
        List<String> key(List<Integer> positions) {
            return positions.stream().map(cells::get).toList();
        }
    }

    /** A line that is none of such a table. Reading may go on with the next one. */
    static final class BadLine extends IOException {
        private static final long serialVersionUID = 1L;
        private final int number;

        BadLine(int number, String why) {
            super(why);
            this.number = number;
        }

        int number() {
            return number;
        }
    }

    /** Null at the end. */
    Line next() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        int b = in.read();
        if (b < 0) {
            return null;
        }
        number++;
        boolean whole = true;
        for (; b != '\n'; b = in.read()) {
            if (b < 0) {
                throw new BadLine(number, "the file ends within this line");
            }
            whole &= bytes.size() < MAX_LINE;
            if (whole) {
                bytes.write(b);
            }
        }
        if (!whole) {
            throw new BadLine(number, "longer than " + MAX_LINE + " bytes");
        }
        String text;
        try {
            text = StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT).onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes.toByteArray())).toString();
        } catch (CharacterCodingException e) {
            throw new BadLine(number, "not UTF-8");
        }
        if (text.startsWith("\uFEFF") || text.indexOf('\r') >= 0) {
            throw new BadLine(number, text.startsWith("\uFEFF") ? "begins with a byte order mark" : "holds a carriage return");
        }
        List<String> cells = cells(text);
        return new Line(number, cells, CsvTable.line(cells).equals(text));
    }

    private List<String> cells(String line) throws BadLine {
        List<String> cells = new ArrayList<>();
        int at = 0;
        while (true) {
            StringBuilder cell = new StringBuilder();
            if (at < line.length() && line.charAt(at) == '"') {
                at++;
                while (true) {
                    int quote = line.indexOf('"', at);
                    if (quote < 0) {
                        throw new BadLine(number, "a quotation has no end in this line");
                    }
                    cell.append(line, at, quote);
                    at = quote + 1;
                    if (at >= line.length() || line.charAt(at) != '"') {
                        break;
                    }
                    cell.append('"');
                    at++;
                }
                if (at < line.length() && line.charAt(at) != ',') {
                    throw new BadLine(number, "something stands after a quotation");
                }
            } else {
                int comma = line.indexOf(',', at);
                int end = comma < 0 ? line.length() : comma;
                cell.append(line, at, end);
                if (cell.indexOf("\"") >= 0) {
                    throw new BadLine(number, "a quotation mark in a cell that is not quoted");
                }
                at = end;
            }
            cells.add(cell.toString());
            if (at >= line.length()) {
                return cells;
            }
            at++;
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
