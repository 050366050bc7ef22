package dev.mcpprober.cli;

import dev.mcpprober.dataset.Analysis;
import dev.mcpprober.dataset.DatasetBuilder;
import dev.mcpprober.dataset.Decisions;
import dev.mcpprober.dataset.ParquetTables;
import dev.mcpprober.dataset.SummaryText;
import dev.mcpprober.dataset.audit.AuditException;
import dev.mcpprober.dataset.audit.Audited;
import dev.mcpprober.dataset.disclosure.Disclosure;
import dev.mcpprober.dataset.disclosure.DisclosureException;
import dev.mcpprober.dataset.disclosure.StudyKey;
import dev.mcpprober.dataset.release.RefusedException;
import dev.mcpprober.dataset.release.Release;
import dev.mcpprober.dataset.release.Verification;
import dev.mcpprober.model.Printable;
import dev.mcpprober.run.RunFolder;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code prober dataset build DIR}. */
@Command(name = "dataset", mixinStandardHelpOptions = true, subcommands = {DatasetCommand.Build.class, DatasetCommand.Verify.class, DatasetCommand.Key.class, NotifyCommand.class}, description = "Data sets of runs.")
final class DatasetCommand implements Runnable {
    private static final String PARQUET_HELP = "The launcher builds the module for it at first, which fetches 80 MB.";

    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    private static ParquetTables parquetTables() throws UserError {
        return ParquetTables.installed().orElseThrow(() -> new UserError("--parquet: the module for Parquet is not on the class path. prober/bin/prober builds it and puts it there; "
                + "by hand: mvn -P parquet -DskipTests package, then java -cp prober/target/mcp-prober.jar:prober/parquet/target/mcp-prober-parquet.jar dev.mcpprober.cli.Main dataset …"));
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "a command is missing");
    }

    /** {@code prober dataset build DIR [--to OUT]}. */
    @Command(name = "build", mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true,
            description = "Write the tables of a run as CSV with a datapackage.json, or with --to a folder to publish; the same run gives the same bytes.")
    static final class Build implements Callable<Integer> {
        private static final String AUTHOR = "the publisher of this release";

        /** Folders of a release that are counted instead of listed. */
        private static final List<String> MANY = List.of("transcripts/", "report/");

        @CommandLine.Spec CommandLine.Model.CommandSpec spec;

        @Parameters(paramLabel = "DIR", description = "Run folder.")
        Path folder;

        @Option(names = "--rules", split = ",", paramLabel = "ID|FILE", description = Rules.HELP + " The first one is that of the summary.")
        List<String> rules = Rules.DEFAULT;

        @Option(names = "--to", paramLabel = "OUT", description = "Write a release: tables, card, licence, citation, provenance, checksums.")
        Path to;

        @Option(names = "--transcripts", description = "With --to: the transcripts too, of servers that are named. They hold what the servers wrote, without what was redacted.")
        boolean transcripts;

        @Option(names = "--report", description = "With --to: its report, as static HTML pages in report/.")
        boolean report;

        @Option(names = "--parquet", description = "With --to: the tables as Parquet too, beside the CSVs. " + PARQUET_HELP)
        boolean parquet;

        @Option(names = "--audit", paramLabel = "AUDIT", description = "With --to: labels of a sample of the run, as audit score left them. Without it the release says that it is not audited.")
        Path audit;

        @Option(names = "--author", paramLabel = "NAME", description = "With --to: who publishes it.")
        String author = AUTHOR;

        @Option(names = "--follows", paramLabel = "OLD", description = "With --to: an earlier release; the version of the data follows from what changed since.")
        Path previous;

        @Option(names = "--data-version", paramLabel = "X.Y.Z", defaultValue = "", showDefaultValue = CommandLine.Help.Visibility.NEVER,
                description = "With --to: version of the data. Default: 1.0.0, or the lowest that may follow OLD.")
        String version;

        @Option(names = "--key", paramLabel = "FILE", description = "With --to: the study's key, for the pseudonyms of servers that may not be named yet; see prober dataset key.")
        Path key;

        @Option(names = "--cover", description = "With --to: withhold further servers, where fewer than five are withheld and would stand out.")
        boolean cover;

        @Mixin HoldOptions holds;

        @Mixin RedactionOptions redaction;

        @Override
        public Integer call() throws UserError, IOException {
            RunFolder run = RunArgument.open(folder);
            PrintWriter out = spec.commandLine().getOut();
            if (to != null) {
                return release(run, out);
            }
            if (transcripts || report || parquet || audit != null || previous != null || !version.isEmpty() || key != null || cover || !author.equals(AUTHOR)
                    || holds.given()) {
                throw new UserError("--transcripts, --report, --parquet, --audit, --author, --follows, --data-version, --key, --cover, --disclosure, --hold-days and --today "
                        + "are for a release; say where with --to OUT");
            }
            DatasetBuilder.Result result = DatasetBuilder.build(run, Analysis.by(Rules.load(rules), redaction.redactor()));
            out.println(SummaryText.render(result.summary()));
            result.files().forEach(file -> out.println(Printable.text(file.toString())));
            return ExitCode.DONE;
        }

        private int release(RunFolder run, PrintWriter out) throws UserError, IOException {
            if (!author.matches("[^\\p{Cntrl}\"\\\\$]{1,200}")) {
                throw new UserError("--author: one line without quotation marks, backslashes and dollar signs");
            }
            PrintWriter err = spec.commandLine().getErr();
            Release.Result result;
            Disclosure disclosure;
            Optional<ParquetTables> tables = parquet ? Optional.of(parquetTables()) : Optional.empty();
            try {
                Analysis analysis = Analysis.by(Rules.load(rules), redaction.redactor());
                if (key != null && key.toAbsolutePath().normalize().startsWith(to.toAbsolutePath().normalize())) {
                    throw new UserError("--key: the key lies in the folder that is to be published; keep it apart");
                }
                disclosure = Disclosure.of(run, analysis, holds.request(key, cover));
                result = Release.build(run, analysis, to, new Release.Options(Rules.digests(rules), transcripts, author, previous, version, report, disclosure,
                        audit == null ? Audited.none() : Audited.read(audit, Decisions.runId(run)), tables));
            } catch (RefusedException | DisclosureException e) {
                throw new UserError(Printable.text(e.getMessage(), 2000));
            } catch (AuditException e) {
                throw UserError.inLines(e);
            }
            if (result.unmeasured() > 0) {
                err.println("prober: INCOMPLETE: " + result.unmeasured() + " targets are unmeasured, and the release says so first; prober census retry "
                        + Printable.text(folder.toString()));
            }
            int withheld = disclosure.veil().size();
            err.println(withheld == 0 ? "prober: nothing is withheld: no finding of a severity is younger than its hold"
                    : "prober: " + withheld + (withheld == 1 ? " row is" : " rows are") + " withheld under pseudonyms; prober dataset notify writes to their maintainers");
            out.println("version " + result.version() + "  " + result.why());
            result.files().stream().filter(file -> MANY.stream().noneMatch(file::startsWith)).forEach(file -> out.println(Printable.text(to.resolve(file).toString())));
            for (String many : MANY) {
                long count = result.files().stream().filter(file -> file.startsWith(many)).count();
                if (count > 0) {
                    out.println(Printable.text(to.resolve(many).toString()) + "  " + count + " files");
                }
            }
            return ExitCode.DONE;
        }
    }

    /** {@code prober dataset key --to FILE}. */
    @Command(name = "key", mixinStandardHelpOptions = true, sortOptions = false,
            description = "Make the key of a study, by which servers that may not be named keep the same pseudonym in every release. Never publish it.")
    static final class Key implements Callable<Integer> {
        @CommandLine.Spec CommandLine.Model.CommandSpec spec;

        @Option(names = "--to", required = true, paramLabel = "FILE", description = "New file.")
        Path file;

        @Override
        public Integer call() throws UserError, IOException {
            Before.canBeWritten("--to", file);
            try {
                StudyKey.create(file);
            } catch (DisclosureException e) {
                throw new UserError("--to: " + e.getMessage());
            }
            spec.commandLine().getOut().println(Printable.text(file.toString()));
            return ExitCode.DONE;
        }
    }

    /** {@code prober dataset verify OUT}. */
    @Command(name = "verify", mixinStandardHelpOptions = true, sortOptions = false,
            description = "Check a release from its files alone: hashes, types, lists, keys, counts that add up, a witness for every verdict.")
    static final class Verify implements Callable<Integer> {
        @CommandLine.Spec CommandLine.Model.CommandSpec spec;

        @Parameters(paramLabel = "OUT", description = "Folder that dataset build --to made.")
        Path folder;

        @Option(names = "--parquet", description = "Compare the rows of its Parquet files with those of the CSVs. Without it only their hashes are checked. " + PARQUET_HELP)
        boolean parquet;

        @Override
        public Integer call() throws UserError, IOException {
            Verification verification;
            try {
                verification = Verification.of(folder, parquet ? Optional.of(parquetTables()) : Optional.empty());
            } catch (RefusedException e) {
                throw new UserError(Printable.text(e.getMessage(), 2000));
            }
            if (parquet && verification.parquet() == 0) {
                throw new UserError("--parquet: " + Printable.text(folder.toString()) + " describes no Parquet files; leave the option out");
            }
            PrintWriter out = spec.commandLine().getOut();
            verification.problems().forEach(out::println);
            int rows = verification.tables().values().stream().mapToInt(Integer::intValue).sum();
            String also = verification.parquet() == 0 ? "" : ", " + verification.parquet() + " Parquet files" + (parquet ? ", rows compared" : " (hashes; --parquet compares their rows)");
            out.println(verification.tables().size() + " tables, " + rows + " rows" + also + "; " + (verification.sound() ? "sound" : verification.problems().size() + " problems"));
            return verification.sound() ? ExitCode.DONE : ExitCode.FAILED;
        }
    }
}
