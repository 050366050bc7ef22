package dev.mcpprober.census.queue;

import com.github.kagkarlsson.scheduler.ScheduledExecutionsFilter;
import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.task.ExecutionContext;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.github.kagkarlsson.shaded.jdbc.SQLRuntimeException;
import dev.mcpprober.census.CensusRunner;
import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.model.Printable;
import dev.mcpprober.run.RunInfo;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;

/**
 * Takes units from the queue and measures them. The scheduler's are leases, heartbeats and redelivery; a unit may run twice, but one
 * attempt stands for it: the first that was handed in.
 */
public final class QueueWorker implements AutoCloseable {
    /** Workers that died in a unit before it is given up. */
    private static final int MAX_DEATHS = 3;
    private static final int MAX_FAULTS = 3;
    private static final Duration AFTER_FAULT = Duration.ofSeconds(30);

    private final QueueTables tables;
    private final UnitWork work;
    private final Options options;
    private final Consumer<String> say;
    private final Scheduler scheduler;
    private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "queue-watch"));
    private final Map<String, Running> running = new ConcurrentHashMap<>();
    private final ReadWriteLock places = new ReentrantReadWriteLock(true);
    private final AtomicInteger faultsInARow = new AtomicInteger();
    private final AtomicReference<String> stopReason = new AtomicReference<>();
    private final CountDownLatch stopped = new CountDownLatch(1);

    private record Running(CensusRunner runner, ExecutionContext context) {}

    /**
     * @param name      of this worker, for the table of attempts
     * @param heartbeat a worker that misses {@code missed} of them is taken for dead
     * @param breaker   units in a row that end in a fault before this worker stops and leaves the rest to others
     */
    public record Options(String name, String proberVersion, int units, Duration heartbeat, int missed, Duration polling, int breaker) {
        public static Options of(String name, String proberVersion, int units) {
            return new Options(name, proberVersion, units, Duration.ofSeconds(10), 6, Duration.ofSeconds(1), 3);
        }
    }

    /** Ends one execution; the scheduler gives the unit to somebody again. */
    private static final class Again extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient Duration after;

        Again(String reason, Duration after) {
            super(reason, null, false, false);
            this.after = after;
        }
    }

    public QueueWorker(QueueDatabase database, UnitMeasure measure, Map<String, String> host, Options options, Consumer<String> say) {
        this.tables = new QueueTables(database);
        this.work = new UnitWork(measure, host, Clock.systemUTC());
        this.options = options;
        this.say = say;
        this.scheduler = Scheduler.create(database.source(), task(options.proberVersion(), this::execute))
                .threads(options.units()).pollingInterval(options.polling()).heartbeatInterval(options.heartbeat()).missedHeartbeatsLimit(options.missed())
                // Never more than it can work on: what waits here would wait for ever if this machine died.
                .pollUsingLockAndFetch(0.5, 1.0).enablePriority().schedulerName(new SchedulerName.Fixed(options.name()))
                .shutdownMaxWait(Duration.ofSeconds(60)).build();
    }

    private interface Body {
        void execute(String instance, ExecutionContext context);
    }

    /** Units of another version of this program have another name, so that no worker takes what it would measure differently. */
    static OneTimeTask<Void> task(String version, Consumer<String> body) {
        return task(version, (Body) (instance, context) -> body.accept(instance));
    }

    private static String taskName(String version) {
        return "unit of mcp-prober " + version;
    }

    private static OneTimeTask<Void> task(String version, Body body) {
        return Tasks.oneTime(taskName(version), Void.class)
                .onFailure((complete, operations) -> {
                    Duration after = complete.getCause().filter(Again.class::isInstance).map(cause -> ((Again) cause).after).orElse(AFTER_FAULT);
                    operations.reschedule(complete, Instant.now().plus(after));
                })
                .onDeadExecutionRevive()
                .execute((instance, context) -> body.execute(instance.getId(), context));
    }

    public void start() {
        long every = Math.max(100, options.heartbeat().toMillis() / 2);
        watch.scheduleWithFixedDelay(this::breakOffStale, every, every, TimeUnit.MILLISECONDS);
        scheduler.start();
    }

    /** A worker that is cut off from the database is dead for the others: what it does is done elsewhere. */
    private void breakOffStale() {
        running.forEach((unit, it) -> {
            if (it.context().getCurrentlyExecuting().getHeartbeatState().getFractionDead() >= 1) {
                say.accept(Printable.text(unit, 300) + ": broken off, this worker has lost the queue");
                it.runner().cancel();
            }
        });
    }

    private void execute(String instance, ExecutionContext context) {
        int slash = instance.indexOf('/');
        String runId = instance.substring(0, slash);
        String target = instance.substring(slash + 1);
        if (stopReason.get() != null) {
            throw new Again(stopReason.get(), Duration.ZERO);
        }
        try {
            if (tables.hasResult(runId, target)) {
                return;
            }
            unit(runId, target, context);
        } catch (SQLException e) {
            throw new Again("the queue's database: " + e.getMessage(), AFTER_FAULT);
        } catch (IOException e) {
            fault();
            throw new Again(e.getMessage(), AFTER_FAULT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Again("interrupted", Duration.ZERO);
        } catch (Again e) {
            throw e;
        } catch (RuntimeException e) {
            // The scheduler keeps it to itself, and the unit would go round without a word.
            say.accept(Printable.text(instance, 300) + ": a defect of this program, please report it: " + Printable.text(e.toString(), 300));
            throw e;
        } finally {
            running.remove(instance);
        }
    }

    private void unit(String runId, String target, ExecutionContext context) throws SQLException, IOException, InterruptedException {
        RunInfo info = tables.run(runId).orElseThrow(() -> new IOException("run " + runId + " is not in the queue any more"));
        FrameEntry entry = tables.unit(runId, target).orElseThrow(() -> new IOException("unit " + target + " is not in the queue any more"));
        int died = tables.died(runId, target);
        // A unit in which a worker died runs alone from then on: if it is the one that kills, no other unit is to die with it again.
        Lock place = died > 0 ? places.writeLock() : places.readLock();
        place.lockInterruptibly();
        try {
            unit(runId, info, entry, died, context);
        } finally {
            place.unlock();
        }
    }

    private void unit(String runId, RunInfo info, FrameEntry entry, int died, ExecutionContext context)
            throws SQLException, IOException, InterruptedException {
        String target = entry.id();
        int number = tables.begin(runId, target, options.name());
        UnitWork.Done done = died >= MAX_DEATHS ? work.giveUp(info, entry, died + " workers died in this unit")
                : work.measure(info, entry, runner -> {
                    running.put(runId + "/" + target, new Running(runner, context));
                    if (stopReason.get() != null) {
                        runner.cancel();
                    }
                });
        tables.end(runId, target, number, done.outcome(), done.archive());
        say.accept(Printable.text(target, 300) + ": " + done.outcome() + (done.detail().isEmpty() ? "" : ", " + Printable.text(done.detail(), 300)));
        if (done.outcome().equals(QueueTables.STOPPED)) {
            throw new Again(done.detail(), Duration.ZERO);
        }
        if (done.outcome().equals(QueueTables.FAULTED)) {
            fault();
            if (tables.faulted(runId, target) < MAX_FAULTS) {
                throw new Again("a fault of the engine", AFTER_FAULT);
            }
        } else {
            faultsInARow.set(0);
        }
        tables.stands(runId, target, number);
    }

    private void fault() {
        if (faultsInARow.incrementAndGet() >= options.breaker()) {
            stop(options.breaker() + " units in a row ended in a fault: the engine of this machine does not work");
        }
    }

    /** Breaks off what is under way and takes no more; returns at once. */
    public void stop(String reason) {
        if (stopReason.compareAndSet(null, reason)) {
            running.values().forEach(it -> it.runner().cancel());
            stopped.countDown();
        }
    }

    /** Waits until {@link #stop} was called by anybody, or the time is over. @return the reason, or null */
    public String await(Duration time) throws InterruptedException {
        stopped.await(time.toMillis(), TimeUnit.MILLISECONDS);
        return stopReason.get();
    }

    /**
     * True when every unit in the queue has its result; one that somebody works on has none. False while the database cannot be asked:
     * nothing is known of it then, and it may come back.
     */
    public boolean drained() {
        try {
            return scheduler.getScheduledExecutionsForTask(taskName(options.proberVersion()), Void.class, ScheduledExecutionsFilter.all()).isEmpty();
        } catch (SQLRuntimeException e) {
            say.accept("the queue's database does not answer, waiting: " + Printable.text(String.valueOf(e.getMessage()), 300));
            return false;
        }
    }

    /** Units under way are broken off and given back before the heartbeats end, so that nobody runs them twice. */
    @Override
    public void close() {
        stop("the worker was stopped");
        scheduler.stop();
        watch.shutdownNow();
    }
}
