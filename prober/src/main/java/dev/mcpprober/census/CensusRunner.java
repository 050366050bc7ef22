package dev.mcpprober.census;

import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.model.Fault;
import dev.mcpprober.run.TargetState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Takes every target of a frame to its end. Workers that install and workers that probe are apart, so that nothing waits for registries
 * while there is something to probe; a target that faulted goes to the end of the queue. One use.
 */
public final class CensusRunner {
    private final OpenRun run;
    private final TargetInstaller installer;
    private final InstallStage installing;
    private final ProbeStage probing;
    private final Options options;
    private final EngineBreaker breaker;
    private final Progress progress;

    private final Map<String, Integer> tries = new HashMap<>();
    /** Targets that are not measured yet of those that differ only in how they are started, and so share an image. */
    private final Map<String, Integer> sharing = new HashMap<>();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<String> stopReason = new AtomicReference<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile Pipeline pipeline = new Pipeline(List.of(), 1);
    private int total;
    private int done;

    /** How a census is run. {@code breakerLimit}: faults in a row that stop it. */
    public record Options(Workers workers, LoadGate gate, RetryPolicy retry, int breakerLimit) {
        /** One worker, whatever the load. */
        public static Options defaults() {
            return new Options(Workers.forBoth(1), LoadGate.open(), RetryPolicy.DEFAULT, 6);
        }

        public Options with(Workers count) {
            return new Options(count, gate, retry, breakerLimit);
        }

        public Options with(LoadGate shared) {
            return new Options(workers, shared, retry, breakerLimit);
        }
    }

    public CensusRunner(OpenRun run, TargetInstaller installer, TargetSessions sessions, DiskGuard disk, Options options, Progress progress) {
        this(run, installer, sessions, disk, options, progress, ProgramEnd::begun);
    }

    CensusRunner(OpenRun run, TargetInstaller installer, TargetSessions sessions, DiskGuard disk, Options options, Progress progress,
                 Supplier<Boolean> ending) {
        this.run = run;
        this.installer = installer;
        this.options = options;
        this.breaker = new EngineBreaker(options.breakerLimit());
        this.progress = progress;
        Attempts attempts = new Attempts(run, options.retry(), disk, () -> stopReason.get() != null, ending);
        this.installing = new InstallStage(run, installer, attempts);
        this.probing = new ProbeStage(run, sessions, attempts);
    }

    /**
     * Measures the targets and says in the ledger how the run ended. A run folder that cannot be written any more stops the run early:
     * what is in it stays good and can be gone on from.
     *
     * @throws InterruptedException when the calling thread is interrupted; the workers are stopped first
     */
    public CensusOutcome run(List<FrameEntry> targets) throws InterruptedException {
        total = targets.size();
        targets.forEach(entry -> sharing.merge(entry.label(), 1, Integer::sum));
        sharing.values().removeIf(count -> count == 1);
        pipeline = new Pipeline(targets, options.workers().ahead());
        if (stopReason.get() != null) {
            pipeline.stop();
        }
        boolean both = options.workers().install() == 0;
        CountDownLatch ended = new CountDownLatch(options.workers().probe() + options.workers().install());
        synchronized (threads) {
            for (int i = 0; i < options.workers().probe(); i++) {
                threads.add(worker((both ? "census-worker-" : "census-probe-") + (i + 1), both, true, ended));
            }
            for (int i = 0; i < options.workers().install(); i++) {
                threads.add(worker("census-install-" + (i + 1), true, false, ended));
            }
            threads.forEach(Thread::start);
        }
        try {
            ended.await();
        } catch (InterruptedException e) {
            cancel();
            ended.await();
            throw e;
        } finally {
            pipeline.left().forEach(left -> installer.release(left.installation(), false));
        }
        return outcome();
    }

    private Thread worker(String name, boolean installs, boolean probes, CountDownLatch ended) {
        return new Thread(() -> {
            try {
                loop(installs, probes);
            } finally {
                ended.countDown();
            }
        }, name);
    }

    private CensusOutcome outcome() {
        if (failure.get() instanceof Error error) {
            throw error;
        } else if (failure.get() instanceof RuntimeException defect) {
            throw defect;
        }
        String reason = stopReason.get();
        try {
            run.end(reason == null ? "" : reason);
        } catch (IOException e) {
            reason = reason == null ? cannotWrite(e) : reason;
        }
        return reason == null ? new CensusOutcome.Done(run.coverage()) : new CensusOutcome.StoppedEarly(run.coverage(), reason);
    }

