package dev.mcpprober.census;

import dev.mcpprober.model.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Looks, before each attempt, whether there is room for it. Where there is none, what is dispensable of our own is removed, and then the attempt
 * waits. Shared by all workers.
 */
public final class DiskGuard {
    private static final Duration POLL = Duration.ofSeconds(5);
    private static final long MIB = 1 << 20;

    private final List<Place> places;
    private final Duration patience;
    private final Duration poll;
    private final Consumer<String> say;
    private boolean paused;

    /**
     * @param what    for the message, e.g. {@code the run folder}
     * @param path    where to look; a place that this process cannot look at is passed over
     * @param minimum bytes that must be free
     */
    public record Place(String what, Path path, long minimum, FreeSpace free, Pruner pruner) {
        public Place(String what, Path path, long minimum, Pruner pruner) {
            this(what, path, minimum, at -> Files.getFileStore(at).getUsableSpace(), pruner);
        }
    }

    /** Bytes that this process may still write; a seam for tests. */
    @FunctionalInterface
    public interface FreeSpace {
        long bytes(Path at) throws IOException;
    }

    /** Makes room in a place. */
    @FunctionalInterface
    public interface Pruner {
        /** Where there is nothing of ours to remove. */
        Pruner NOTHING = Optional::empty;

        /** Removes the thing that can best be spared; says what it was, or nothing where there is no such thing. Never throws. */
        Optional<String> one();
    }

    /**
     * @param patience how long an attempt waits for room
     * @param say      told when work pauses, what is removed, and when it goes on
     */
    public DiskGuard(List<Place> places, Duration patience, Consumer<String> say) {
        this(places, patience, POLL, say);
    }

    DiskGuard(List<Place> places, Duration patience, Duration poll, Consumer<String> say) {
        this.places = List.copyOf(places);
        this.patience = patience;
        this.poll = poll;
        this.say = say;
    }

    /** For where nothing has to be guarded. */
    public static DiskGuard none() {
        return new DiskGuard(List.of(), Duration.ZERO, line -> { });
    }

    /**
     * Waits until there is room.
     *
     * @param stopping nobody needs it any more
     * @return what is missing still, when the time is over or nobody needs it
     */
    synchronized Optional<Fault.HostDiskFull> room(BooleanSupplier stopping) throws InterruptedException {
        long begin = System.nanoTime();
        Optional<Place> full = full();
        while (full.isPresent()) {
            String why = words(full.get());
            Optional<String> removed = full.get().pruner().one();
            if (removed.isPresent()) {
                say.accept(why + "; removed " + removed.get());
            } else if (stopping.getAsBoolean() || System.nanoTime() - begin >= patience.toNanos()) {
                return Optional.of(new Fault.HostDiskFull(why));
            } else {
                pause(why);
            }
            full = full();
        }
        if (paused) {
            paused = false;
            say.accept("there is room again; going on");
        }
        return Optional.empty();
    }

    private void pause(String why) throws InterruptedException {
        if (!paused) {
            paused = true;
            say.accept("paused for at most " + patience.toMinutes() + " minutes: " + why);
        }
        wait(poll.toMillis());
    }

    private Optional<Place> full() {
        return places.stream().filter(place -> free(place) < place.minimum()).findFirst();
    }

    /** An engine's storage may belong to another machine or user; a place that cannot be asked cannot be guarded. */
    private static long free(Place place) {
        try {
            return place.free().bytes(place.path());
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }

    private static String words(Place place) {
        return "only " + free(place) / MIB + " MiB are free for " + place.what() + " (" + place.path() + "), " + place.minimum() / MIB + " MiB are needed";
    }
}
