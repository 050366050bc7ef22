package dev.mcpprober.dataset.drift;

import java.io.IOException;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Finds the day between two days on which a server began to behave differently. */
public final class Bisection {
    private final Prober prober;
    private final Consumer<String> say;
    private final TreeMap<LocalDate, Seen> seen = new TreeMap<>();

    /**
     * A server as it was on one day.
     *
     * @param value   verdict of the check in question, or how the server started
     * @param version installed release
     * @param tree    {@code name@version} each
     */
    public record Seen(String value, String version, List<String> tree) {}

    /** Installs and probes. */
    @FunctionalInterface
    public interface Prober {
        Seen on(LocalDate day) throws IOException, InterruptedException;
    }

    /**
     * @param good    last day on which it was as on the first day asked for
     * @param bad     first day on which it was not
     * @param changes between the two, the server's own package among them
     * @param probed  days that were installed and probed
     */
    public record Found(LocalDate good, Seen before, LocalDate bad, Seen after, List<TreeChange> changes, int probed) {}

    /** Both ends give the same: there is nothing to find. */
    public static final class NoDifference extends Exception {
        private static final long serialVersionUID = 1L;

        NoDifference(String message) {
            super(message);
        }
    }

    public Bisection(Prober prober, Consumer<String> say) {
        this.prober = prober;
        this.say = say;
    }

    /** Where it changed more than once in between, one of the changes is found. */
    public Found between(LocalDate good, LocalDate bad) throws IOException, InterruptedException, NoDifference {
        Seen first = on(good);
        Seen last = on(bad);
        if (first.value().equals(last.value())) {
            throw new NoDifference("on " + good + " and on " + bad + " it is the same: " + first.value());
        }
        LocalDate low = good;
        LocalDate high = bad;
        while (ChronoUnit.DAYS.between(low, high) > 1) {
            LocalDate middle = low.plusDays(ChronoUnit.DAYS.between(low, high) / 2);
            if (on(middle).value().equals(first.value())) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return new Found(low, seen.get(low), high, seen.get(high), TreeChange.between(seen.get(low).tree(), seen.get(high).tree()), seen.size());
    }

    private Seen on(LocalDate day) throws IOException, InterruptedException {
        Seen there = seen.get(day);
        if (there == null) {
            there = prober.on(day);
            seen.put(day, there);
            say.accept(day + ": " + there.value() + ", release " + (there.version().isEmpty() ? "unknown" : there.version()));
        }
        return there;
    }
}
