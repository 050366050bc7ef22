package dev.mcpprober.cli;

import dev.mcpprober.census.CensusOutcome;
import dev.mcpprober.census.CensusRunner;
import dev.mcpprober.census.DiskGuard;
import dev.mcpprober.census.OpenRun;
import dev.mcpprober.census.PackageInstaller;
import dev.mcpprober.census.ProbingSessions;
import dev.mcpprober.census.Retry;
import dev.mcpprober.census.RunRefused;
import dev.mcpprober.corpus.Frame;
import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.corpus.Shard;
import dev.mcpprober.dataset.Analysis;
import dev.mcpprober.dataset.DatasetBuilder;
import dev.mcpprober.dataset.SummaryText;
import dev.mcpprober.install.InstallLimits;
import dev.mcpprober.io.Digests;
import dev.mcpprober.model.Printable;
import dev.mcpprober.rules.RuleSet;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.RunInfo;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.SandboxPolicy;
import dev.mcpprober.session.Profile;
import dev.mcpprober.session.SessionLimits;
import dev.mcpprober.session.SessionRunner;
import dev.mcpprober.session.ToolBudget;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A census from the command line: engine, run folder, workers, progress, data set, summary. */
final class CensusJob {
    private static final long MIB = 1L << 20;
    /** Ctrl-C: the engine's own clean-up takes most of the ten seconds that a user is promised. */
    private static final long CANCEL_SECONDS = 8;

    private final Path frameFile;
    private final Frame frame;
    private final Optional<Shard> shard;
    private final Profile profile;
    private final SessionLimits limits;
    private final ToolBudget toolBudget;
    private final InstallLimits installLimits;
    private final Optional<LocalDate> asOf;
    private final Integer workers;
    private final List<RuleSet> ruleSets;
    private final PrintWriter out;
    private final PrintWriter err;

    CensusJob(Path frameFile, Frame frame, Optional<Shard> shard, Profile profile, SessionLimits limits, ToolBudget toolBudget, InstallLimits installLimits, Optional<LocalDate> asOf, Integer workers,
              List<RuleSet> ruleSets, PrintWriter out, PrintWriter err) {
        this.frameFile = frameFile;
        this.frame = frame;
        this.shard = shard;
        this.profile = profile;
        this.limits = limits;
        this.toolBudget = toolBudget;
        this.installLimits = installLimits;
        this.asOf = asOf;
        this.workers = workers;
        this.ruleSets = ruleSets;
        this.out = out;
        this.err = err;
    }

    /** @param chosen run folder, or null for the default one */
    int run(Path chosen) throws UserError, EngineException, IOException, InterruptedException {
        Path folder = chosen != null ? chosen : defaultFolder();
        try (EngineStack stack = EngineStack.open(line -> err.println("prober: " + Printable.text(line, 2000)))) {
            try (OpenRun run = OpenRun.open(folder, info(stack), part(), Clock.systemUTC())) {
                return measure(run, stack, part().eligible());
            }
        } catch (RunRefused e) {
            throw new UserError(Printable.text(e.getMessage(), 2000));
        }
    }

    /** Runs again what faulted in {@code folder}, and nothing else. */
    int retry(Path folder) throws UserError, EngineException, IOException, InterruptedException {
        try (EngineStack stack = EngineStack.open(line -> err.println("prober: " + Printable.text(line, 2000)))) {
            try (OpenRun run = OpenRun.open(folder, info(stack), part(), Clock.systemUTC())) {
                List<FrameEntry> again = Retry.allow(run, part().eligible());
                err.println("prober: " + again.size() + (again.size() == 1 ? " target" : " targets") + " to try again");
                return measure(run, stack, again);
            }
        } catch (RunRefused e) {
            throw new UserError(Printable.text(e.getMessage(), 2000));
        }
    }

