package dev.mcpprober.cli;

import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.corpus.FrameException;
import dev.mcpprober.corpus.KeyedColumn;
import dev.mcpprober.corpus.Publishers;
import dev.mcpprober.corpus.Sample;
import dev.mcpprober.model.Printable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code prober corpus sample FRAME --size N}. */
@Command(name = "sample", mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true,
        description = "Draw a seeded random sample of a frame: the same seed draws the same sample everywhere.")
final class CorpusSampleCommand implements Callable<Integer> {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(paramLabel = "FRAME", description = "CSV or JSON lines.")
    Path file;

    @Option(names = "--size", required = true, paramLabel = "N", description = "Targets to draw.")
    int size;

    @Option(names = "--seed", paramLabel = "S", defaultValue = "1", description = "Another seed draws another sample.")
    long seed;

    @Option(names = "--one-per", paramLabel = "publisher", description = "Draw at most one target of each publisher (npm scope, else package).")
    String onePer;

    @Option(names = "--by", split = ",", paramLabel = "registry|sdk", description = "Draw from each stratum its share: by registry, by SDK family, or by both.")
    List<String> by = List.of();

    @Option(names = "--attribution", paramLabel = "FILE", description = "For --by sdk: attribution.csv of a data set that has these targets.")
    Path attribution;

    @Mixin FrameOutput output;

    @Override
    public Integer call() throws UserError, IOException {
        if (size < 1) {
            throw new UserError("--size: " + size + " is less than 1");
        }
        if (onePer != null && !onePer.equals("publisher")) {
            throw new UserError("--one-per: \"" + Printable.text(onePer, 40) + "\" is not publisher");
        }
        if (onePer != null && !by.isEmpty()) {
            throw new UserError("--one-per and --by exclude each other");
        }
        List<FrameEntry> frame = CensusRunCommand.read(file).eligible();
        Sample sample = new Sample(seed);
        List<FrameEntry> drawn = new ArrayList<>();
        if (!by.isEmpty()) {
            Map<String, List<FrameEntry>> strata = sample.stratified(frame, stratum(), size);
            strata.forEach((name, entries) -> spec.commandLine().getErr().println("prober: " + Printable.text(name, 80) + ": " + entries.size()));
            strata.values().forEach(drawn::addAll);
        } else {
            drawn.addAll(onePer == null ? sample.simple(frame, size) : sample.onePer(frame, Publishers::of, size));
        }
        return output.write(drawn, frame.size(), spec.commandLine());
    }

    private Function<FrameEntry, String> stratum() throws UserError {
        Function<FrameEntry, String> stratum = entry -> "";
        for (String part : new LinkedHashSet<>(by)) {
            Function<FrameEntry, String> before = stratum;
            Function<FrameEntry, String> one = part(part);
            stratum = entry -> (before.apply(entry) + " " + one.apply(entry)).strip();
        }
        return stratum;
    }

    private Function<FrameEntry, String> part(String name) throws UserError {
        if (name.equals("registry")) {
            return entry -> entry.url() == null ? "path" : entry.url().registry().id();
        }
        if (!name.equals("sdk")) {
            throw new UserError("--by: \"" + Printable.text(name, 40) + "\" is none of registry, sdk");
        }
        if (attribution == null) {
            throw new UserError("--by sdk: needs --attribution, the attribution.csv of a data set that has these targets");
        }
        try {
            Map<String, String> families = KeyedColumn.read(attribution, "target_id", "family");
            return entry -> families.getOrDefault(entry.id(), "unknown");
        } catch (FrameException e) {
            throw new UserError(Printable.text(e.getMessage(), 1000));
        }
    }
}
