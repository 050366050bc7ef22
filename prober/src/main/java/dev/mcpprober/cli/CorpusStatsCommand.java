package dev.mcpprober.cli;

import dev.mcpprober.corpus.Frame;
import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.corpus.Publishers;
import dev.mcpprober.model.Printable;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code prober corpus stats FRAME}. */
@Command(name = "stats", mixinStandardHelpOptions = true, description = "Count a frame: registries, publishers, pinned versions, rows left out.")
final class CorpusStatsCommand implements Callable<Integer> {
    private static final int SHOWN = 10;

    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(paramLabel = "FRAME", description = "CSV or JSON lines.")
    Path file;

    @Override
    public Integer call() throws UserError {
        Frame frame = CensusRunCommand.read(file);
        PrintWriter out = spec.commandLine().getOut();
        row(out, "rows", frame.rows().size());
        Map<String, Long> excluded = frame.excluded().stream().collect(Collectors.groupingBy(e -> e.code(), TreeMap::new, Collectors.counting()));
        excluded.forEach((code, count) -> row(out, "left out, " + code, count));
        row(out, "targets", frame.eligible().size());
        counts(frame, entry -> entry.url() == null ? "path" : entry.url().registry().id()).forEach((registry, count) -> row(out, "  of " + registry, count));
        row(out, "  with a pinned version", frame.eligible().stream().filter(e -> e.url() != null && e.url().version().isPresent()).count());
        row(out, "  with arguments", frame.eligible().stream().filter(e -> !e.args().isEmpty()).count());
        row(out, "  with variables", frame.eligible().stream().filter(e -> !e.env().isEmpty()).count());
        Map<String, Long> publishers = counts(frame, Publishers::of);
        row(out, "publishers", publishers.size());
        publishers.entrySet().stream().sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .filter(e -> e.getValue() > 1).limit(SHOWN).forEach(e -> row(out, "  " + Printable.text(e.getKey(), 80), e.getValue()));
        frame.excluded().forEach(e -> spec.commandLine().getErr().println(Printable.text(file + ":" + e.line() + ": left out: " + e.reason(), 600)));
        return ExitCode.DONE;
    }

    private static Map<String, Long> counts(Frame frame, Function<FrameEntry, String> group) {
        return frame.eligible().stream().collect(Collectors.groupingBy(group, TreeMap::new, Collectors.counting()));
    }

    private static void row(PrintWriter out, String name, long count) {
        out.printf(Locale.ROOT, "%-40s %8d%n", name, count);
    }
}
