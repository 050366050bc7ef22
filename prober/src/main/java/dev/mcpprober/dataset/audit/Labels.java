package dev.mcpprober.dataset.audit;

import dev.mcpprober.model.Printable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What people answered.
 *
 * @param labellers pseudonyms, in the order in which they came up
 * @param given     decision to labeller to word, both in a fixed order
 * @param settled   decision to the word that was agreed on where labellers disagreed
 * @param blank     rows without an answer
 */
public record Labels(List<String> labellers, Map<String, Map<String, String>> given, Map<String, String> settled, int blank) {
    static final Labels NONE = new Labels(List.of(), Map.of(), Map.of(), 0);
    /** Stands for a labeller in tables, for what was settled. */
    public static final String ADJUDICATED = "adjudicated";
    static final List<String> COLUMNS = List.of("sample", "decision", "labeller", "label");
    private static final int MAX_PROBLEMS = 50;

    /** @throws AuditException with every problem, each with file and line; then nothing of the files was taken */
    static Labels read(AuditFolder audit, List<Path> files, Path adjudication) throws IOException, AuditException {
        Reader reader = new Reader(audit, false);
        for (Path file : files) {
            int before = reader.answers;
            reader.file(file, false);
            if (reader.answers == before && reader.problems.isEmpty()) {
                reader.problems.add(file + ": holds no answer at all");
            }
        }
        if (adjudication != null) {
            reader.file(adjudication, true);
        }
        reader.end();
        if (!reader.problems.isEmpty()) {
            int more = reader.problems.size() - MAX_PROBLEMS;
            throw new AuditException("labels cannot be used, and none was taken:\n  " + String.join("\n  ", reader.problems.subList(0, Math.min(MAX_PROBLEMS, reader.problems.size())))
                    + (more > 0 ? "\n  and " + more + " more" : ""));
        }
        return new Labels(List.copyOf(reader.names.values()), reader.given, reader.settled, reader.blank);
    }

    /** Of the table that {@code audit score} wrote. */
    static Labels ofTable(AuditFolder audit, Path file) throws IOException, AuditException {
        Reader reader = new Reader(audit, true);
        for (AuditFolder.At row : AuditFolder.rows(file, List.of("decision", "labeller", "label"))) {
            boolean adjudicated = row.get("labeller").equals(ADJUDICATED);
            reader.answer(file + ":" + row.line(), row.get("decision"), row.get("labeller"), row.get("label"), adjudicated);
        }
        reader.end();
        if (!reader.problems.isEmpty()) {
            throw new AuditException("the table of labels was edited; score the labels again:\n  " + String.join("\n  ", reader.problems));
        }
        return new Labels(List.copyOf(reader.names.values()), reader.given, reader.settled, 0);
    }

    /** What people hold to be right; empty where none answered, or they disagree and it is not settled. */
    Optional<String> truth(String decision) {
        if (settled.containsKey(decision)) {
            return Optional.of(settled.get(decision));
        }
        TreeSet<String> words = new TreeSet<>(given.getOrDefault(decision, Map.of()).values());
        return words.size() == 1 ? Optional.of(words.first()) : Optional.empty();
    }

    boolean disagreed(String decision) {
        return given.getOrDefault(decision, Map.of()).values().stream().distinct().count() > 1;
    }

    private static final class Reader {
        private final AuditFolder audit;
        private final boolean pseudonyms;
        private final List<String> problems = new ArrayList<>();
        private final Map<String, String> names = new LinkedHashMap<>();
        private final Map<String, Map<String, String>> given = new TreeMap<>();
        private final Map<String, String> settled = new TreeMap<>();
        /** Decision to where it is settled. */
        private final Map<String, String> settledAt = new TreeMap<>();
        /** Labeller and decision to where the answer stands. */
        private final Map<List<String>, String> places = new HashMap<>();
        private int blank;
        private int answers;

        /** @param pseudonyms whether labellers have theirs already */
        Reader(AuditFolder audit, boolean pseudonyms) {
            this.audit = audit;
            this.pseudonyms = pseudonyms;
        }

        void file(Path file, boolean adjudication) throws IOException, AuditException {
            for (AuditFolder.At row : AuditFolder.rows(file, COLUMNS)) {
                row(file + ":" + row.line(), row, adjudication);
            }
        }

        private void row(String place, AuditFolder.At row, boolean adjudication) {
            String decision = row.get("decision");
            String label = row.get("label");
            String labeller = adjudication ? ADJUDICATED : row.get("labeller");
            if (!row.get("sample").equals(audit.sample())) {
                problems.add(place + ": of sample \"" + Printable.text(row.get("sample"), 40) + "\", this is sample " + audit.sample());
                return;
            }
            answer(place, decision, labeller, label, adjudication);
        }

        void answer(String place, String decision, String labeller, String label, boolean adjudication) {
            AuditFolder.Keyed keyed = audit.key().get(decision);
            if (keyed == null) {
                problems.add(place + ": no decision \"" + Printable.text(decision, 60) + "\" in this sample");
                return;
            }
            if (label.isEmpty()) {
                blank++;
                return;
            }
            Question question = Question.of(keyed.stratum().kind());
            if (!question.answers().containsKey(label)) {
                problems.add(place + ": no answer \"" + Printable.text(label, 60) + "\" to a " + keyed.stratum().kind() + "; there are " + String.join(", ", question.answers().keySet()));
            } else if (labeller.isEmpty()) {
                problems.add(place + ": nobody's answer; fill in column labeller");
            } else {
                take(place, decision, labeller, label, adjudication);
            }
        }

        /** Once everything is read: in a table, what was settled may stand before the answers that it settles. */
        void end() {
            settledAt.forEach((decision, place) -> {
                if (!given.containsKey(decision)) {
                    problems.add(place + ": decision " + decision + " is settled, and no labeller has answered it");
                }
            });
        }

        private void take(String place, String decision, String labeller, String label, boolean adjudication) {
            String earlier = places.putIfAbsent(List.of(labeller, decision), place);
            if (adjudication) {
                String before = settled.put(decision, label);
                settledAt.putIfAbsent(decision, place);
                if (before != null && !before.equals(label)) {
                    problems.add(place + ": settled as " + label + ", and as " + before + " at " + earlier);
                }
                return;
            }
            answers++;
            String name = names.computeIfAbsent(labeller, key -> pseudonyms ? labeller : "labeller-" + (names.size() + 1));
            String before = given.computeIfAbsent(decision, key -> new TreeMap<>()).put(name, label);
            if (before != null && !before.equals(label)) {
                problems.add(place + ": " + Printable.text(labeller, 60) + " answers " + label + ", and " + before + " at " + earlier);
            }
        }
    }
}
