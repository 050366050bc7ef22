package dev.mcpprober.corpus.declared;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.mcpprober.corpus.FrameTable;
import dev.mcpprober.io.AtomicFiles;
import dev.mcpprober.io.Json;
import dev.mcpprober.model.Printable;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/**
 * What an import leaves: {@code frame.csv} to measure, {@code names.csv} (which declared servers each target stands for),
 * {@code excluded.csv} (every entry that is left out, with its reason), {@code funnel.csv} (the counts, which add up) and
 * {@code import.json} (where it came from). The same source gives the same bytes.
 */
public final class ImportFiles {
    private static final int TEXT = 500;

    private ImportFiles() {}

    /** One step of the funnel: {@code before = left out + after}. */
    public record Stage(String stage, String reason, long count) {}

    public static List<Path> write(Path folder, Declarations.Result result, List<Provenance> sources) throws IOException {
        List<FrameTable.Line> targets = new ArrayList<>();
        List<List<String>> names = new ArrayList<>();
        for (Declarations.Named target : result.targets()) {
            Outcome.Kept kept = target.target();
            FrameTable.Line line = new FrameTable.Line(kept.url().toString(), kept.args(), kept.env(), "");
            targets.add(line);
            target.names().forEach(server -> names.add(List.of(line.target(), cell(server.name()), cell(server.version()), cell(server.date()), cell(server.place()))));
        }
        List<Path> files = new ArrayList<>();
        files.add(FrameTable.write(folder.resolve("frame.csv"), targets));
        files.add(table(folder.resolve("names.csv"), List.of("target", "server_text", "version_text", "date_text", "place_text"), names));
        files.add(table(folder.resolve("excluded.csv"), List.of("reason", "server_text", "version_text", "place_text", "detail_text"), excluded(result)));
        List<List<String>> counts = funnel(result).stream().map(s -> List.of(s.stage(), s.reason(), Long.toString(s.count()))).toList();
        files.add(table(folder.resolve("funnel.csv"), List.of("stage", "reason", "count"), counts));
        Path note = folder.resolve("import.json");
        AtomicFiles.write(note, (Json.write(provenance(sources)) + "\n").getBytes(StandardCharsets.UTF_8));
        files.add(note);
        return files;
    }

    /** A source as it was read. */
    public record Provenance(String source, String sha256, long bytes) {}

    private static ObjectNode provenance(List<Provenance> sources) {
        ObjectNode node = Json.object().put("formatVersion", 1);
        sources.forEach(s -> node.withArray("sources").addObject().put("source", s.source()).put("sha256", s.sha256()).put("bytes", s.bytes()));
        return node;
    }

    /** The counts, in the order in which entries drop out; each stage is the one before less what is left out between them. */
    public static List<Stage> funnel(Declarations.Result result) {
        List<Stage> out = new ArrayList<>();
        out.add(new Stage("declared", "", result.entries()));
        out.add(new Stage("left-out", "malformed", result.malformed().size()));
        out.add(new Stage("left-out", "superseded", result.superseded().size()));
        out.add(new Stage("servers", "", result.servers()));
        long rest = result.servers();
        for (Outcome.Reason reason : Outcome.Reason.values()) {
            long count = result.dropped().stream().filter(d -> ((Outcome.Dropped) d.outcome()).reason() == reason).count();
            rest -= count;
            out.add(new Stage("left-out", reason.id(), count));
            stageAfter(reason).ifPresent(stage -> out.add(new Stage(stage, "", result.servers() - droppedUpTo(result, reason))));
        }
        out.add(new Stage("left-out", "duplicate", result.duplicates()));
        out.add(new Stage("targets", "", rest - result.duplicates()));
        return out;
    }

    private static long droppedUpTo(Declarations.Result result, Outcome.Reason last) {
        return result.dropped().stream().filter(d -> ((Outcome.Dropped) d.outcome()).reason().compareTo(last) <= 0).count();
    }

    private static Optional<String> stageAfter(Outcome.Reason reason) {
        return switch (reason) {
            case NOT_ACTIVE -> Optional.of("active");
            case OTHER_REGISTRY -> Optional.of("npm-or-pypi");
            case NOT_STDIO -> Optional.of("stdio");
            case NEEDS_ARGUMENT -> Optional.of("eligible");
            default -> Optional.empty();
        };
    }

    private static List<List<String>> excluded(Declarations.Result result) {
        List<List<String>> rows = new ArrayList<>();
        result.malformed().forEach(m -> rows.add(List.of("malformed", "", "", cell(m.place()), cell(m.reason()))));
        result.superseded().forEach(s -> rows.add(List.of("superseded", cell(s.name()), cell(s.version()), cell(s.place()), cell("version " + s.by() + " stands"))));
        for (Declaration server : result.dropped()) {
            Outcome.Dropped dropped = (Outcome.Dropped) server.outcome();
            rows.add(List.of(dropped.reason().id(), cell(server.name()), cell(server.version()), cell(server.place()), cell(dropped.detail())));
        }
        for (Declarations.Named target : result.targets()) {
            String detail = cell(target.target().url() + ", as " + target.names().get(0).name());
            target.names().stream().skip(1).forEach(s -> rows.add(List.of("duplicate", cell(s.name()), cell(s.version()), cell(s.place()), detail)));
        }
        return rows;
    }

    private static String cell(String text) {
        return Printable.cell(text, TEXT);
    }

    private static Path table(Path file, List<String> header, List<List<String>> rows) throws IOException {
        CSVFormat format = CSVFormat.RFC4180.builder().setRecordSeparator("\n").get();
        AtomicFiles.write(file, out -> {
            CSVPrinter printer = new CSVPrinter(new OutputStreamWriter(out, StandardCharsets.UTF_8), format);
            printer.printRecord(header);
            printer.printRecords(rows);
            printer.flush();
        });
        return file;
    }
}
