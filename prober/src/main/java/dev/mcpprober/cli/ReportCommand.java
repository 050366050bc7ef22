package dev.mcpprober.cli;

import dev.mcpprober.dataset.Analysis;
import dev.mcpprober.dataset.DataPackage;
import dev.mcpprober.dataset.Decisions;
import dev.mcpprober.dataset.audit.AuditException;
import dev.mcpprober.dataset.audit.Audited;
import dev.mcpprober.dataset.release.RefusedException;
import dev.mcpprober.dataset.release.Verification;
import dev.mcpprober.dataset.report.Report;
import dev.mcpprober.model.Printable;
import dev.mcpprober.run.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code prober report DIR}. */
@Command(name = "report", mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true,
        description = "Write a run or a release as static HTML pages, without scripts, that open from a folder or a zip.")
final class ReportCommand implements Callable<Integer> {
    private static final List<String> RULES = List.of("spec", "sep-2145");

    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(paramLabel = "DIR", description = "Run folder, or a release that dataset build --to made.")
    Path folder;

    @Option(names = "--rules", split = ",", paramLabel = "ID|FILE", showDefaultValue = CommandLine.Help.Visibility.NEVER,
            description = "Rule sets: the verdicts of the first are shown, the others compared with it. A release has its own. Default: spec,sep-2145")
    List<String> rules;

    @Option(names = "--against", paramLabel = "DIR2", description = "Run folder of an earlier run: what changed since, and what beneath.")
    Path against;

    @Option(names = "--audit", paramLabel = "AUDIT", description = "Labels of a sample of the run, as audit score left them: shares raw and corrected. A release has its own.")
    Path audit;

    @Option(names = "--to", paramLabel = "OUT", description = "Where the pages go; a report that is there is replaced. Default: report/ in the run folder.")
    Path to;

    @Mixin RedactionOptions redaction;

    @Override
    public Integer call() throws UserError, IOException {
        boolean release = Files.isRegularFile(folder.resolve(DataPackage.FILE_NAME)) && Files.isDirectory(folder.resolve("data"));
        Path index = release ? ofRelease() : ofRun();
        spec.commandLine().getOut().println(Printable.text(index.toString()));
        return ExitCode.DONE;
    }

    private Path ofRun() throws UserError, IOException {
        RunFolder run = RunArgument.open(folder);
        Path pages = out(to != null ? to : run.path().resolve(Report.FOLDER));
        spec.commandLine().getErr().println("prober: the report of a run names every server and is for you; to publish one, make it of a release (dataset build --to), "
                + "which withholds what may not be named yet");
        RunFolder earlier = against == null ? null : RunArgument.open("--against", against);
        try {
            return Report.ofRun(run, Analysis.by(Rules.load(rules == null ? RULES : rules), redaction.redactor()), earlier,
                    audit == null ? Audited.none() : Audited.read(audit, Decisions.runId(run)), pages);
        } catch (AuditException e) {
            throw UserError.inLines(e);
        }
    }

    private Path ofRelease() throws UserError, IOException {
        if (rules != null || against != null || audit != null) {
            throw new UserError("--rules, --against and --audit are for run folders; a release holds the verdicts that it was built with");
        }
        if (to == null) {
            throw new UserError("DIR is a release, whose checksums leave no room for a report; name another folder with --to, or build it with --report");
        }
        Path pages = out(to);
        try {
            Verification verification = Verification.of(folder);
            if (!verification.sound()) {
                throw new UserError("DIR is not as it was built: " + verification.problems().get(0) + "\nprober dataset verify shows all that is wrong");
            }
        } catch (RefusedException e) {
            throw new UserError(Printable.text(e.getMessage(), 2000));
        }
        return Report.ofRelease(folder, pages);
    }

    private Path out(Path out) throws UserError, IOException {
        Before.canBeWritten(to != null ? "--to" : "DIR", out);
        Optional<String> refusal = Report.refusal(out);
        if (refusal.isPresent()) {
            throw new UserError("--to: " + Printable.text(refusal.get(), 2000));
        }
        return out;
    }
}
