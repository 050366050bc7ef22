package dev.mcpprober.bench;

import dev.mcpprober.sandbox.EngineException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Numbered pieces of work, taken by several workers as the census's are. */
final class Concurrent {
    private Concurrent() {}

    interface Work {
        void piece(int number) throws EngineException, IOException, InterruptedException;
    }

    static void run(int workers, int pieces, Work work) throws EngineException, IOException, InterruptedException {
        ExecutorService pool = Executors.newFixedThreadPool(workers);
        AtomicInteger next = new AtomicInteger();
        try {
            List<Future<Void>> ends = new ArrayList<>();
            for (int worker = 0; worker < workers; worker++) {
                ends.add(pool.submit(() -> {
                    for (int piece = next.getAndIncrement(); piece < pieces; piece = next.getAndIncrement()) {
                        work.piece(piece);
                    }
                    return null;
                }));
            }
            for (Future<Void> end : ends) {
                end.get();
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof EngineException fault) {
                throw fault;
            }
            throw new IOException("a worker failed: " + e.getCause(), e);
        } finally {
            pool.shutdownNow();
        }
    }
}
