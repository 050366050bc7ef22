package dev.mcpprober.census;

import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.model.Fault;
import dev.mcpprober.run.TargetState;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Takes every target of a frame to its end with a number of workers. Each worker takes a target from install to the last session; a
 * target that faulted goes to the end of the queue. One use.
 */
public final class CensusRunner {
    private final OpenRun run;
    private final TargetWork work;
    private final RetryPolicy retry;
    private final EngineBreaker breaker;
    private final Progress progress;
    private final int workers;

    private final Deque<FrameEntry> queue = new ArrayDeque<>();
    private final Map<String, Integer> tries = new HashMap<>();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<String> stopReason = new AtomicReference<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private int total;
    private int done;

    /** How a census is run. {@code breakerLimit}: faults in a row that stop it. */
    public record Options(int workers, RetryPolicy retry, int breakerLimit) {
        public static Options defaults() {
            return new Options(Runtime.getRuntime().availableProcessors(), RetryPolicy.DEFAULT, 6);
        }

        public Options {
            if (workers < 1) {
                throw new IllegalArgumentException("at least one worker is needed, not " + workers);
            }
        }

        public Options withWorkers(int count) {
            return new Options(count, retry, breakerLimit);
        }
    }

    public CensusRunner(OpenRun run, TargetInstaller installer, TargetSessions sessions, DiskGuard disk, Options options, Progress progress) {
        this(run, installer, sessions, disk, options, progress, ProgramEnd::begun);
    }

    CensusRunner(OpenRun run, TargetInstaller installer, TargetSessions sessions, DiskGuard disk, Options options, Progress progress,
                 Supplier<Boolean> ending) {
        this.run = run;
        this.retry = options.retry();
        this.breaker = new EngineBreaker(options.breakerLimit());
        this.progress = progress;
        this.workers = options.workers();
        this.work = new TargetWork(run, installer, sessions, options.retry(), disk, () -> stopReason.get() != null, ending);
    }

    /**
     * Measures the targets and says in the ledger how the run ended. A run folder that cannot be written any more stops the run early:
     * what is in it stays good and can be gone on from.
     *
     * @throws InterruptedException when the calling thread is interrupted; the workers are stopped first
     */
    public CensusOutcome run(List<FrameEntry> targets) throws InterruptedException {
        queue.addAll(targets);
        total = targets.size();
        CountDownLatch ended = new CountDownLatch(workers);
        synchronized (threads) {
            for (int i = 0; i < workers; i++) {
                Thread thread = new Thread(() -> {
                    try {
                        loop();
                    } finally {
                        ended.countDown();
                    }
                }, "census-worker-" + (i + 1));
                threads.add(thread);
            }
            threads.forEach(Thread::start);
        }
        try {
            ended.await();
        } catch (InterruptedException e) {
            cancel();
            ended.await();
            throw e;
        }
        return outcome();
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
    }

    private void loop() {
        try {
            for (FrameEntry entry = take(); entry != null; entry = take()) {
                synchronized (progress) {
                    progress.started(entry.id());
                }
                settle(entry, work.measure(entry));
            }
        } catch (IOException e) {
            if (!(Faults.of(e) instanceof Fault.Interrupted)) {
                stop(cannotWrite(e));
            }
        } catch (RuntimeException | Error e) {
            failure.compareAndSet(null, e);
            stop(String.valueOf(e));
        }
    }

    private FrameEntry take() {
        synchronized (queue) {
            return stopReason.get() == null ? queue.poll() : null;
        }
    }

    private void settle(FrameEntry entry, TargetWork.Result result) {
        if (result instanceof TargetWork.Result.Measured measured) {
            if (!measured.before()) {
                breaker.worked();
            }
            finished(entry, measured.state(), measured.summary(), measured.before());
        } else if (result instanceof TargetWork.Result.GaveUp gaveUp) {
            finished(entry, TargetState.UNMEASURED, gaveUp.reason(), false);
        } else if (result instanceof TargetWork.Result.Faulted faulted) {
            faulted(entry, faulted);
        }
    }

    private void faulted(FrameEntry entry, TargetWork.Result.Faulted faulted) {
        breaker.faulted(faulted.fault()).ifPresent(this::stop);
        boolean again;
        synchronized (queue) {
            boolean triesLeft = !faulted.exhausted() && tries.merge(entry.id(), 1, Integer::sum) < retry.perRun();
            again = triesLeft && stopReason.get() == null && !(faulted.fault() instanceof Fault.Interrupted);
            if (again) {
                queue.addLast(entry);
            }
        }
        synchronized (progress) {
            progress.faulted(entry.id(), faulted.session(), faulted.fault(), again);
        }
        if (!again && stopReason.get() == null) {
            finished(entry, TargetState.UNMEASURED, faulted.fault().kind() + ": " + faulted.fault().detail(), false);
        }
    }

    private void finished(FrameEntry entry, TargetState state, String summary, boolean before) {
        synchronized (progress) {
            done++;
            progress.finished(entry.id(), state, summary, before, done, total);
        }
    }
}
