package dev.mcpprober.sandbox.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.model.Event;
import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The engine's OOM events. The mark in a container's state is set only where the event came before the container's end; about one
 * time in twenty on a busy machine it comes up to some 200 ms later, and then nothing but the event tells of it.
 */
final class OomEvents {
    /** History is replayed from here: everything that the engine still remembers. */
    private static final String BEGINNING = "1";

    private OomEvents() {}

    /** True as soon as one is seen, past or coming within {@code limit}. */
    static boolean seen(DockerClient client, String container, Duration limit) throws EngineException {
        Instant until = Instant.now().plus(limit);
        CountDownLatch done = new CountDownLatch(1);
        Seen seen = new Seen(done);
        EngineCalls.call("events", () -> client.eventsCmd().withSince(BEGINNING)
                .withUntil(until.getEpochSecond() + "." + String.format("%09d", until.getNano()))
                .withContainerFilter(container).withEventFilter("oom").exec(seen));
        try (seen) {
            done.await(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EngineException(new Fault.Interrupted("while waiting for events of container " + container), e);
        } catch (IOException e) {
            // The stream is of no more use to us.
        }
        return seen.any;
    }

    private static final class Seen extends ResultCallback.Adapter<Event> {
        private final CountDownLatch done;
        private volatile boolean any;

        Seen(CountDownLatch done) {
            this.done = done;
        }

        @Override
        public void onNext(Event event) {
            any = true;
            done.countDown();
        }

        @Override
        public void onError(Throwable failure) {
            done.countDown();
        }

        @Override
        public void onComplete() {
            done.countDown();
        }
    }
}
