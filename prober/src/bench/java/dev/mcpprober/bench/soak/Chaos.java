package dev.mcpprober.bench.soak;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;

/** Carries out a plan of disturbances on a census, each at its moment, on a thread of its own. */
final class Chaos implements Runnable {
    private static final long LOOK_MS = 200;
    private static final int TRIES = 300;

    private final List<Disturbance> plan;
    private final Census census;
    private final OwnEngine engine;
    private final Consumer<String> say;
    private final List<Disturbance> done = Collections.synchronizedList(new ArrayList<>());
    private volatile Exception failure;

    Chaos(List<Disturbance> plan, Census census, OwnEngine engine, Consumer<String> say) {
        this.plan = plan;
        this.census = census;
        this.engine = engine;
        this.say = say;
    }

    List<Disturbance> done() {
        return List.copyOf(done);
    }

    /** Why the plan could not be carried out, or null. */
    Exception failure() {
        return failure;
    }

    @Override
    public void run() {
        try {
            for (Disturbance next : plan) {
                while (census.measured() < next.after()) {
                    Thread.sleep(LOOK_MS);
                }
                Thread.sleep(next.delayMs());
                if (disturb(next)) {
                    done.add(next);
                    say.accept(next.kind().words + " (" + done.size() + " of " + plan.size() + ") at " + census.measured() + " targets");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            failure = e;
            say.accept("the disturbances broke off: " + e.getMessage());
            census.giveUp();
        }
    }

    private boolean disturb(Disturbance next) throws IOException, InterruptedException {
        switch (next.kind()) {
            case KILL:
                return tried(census::kill);
            case ENGINE_STOP:
                engine.stop();
                engine.start();
                return true;
            case ENGINE_KILL:
                engine.kill();
                engine.start();
                return true;
            case ENGINE_HALT:
                engine.halt(next.forMs());
                return true;
            case DISK_FULL:
                engine.fillDisk(next.forMs());
                return true;
            case CONTAINER_KILL:
                return tried(() -> killed("--filter", "network=none"));
            default:
                return tried(() -> killed("--filter", "name=-gateway"));
        }
    }

    /** Kills the youngest running container that fits. */
    private boolean killed(String... filter) throws InterruptedException {
        try {
            List<String> list = new ArrayList<>(List.of("ps", "-q", "--filter", "label=dev.mcpprober.run", "--filter", "status=running"));
            list.addAll(List.of(filter));
            String ids = engine.docker(list.toArray(String[]::new));
            if (ids.isEmpty()) {
                return false;
            }
            engine.docker("kill", ids.lines().findFirst().orElseThrow());
            return true;
        } catch (IOException e) {
            return false; // it ended meanwhile
        }
    }

    private interface Attempt {
        boolean succeeds() throws IOException, InterruptedException;
    }

    private static boolean tried(Attempt attempt) throws IOException, InterruptedException {
        for (int i = 0; i < TRIES; i++) {
            if (attempt.succeeds()) {
                return true;
            }
            Thread.sleep(LOOK_MS);
        }
        return false;
    }
}
