package dev.mcpprober.cli;

import dev.mcpprober.census.CensusOutcome;
import dev.mcpprober.census.CensusRunner;
import dev.mcpprober.census.DiskGuard;
import dev.mcpprober.census.Durations;
import dev.mcpprober.census.ImagePruner;
import dev.mcpprober.census.InstalledImages;
import dev.mcpprober.census.LoadGate;
import dev.mcpprober.census.OpenRun;
import dev.mcpprober.census.PackageInstaller;
import dev.mcpprober.census.ProbingSessions;
import dev.mcpprober.census.Retry;
import dev.mcpprober.census.RunImages;
import dev.mcpprober.census.RunRefused;
import dev.mcpprober.census.Workers;
import dev.mcpprober.census.queue.QueueCensus;
import dev.mcpprober.census.queue.QueueDatabase;
import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.dataset.Analysis;
import dev.mcpprober.dataset.DatasetBuilder;
import dev.mcpprober.dataset.SummaryText;
import dev.mcpprober.install.Installer;
import dev.mcpprober.io.CpuPressure;
import dev.mcpprober.model.Printable;
import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.rules.RuleSet;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.RunInfo;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.SandboxPolicy;
import dev.mcpprober.session.SessionRunner;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** A census from the command line: engine or queue, run folder, workers, progress, data set, summary. */
final class CensusJob {
    private static final long MIB = 1L << 20;
    /** Ctrl-C: the engine's own clean-up takes most of the ten seconds that a user is promised. */
    private static final long CANCEL_SECONDS = 8;
    /** How long a run waits for room on a disk before it stops. */
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Duration COLLECT_EVERY = Duration.ofSeconds(2);

    private final RunPlan plan;
    private final CensusOptions options;
    private final Durations durations;
    private final List<RuleSet> ruleSets;
    private final Redactor redactor;
    private final PrintWriter out;
    private final PrintWriter err;

    CensusJob(RunPlan plan, CensusOptions options, Durations durations, List<RuleSet> ruleSets, Redactor redactor, PrintWriter out, PrintWriter err) {
        this.plan = plan;
        this.options = options;
        this.durations = durations;
        this.ruleSets = ruleSets;
        this.redactor = redactor;
        this.out = out;
        this.err = err;
    }

    /** @param chosen run folder, or null for the default one */
    int run(Path chosen) throws UserError, EngineException, IOException, InterruptedException {
        Path folder = chosen != null ? chosen : plan.defaultFolder();
        try (EngineStack stack = EngineStack.open(this::say); OpenRun run = open(folder, plan.info(stack))) {
            return measure(run, stack, durations.order(plan.part().eligible()));
        }
    }

    /** Runs again what faulted in {@code folder}, and nothing else. */
    int retry(Path folder) throws UserError, EngineException, IOException, InterruptedException {
        try (EngineStack stack = EngineStack.open(this::say); OpenRun run = open(folder, plan.info(stack))) {
            List<FrameEntry> again = Retry.allow(run, plan.part().eligible());
            err.println("prober: " + again.size() + (again.size() == 1 ? " target" : " targets") + " to try again");
            return measure(run, stack, again);
        }
    }

    /** Leaves the work to workers that take it from a database. Needs no engine on this machine. */
    int queue(String url, Path chosen) throws UserError, IOException, InterruptedException {
        Path folder = chosen != null ? chosen : plan.defaultFolder();
        List<FrameEntry> targets = plan.part().eligible();
        try (QueueDatabase database = QueueDatabase.open(url, 4); OpenRun run = open(folder, plan.info(Map.of(), RunPlan.host()));
                ProgressLines progress = new ProgressLines(err, targets.size())) {
            QueueCensus census = new QueueCensus(database, run, COLLECT_EVERY, this::say);
            int added = census.enqueue(targets, durations::of);
            say("run " + census.runId() + ": " + added + " targets put into the queue; workers take them with prober census worker --queue");
            CensusOutcome outcome = Interruptible.run(() -> census.stop("stopped on request"), CANCEL_SECONDS,
                    () -> told(census.collect(targets, progress), progress));
            return ended(run, outcome);
        }
    }

    private void say(String line) {
        err.println("prober: " + Printable.text(line, 2000));
    }

