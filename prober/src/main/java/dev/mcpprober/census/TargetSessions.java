package dev.mcpprober.census;

import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.model.WorkKey;
import dev.mcpprober.sandbox.EngineException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Probes targets. Safe for use by many threads. What a server does wrong is in the transcript, never an exception. */
public interface TargetSessions {
    /** Begins the sessions of one target. */
    Sequence begin(FrameEntry entry, Installation installation) throws EngineException;

    /**
     * One session that is due.
     *
     * @param name   within its target
     * @param script with the part of it that is run
     */
    record Due(WorkKey key, String name, String script) {}

    /** One try. {@code transcript} does not exist yet. */
    record Attempt(String id, Path transcript) {}

    /** The sessions of one target, one after the other. Used by one thread. */
    interface Sequence extends AutoCloseable {
        /** What is due after the transcripts that were accepted; empty when the plan is done. */
        Optional<Due> next();

        /** Runs what {@link #next} named and leaves a whole transcript. @throws EngineException when the attempt is a fault */
        void run(Due due, Attempt attempt) throws EngineException, IOException, InterruptedException;

        /** Takes a transcript of what {@link #next} named, from now or from an earlier run, into account. */
        void accept(Path transcript) throws IOException;

        /** True when a session came about in one of the transcripts accepted. */
        boolean started();

        /** In a few words what was seen, for the progress line; server text in it is escaped. */
        String summary();

        /** Lets go of whatever was prepared. Never throws. */
        @Override
        void close();
    }
}
