package dev.mcpprober.cli;

import dev.mcpprober.corpus.FrameException;
import dev.mcpprober.corpus.declared.Declarations;
import dev.mcpprober.corpus.declared.FetchStopped;
import dev.mcpprober.corpus.declared.ImportFiles;
import dev.mcpprober.corpus.declared.RegistryPages;
import dev.mcpprober.corpus.declared.Sources;
import dev.mcpprober.io.Digests;
import dev.mcpprober.model.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code prober corpus import SOURCE… --to DIR}. */
@Command(name = "import", mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true,
        description = "Make a frame of what a registry declares: the latest active version of each server that is on npm or PyPI, speaks stdio and"
                + " needs nothing that only its user has. Every entry that is left out is counted and named.")
final class CorpusImportCommand implements Callable<Integer> {
    private static final Duration BODY_LIMIT = Duration.ofMinutes(5);

    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(arity = "1..*", paramLabel = "SOURCE", description = "The address of a registry's list of servers (http…/v0/servers), a folder of its stored"
            + " pages, or a file: .json (pages, entries, or a client's mcpServers), .jsonl, .csv (target, or registry and identifier), .txt (package URLs).")
    List<String> sources;

    @Option(names = "--to", required = true, paramLabel = "DIR", description = "Folder for frame.csv, names.csv, excluded.csv, funnel.csv and import.json.")
    Path folder;

    @Option(names = "--page-size", paramLabel = "N", defaultValue = "100", description = "Servers asked for in one page.")
    int pageSize;

    @Option(names = "--pause", paramLabel = "MS", defaultValue = "500", description = "Between two requests to a registry.")
    long pause;

    @Override
    public Integer call() throws UserError, IOException, InterruptedException {
        if (pageSize < 1 || pageSize > 1000) {
            throw new UserError("--page-size: " + pageSize + " is not between 1 and 1000");
        }
        if (pause < 0 || pause > 600_000) {
            throw new UserError("--pause: " + pause + " is not between 0 and 600000 milliseconds");
        }
        Before.folderCanBeWritten("--to", folder);
        PrintWriter err = spec.commandLine().getErr();
        Declarations declarations = new Declarations();
        List<ImportFiles.Provenance> provenance = new ArrayList<>();
        try {
            for (String source : sources) {
                for (Path file : files(source, err)) {
                    Sources.read(file, declarations);
                    provenance.add(new ImportFiles.Provenance(name(source, file), Digests.sha256(file), Files.size(file)));
                }
            }
        } catch (FetchStopped e) {
            err.println("prober: " + Printable.text(e.getMessage(), 2000) + "; the same command goes on there");
            return ExitCode.RESUMABLE;
        } catch (FrameException e) {
            throw new UserError(Printable.text(e.getMessage(), 2000));
        }
        Declarations.Result result = declarations.result();
        result.malformed().stream().limit(20).forEach(m -> err.println(Printable.text(m.place() + ": left out: " + m.reason(), 600)));
        if (result.malformed().size() > 20) {
            err.println("… and " + (result.malformed().size() - 20) + " more malformed entries, see excluded.csv");
        }
        PrintWriter out = spec.commandLine().getOut();
        ImportFiles.funnel(result).forEach(stage -> out.printf(Locale.ROOT, "%-12s %-16s %8d%n", stage.stage(), stage.reason(), stage.count()));
        ImportFiles.write(folder, result, provenance).forEach(file -> out.println(Printable.text(file.toString())));
        return ExitCode.DONE;
    }

    /** An address without its query, which may hold a key. */
    private static String name(String source, Path file) {
        return isAddress(source) ? source.replaceFirst("\\?.*", "") + " " + file.getFileName() : file.getFileName().toString();
    }

    private static boolean isAddress(String source) {
        return source.regionMatches(true, 0, "http://", 0, 7) || source.regionMatches(true, 0, "https://", 0, 8);
    }

    private List<Path> files(String source, PrintWriter err) throws UserError, IOException, InterruptedException {
        if (isAddress(source)) {
            return fetched(source, err);
        }
        Path path = Path.of(source);
        if (!Files.isDirectory(path)) {
            return List.of(path);
        }
        try (var list = Files.list(path)) {
            List<Path> pages = list.filter(file -> file.getFileName().toString().matches("[^.].*\\.(json|jsonl)(\\.gz)?")).sorted().toList();
            if (pages.isEmpty()) {
                throw new UserError(Printable.text(source, 500) + ": a folder without a .json or .jsonl file");
            }
            return pages;
        }
    }

    private List<Path> fetched(String source, PrintWriter err) throws UserError, IOException, InterruptedException {
        URI address;
        try {
            address = new URI(source);
        } catch (java.net.URISyntaxException e) {
            throw new UserError(Printable.text(source, 500) + ": not an address: " + e.getReason());
        }
        if (address.getHost() == null || address.getRawUserInfo() != null || address.getRawFragment() != null) {
            throw new UserError(Printable.text(source, 500) + ": an address has a host, and neither a user's name (none is sent) nor a part after #");
        }
        // Pages of several registries lie apart, so that each is asked only for what has changed.
        String pagesFolder = sources.stream().filter(CorpusImportCommand::isAddress).toList().indexOf(source) == 0 ? "pages" : "pages-" + Digests.sha256(source).substring(0, 8);
        RegistryPages pages = new RegistryPages(address, folder.resolve(pagesFolder),
                new RegistryPages.Options(pageSize, Duration.ofMillis(pause), "mcp-prober/" + ProberVersion.get(), BODY_LIMIT), time -> Thread.sleep(time.toMillis()));
        RegistryPages.Fetched fetched = pages.fetch();
        err.println("prober: " + fetched.files().size() + " pages, " + fetched.fetched() + " of them sent now");
        return fetched.files();
    }
}
