package dev.mcpprober.sandbox.local;

import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.Sandbox;
import dev.mcpprober.sandbox.SandboxSpec;
import dev.mcpprober.sandbox.StdioChannel;
import dev.mcpprober.sandbox.Termination;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A process of this host and all that it starts. */
final class LocalSandbox implements Sandbox {
    private static final String MARK = "MCP_PROBER_SANDBOX";
    private static final int SIGNAL_BASE = 128;
    private static final int MAX_SIGNAL = 64;

    private final SandboxSpec spec;
    private final Consumer<LocalSandbox> onClose;
    private final String mark = UUID.randomUUID().toString();
    private Process process;
    private LocalStdio stdio;
    private boolean signalSent;
    private boolean closed;

    LocalSandbox(SandboxSpec spec, Consumer<LocalSandbox> onClose) {
        this.spec = spec;
        this.onClose = onClose;
    }

    @Override
    public synchronized String id() {
        return process == null ? "not started" : "process " + process.pid();
    }

    @Override
    public synchronized StdioChannel start() throws EngineException {
        if (process != null) {
            throw new IllegalStateException(id() + " was started already");
        }
        if (closed) {
            throw new EngineException(new Fault.Interrupted("the prober is stopping"));
        }
        ProcessBuilder builder = new ProcessBuilder(spec.argv());
        if (!spec.workdir().isEmpty()) {
            builder.directory(Path.of(spec.workdir()).toFile());
        }
        builder.environment().clear();
        builder.environment().putAll(spec.env());
        builder.environment().put(MARK, mark);
        try {
            process = builder.start();
        } catch (IOException e) {
            String why = e.getCause() == null ? e.getMessage() : e.getCause().getMessage().replaceFirst("^error=\\d+, ", "");
            throw new EngineException(new Fault.EngineError("start", "cannot run \"" + spec.argv().get(0) + "\": " + why), e);
        }
        stdio = new LocalStdio(process);
        return stdio;
    }

    @Override
    public void signal(Signal signal) {
        // Not Process.destroy: that closes the streams too, and with them what the server says on its way out.
        ProcessHandle handle = process.toHandle();
        if (process.isAlive()) {
            signalSent |= signal == Signal.SIGTERM ? handle.destroy() : handle.destroyForcibly();
        }
    }

    @Override
    public Optional<Termination> awaitExit(Duration limit) throws EngineException {
        try {
            if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                return Optional.empty();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EngineException(new Fault.Interrupted("while waiting for " + id() + " to end"), e);
        }
        int status = process.exitValue();
        if (signalSent || isClosed()) {
            return Optional.of(new Termination.Stopped());
        }
        return Optional.of(status > SIGNAL_BASE && status <= SIGNAL_BASE + MAX_SIGNAL
                ? new Termination.Signalled(status - SIGNAL_BASE) : new Termination.Exited(status));
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        if (process != null) {
            ProcessTree.kill(process.toHandle(), MARK + "=" + mark);
            stdio.close();
        }
        onClose.accept(this);
    }
}
