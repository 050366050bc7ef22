package dev.mcpprober.observation;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Whether tools/list says the same each time: in one process, after a call, and in another process. */
final class ListsObserver {
    /** One whole listing: its names in order, and where it stands. */
    private record Listing(SessionLog log, String probe, List<String> names, List<Integer> witness) {
        Set<String> set() {
            return new HashSet<>(names);
        }
    }

    private ListsObserver() {}

    static List<Observation> observe(List<SessionLog> logs) {
        List<Listing> all = new ArrayList<>();
        boolean asked = false;
        for (SessionLog log : logs) {
            for (StepView step : log.handshake().done() ? log.steps() : List.<StepView>of()) {
                boolean again = step.probe().equals(Check.TOOLS_LIST_ORDER.id()) || step.probe().equals(Check.TOOLS_LIST_SET.id());
                Listing listing = step.probe().equals(Probe.HANDSHAKE) || step.probe().equals(Check.TOOLS_LIST.id()) || again ? listing(log, step) : null;
                if (listing != null) {
                    all.add(listing);
                    asked |= again;
                }
            }
        }
        return asked && all.size() > 1 ? List.of(order(all), set(all)) : List.of();
    }

    /** Null where the step did not list all pages. */
    private static Listing listing(SessionLog log, StepView step) {
        List<String> names = new ArrayList<>();
        List<Integer> witness = new ArrayList<>();
        for (Exchange exchange : log.exchanges(step)) {
            JsonNode tools = exchange.readable() == null ? null : exchange.readable().response().node().path("result").path("tools");
            if (!exchange.method().equals("tools/list") || tools == null || !tools.isArray()) {
                return null;
            }
            tools.forEach(tool -> names.add(tool.path("name").asText()));
            witness.add(exchange.sentAt());
            witness.add(exchange.readable().event());
        }
        return witness.isEmpty() || step.detail().contains("cursor repeated") || step.detail().contains("page limit") ? null
                : new Listing(log, step.probe(), names, witness);
    }

    /** Two lists of one process are shown where there are such: their witness is whole. */
    private static Observation order(List<Listing> all) {
        List<Listing[]> comparable = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            for (int j = i + 1; j < all.size(); j++) {
                if (all.get(i).set().equals(all.get(j).set())) {
                    comparable.add(new Listing[] {all.get(i), all.get(j)});
                }
            }
        }
        List<Listing[]> reordered = comparable.stream().filter(pair -> !pair[0].names().equals(pair[1].names())).toList();
        return reordered.stream().filter(pair -> pair[0].log() == pair[1].log()).findFirst().or(() -> reordered.stream().findFirst())
                .map(pair -> finding(Check.TOOLS_LIST_ORDER, "reordered", Set.of(), pair[0], pair[1],
                        first(pair[0], pair[1]) + ", in session " + pair[0].log().name() + " and in " + pair[1].log().name()))
                .orElseGet(() -> finding(Check.TOOLS_LIST_ORDER, comparable.isEmpty() ? "differs" : "same", Set.of(), all.get(0), all.get(1),
                        comparable.isEmpty() ? "no two lists have the same tools" : same(all)));
    }

    private static String first(Listing one, Listing other) {
        int at = 0;
        while (Objects.equals(one.names().get(at), other.names().get(at))) {
            at++;
        }
        return "place " + (at + 1) + " has \"" + one.names().get(at) + "\", then \"" + other.names().get(at) + "\"";
    }

    private static Observation set(List<Listing> all) {
        Listing before = all.get(0);
        for (Listing other : all) {
            if (!other.set().equals(before.set())) {
                return differs(all, before, other);
            }
        }
        boolean order = all.stream().allMatch(listing -> listing.names().equals(before.names()));
        return finding(Check.TOOLS_LIST_SET, order ? "same" : "reordered", Set.of(), before, all.get(1), same(all));
    }

    /** The same change around the same call in two processes is the call's doing; any other may be the time's. */
    private static Observation differs(List<Listing> all, Listing before, Listing other) {
        List<Listing[]> changes = new ArrayList<>();
        for (SessionLog log : new LinkedHashSet<>(all.stream().map(Listing::log).toList())) {
            List<Listing> own = all.stream().filter(listing -> listing.log() == log).toList();
            List<Listing> earlier = own.stream().filter(listing -> !listing.probe().equals(Check.TOOLS_LIST_SET.id())).toList();
            List<Listing> later = own.stream().filter(listing -> listing.probe().equals(Check.TOOLS_LIST_SET.id())).toList();
            boolean steady = earlier.stream().map(Listing::set).distinct().count() == 1;
            if (steady && !later.isEmpty() && !later.get(0).set().equals(earlier.get(0).set())) {
                changes.add(new Listing[] {earlier.get(earlier.size() - 1), later.get(0)});
            }
        }
        for (Listing[] change : changes) {
            long alike = changes.stream().filter(c -> c[0].set().equals(change[0].set()) && c[1].set().equals(change[1].set())).count();
            if (alike > 1) {
                return finding(Check.TOOLS_LIST_SET, "differs", Set.of(Flag.REPRODUCIBLE), change[0], change[1],
                        "after a call, in " + alike + " processes: " + difference(change[0], change[1]));
            }
        }
        return finding(Check.TOOLS_LIST_SET, "differs", Set.of(), before, other,
                "session " + before.log().name() + " and " + other.log().name() + ": " + difference(before, other));
    }

    private static String difference(Listing one, Listing other) {
        Set<String> gone = new LinkedHashSet<>(one.names());
        gone.removeAll(other.set());
        Set<String> come = new LinkedHashSet<>(other.names());
        come.removeAll(one.set());
        return (gone.isEmpty() ? "" : "without " + String.join(", ", gone)) + (gone.isEmpty() || come.isEmpty() ? "" : "; ") + (come.isEmpty() ? "" : "with " + String.join(", ", come));
    }

    private static String same(List<Listing> all) {
        return Phrase.count(all.size(), "list") + " in " + Phrase.count(new HashSet<>(all.stream().map(Listing::log).toList()).size(), "process").replace("processs", "processes")
                + ", " + Phrase.count(all.get(0).set().size(), "tool") + " each";
    }

    /** Shown by the session of the second listing where both are of one; else by that of the first, whose transcript holds one half. */
    private static Observation finding(Check check, String observed, Set<String> flags, Listing one, Listing other, String detail) {
        Set<Integer> witness = new TreeSet<>(one.witness().subList(0, Math.min(4, one.witness().size())));
        if (one.log() == other.log()) {
            witness.addAll(other.witness().subList(0, Math.min(4, other.witness().size())));
        }
        return new Observation.Finding(Subjects.of(check, one.log()), observed, flags, Phrase.detail(detail), List.copyOf(witness));
    }
}
