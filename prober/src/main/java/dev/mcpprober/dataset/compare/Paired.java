package dev.mcpprober.dataset.compare;

import dev.mcpprober.dataset.ServerVerdicts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One row of the frames, on one side or on both.
 *
 * @param match why it is, or is not, on both
 * @param a     null where it is only in B
 * @param b     null where it is only in A
 */
public record Paired(Match match, ServerVerdicts a, ServerVerdicts b) {
    /** How rows of two frames belong together. */
    public enum Match {
        SAME("same"), VERSION_CHANGED("version-changed"), ONLY_A("only-a"), ONLY_B("only-b"), AMBIGUOUS("ambiguous"), EXCLUDED("excluded");

        private final String id;

        Match(String id) {
            this.id = id;
        }

        public String id() {
            return id;
        }
    }

    public boolean both() {
        return a != null && b != null;
    }

    /** One run under two rule sets. */
    static Paired self(ServerVerdicts server) {
        return new Paired(server.row().excluded().isEmpty() ? Match.SAME : Match.EXCLUDED, server, server);
    }

    /**
     * Rows of two runs: by the frame's own id, else by registry, name and arguments where that names one row on either side. Rows
     * that the frame leaves out have no identity.
     */
    public static List<Paired> of(List<ServerVerdicts> a, List<ServerVerdicts> b) {
        Map<String, ServerVerdicts> restA = new LinkedHashMap<>();
        List<Paired> out = new ArrayList<>();
        for (ServerVerdicts server : a) {
            if (server.row().excluded().isEmpty()) {
                restA.put(server.row().target(), server);
            } else {
                out.add(new Paired(Match.EXCLUDED, server, null));
            }
        }
        List<ServerVerdicts> restB = new ArrayList<>();
        for (ServerVerdicts server : b) {
            if (!server.row().excluded().isEmpty()) {
                out.add(new Paired(Match.EXCLUDED, null, server));
                continue;
            }
            ServerVerdicts same = restA.remove(server.row().target());
            if (same == null) {
                restB.add(server);
            } else {
                out.add(new Paired(same.version().equals(server.version()) ? Match.SAME : Match.VERSION_CHANGED, same, server));
            }
        }
        Map<List<Object>, List<ServerVerdicts>> identitiesA = byIdentity(restA.values());
        Map<List<Object>, List<ServerVerdicts>> identitiesB = byIdentity(restB);
        identitiesA.forEach((identity, left) -> {
            List<ServerVerdicts> right = identitiesB.getOrDefault(identity, List.of());
            if (left.size() == 1 && right.size() == 1) {
                out.add(new Paired(left.get(0).version().equals(right.get(0).version()) ? Match.SAME : Match.VERSION_CHANGED, left.get(0), right.get(0)));
            } else {
                left.forEach(server -> out.add(new Paired(right.isEmpty() ? Match.ONLY_A : Match.AMBIGUOUS, server, null)));
                right.forEach(server -> out.add(new Paired(Match.AMBIGUOUS, null, server)));
            }
        });
        identitiesB.forEach((identity, right) -> {
            if (!identitiesA.containsKey(identity)) {
                right.forEach(server -> out.add(new Paired(Match.ONLY_B, null, server)));
            }
        });
        Map<String, Paired> ordered = new TreeMap<>();
        out.forEach(pair -> ordered.put(pair.target() + (pair.both() ? " 0" : pair.a() != null ? " 1" : " 2"), pair));
        return List.copyOf(ordered.values());
    }

    /** Of A where it is there. */
    public String target() {
        return (a == null ? b : a).row().target();
    }

    private static Map<List<Object>, List<ServerVerdicts>> byIdentity(Iterable<ServerVerdicts> servers) {
        Map<List<Object>, List<ServerVerdicts>> out = new HashMap<>();
        for (ServerVerdicts server : servers) {
            out.computeIfAbsent(List.of(server.row().registry(), server.row().name(), server.row().args()), key -> new ArrayList<>()).add(server);
        }
        return out;
    }
}
