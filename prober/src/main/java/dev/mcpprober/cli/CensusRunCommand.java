package dev.mcpprober.cli;

import dev.mcpprober.census.Durations;
import dev.mcpprober.census.queue.QueueDatabase;
import dev.mcpprober.corpus.Eligibility;
import dev.mcpprober.corpus.Frame;
import dev.mcpprober.corpus.FrameException;
import dev.mcpprober.corpus.FrameReader;
import dev.mcpprober.corpus.Shard;
import dev.mcpprober.model.Printable;
import dev.mcpprober.sandbox.EngineException;
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

/** {@code prober census run FRAME}. */
@Command(name = "run", mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true,
        description = "Measure every server of a frame. The same command goes on where an earlier one stopped.")
final class CensusRunCommand implements Callable<Integer> {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(paramLabel = "FRAME", description = "CSV or JSON lines with the columns target, args, env, note.")
    Path frameFile;

    @Option(names = "--to", paramLabel = "DIR", description = "Run folder. Default: results/runs/, named by the frame and what it is measured with.")
    Path folder;

    @Option(names = "--shard", paramLabel = "I/N", description = "Measure one of N parts of the frame, the I-th; census merge puts the parts together.")
    String shard;

    @Option(names = "--lock", paramLabel = "DIR", description = "An earlier run: install exactly the releases that it installed, those of dependencies included.")
    Path lock;

    @Option(names = "--queue", paramLabel = "URL", description = "Leave the work to census workers that take it from this PostgreSQL database (prober/docs/scale.md).")
    String queue;

    @Option(names = "--durations", paramLabel = "DIR", description = "An earlier run of these targets: those that took longest go first.")
    Path durations;

    @Option(names = "--rules", split = ",", paramLabel = "ID|FILE", description = Rules.HELP)
    List<String> rules = Rules.DEFAULT;

    @Mixin CensusOptions census = new CensusOptions();

    @Mixin SessionOptions session;

    @Mixin RepeatOption repeat;

    @Mixin InstallOptions install;

    @Mixin RedactionOptions redaction;

    @Override
    public Integer call() throws UserError, EngineException, IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        Frame frame = read(frameFile);
        if (frame.rows().isEmpty()) {
            throw new UserError(Printable.text("frame " + frameFile + ": holds no row, so there is nothing to measure", 600));
        }
        for (Eligibility.Excluded row : frame.excluded()) {
            err.println(Printable.text(frameFile + ":" + row.line() + ": left out: " + row.reason(), 600));
        }
        queueAddress(queue);
        if (folder != null) {
            Before.folderCanBeWritten("--to", folder);
        }
        census.workers(); // a wrong number is told before anything is set up
        CensusJob job = new CensusJob(new RunPlan(frameFile, frame, shard(), session.profile(), session.limits(), session.toolBudget(),
                install.limits(), install.asOf(), lock(), redaction.added(), repeat.times()), census,
                durations(), Rules.load(rules), redaction.redactor(), spec.commandLine().getOut(), err);
        return queue == null ? job.run(folder) : job.queue(queue, folder);
    }

    private Optional<Path> lock() throws UserError, IOException {
        if (lock != null) {
            RunArgument.open("--lock", lock);
        }
        return Optional.ofNullable(lock);
    }

    private Durations durations() throws UserError, IOException {
        return durations == null ? Durations.UNKNOWN : Durations.of(RunArgument.open("--durations", durations));
    }

    private Optional<Shard> shard() throws UserError {
        try {
            return Optional.ofNullable(shard).map(Shard::parse);
        } catch (IllegalArgumentException e) {
            throw new UserError("--shard: " + e.getMessage());
        }
    }

    /** @param url null for none */
    static void queueAddress(String url) throws UserError {
        Optional<String> problem = Optional.ofNullable(url).flatMap(QueueDatabase::problem);
        if (problem.isPresent()) {
            throw new UserError("--queue: " + problem.get());
        }
    }

    static Frame read(Path file) throws UserError {
        try {
            return FrameReader.read(file);
        } catch (FrameException e) {
            throw new UserError(Printable.text(e.getMessage(), 1000));
        }
    }
}
