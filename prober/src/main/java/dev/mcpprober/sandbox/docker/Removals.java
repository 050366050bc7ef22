package dev.mcpprober.sandbox.docker;

import com.github.dockerjava.api.DockerClient;
import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Removes containers in the background, so that nobody waits for it but the end of the program. */
final class Removals {
    private static final int THREADS = 4;
    private static final int TRIES = 3;
    private static final long PENDING_LIMIT_S = 60;

    private final DockerClient client;
    private final ExecutorService workers;
    private final ReentrantReadWriteLock creating = new ReentrantReadWriteLock();
    private final Set<CompletableFuture<Void>> pending = ConcurrentHashMap.newKeySet();
    private volatile boolean refusing;

    Removals(DockerClient client) {
        this.client = client;
        this.workers = Executors.newFixedThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "container-remove");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Creates something that {@link #refuseNew} waits for, so that nothing appears behind the back of a closing engine. */
    <T> T unlessClosed(Creation<T> creation) throws EngineException {
        creating.readLock().lock();
        try {
            if (refusing || Thread.currentThread().isInterrupted()) {
                throw new EngineException(new Fault.Interrupted("the prober is stopping; no new sandbox"));
            }
            return creation.create();
        } finally {
            creating.readLock().unlock();
        }
    }

    /** Waits for creations under way, as long as {@code limit}, so that what they make is known to be removed. */
    void refuseNew(Duration limit) {
        refusing = true;
        try {
            if (creating.writeLock().tryLock(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                creating.writeLock().unlock();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void remove(String container, boolean wait) {
        if (wait) {
            removeNow(container);
            return;
        }
        CompletableFuture<Void> removal = new CompletableFuture<>();
        pending.add(removal);
        Runnable work = () -> {
            try {
                removeNow(container);
            } finally {
                pending.remove(removal);
                removal.complete(null);
            }
        };
        try {
            workers.execute(work);
        } catch (RejectedExecutionException e) {
            work.run();
        }
    }

    /** Waits for what is under way, for those who need the containers gone. */
    void await() {
        CompletableFuture.allOf(pending.toArray(CompletableFuture[]::new)).completeOnTimeout(null, PENDING_LIMIT_S, TimeUnit.SECONDS).join();
    }

    /** What is left after some tries is the reaper's, at the end or at the next start. */
    private void removeNow(String container) {
        boolean gone = false;
        for (int attempt = 0; attempt < TRIES && !gone; attempt++) {
            try {
                Reaper.removeContainer(client, container);
                gone = true;
            } catch (EngineException e) {
                // Tried again.
            }
        }
    }

    /** Waits for all that was begun. */
    void finish(Duration limit) {
        workers.shutdown();
        try {
            workers.awaitTermination(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    interface Creation<T> {
        T create() throws EngineException;
    }
}
