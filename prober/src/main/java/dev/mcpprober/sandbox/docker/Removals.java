package dev.mcpprober.sandbox.docker;

import com.github.dockerjava.api.DockerClient;
import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
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
    private static final long CREATING_LIMIT_S = 4;
    /** With the limit above, within the ten seconds that a stopped program may take. */
    private static final long REMOVING_LIMIT_S = 5;

    private final DockerClient client;
    private final ExecutorService workers;
    private final ReentrantReadWriteLock creating = new ReentrantReadWriteLock();
    private final Set<CompletableFuture<Void>> pending = ConcurrentHashMap.newKeySet();
    private volatile boolean refusing;
    private volatile boolean failed;

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
            if (refusing) {
                throw new EngineException(new Fault.Interrupted("the prober is stopping; no new sandbox"));
            }
            return creation.create();
        } finally {
            creating.readLock().unlock();
        }
    }

    void refuseNew() {
        refusing = true;
        try {
            if (creating.writeLock().tryLock(CREATING_LIMIT_S, TimeUnit.SECONDS)) {
                creating.writeLock().unlock();
            } else {
                failed = true;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            failed = true;
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

    private void removeNow(String container) {
        for (int attempt = 1; attempt <= TRIES; attempt++) {
            try {
                Reaper.removeContainer(client, container);
                return;
            } catch (EngineException e) {
                failed |= attempt == TRIES;
            }
        }
    }

    /** Waits for all that was begun. False where something may be left. */
    boolean finish() {
        workers.shutdown();
        try {
            return workers.awaitTermination(REMOVING_LIMIT_S, TimeUnit.SECONDS) && !failed;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    interface Creation<T> {
        T create() throws EngineException;
    }
}
