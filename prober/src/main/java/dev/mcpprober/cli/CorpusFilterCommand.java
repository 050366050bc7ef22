package dev.mcpprober.cli;

import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.corpus.Glob;
import dev.mcpprober.model.Printable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code prober corpus filter FRAME}. */
@Command(name = "filter", mixinStandardHelpOptions = true, sortOptions = false,
        description = "Write the rows of a frame that pass every condition given, in their order.")
final class CorpusFilterCommand implements Callable<Integer> {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(paramLabel = "FRAME", description = "CSV or JSON lines.")
    Path file;

    @Option(names = "--registry", paramLabel = "npm|pypi|path", description = "Only targets of this kind.")
    String registry;

    @Option(names = "--name", paramLabel = "GLOB", description = "Only targets with such a name, e.g. '@scope/*'; may be given several times.")
    List<String> names = List.of();

    @Option(names = "--not-name", paramLabel = "GLOB", description = "No targets with such a name; may be given several times.")
    List<String> notNames = List.of();

    @Option(names = "--pinned", description = "Only targets with a version.")
    boolean pinned;

    @Option(names = "--in", paramLabel = "FRAME", description = "Only targets that are in this frame too.")
    Path in;

    @Option(names = "--not-in", paramLabel = "FRAME", description = "Only targets that are not in this frame.")
    Path notIn;

    @Mixin FrameOutput output;

    @Override
    public Integer call() throws UserError, IOException {
        List<FrameEntry> frame = CensusRunCommand.read(file).eligible();
        Predicate<FrameEntry> wanted = entry -> true;
        if (registry != null) {
            if (!Set.of("npm", "pypi", "path").contains(registry)) {
                throw new UserError("--registry: \"" + Printable.text(registry, 40) + "\" is none of npm, pypi, path");
            }
            wanted = wanted.and(entry -> registry.equals(entry.url() == null ? "path" : entry.url().registry().id()));
        }
        if (!names.isEmpty()) {
            wanted = wanted.and(any("--name", names, frame));
        }
        if (!notNames.isEmpty()) {
            wanted = wanted.and(any("--not-name", notNames, frame).negate());
        }
        if (pinned) {
            wanted = wanted.and(entry -> entry.url() != null && entry.url().version().isPresent());
        }
        if (in != null) {
            Set<String> ids = ids(in);
            wanted = wanted.and(entry -> ids.contains(entry.id()));
        }
        if (notIn != null) {
            Set<String> ids = ids(notIn);
            wanted = wanted.and(entry -> !ids.contains(entry.id()));
        }
        return output.write(frame.stream().filter(wanted).toList(), frame.size(), spec.commandLine());
    }

    private Predicate<FrameEntry> any(String option, List<String> globs, List<FrameEntry> frame) {
        for (String glob : globs) {
            if (frame.stream().noneMatch(entry -> Glob.matches(glob, name(entry)))) {
                spec.commandLine().getErr().println("prober: " + option + " \"" + Printable.text(glob, 200) + "\": no target has such a name (* stands for any characters,"
                        + " ? for one, everything else for itself)");
            }
        }
        return entry -> globs.stream().anyMatch(glob -> Glob.matches(glob, name(entry)));
    }

    private static String name(FrameEntry entry) {
        return entry.url() == null ? entry.label() : entry.url().name();
    }

    private static Set<String> ids(Path frame) throws UserError {
        return CensusRunCommand.read(frame).eligible().stream().map(FrameEntry::id).collect(Collectors.toSet());
    }
}
