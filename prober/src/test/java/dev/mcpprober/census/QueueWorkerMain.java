package dev.mcpprober.census;

import dev.mcpprober.census.queue.QueueDatabase;
import dev.mcpprober.census.queue.QueueWorker;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** A worker as a process of its own, whose sessions take a while and need no engine. Arguments: address, name. */
final class QueueWorkerMain {
    private QueueWorkerMain() {}

    public static void main(String[] args) throws Exception {
        FakeWorld world = new FakeWorld();
        world.takes = 100;
        world.always("npm:deadly", "session-1", transcript -> Runtime.getRuntime().halt(9));
        try (QueueDatabase database = QueueDatabase.open(args[0], 4); QueueWorker worker = new QueueWorker(database,
                (run, entry, started) -> {
                    CensusRunner runner = new CensusRunner(run, world, world, DiskGuard.none(),
                            CensusRunner.Options.defaults(), new Progress() { });
                    started.accept(runner);
                    return runner.run(List.of(entry));
                },
                Map.of("name", args[1]), new QueueWorker.Options(args[1], "test", 2, Duration.ofSeconds(1), 4, Duration.ofMillis(200), 3),
                line -> System.out.println(args[1] + " " + line))) {
            Thread main = Thread.currentThread();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                worker.stop("SIGTERM");
                try {
                    main.join(30_000);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }));
            worker.start();
            System.out.println("ready");
            worker.await(Duration.ofSeconds(120));
        }
    }
}
