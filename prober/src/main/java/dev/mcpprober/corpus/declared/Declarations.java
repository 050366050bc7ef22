package dev.mcpprober.corpus.declared;

import dev.mcpprober.corpus.declared.Outcome.Dropped;
import dev.mcpprober.corpus.declared.Outcome.Kept;
import dev.mcpprober.corpus.declared.Outcome.Reason;
import dev.mcpprober.io.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Takes declarations one by one and keeps, of each server, the latest active version. What is left out is counted, so that
 * entries = malformed + superseded + servers, servers = dropped + kept, kept = duplicates + targets.
 */
public final class Declarations {
    private final Map<String, Declaration> byName = new TreeMap<>();
    private final List<Malformed> malformed = new ArrayList<>();
    private final List<Declaration> older = new ArrayList<>();
    private long entries;

    /**
     * An entry that cannot be read.
     *
     * @param place  where it stands in the source
     * @param reason what is wrong, raw
     */
    public record Malformed(String place, String reason) {}

    /** A version of a server for which another one stands. */
    public record Superseded(String name, String version, String place, String by) {}

    /** One target: a package under its names. */
    public record Named(Kept target, List<Declaration> names) {}

    public void add(Declaration declaration) {
        entries++;
        Declaration other = byName.putIfAbsent(declaration.name(), declaration);
        if (other != null) {
            boolean newer = newer(declaration, other);
            older.add(newer ? other : declaration);
            if (newer) {
                byName.put(declaration.name(), declaration);
            }
        }
    }

    public void malformed(String place, String reason) {
        entries++;
        malformed.add(new Malformed(place, reason));
    }

    /** An inactive version never stands before an active one; the source's own mark decides, then its dates, then the version numbers. */
    private static boolean newer(Declaration a, Declaration b) {
        if (a.active() != b.active()) {
            return a.active();
        }
        if (a.latest() != b.latest()) {
            return a.latest();
        }
        int dates = a.date().compareTo(b.date());
        return dates != 0 && !a.date().isEmpty() && !b.date().isEmpty() ? dates > 0 : VersionOrder.compare(a.version(), b.version()) > 0;
    }

    public Result result() {
        List<Declaration> dropped = new ArrayList<>();
        Map<String, Named> targets = new TreeMap<>();
        for (Declaration server : byName.values()) {
            Outcome outcome = server.active() ? server.outcome() : new Dropped(Reason.NOT_ACTIVE, "");
            if (outcome instanceof Kept kept) {
                // Arguments make another target, variables do not: as in a frame.
                targets.computeIfAbsent(kept.url().purl() + " " + Json.mapper().valueToTree(kept.args()), key -> new Named(kept, new ArrayList<>())).names().add(server);
            } else {
                dropped.add(new Declaration(server.name(), server.version(), server.active(), server.latest(), server.date(), server.place(), outcome));
            }
        }
        // Only now is it known which version stands in the end.
        List<Superseded> superseded = older.stream().map(d -> new Superseded(d.name(), d.version(), d.place(), byName.get(d.name()).version())).toList();
        return new Result(entries, List.copyOf(malformed), superseded, dropped, List.copyOf(targets.values()));
    }

    /**
     * What a source came to.
     *
     * @param dropped servers that are left out, by name
     * @param targets by package URL
     */
    public record Result(long entries, List<Malformed> malformed, List<Superseded> superseded, List<Declaration> dropped, List<Named> targets) {
        /** Servers by name, whatever becomes of them. */
        public long servers() {
            return entries - malformed.size() - superseded.size();
        }

        public long duplicates() {
            return targets.stream().mapToLong(target -> target.names().size() - 1L).sum();
        }
    }
}
