package dev.mcpprober.sandbox.docker;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.exception.ConflictException;
import com.github.dockerjava.api.exception.NotFoundException;
import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.Sandbox;
import dev.mcpprober.sandbox.SandboxSpec;
import dev.mcpprober.sandbox.StdioChannel;
import dev.mcpprober.sandbox.Termination;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A container. Its end is learned from the attach stream and confirmed by the engine's own account of it. */
final class DockerSandbox implements Sandbox {
    /** How long the engine may take to mark a container as ended whose streams it has ended. */
    private static final Duration END_LIMIT = Duration.ofSeconds(10);
    /** How long after the end the engine's events of it may come; on a busy machine they are late. OOM events are waited for only where a process was killed. */
    private static final Duration EVENT_LIMIT = Duration.ofSeconds(3);
    private static final long LONGEST_PAUSE_MS = 50;
    private static final long SIGNAL_LIMIT_MS = 1000;
    private static final int KILLED = 137;

    private final DockerClient client;
    private final EngineAddress engine;
    private final String id;
    private final SandboxSpec spec;
    private final EngineWatch watch;
    private final EngineWatch.Account account;
    private final Consumer<DockerSandbox> remover;
    private final CompletableFuture<State> ended = new CompletableFuture<>();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile AttachSocket stdio;
    private Boolean oomKilled;
    private final List<CompletableFuture<Boolean>> terms = new CopyOnWriteArrayList<>();
    private final List<CompletableFuture<Boolean>> kills = new CopyOnWriteArrayList<>();

    DockerSandbox(DockerClient client, EngineAddress engine, EngineWatch watch, String id, SandboxSpec spec, Consumer<DockerSandbox> remover) {
        this.client = client;
        this.engine = engine;
        this.watch = watch;
        this.account = watch.follow(id);
        this.id = id;
        this.spec = spec;
        this.remover = remover;
    }

    @Override
    public String id() {
        return id;
    }

    SandboxSpec spec() {
        return spec;
    }

    @Override
    public StdioChannel start() throws EngineException {
        if (stdio != null) {
            throw new IllegalStateException("sandbox " + id + " was started already");
        }
        AttachSocket attached = AttachSocket.open(engine, id, this::whyLost);
        stdio = attached;
        boolean started = false;
        try {
            EngineCalls.call("start", () -> client.startContainerCmd(id).exec());
            started = true;
        } catch (EngineException e) {
            throw closed.get() ? new EngineException(new Fault.Interrupted("container " + id + " was removed before it started"), e) : e;
        } finally {
            if (!started || closed.get()) {
                attached.close();
            }
        }
        return attached;
    }

    /**
     * The engine answers late where the container has output that nobody takes, because it deals with that first; then the caller
     * gets back to taking it, and the signal goes its way.
     */
    @Override
    public void signal(Signal signal) throws EngineException {
        CompletableFuture<Boolean> kill = new CompletableFuture<>();
        Thread caller = new Thread(() -> kill(signal, kill), "signal-" + id.substring(0, 12));
        caller.setDaemon(true);
        caller.start();
        (signal == Signal.SIGKILL ? kills : terms).add(kill);
        await(kill, SIGNAL_LIMIT_MS);
    }

    private void kill(Signal signal, CompletableFuture<Boolean> sent) {
        try {
            EngineCalls.call("kill", () -> client.killContainerCmd(id).withSignal(signal.name()).exec());
            sent.complete(true);
        } catch (EngineException e) {
            if (e.getCause() instanceof ConflictException || e.getCause() instanceof NotFoundException) {
                sent.complete(false); // it had ended before
            } else {
                sent.completeExceptionally(e);
            }
        }
    }

    /** A signal without an answer yet counts as sent. */
    private static boolean wasSent(List<CompletableFuture<Boolean>> signals) {
        return signals.stream().anyMatch(sent -> !sent.isDone() || !sent.isCompletedExceptionally() && sent.join());
    }