    private int measure(OpenRun run, EngineStack stack, List<FrameEntry> targets) throws EngineException, IOException, InterruptedException {
        Path folder = run.folder().path();
        CensusOutcome outcome;
        CensusRunner.Options options = workers == null ? CensusRunner.Options.defaults() : CensusRunner.Options.defaults().withWorkers(workers);
        List<DiskGuard.Place> places = new ArrayList<>(List.of(new DiskGuard.Place("the run folder", folder, 256 * MIB)));
        stack.engine().storage().ifPresent(path -> places.add(new DiskGuard.Place("the engine's storage", path, 2048 * MIB)));
        DiskGuard disk = new DiskGuard(places);
        SessionRunner runner = new SessionRunner(stack.engine(), limits, ProberVersion.get());
        try (ProbingSessions sessions = new ProbingSessions(runner, profile, toolBudget, SandboxPolicy.probe());
                ProgressLines progress = new ProgressLines(err, targets.size())) {
            CensusRunner census = new CensusRunner(run, new PackageInstaller(stack.installer(installLimits), asOf), sessions, disk, options, progress);
            outcome = uninterrupted(census, targets, progress);
        }
        if (outcome instanceof CensusOutcome.StoppedEarly) {
            return ExitCode.RESUMABLE;
        }
        DatasetBuilder.Result result = DatasetBuilder.build(run.folder(), Analysis.by(ruleSets));
        out.println(SummaryText.render(result.summary()));
        out.println("run folder " + Printable.text(folder.toString()));
        result.files().forEach(file -> out.println("  " + Printable.text(folder.relativize(file).toString())));
        out.flush();
        if (outcome.coverage().unmeasured() > 0) {
            err.println("prober: " + outcome.coverage().unmeasured() + " targets are unmeasured; prober census retry " + Printable.text(folder.toString()));
            return ExitCode.FAILED;
        }
        return ExitCode.DONE;
    }

    /** Runs the census so that Ctrl-C and SIGTERM end its attempts in good order; says so when it was stopped, while there is time to. */
    private CensusOutcome uninterrupted(CensusRunner census, List<FrameEntry> targets, ProgressLines progress) throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        Thread hook = new Thread(() -> {
            census.cancel();
            try {
                ended.await(CANCEL_SECONDS, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "census-cancel");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            CensusOutcome outcome = census.run(targets);
            if (outcome instanceof CensusOutcome.StoppedEarly stopped) {
                progress.close();
                err.println("prober: stopped early: " + Printable.text(stopped.reason(), 2000));
                err.println("prober: " + stopped.coverage().unmeasured() + " targets are unmeasured; the same command goes on");
            }
            return outcome;
        } finally {
            ended.countDown();
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The program is ending by that very hook.
            }
        }
    }

    /** The rows that this run measures. */
    private Frame part() {
        return shard.map(part -> part.of(frame)).orElse(frame);
    }

    private RunInfo info(EngineStack stack) throws EngineException {
        Map<String, String> host = new TreeMap<>();
        host.put("engine", stack.engine().describe());
        host.put("os", System.getProperty("os.name") + " " + System.getProperty("os.version") + " " + System.getProperty("os.arch"));
        host.put("java", System.getProperty("java.version"));
        host.put("processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
        Map<String, String> images = new TreeMap<>();
        for (String name : List.of("node:22", "python:3.13")) {
            var image = stack.images().require(name);
            images.put(name, image.id());
            host.put("base of " + name, image.origin().name().toLowerCase(java.util.Locale.ROOT));
        }
        return new RunInfo(RunInfo.FORMAT_VERSION, Clock.systemUTC().instant().truncatedTo(ChronoUnit.SECONDS).toString(), ProberVersion.get(),
                frameFile.toAbsolutePath().toString(), frame.hash(), part().rows().size(), 0, profile.id(), settings(), images, host);
    }

    /** What results may depend on. */
    private Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>();
        settings.put("probe policy", SandboxPolicy.probe().canonical());
        settings.put("start timeout ms", Long.toString(limits.start().toMillis()));
        settings.put("request timeout ms", Long.toString(limits.request().toMillis()));
        settings.put("session timeout ms", Long.toString(limits.session().toMillis()));
        settings.put("tool budget", toolBudget.label());
        settings.put("install timeout ms", Long.toString(installLimits.time().toMillis()));
        shard.ifPresent(part -> settings.put(RunInfo.SHARD, part.toString()));
        settings.put("as of", asOf.map(LocalDate::toString).orElse("now"));
        return settings;
    }

    /** One folder for one question: another frame, profile or setting gets another one. */
    private Path defaultFolder() {
        String name = frameFile.getFileName().toString().replaceFirst("\\.[^.]*$", "").replaceAll("[^A-Za-z0-9._-]", "-");
        String digest = Digests.sha256(frame.hash() + profile.id() + settings()).substring(0, 8);
        Path home = Path.of(System.getProperty("prober.home", "prober")).toAbsolutePath().normalize();
        return home.resolveSibling("results").resolve("runs").resolve(name + "-" + digest);
    }
}