    private OpenRun open(Path folder, RunInfo info) throws UserError, IOException {
        try {
            return OpenRun.open(folder, info, plan.part(), Clock.systemUTC());
        } catch (RunRefused e) {
            throw new UserError(Printable.text(e.getMessage(), 2000));
        }
    }

    private int measure(OpenRun run, EngineStack stack, List<FrameEntry> targets) throws UserError, EngineException, IOException, InterruptedException {
        Workers workers = options.workers();
        say("probing " + workers.probe() + " and installing " + workers.install() + " at a time");
        CensusRunner.Options how = CensusRunner.Options.defaults().with(workers).with(new LoadGate(this::say));
        Installer installer = stack.installer(plan.installLimits(), redactor).withLabels(RunImages.labels(run));
        CensusOutcome outcome;
        try (InstalledImages images = new InstalledImages(InstalledImages.Removal.by(installer), options.keepImages);
                ProbingSessions sessions = sessions(plan, stack, redactor); ProgressLines progress = new ProgressLines(err, targets.size())) {
            images.discard(RunImages.unneeded(run, stack.engine()));
            CensusRunner census = new CensusRunner(run, installer(plan, installer, images), sessions,
                    disk(stack, run.folder().path(), images, this::say), how, progress);
            outcome = Interruptible.run(census::cancel, CANCEL_SECONDS, () -> told(census.run(targets), progress));
            if (outcome instanceof CensusOutcome.Done) {
                discardUnneeded(run, stack, images);
            }
        }
        return ended(run, outcome);
    }

    /** Again at the end: an image that a killed prober was making is finished by the engine alone, perhaps after this one began. */
    private static void discardUnneeded(OpenRun run, EngineStack stack, InstalledImages images) throws IOException {
        try {
            images.discard(RunImages.unneeded(run, stack.engine()));
        } catch (EngineException e) {
            // The run is whole; what is left goes when it is run again or the engine's disk is full.
        }
    }

    static PackageInstaller installer(RunPlan plan, Installer installer, InstalledImages images) {
        return new PackageInstaller(installer, plan.asOf(), plan.lock().map(RunFolder::new), images);
    }

    static ProbingSessions sessions(RunPlan plan, EngineStack stack, Redactor redactor) {
        return new ProbingSessions(new SessionRunner(stack.engine(), plan.limits(), ProberVersion.get(), redactor, CpuPressure::now), plan.profile(), plan.toolBudget(), SandboxPolicy.probe(), plan.times());
    }

    static DiskGuard disk(EngineStack stack, Path folder, InstalledImages images, Consumer<String> say) throws EngineException {
        ImagePruner pruner = new ImagePruner(stack.engine(), images, Clock.systemUTC());
        List<DiskGuard.Place> places = new ArrayList<>(List.of(new DiskGuard.Place("the run folder", folder, 256 * MIB, DiskGuard.Pruner.NOTHING)));
        stack.engine().storage().ifPresent(path -> places.add(new DiskGuard.Place("the engine's storage", path, 2048 * MIB, pruner)));
        return new DiskGuard(places, PATIENCE, say);
    }

    /** Says that a run was stopped while there is time to: once the work has returned, the program may be gone. */
    private CensusOutcome told(CensusOutcome outcome, ProgressLines progress) {
        progress.close();
        if (outcome instanceof CensusOutcome.StoppedEarly stopped) {
            say("stopped early: " + stopped.reason());
            say(stopped.coverage().unmeasured() + " targets are unmeasured; the same command goes on");
        }
        return outcome;
    }

    private int ended(OpenRun run, CensusOutcome outcome) throws IOException {
        if (outcome instanceof CensusOutcome.StoppedEarly) {
            return ExitCode.RESUMABLE;
        }
        Path folder = run.folder().path();
        DatasetBuilder.Result result = DatasetBuilder.build(run.folder(), Analysis.by(ruleSets));
        out.println(SummaryText.render(result.summary()));
        out.println("run folder " + Printable.text(folder.toString()));
        result.files().forEach(file -> out.println("  " + Printable.text(folder.relativize(file).toString())));
        out.flush();
        if (outcome.coverage().unmeasured() > 0) {
            say(outcome.coverage().unmeasured() + " targets are unmeasured; prober census retry " + folder);
            return ExitCode.FAILED;
        }
        return ExitCode.DONE;
    }
}
