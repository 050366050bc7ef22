package dev.mcpprober.cli;

import dev.mcpprober.census.CensusOutcome;
import dev.mcpprober.census.CensusRunner;
import dev.mcpprober.census.InstalledImages;
import dev.mcpprober.census.LoadGate;
import dev.mcpprober.census.OpenRun;
import dev.mcpprober.census.ProbingSessions;
import dev.mcpprober.census.Progress;
import dev.mcpprober.census.queue.QueueDatabase;
import dev.mcpprober.census.queue.QueueWorker;
import dev.mcpprober.corpus.Frame;
import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.install.InstallLimits;
import dev.mcpprober.install.Installer;
import dev.mcpprober.model.Printable;
import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.sandbox.EngineException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code prober census worker --queue URL}. */
@Command(name = "worker", mixinStandardHelpOptions = true, sortOptions = false, showDefaultValues = true,
        description = "Measure what a census put into a queue, until told to end (SIGTERM) or, with --drain, until nothing is left.")
final class CensusWorkerCommand implements Callable<Integer> {
    private static final long STOP_SECONDS = 30;

    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Option(names = "--queue", required = true, paramLabel = "URL", description = "jdbc:postgresql://HOST/DATABASE; user and password from PGUSER and PGPASSWORD.")
    String url;

    @Option(names = "--workers", paramLabel = "N", description = "Targets at a time. Default: the number of processors.")
    Integer workers;

    @Option(names = "--keep-images", description = "Keep the image of each server; else it is removed as soon as the server is finished.")
    boolean keepImages;

    @Option(names = "--name", paramLabel = "NAME", description = "Of this worker in the queue's tables. Default: host, process and a random part.")
    String name;

    @Option(names = "--drain", description = "End when the queue holds nothing more.")
    boolean drain;

    @Mixin RedactionOptions redaction;

    private Redactor redactor;

    @Override
    public Integer call() throws UserError, EngineException, IOException, InterruptedException {
        PrintWriter err = spec.commandLine().getErr();
        int units = workers == null ? Runtime.getRuntime().availableProcessors() : workers;
        if (units < 1 || units > 64) {
            throw new UserError("--workers: " + units + " is not between 1 and 64");
        }
        CensusRunCommand.queueAddress(url);
        redactor = redaction.redactor();
        // In a container each worker of a machine may be process 1.
        String own = name == null ? InetAddress.getLocalHost().getHostName() + "-" + ProcessHandle.current().pid() + "-" + UUID.randomUUID().toString().substring(0, 4) : name;
        try (EngineStack stack = EngineStack.open(line -> err.println("prober: " + Printable.text(line, 2000)));
                QueueDatabase database = QueueDatabase.open(url, units + 3)) {
            Map<String, String> host = new TreeMap<>(RunPlan.host(stack));
            RunPlan.images(stack).forEach((image, digest) -> host.put("image " + image, digest));
            host.put("worker", own);
            Consumer<String> say = line -> err.println("prober: " + line);
            LoadGate gate = new LoadGate(say);
            // Discarding needs no limits of a run.
            Installer discarding = stack.installer(InstallLimits.standard()).withLabels(stack.engine().imageOwner());
            try (InstalledImages images = new InstalledImages(InstalledImages.Removal.by(discarding), keepImages);
                    QueueWorker worker = new QueueWorker(database, (run, entry, started) -> measure(run, entry, started, stack, images, gate, say), host,
                            QueueWorker.Options.of(own, ProberVersion.get(), units), say)) {
                int status = Interruptible.run(() -> worker.stop("told to end"), STOP_SECONDS, () -> work(worker, err));
                images.discard(stack.engine().ownImages());
                return status;
            }
        }
    }

    private int work(QueueWorker worker, PrintWriter err) throws InterruptedException {
        worker.start();
        err.println("prober: waiting for targets");
        while (true) {
            String reason = worker.await(Duration.ofSeconds(2));
            if (reason != null || drain && worker.drained()) {
                worker.close();
                err.println("prober: " + (reason == null ? "nothing is left in the queue" : Printable.text(reason, 1000)));
                return reason != null && reason.contains("engine") ? ExitCode.ENGINE_FAULT : ExitCode.DONE;
            }
        }
    }

    /** The plan of a unit is that of its run; every unit is a frame of one target. */
    private CensusOutcome measure(OpenRun run, FrameEntry entry, Consumer<CensusRunner> started, EngineStack stack,
                                         InstalledImages images, LoadGate gate, Consumer<String> say) throws IOException, InterruptedException {
        RunPlan plan;
        try {
            plan = RunPlan.of(run.info(), new Frame(Path.of("."), List.of()));
            redaction.require(plan.redactRules());
        } catch (UserError e) {
            throw new IOException(e.getMessage(), e);
        }
        try (ProbingSessions sessions = CensusJob.sessions(plan, stack, redactor)) {
            Installer installer = stack.installer(plan.installLimits(), redactor).withLabels(keepImages ? Map.of() : stack.engine().imageOwner());
            CensusRunner runner = new CensusRunner(run, CensusJob.installer(plan, installer, images), sessions,
                    CensusJob.disk(stack, run.folder().path(), images, say), CensusRunner.Options.defaults().with(gate), new Progress() { });
            started.accept(runner);
            return runner.run(List.of(entry));
        } catch (EngineException e) {
            throw new IOException(e.fault().kind() + ": " + e.fault().detail(), e);
        }
    }
}
