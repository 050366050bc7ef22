package dev.mcpprober.dataset.release;

import dev.mcpprober.io.Digests;
import dev.mcpprober.transcript.Event;
import dev.mcpprober.transcript.TranscriptReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Where a release brings transcripts: each is there, is the one that was recorded, and holds the events that stand in table witnesses. */
final class TranscriptCheck {
    private static final String FOLDER = "transcripts";

    private final Path folder;
    private final Descriptor sessions;
    private final Descriptor witnesses;
    private final Problems problems;

    TranscriptCheck(Path folder, Descriptor sessions, Descriptor witnesses, Problems problems) {
        this.folder = folder;
        this.sessions = sessions;
        this.witnesses = witnesses;
        this.problems = problems;
    }

    void run() throws IOException {
        if (!Files.isDirectory(folder.resolve(FOLDER))) {
            return;
        }
        Map<Long, Integer> last = new HashMap<>();
        TableCheck.each(folder, witnesses, row -> last.merge(row.key("target_id", "session"), row.count("event"), Math::max));
        List<TableRow> rows = new ArrayList<>();
        TableCheck.each(folder, sessions, rows::add);
        Set<String> known = new HashSet<>();
        for (TableRow row : rows) {
            known.add(row.get("transcript"));
            if (row.get("transcript").isEmpty()) {
                // Of a withheld server.
                continue;
            }
            check(row, last.getOrDefault(row.key("target_id", "session"), -1));
        }
        for (String file : Checksums.files(folder)) {
            if (file.startsWith(FOLDER + "/") && !known.contains(file)) {
                problems.add(file, 0, "a transcript that table sessions does not have");
            }
        }
    }

    private void check(TableRow row, int lastWitness) throws IOException {
        String name = row.get("transcript");
        Path file = folder.resolve(Checksums.inside(name) ? name : "");
        if (!Files.isRegularFile(file)) {
            problems.add(sessions.path(), row.number(), "transcript " + name + " is missing");
        } else if (!Digests.sha256(file).equals(row.get("transcript_sha256"))) {
            problems.add(sessions.path(), row.number(), "transcript " + name + " is not the one that was recorded");
        } else {
            content(row, name, file, lastWitness);
        }
    }

    private void content(TableRow row, String name, Path file, int lastWitness) {
        try {
            int end = TranscriptReader.read(file).events().stream().mapToInt(Event::index).max().orElse(-1);
            if (lastWitness > end) {
                problems.add(sessions.path(), row.number(), "a witness names event " + lastWitness + ", transcript " + name + " ends with event " + end);
            }
        } catch (IOException e) {
            problems.add(sessions.path(), row.number(), "transcript " + name + " cannot be read: " + e.getMessage());
        }
    }
}
