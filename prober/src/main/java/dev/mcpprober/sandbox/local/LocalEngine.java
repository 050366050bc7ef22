package dev.mcpprober.sandbox.local;

import dev.mcpprober.model.Fault;
import dev.mcpprober.sandbox.EngineException;
import dev.mcpprober.sandbox.Sandbox;
import dev.mcpprober.sandbox.SandboxEngine;
import dev.mcpprober.sandbox.SandboxSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs a trusted command on this host, without any isolation: image, policy and labels of a spec mean nothing here. What the
 * command has started is killed with its sandbox, and when the program ends, by Ctrl-C too.
 */
public final class LocalEngine implements SandboxEngine {
    private final Set<LocalSandbox> live = ConcurrentHashMap.newKeySet();
    private final Thread hook = new Thread(this::closeAll, "local-shutdown");
    private volatile boolean closed;

    public LocalEngine() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** The program itself is only looked for when it is started. An empty {@code workdir} is the current folder. */
    @Override
    public Sandbox create(SandboxSpec spec) throws EngineException {
        if (spec.argv().isEmpty()) {
            throw new EngineException(new Fault.EngineError("start", "the command is empty"));
        }
        if (!Files.isDirectory(Path.of(spec.workdir()))) {
            throw new EngineException(new Fault.EngineError("start", "the working folder " + spec.workdir() + " is not a folder"));
        }
        LocalSandbox sandbox = new LocalSandbox(spec, live::remove);
        live.add(sandbox);
        if (closed) {
            sandbox.close();
        }
        return sandbox;
    }

    @Override
    public String describe() {
        return "this host, no isolation";
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The program is ending; the hook does the same.
        }
        closeAll();
    }

    private void closeAll() {
        closed = true;
        live.forEach(Sandbox::close);
    }
}
