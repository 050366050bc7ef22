package dev.mcpprober.corpus;

import dev.mcpprober.io.AtomicFiles;
import dev.mcpprober.io.Json;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/** Writes frames as {@link FrameReader} reads them: CSV, one row a line. */
public final class FrameTable {
    private FrameTable() {}

    /** A row: the target as a frame writes it, arguments, variables, and a note for the reader. */
    public record Line(String target, List<String> args, Map<String, String> env, String note) {
        static Line of(FrameEntry entry) {
            return new Line(entry.label(), entry.args(), entry.env(), entry.note());
        }
    }

    public static List<Line> lines(List<FrameEntry> entries) {
        return entries.stream().map(Line::of).toList();
    }

    /** @return the file, which is whole or not there */
    public static Path write(Path file, List<Line> lines) throws IOException {
        AtomicFiles.write(file, out -> {
            OutputStreamWriter writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
            write(writer, lines);
            writer.flush();
        });
        return file;
    }

    public static void write(Appendable out, List<Line> lines) throws IOException {
        CSVPrinter printer = new CSVPrinter(out, CSVFormat.RFC4180.builder().setRecordSeparator("\n").get());
        printer.printRecord("target", "args", "env", "note");
        for (Line line : lines) {
            String args = line.args().isEmpty() ? "" : Json.write(Json.mapper().valueToTree(line.args()));
            String env = line.env().isEmpty() ? "" : Json.write(Json.mapper().valueToTree(new TreeMap<>(line.env())));
            printer.printRecord(line.target(), args, env, line.note().replaceAll("\\R", " "));
        }
    }
}