    @Override
    public Optional<Termination> awaitExit(Duration limit) throws EngineException {
        AttachSocket attached = stdio;
        if (attached == null) {
            throw new IllegalStateException("sandbox " + id + " was not started");
        }
        long end = System.nanoTime() + limit.toNanos();
        long pause = 2;
        while (true) {
            long left = Math.max(0, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime()));
            // While attached the stream's end wakes us, and the engine must not be asked: it may be waiting for us to take output.
            Optional<State> state = await(ended, attached.isAttached() ? Math.min(left, LONGEST_PAUSE_MS) : Math.min(left, pause));
            if (closed.get()) {
                return Optional.of(new Termination.Stopped());
            }
            if (state.isEmpty() && !attached.isAttached()) {
                state = Optional.of(inspect()).filter(s -> !s.running());
                pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
            }
            if (state.isPresent()) {
                ended.complete(state.get());
                return Optional.of(termination(state.get()));
            }
            if (left == 0) {
                return Optional.empty();
            }
        }
    }

    private <T> Optional<T> await(CompletableFuture<T> future, long millis) throws EngineException {
        try {
            return Optional.of(future.get(millis, TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EngineException(new Fault.Interrupted("while waiting for container " + id), e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof EngineException fault) {
                throw fault;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    private Termination termination(State state) throws EngineException {
        boolean killSent = wasSent(kills);
        boolean signalSent = killSent || wasSent(terms);
        try {
            if (!signalSent) {
                account.awaitDeath(EVENT_LIMIT);
            }
            if (oomKilled == null) {
                oomKilled = state.oomKilled() || state.status() == KILLED && !killSent && account.awaitOom(EVENT_LIMIT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EngineException(new Fault.Interrupted("while waiting for events of container " + id), e);
        }
        Optional<Fault> disturbance = disturbance(id, account.lost(), signalSent ? "" : account.signal());
        if (disturbance.isPresent()) {
            throw new EngineException(disturbance.get());
        }
        return classify(state.status(), oomKilled, signalSent, killSent);
    }

    /** Why a container's end says nothing of the server: others may use the engine, and an engine ends containers when it is stopped itself. */
    static Optional<Fault> disturbance(String container, boolean engineGone, String foreignSignal) {
        if (engineGone) {
            return Optional.of(new Fault.EngineUnavailable("container " + container + " ended while the engine was stopped or could not be reached"));
        }
        return foreignSignal.isEmpty() ? Optional.empty()
                : Optional.of(new Fault.EngineError("run", "container " + container + " was sent signal " + foreignSignal + " through the engine by somebody else"));
    }

    /** The mark alone says only that something in the container was killed for memory; with status 137 it was the main process. */
    static Termination classify(int status, boolean oomMark, boolean signalSent, boolean killSent) {
        if (status == KILLED && oomMark && !killSent) {
            return new Termination.OomKilled();
        }
        if (signalSent) {
            return new Termination.Stopped();
        }
        return status > 128 && status <= 128 + 64 ? new Termination.Signalled(status - 128) : new Termination.Exited(status);
    }

    /**
     * Engines mark a container as ended before anybody can look at it after its streams have ended. One that is seen running has
     * lost its connection, then; and will soon end too, because that closes its stdin, so over TCP the first look decides, and where
     * that came too late, whether the container ended after the streams did. A unix socket does not break as long as the engine lives,
     * and there a later mark is waited for.
     */
    private Optional<String> whyLost() {
        Instant noticed = Instant.now();
        long end = System.nanoTime() + END_LIMIT.toNanos();
        try {
            for (long pause = 1; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
                State state = inspect();
                if (!state.running()) {
                    ended.complete(state);
                    return !engine.isUnix() && endedAfter(noticed, state)
                            ? Optional.of("the connection to container " + id + " ended before the container did") : Optional.empty();
                }
                if (!engine.isUnix() || System.nanoTime() > end) {
                    return Optional.of("the connection to container " + id + " ended although it goes on running");
                }
                sleep(pause);
            }
        } catch (EngineException e) {
            return Optional.of("the connection to container " + id + " ended, and then: " + e.getMessage());
        }
    }

    private boolean endedAfter(Instant noticed, State state) throws EngineException {
        try {
            account.awaitDeath(EVENT_LIMIT); // so that there are events to tell the engine's clock by
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EngineException(new Fault.Interrupted("while waiting for events of container " + id), e);
        }
        return watch.clock().left(noticed).filter(left -> state.finished().isAfter(left)).isPresent();
    }

    @Override
    public Duration heldUp(long since) {
        return watch.heldUp(since);
    }

    private State inspect() throws EngineException {
        return EngineCalls.call("inspect", () -> {
            InspectContainerResponse.ContainerState state = client.inspectContainerCmd(id).exec().getState();
            Long status = state.getExitCodeLong();
            return new State(Boolean.TRUE.equals(state.getRunning()), status == null ? -1 : status.intValue(),
                    Boolean.TRUE.equals(state.getOOMKilled()), finished(state.getFinishedAt()));
        });
    }

    private static Instant finished(String time) {
        try {
            return OffsetDateTime.parse(String.valueOf(time)).toInstant();
        } catch (DateTimeParseException e) {
            return Instant.EPOCH; // an engine that does not say it
        }
    }

    private static void sleep(long millis) throws EngineException {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EngineException(new Fault.Interrupted("while waiting for a container's end"), e);
        }
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        AttachSocket attached = stdio;
        if (attached != null) {
            attached.close();
        }
        watch.forget(id);
        remover.accept(this);
    }

    /** The engine's account of a container; {@code finished} by the engine's clock. */
    private record State(boolean running, int status, boolean oomKilled, Instant finished) {}
}
