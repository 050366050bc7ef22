package dev.mcpprober.sandbox.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.async.ResultCallback;
import com.github.dockerjava.api.model.PullResponseItem;
import dev.mcpprober.model.Fault;
import dev.mcpprober.model.Printable;
import dev.mcpprober.sandbox.EngineException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Pulls an image, giving up when nothing moves: most machines that reach no container registry time out rather than being refused. */
final class BasePull {
    private static final Duration FIRST_ANSWER = Duration.ofSeconds(15);
    private static final Duration STALLED = Duration.ofSeconds(60);
    private static final int MAX_REASON = 160;

    private final DockerClient client;

    BasePull(DockerClient client) {
        this.client = client;
    }

    /** Empty when it was pulled, else why not. */
    Optional<String> pull(String reference) throws EngineException {
        Watch watch = new Watch();
        try (watch) {
            client.pullImageCmd(reference).exec(watch);
            while (!watch.awaitCompletion(200, TimeUnit.MILLISECONDS)) {
                Duration limit = watch.answered ? STALLED : FIRST_ANSWER;
                if (System.nanoTime() - watch.lastNews > limit.toNanos()) {
                    return Optional.of("no answer for " + limit.toSeconds() + " s");
                }
            }
            return watch.failure.isEmpty() ? Optional.empty() : Optional.of(watch.failure);
        } catch (RuntimeException e) {
            return Optional.of(reason(EngineCalls.faultOf("pull", e).detail()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EngineException(new Fault.Interrupted("while an image was pulled"), e);
        } catch (IOException e) {
            return Optional.of(reason(String.valueOf(e.getMessage())));
        }
    }

    private static String reason(String text) {
        return Printable.text(text, MAX_REASON);
    }

    private static final class Watch extends ResultCallback.Adapter<PullResponseItem> {
        private volatile long lastNews = System.nanoTime();
        private volatile boolean answered;
        private volatile String failure = "";

        @Override
        public void onNext(PullResponseItem item) {
            lastNews = System.nanoTime();
            answered = true;
            if (item.getErrorDetail() != null) {
                failure = reason(String.valueOf(item.getErrorDetail().getMessage()));
            }
        }
    }
}
