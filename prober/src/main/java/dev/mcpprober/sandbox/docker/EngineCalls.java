package dev.mcpprober.sandbox.docker;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.github.dockerjava.api.exception.DockerException;
import dev.mcpprober.model.Fault;
import dev.mcpprober.model.Printable;
import dev.mcpprober.sandbox.EngineException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Turns what docker-java throws into faults. The class of a fault comes from status and exception type; ENOSPC alone from text. */
final class EngineCalls {
    private static final int MAX_DETAIL = 500;
    private static final Set<Future<?>> UNDER_WAY = ConcurrentHashMap.newKeySet();
    private static final ExecutorService WORKERS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "engine-call");
        thread.setDaemon(true);
        return thread;
    });

    private EngineCalls() {}

    static <T> T call(String operation, Supplier<T> call) throws EngineException {
        try {
            return call.get();
        } catch (RuntimeException e) {
            throw new EngineException(faultOf(operation, e), e);
        }
    }

    /**
     * For calls that make or remove something. The JDK closes the connection of a thread that is told to stop, but the engine goes on, and nobody
     * would know of what it makes: so the call runs elsewhere, and the caller waits for it and is still told to stop afterwards.
     */
    static <T> T whole(String operation, Supplier<T> call) throws EngineException {
        FutureTask<T> answer = new FutureTask<>(call::get);
        boolean told = false;
        UNDER_WAY.add(answer); // before it is: whoever waits for what is under way must not miss it
        try {
            WORKERS.execute(answer);
            while (true) {
                try {
                    return answer.get();
                } catch (InterruptedException e) {
                    told = true;
                } catch (ExecutionException e) {
                    if (e.getCause() instanceof RuntimeException failure) {
                        throw new EngineException(faultOf(operation, failure), failure);
                    }
                    throw (Error) e.getCause(); // a supplier throws nothing else
                }
            }
        } finally {
            UNDER_WAY.remove(answer);
            if (told) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits until every {@link #whole} call of this program that is under way now has been answered, or {@code limit} has passed. */
    static void awaitWhole(Duration limit) throws InterruptedException {
        long end = System.nanoTime() + limit.toNanos();
        for (Future<?> answer : UNDER_WAY) {
            try {
                answer.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (ExecutionException | TimeoutException e) {
                // Its caller is told; here only its end counts.
            }
        }
    }

    /** Throws {@code failure} again where it is a defect of ours rather than the engine's answer or connection. */
    static Fault faultOf(String operation, RuntimeException failure) {
        if (failure instanceof DockerException refused) {
            return refusal(operation, refused.getHttpStatus(), message(refused));
        }
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException io) {
                return connectionFault(operation, io);
            }
        }
        if (failure instanceof IllegalStateException && String.valueOf(failure.getMessage()).contains("shut down")) {
            return interrupted(operation);
        }
        throw failure;
    }

    static Fault refusal(String operation, int status, String message) {
        if (status >= 500 && message.toLowerCase(Locale.ROOT).contains("no space left on device")) {
            return new Fault.HostDiskFull("the engine's storage: " + message);
        }
        return new Fault.EngineError(operation, message + " (HTTP " + status + ")");
    }

    private static Fault connectionFault(String operation, IOException e) {
        if (e instanceof ClosedByInterruptException) {
            return interrupted(operation);
        }
        String text = Printable.text(String.valueOf(e.getMessage()), MAX_DETAIL);
        if (e instanceof InterruptedIOException && !(e instanceof ConnectException)) {
            return new Fault.EngineError(operation, "no answer in time: " + text);
        }
        if (text.contains("Permission denied")) {
            return new Fault.EngineForbidden("the engine's socket is there, but this user may not use it (" + text + ")");
        }
        return new Fault.EngineUnavailable("the engine does not answer, or stopped, during " + operation + ": " + text);
    }

    /** A thread that is told to stop has its connections closed under it by the JDK; that is no fault of the engine's. */
    static Fault interrupted(String operation) {
        return new Fault.Interrupted("the prober is stopping, during " + operation);
    }

    /** The engine's own text without docker-java's wrapping. */
    static String message(DockerException refused) {
        return Printable.text(ofJson(String.valueOf(refused.getMessage()).replaceFirst("^Status \\d+: ", "").trim()), MAX_DETAIL);
    }

    /** The {@code message} of an engine's error; text that is none comes back as it is. */
    static String ofJson(String body) {
        try {
            return JsonMapper.builder().build().readTree(body).path("message").asText(body);
        } catch (JacksonException e) {
            return body; // not every engine, nor every proxy before one, answers with JSON
        }
    }
}
