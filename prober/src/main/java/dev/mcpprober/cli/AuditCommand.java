package dev.mcpprober.cli;

import dev.mcpprober.dataset.Analysis;
import dev.mcpprober.dataset.audit.AuditException;
import dev.mcpprober.dataset.audit.AuditFiles;
import dev.mcpprober.dataset.audit.AuditScore;
import dev.mcpprober.dataset.audit.Decision;
import dev.mcpprober.model.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code prober audit}. */
@Command(name = "audit", mixinStandardHelpOptions = true, subcommands = {AuditCommand.Sample.class, AuditCommand.Score.class},
        description = "Have people label a random sample of what the program decided, and count its errors.")
final class AuditCommand implements Runnable {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "a command is missing");
    }

    /** {@code prober audit sample DIR --to AUDIT}. */
    @Command(name = "sample", mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true,
            description = "Draw decisions of a run by kind, rule and word, and write a page and a sheet to label them blind; needs no engine.")
    static final class Sample implements Callable<Integer> {
        private static final int MAX_PER_STRATUM = 10_000;

        @CommandLine.Spec CommandLine.Model.CommandSpec spec;

        @Parameters(paramLabel = "DIR", description = "Run folder.")
        Path folder;

        @Option(names = "--to", paramLabel = "AUDIT", required = true, description = "New folder for index.html, sample.csv and the key.")
        Path to;

        @Option(names = "--rules", split = ",", paramLabel = "ID|FILE", description = Rules.HELP)
        List<String> rules = Rules.DEFAULT;

        @Option(names = "--per-stratum", paramLabel = "N", description = "Decisions of each kind, rule and word, or as many as there are.")
        int perStratum = 5;

        @Option(names = "--seed", paramLabel = "S", description = "Of the draw. The same seed gives the same sample.")
        long seed = 1;

        @Option(names = "--kinds", split = ",", paramLabel = "KIND", description = "What is drawn from: verdict, consequence, startup-failure, sdk-family, failure-shape.")
        List<String> kinds = Decision.KINDS;

        @Override
        public Integer call() throws UserError, IOException {
            if (perStratum < 1 || perStratum > MAX_PER_STRATUM) {
                throw new UserError("--per-stratum: a number from 1 to " + MAX_PER_STRATUM);
            }
            for (String kind : kinds) {
                if (!Decision.KINDS.contains(kind)) {
                    throw new UserError("--kinds: no kind \"" + Printable.text(kind, 40) + "\"; there are " + String.join(", ", Decision.KINDS));
                }
            }
            Before.canBeWritten("--to", to);
            AuditFiles.Result result;
            try {
                result = AuditFiles.sample(RunArgument.open(folder), Analysis.by(Rules.load(rules)), to,
                        new AuditFiles.Options(seed, perStratum, kinds, ProberVersion.get()));
            } catch (AuditException e) {
                throw new UserError(Printable.text(e.getMessage(), 2000));
            }
            PrintWriter out = spec.commandLine().getOut();
            if (result.unmeasured() > 0) {
                out.println("INCOMPLETE: " + result.unmeasured() + " targets are unmeasured. Once they are measured, this sample is not one of the run any more, and its labels are of no use: "
                        + "run census retry first, or stay with what there is");
            }
            out.println(result.decisions() + " decisions of " + result.strata() + " strata, sample " + result.sample());
            result.files().forEach(file -> out.println(Printable.text(file.toString())));
            out.println("Two people open index.html, label all by themselves and download their labels; key.csv and strata.csv are not for them. Then");
            out.println("prober audit score " + Printable.text(to.toString()) + " --labels FIRST.csv --labels SECOND.csv");
            return ExitCode.DONE;
        }
    }

    /** {@code prober audit score AUDIT --labels FILE}. */
    @Command(name = "score", mixinStandardHelpOptions = true, sortOptions = false,
            description = "Count the program's errors by labels of an audit: rates by rule, agreement of labellers, corrected shares, what is left to settle.")
    static final class Score implements Callable<Integer> {
        @CommandLine.Spec CommandLine.Model.CommandSpec spec;

        @Parameters(paramLabel = "AUDIT", description = "Folder that audit sample made.")
        Path folder;

        @Option(names = "--labels", paramLabel = "FILE", required = true, description = "Labels of one person: the page's download, or sample.csv filled in. Once for each person.")
        List<Path> labels;

        @Option(names = "--adjudicated", paramLabel = "FILE", description = "disagreements.csv of an earlier score, with column label filled in.")
        Path adjudicated;

        @Option(names = "--to", paramLabel = "OUT", description = "Folder for the tables. Default: score/ in AUDIT.")
        Path to;

        @Override
        public Integer call() throws UserError, IOException {
            Before.folderCanBeWritten(to != null ? "--to" : "AUDIT", to != null ? to : folder.resolve("score"));
            AuditScore.Result result;
            try {
                result = AuditScore.run(folder, labels, adjudicated, to);
            } catch (AuditException e) {
                throw UserError.inLines(e);
            }
            PrintWriter out = spec.commandLine().getOut();
            out.println(result.text());
            result.files().forEach(file -> out.println(Printable.text(file.toString())));
            return ExitCode.DONE;
        }
    }
}
