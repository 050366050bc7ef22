package dev.mcpprober.census;

import dev.mcpprober.model.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Looks, before each attempt, whether there is room for it. */
public final class DiskGuard {
    private static final long MIB = 1 << 20;
    private final List<Place> places;

    /**
     * @param what    for the message, e.g. {@code the run folder}
     * @param path    where to look; a place that this process cannot look at is passed over
     * @param minimum bytes that must be free
     */
    public record Place(String what, Path path, long minimum, FreeSpace free) {
        public Place(String what, Path path, long minimum) {
            this(what, path, minimum, at -> Files.getFileStore(at).getUsableSpace());
        }
    }

    /** Bytes that this process may still write; a seam for tests. */
    @FunctionalInterface
    public interface FreeSpace {
        long bytes(Path at) throws IOException;
    }

    public DiskGuard(List<Place> places) {
        this.places = List.copyOf(places);
    }

    /** The fault, when one of the places has too little room. */
    public Optional<Fault.HostDiskFull> check() {
        for (Place place : places) {
            try {
                long free = place.free().bytes(place.path());
                if (free < place.minimum()) {
                    return Optional.of(new Fault.HostDiskFull("only " + free / MIB + " MiB are free for " + place.what() + " (" + place.path()
                            + "), " + place.minimum() / MIB + " MiB are needed; make room and run the same command again"));
                }
            } catch (IOException e) {
                // An engine's storage may belong to another machine or user; a place that cannot be asked cannot be guarded.
                continue;
            }
        }
        return Optional.empty();
    }
}
