package dev.mcpprober.census.queue;

import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import dev.mcpprober.census.CensusOutcome;
import dev.mcpprober.census.OpenRun;
import dev.mcpprober.census.Progress;
import dev.mcpprober.census.RunAbsorber;
import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.io.Digests;
import dev.mcpprober.io.Folders;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.TargetState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/**
 * A census whose units are measured by workers elsewhere: puts the targets of a run into the queue and takes their results into the run
 * folder. The same call again, after any end, goes on.
 */
public final class QueueCensus {
    private final QueueTables tables;
    private final SchedulerClient client;
    private final OneTimeTask<Void> task;
    private final OpenRun run;
    private final String runId;
    private final Duration polling;
    private final Consumer<String> say;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final AtomicReference<String> stopReason = new AtomicReference<>();

    public QueueCensus(QueueDatabase database, OpenRun run, Duration polling, Consumer<String> say) {
        this.tables = new QueueTables(database);
        this.task = QueueWorker.task(run.info().proberVersion(), instance -> {
            throw new IllegalStateException("the coordinator measures nothing");
        });
        this.client = SchedulerClient.Builder.create(database.source(), task).enablePriority().build();
        this.run = run;
        this.runId = id(run);
        this.polling = polling;
        this.say = say;
    }

    /** One run folder, one run in the queue, also where the frame was measured before. */
    private static String id(OpenRun run) {
        return Digests.sha256(run.info().frameHash() + "\n" + run.info().createdAt() + "\n" + run.info().settings() + "\n" + run.info().profile()).substring(0, 16);
    }

    public String runId() {
        return runId;
    }

    /**
     * Enqueues what is not measured yet; units that are there already are left alone.
     *
     * @param seconds expected of a target, for longest first; negative where unknown
     * @return the number of units that are new in the queue
     */
    public int enqueue(List<FrameEntry> targets, ToIntFunction<FrameEntry> seconds) throws QueueException {
        try {
            int added = 0;
            tables.addRun(runId, run.info());
            Set<String> withResult = new HashSet<>(tables.targetsWithResult(runId));
            for (FrameEntry entry : targets) {
                boolean measured = run.ledger().read(state -> state.of(entry.id()).finished().isPresent());
                if (measured || withResult.contains(entry.id())) {
                    continue;
                }
                tables.addUnit(runId, entry);
                int priority = Math.min(Short.MAX_VALUE, Math.max(0, seconds.applyAsInt(entry)));
                added += client.scheduleIfNotExists(task.instanceBuilder(runId + "/" + entry.id()).priority(priority).build(), Instant.now()) ? 1 : 0;
            }
            return added;
        } catch (SQLException e) {
            throw new QueueException("the queue's database cannot be used: " + e.getMessage(), e);
        }
    }

    /** Takes results until every target has one, or somebody calls {@link #stop}. A database that is away for a while is waited for. */
    public CensusOutcome collect(List<FrameEntry> targets, Progress progress) throws IOException, InterruptedException {
        RunAbsorber absorber = RunAbsorber.of(run);
        Set<String> open = new HashSet<>();
        for (FrameEntry entry : targets) {
            if (run.ledger().read(state -> state.of(entry.id()).finished().isEmpty())) {
                open.add(entry.id());
            }
        }
        while (!open.isEmpty() && stopReason.get() == null) {
            try {
                for (String target : tables.targetsWithResult(runId)) {
                    if (open.contains(target)) {
                        take(target, absorber);
                        open.remove(target);
                        report(target, targets.size() - open.size(), targets.size(), progress);
                    }
                }
            } catch (SQLException e) {
                say.accept("the queue's database does not answer, waiting: " + e.getMessage());
            }
            if (!open.isEmpty()) {
                stopped.await(polling.toMillis(), TimeUnit.MILLISECONDS);
            }
        }
        String reason = stopReason.get();
        run.end(reason == null ? "" : reason);
        return reason == null ? new CensusOutcome.Done(run.coverage()) : new CensusOutcome.StoppedEarly(run.coverage(), reason);
    }

    private void take(String target, RunAbsorber absorber) throws IOException, SQLException {
        List<LedgerEvent> events = new ArrayList<>();
        for (QueueTables.Attempt attempt : tables.attempts(runId, target)) {
            if (attempt.archive() == null) {
                events.addAll(absorber.lost(target, attempt.startedAt(), Clock.systemUTC().instant().toString(),
                        "worker " + attempt.worker() + " did not come back"));
                continue;
            }
            Path folder = Files.createTempDirectory("mcp-prober-unit-");
            try {
                UnitArchive.unpack(attempt.archive(), folder);
                events.addAll(absorber.take(new RunFolder(folder)));
            } finally {
                Folders.delete(folder);
            }
        }
        absorber.book(events);
    }

    private void report(String target, int done, int total, Progress progress) {
        Optional<LedgerEvent.Finished> finished = run.ledger().read(state -> state.of(target).finished());
        TargetState state = finished.map(f -> TargetState.of(f.state())).orElse(TargetState.UNMEASURED);
        String detail = finished.map(LedgerEvent.Finished::detail).orElseGet(() -> run.ledger().read(s -> s.of(target).lastFault().map(LedgerEvent.Faulted::detail).orElse("")));
        progress.finished(target, state, detail, false, done, total);
    }

    public void stop(String reason) {
        stopReason.compareAndSet(null, reason);
        stopped.countDown();
    }
}
