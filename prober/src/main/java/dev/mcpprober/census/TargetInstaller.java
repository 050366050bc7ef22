package dev.mcpprober.census;

import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.sandbox.EngineException;
import java.io.IOException;
import java.util.Optional;

/** Installs targets. Safe for use by many threads. What the package does wrong is an outcome, never an exception. */
public interface TargetInstaller {
    /** @throws EngineException when the attempt is a fault */
    Installation install(FrameEntry entry) throws EngineException, IOException, InterruptedException;

    /**
     * An earlier install, from its document. Empty when it cannot be used any more, e.g. because its image is gone: the target is then
     * installed again.
     */
    Optional<Installation> restore(FrameEntry entry, byte[] document) throws EngineException, IOException, InterruptedException;

    /**
     * Lets go of what {@link #install} or {@link #restore} gave; called once for each of them. Never throws and does not wait.
     *
     * @param finished the target is measured, so that nobody needs it again
     */
    default void release(Installation installation, boolean finished) {}
}
