package dev.mcpprober.census;

import dev.mcpprober.corpus.FrameEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Targets on their way: waiting, being installed, installed, being probed. No install begins while as many targets as may wait for a probe
 * do or soon will.
 */
final class Pipeline {
    private final Deque<FrameEntry> waiting;
    private final Deque<Work.Probe> installed = new ArrayDeque<>();
    private final int ahead;
    private int installing;
    /** Taken out of {@link #waiting} and not ended, wherever they are. */
    private int underWay;
    private boolean stopped;

    /** What a worker takes. */
    sealed interface Work {
        FrameEntry entry();

        record Install(FrameEntry entry) implements Work {}

        record Probe(FrameEntry entry, Installation installation) implements Work {}
    }

    /** @param ahead targets that are installed, or being installed, and not yet probed */
    Pipeline(Collection<FrameEntry> targets, int ahead) {
        this.waiting = new ArrayDeque<>(targets);
        this.ahead = ahead;
    }

    /**
     * Waits for work of a kind that the worker does; what is further on goes first.
     *
     * @return empty when all targets have ended, or after {@link #stop}
     */
    synchronized Optional<Work> take(boolean installs, boolean probes) throws InterruptedException {
        while (!stopped && (underWay > 0 || !waiting.isEmpty())) {
            if (probes && !installed.isEmpty()) {
                return Optional.of(installed.remove());
            }
            if (installs && !waiting.isEmpty() && installing + installed.size() < ahead) {
                installing++;
                underWay++;
                return Optional.of(new Work.Install(waiting.remove()));
            }
            wait();
        }
        return Optional.empty();
    }

    /** An install came to something that can be probed. */
    synchronized void installed(FrameEntry entry, Installation installation) {
        installing--;
        installed.add(new Work.Probe(entry, installation));
        notifyAll();
    }

    /** The target will not be worked on any more, or once again after all others. */
    synchronized void ended(Work work, boolean again) {
        if (work instanceof Work.Install) {
            installing--;
        }
        underWay--;
        if (again) {
            waiting.add(work.entry());
        }
        notifyAll();
    }

    /** Nothing is handed out any more. */
    synchronized void stop() {
        stopped = true;
        notifyAll();
    }

    /** What was installed and not taken. */
    synchronized List<Work.Probe> left() {
        return new ArrayList<>(installed);
    }
}