    private String cannotWrite(IOException problem) {
        return "run folder " + run.folder().path() + " cannot be used: " + problem.getMessage();
    }

    /** Stops as soon as each worker's attempt can be broken off. May be called from any thread, also before and after the run. */
    public void cancel() {
        stop("stopped on request");
        synchronized (threads) {
            threads.forEach(Thread::interrupt);
        }
    }

    private void stop(String reason) {
        stopReason.compareAndSet(null, reason);
        pipeline.stop();
    }

    private void loop(boolean installs, boolean probes) {
        try {
            for (Optional<Pipeline.Work> work = pipeline.take(installs, probes); work.isPresent(); work = pipeline.take(installs, probes)) {
                if (work.get() instanceof Pipeline.Work.Install install) {
                    install(install);
                } else {
                    probe((Pipeline.Work.Probe) work.get());
                }
            }
        } catch (InterruptedException e) {
            stop("stopped on request");
        } catch (IOException e) {
            if (!(Faults.of(e) instanceof Fault.Interrupted)) {
                stop(cannotWrite(e));
            }
        } catch (RuntimeException | Error e) {
            failure.compareAndSet(null, e);
            stop(String.valueOf(e));
        }
    }

    private void install(Pipeline.Work.Install work) throws IOException, InterruptedException {
        Optional<TargetResult> before = installing.before(work.entry());
        if (before.isPresent()) {
            settle(work, before.get());
            return;
        }
        options.gate().enter();
        try {
            synchronized (progress) {
                progress.started(work.entry().id());
            }
            pipeline.installed(work.entry(), installing.install(work.entry()));
        } catch (Attempts.Ended e) {
            settle(work, e.result());
        } finally {
            options.gate().leave();
        }
    }

    private void probe(Pipeline.Work.Probe work) throws IOException, InterruptedException {
        boolean finished = false;
        try {
            options.gate().enter();
            try {
                TargetResult result = probing.probe(work.entry(), work.installation());
                settle(work, result);
                finished = result instanceof TargetResult.Measured && lastOfItsImage(work.entry());
            } finally {
                options.gate().leave();
            }
        } finally {
            installer.release(work.installation(), finished);
        }
    }

    private boolean lastOfItsImage(FrameEntry entry) {
        synchronized (sharing) {
            return sharing.getOrDefault(entry.label(), 0) == 0;
        }
    }

    private void settle(Pipeline.Work work, TargetResult result) {
        boolean again = false;
        if (result instanceof TargetResult.Measured measured) {
            if (!measured.before()) {
                breaker.worked();
            }
            synchronized (sharing) {
                sharing.computeIfPresent(work.entry().label(), (label, count) -> count - 1);
            }
            finished(work.entry(), measured.state(), measured.summary(), measured.before());
        } else if (result instanceof TargetResult.GaveUp gaveUp) {
            finished(work.entry(), TargetState.UNMEASURED, gaveUp.reason(), false);
        } else if (result instanceof TargetResult.Faulted faulted) {
            again = faulted(work.entry(), faulted);
        } else if (result instanceof TargetResult.NoRoom none) {
            stop(none.why().kind() + ": " + none.why().detail() + "; make room and run the same command again");
        }
        pipeline.ended(work, again);
    }

    /** @return whether the target is to be tried again in this run */
    private boolean faulted(FrameEntry entry, TargetResult.Faulted faulted) {
        breaker.faulted(faulted.fault()).ifPresent(this::stop);
        // A disk that fills up while an attempt runs is nothing against its target: the guard sees to it that the next one has room.
        int counts = faulted.fault() instanceof Fault.HostDiskFull ? 0 : 1;
        boolean triesLeft;
        synchronized (tries) {
            triesLeft = !faulted.exhausted() && tries.merge(entry.id(), counts, Integer::sum) < options.retry().perRun();
        }
        boolean again = triesLeft && stopReason.get() == null && !(faulted.fault() instanceof Fault.Interrupted);
        synchronized (progress) {
            progress.faulted(entry.id(), faulted.session(), faulted.fault(), again);
        }
        if (!again && stopReason.get() == null) {
            finished(entry, TargetState.UNMEASURED, faulted.fault().kind() + ": " + faulted.fault().detail(), false);
        }
        return again;
    }

    private void finished(FrameEntry entry, TargetState state, String summary, boolean before) {
        synchronized (progress) {
            done++;
            progress.finished(entry.id(), state, summary, before, done, total);
        }
    }
}
