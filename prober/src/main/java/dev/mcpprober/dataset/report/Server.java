package dev.mcpprober.dataset.report;

import dev.mcpprober.dataset.Stand;
import dev.mcpprober.model.Era;
import dev.mcpprober.rules.VerdictWord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * A row of the frame with what the tables say of it.
 *
 * @param target    row of table targets
 * @param sessions  rows of table sessions
 * @param stands    rule set to check to the verdict that stands
 * @param witnesses rows of table witnesses
 */
record Server(Cells target, List<Cells> sessions, Map<String, Map<String, Stand>> stands, List<Cells> witnesses) {
    /** The repeat that stands for a server. */
    private static final String STANDING = "0";

    /** Sees each row of the frame, in the order of the tables. */
    interface Sink {
        void accept(Server server) throws IOException;
    }

    /** One pass over the tables; nothing of a row is kept. */
    static void each(Tables tables, Sink sink) throws IOException {
        try (TableFile targets = tables.open("targets"); TableFile sessions = tables.open("sessions"); TableFile observations = tables.open("observations");
                TableFile verdicts = tables.open("verdicts"); TableFile witnesses = tables.open("witnesses")) {
            for (Cells target = targets.next(); target != null; target = targets.next()) {
                String id = target.get("target_id");
                List<Cells> own = sessions.of(id);
                Map<String, Cells> observed = new HashMap<>();
                observations.of(id).forEach(row -> observed.put(row.get("observation"), row));
                List<Cells> judged = verdicts.of(id);
                for (Cells row : judged) {
                    if (!observed.containsKey(row.get("observation"))) {
                        throw new IOException("table verdicts: target " + id + ", observation " + row.get("observation") + " is not in table observations");
                    }
                }
                sink.accept(new Server(target, own, stands(target, own, observed, judged), witnesses.of(id)));
            }
            sessions.end();
            observations.end();
            verdicts.end();
            witnesses.end();
        }
    }

    String id() {
        return target.get("target_id");
    }

    /** The verdict that stands for a server: see {@link Stand}, whose rule this repeats for rows of tables. */
    private static Map<String, Map<String, Stand>> stands(Cells target, List<Cells> sessions, Map<String, Cells> observed, List<Cells> verdicts) {
        String era = target.list("eras").contains(Era.LEGACY.id()) ? Era.LEGACY.id() : Era.MODERN.id();
        Map<String, String> transcripts = new HashMap<>();
        sessions.forEach(session -> transcripts.put(session.get("session"), session.get("transcript")));
        List<Cells> ofEra = verdicts.stream().filter(row -> row.get("repeat").equals(STANDING) && observed.get(row.get("observation")).get("era").equals(era)).toList();
        Set<List<String>> withPrimary = new HashSet<>();
        ofEra.stream().filter(Server::primary).forEach(row -> withPrimary.add(key(row)));
        Map<String, Map<String, Stand>> out = new TreeMap<>();
        for (Cells row : ofEra) {
            if (primary(row) || !withPrimary.contains(key(row))) {
                Stand stand = stand(row, observed.get(row.get("observation")), transcripts);
                out.computeIfAbsent(row.get("rule_set"), key -> new TreeMap<>())
                        .merge(row.get("check"), stand, (a, b) -> Stand.graver(b.word(), a.word()) ? b : a);
            }
        }
        return out;
    }

    private static boolean primary(Cells verdict) {
        return verdict.get("primary").equals("true");
    }

    private static List<String> key(Cells verdict) {
        return List.of(verdict.get("rule_set"), verdict.get("check"));
    }

    private static Stand stand(Cells verdict, Cells observation, Map<String, String> transcripts) {
        List<String> seen = new ArrayList<>(List.of(observation.get("observed")));
        if (observation.get("observed").equals(VerdictWord.NOT_RUN.id())) {
            seen.set(0, seen.get(0) + ":");
            seen.add(observation.get("detail_text"));
        } else {
            seen.add(observation.get("code"));
            seen.add(observation.get("consequence"));
        }
        return new Stand(VerdictWord.of(verdict.get("verdict")).orElseThrow(), verdict.get("note_text"), verdict.get("revision"), verdict.get("observation"),
                observation.get("session"), transcripts.getOrDefault(observation.get("session"), ""), observation.get("tool_text"),
                String.join(" ", seen.stream().filter(part -> !part.isEmpty()).toList()), observation.list("witness").stream().map(Integer::valueOf).toList());
    }
}
