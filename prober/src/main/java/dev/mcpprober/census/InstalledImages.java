package dev.mcpprober.census;

import dev.mcpprober.install.Installer;
import dev.mcpprober.sandbox.EngineException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Knows which images of installs the units of this process are at work with, and removes, in the background, those that are finished with,
 * where they were made here: what a check or another run made and keeps was only borrowed. Several targets may share an image: the last one
 * that lets go of it decides. Safe for use by many threads.
 */
public final class InstalledImages implements AutoCloseable {
    private static final long CLOSE_SECONDS = 60;

    private final Removal removal;
    private final boolean keep;
    private final Map<String, Integer> held = new HashMap<>();
    private final Set<String> goingAway = new HashSet<>();
    /** That the engine would not let go of yet. */
    private final Set<String> later = new LinkedHashSet<>();
    /** Finished and kept. */
    private final Set<String> spare = new HashSet<>();
    private final ExecutorService background = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "image-removal");
        thread.setDaemon(true);
        return thread;
    });

    /** Removes one image and forgets the install that made it. */
    @FunctionalInterface
    public interface Removal {
        void remove(String image) throws EngineException;

        /** False for an image of somebody else's, which is not to be removed because a target of ours is finished. */
        default boolean made(String image) throws EngineException {
            return true;
        }

        static Removal by(Installer installer) {
            return new Removal() {
                @Override
                public void remove(String image) throws EngineException {
                    installer.discard(image);
                }

                @Override
                public boolean made(String image) throws EngineException {
                    return installer.made(image);
                }
            };
        }
    }

    /** @param keep finished images stay */
    public InstalledImages(Removal removal, boolean keep) {
        this.removal = removal;
        this.keep = keep;
    }

    /** Keeps an image from being removed here until {@link #release}. It may be gone already: look for it after this returns. */
    synchronized void hold(String image) throws InterruptedException {
        while (goingAway.contains(image)) {
            wait();
        }
        later.remove(image);
        spare.remove(image);
        held.merge(image, 1, Integer::sum);
    }

    /** @param finished not needed again; it is removed unless somebody else holds it */
    synchronized void release(String image, boolean finished) {
        boolean last = held.merge(image, -1, (a, b) -> a + b == 0 ? null : a + b) == null;
        if (last && finished && keep) {
            spare.add(image);
        } else if (last && finished) {
            later.add(image);
            background.execute(this::removeDue);
        }
    }

    /** Removes images that nobody holds. Does not wait. */
    public synchronized void discard(Collection<String> images) {
        if (!keep) {
            images.stream().filter(image -> !held.containsKey(image)).forEach(later::add);
            background.execute(this::removeDue);
        }
    }

    /** It was kept only because that was asked for. */
    synchronized boolean isSpare(String image) {
        return spare.contains(image);
    }

    /** Removes an image at once, whether finished images are kept or not. @return false where somebody holds it or the engine does not let go of it */
    boolean removeNow(String image) {
        synchronized (this) {
            if (held.containsKey(image) || !goingAway.add(image)) {
                return false;
            }
        }
        return remove(image, removal::remove);
    }

    private void removeDue() {
        List<String> due;
        synchronized (this) {
            due = later.stream().filter(goingAway::add).toList();
        }
        due.forEach(image -> remove(image, this::removeOwn));
    }

    private void removeOwn(String image) throws EngineException {
        if (removal.made(image)) {
            removal.remove(image);
        }
    }

    /** An image that is going away, and that nobody can come to hold meanwhile. */
    private boolean remove(String image, Removal how) {
        boolean gone = false;
        try {
            how.remove(image);
            gone = true;
        } catch (EngineException | RuntimeException e) {
            gone = false; // a sandbox is made of it, or the engine is away: tried again after the next target
        }
        synchronized (this) {
            goingAway.remove(image);
            if (gone) {
                later.remove(image);
                spare.remove(image);
            }
            notifyAll();
        }
        return gone;
    }

    /** Waits until what is finished is gone, or cannot be removed now. */
    @Override
    public void close() {
        background.execute(this::removeDue);
        background.shutdown();
        boolean interrupted = false;
        try {
            background.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
