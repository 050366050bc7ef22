package dev.mcpprober.dataset.drift;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Finds the day between two days on which a server began to behave differently, and, where several of its packages were released on that day,
 * the hours and minutes, until one release is left that could be it, or a minute.
 */
public final class Bisection {
    private static final Duration FINEST = Duration.ofMinutes(1);

    private final Prober prober;
    private final Consumer<String> say;
    private final TreeMap<Instant, Seen> seen = new TreeMap<>();

    /**
     * A server as it was at one moment.
     *
     * @param value   verdict of the check in question, or how the server started
     * @param version installed release
     * @param tree    {@code name@version} each
     */
    public record Seen(String value, String version, List<String> tree) {}

    /** Installs and probes. */
    @FunctionalInterface
    public interface Prober {
        /** With what was published before {@code moment}. */
        Seen before(Instant moment) throws IOException, InterruptedException;
    }

    /**
     * @param good    last moment that was tried and at which it was as at the first one; see {@link Bisection#named}
     * @param bad     first moment at which it was not
     * @param changes between the two, the server's own package among them
     * @param probed  moments that were installed and probed
     */
    public record Found(Instant good, Seen before, Instant bad, Seen after, List<TreeChange> changes, int probed) {}

    /** The end of a day has the name of the day, any other moment its own. */
    public static String named(Instant moment) {
        boolean midnight = LocalTime.ofInstant(moment, ZoneOffset.UTC).equals(LocalTime.MIDNIGHT);
        return midnight ? LocalDate.ofInstant(moment, ZoneOffset.UTC).minusDays(1).toString() : moment.toString();
    }

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
        Instant low = end(good);
        Instant high = end(bad);
        String first = at(low).value();
        if (first.equals(at(high).value())) {
            throw new NoDifference("on " + good + " and on " + bad + " it is the same: " + first);
        }
        for (long days = days(low, high); days > 1; days = days(low, high)) {
            Instant middle = low.plus(days / 2, ChronoUnit.DAYS);
            if (at(middle).value().equals(first)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        while (suspects(changes(low, high)).size() > 1 && Duration.between(low, high).compareTo(FINEST) > 0) {
            Instant middle = low.plus(Duration.between(low, high).dividedBy(2)).truncatedTo(ChronoUnit.SECONDS);
            if (at(middle).value().equals(first)) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return new Found(low, seen.get(low), high, seen.get(high), changes(low, high), seen.size());
    }

    /** Changes that are a release of a package there before and after; others come and go with one of those, unless there is none. */
    public static List<TreeChange> suspects(List<TreeChange> changes) {
        List<TreeChange> moved = changes.stream().filter(change -> change.step() == TreeChange.Step.MAJOR || change.step() == TreeChange.Step.RELEASE).toList();
        return moved.isEmpty() ? changes : moved;
    }

    private static Instant end(LocalDate day) {
        return day.plusDays(1).atStartOfDay().toInstant(ZoneOffset.UTC);
    }

    private static long days(Instant low, Instant high) {
        return ChronoUnit.DAYS.between(low, high);
    }

    private List<TreeChange> changes(Instant low, Instant high) {
        return TreeChange.between(seen.get(low).tree(), seen.get(high).tree());
    }

    private Seen at(Instant moment) throws IOException, InterruptedException {
        Seen there = seen.get(moment);
        if (there == null) {
            there = prober.before(moment);
            seen.put(moment, there);
            say.accept(named(moment) + ": " + there.value() + ", release " + (there.version().isEmpty() ? "unknown" : there.version()));
        }
        return there;
    }
}
