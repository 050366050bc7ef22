package dev.mcpprober.dataset.release;

import dev.mcpprober.dataset.WitnessRows;
import dev.mcpprober.io.Digests;
import dev.mcpprober.transcript.TranscriptHeader;
import dev.mcpprober.transcript.TranscriptReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
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
    /** Unpacked; what a session keeps of a server is far below it. */
    private static final long LARGEST = 1L << 30;

    private final Path folder;
    private final Descriptor sessions;
    private final Descriptor witnesses;
    private final Problems problems;
    /** Event to what table witnesses says of it. */
    private final LongTable content = new LongTable();

    TranscriptCheck(Path folder, Descriptor sessions, Descriptor witnesses, Problems problems) {
        this.folder = folder;
        this.sessions = sessions;
        this.witnesses = witnesses;
        this.problems = problems;
    }

    void run() throws IOException {
        if (!Files.isDirectory(folder.resolve(FOLDER), LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Map<Long, Integer> named = new HashMap<>();
        TableCheck.each(folder, witnesses, row -> {
            content.put(row.key("target_id", "session", "event"), row.key("kind", "at_ms", "size_bytes", "content_text"));
            named.merge(row.key("target_id", "session"), 1, Integer::sum);
        });
        List<TableRow> rows = new ArrayList<>();
        TableCheck.each(folder, sessions, rows::add);
        Set<String> known = new HashSet<>();
        for (TableRow row : rows) {
            known.add(row.get("transcript"));
            if (row.get("transcript").isEmpty()) {
                // Of a withheld server.
                continue;
            }
            check(row, named.getOrDefault(row.key("target_id", "session"), 0));
        }
        for (String file : Checksums.files(folder)) {
            if (file.startsWith(FOLDER + "/") && !known.contains(file)) {
                problems.add(file, 0, "a transcript that table sessions does not have");
            }
        }
    }

    private void check(TableRow row, int named) throws IOException {
        String name = row.get("transcript");
        Path file = folder.resolve(Checksums.inside(name) ? name : "");
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
            problems.add(sessions.path(), row.number(), "transcript " + name + " is missing");
        } else if (!Digests.sha256(file).equals(row.get("transcript_sha256"))) {
            problems.add(sessions.path(), row.number(), "transcript " + name + " is not the one that was recorded");
        } else {
            content(row, name, file, named);
        }
    }

    private void content(TableRow row, String name, Path file, int named) {
        try {
            int[] found = new int[1];
            TranscriptHeader header = TranscriptReader.readEach(file, LARGEST, event -> {
                long key = Keys.of(row.get("target_id"), row.get("session"), Integer.toString(event.index()));
                if (content.contains(key)) {
                    found[0]++;
                    if (content.get(key) != Keys.of(WitnessRows.cells(event))) {
                        problems.add(sessions.path(), row.number(), "event " + event.index() + " of transcript " + name + " is not what table witnesses says");
                    }
                }
            });
            if (!header.session().equals(row.get("session")) || !header.attempt().equals(row.get("attempt"))) {
                problems.add(sessions.path(), row.number(), "transcript " + name + " is of another session");
            }
            if (found[0] != named) {
                problems.add(sessions.path(), row.number(), "table witnesses has " + named + " events of this session, transcript " + name + " has " + found[0] + " of them");
            }
        } catch (IOException e) {
            problems.add(sessions.path(), row.number(), "transcript " + name + " cannot be read: " + e.getMessage());
        }
    }
}
