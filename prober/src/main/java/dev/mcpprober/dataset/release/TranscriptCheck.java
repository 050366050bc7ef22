package dev.mcpprober.dataset.release;

import dev.mcpprober.dataset.SessionCount;
import dev.mcpprober.dataset.WitnessRows;
import dev.mcpprober.io.Digests;
import dev.mcpprober.transcript.TranscriptHeader;
import dev.mcpprober.transcript.TranscriptReader;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/** Where a release brings transcripts: each is there, is the one that was recorded, and holds the events that stand in table witnesses. */
final class TranscriptCheck {
    private static final String FOLDER = "transcripts";
    /** Unpacked; what a session keeps of a server is far below it. */
    private static final long LARGEST = 1L << 30;

    /** No line of an event is shorter than 20 bytes: a number beyond this is no event's, and takes no memory. */
    private static final int MOST_EVENTS = (int) (LARGEST / 20);
    private static final int GZIP_HEADER = 10;
    private static final int GZIP_TRAILER = 8;
    /** Columns of table sessions that repeat the transcript, in the order of what is read there. */
    private static final List<String> TOLD = List.of("script", "era", "offered_revision", "started_at", "duration_ms", "stdout_bytes", "stderr_bytes", "ended", "status");

    private final Path folder;
    private final Descriptor targets;
    private final Descriptor sessions;
    private final Descriptor witnesses;
    private final Problems problems;
    /** Event to what table witnesses says of it. */
    private final LongTable content = new LongTable();

    /** Target to what its sessions may name: what was installed, or the row of the frame. */
    private final Map<String, List<String>> packages = new HashMap<>();

    TranscriptCheck(Path folder, Map<String, Descriptor> tables, Problems problems) {
        this.folder = folder;
        this.targets = tables.get("targets");
        this.sessions = tables.get("sessions");
        this.witnesses = tables.get("witnesses");
        this.problems = problems;
    }

    void run() throws IOException {
        if (!Files.isDirectory(folder.resolve(FOLDER), LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        TableCheck.each(folder, targets, row -> packages.put(row.get("target_id"), List.of(row.get("purl"), row.get("label"))));
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

    /** Whatever else a file of gzip can hold, nobody would see it unpacked. */
    private static boolean plain(Path file) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
            byte[] header = in.readNBytes(GZIP_HEADER);
            if (header.length < GZIP_HEADER || header[3] != 0 || (header[4] | header[5] | header[6] | header[7]) != 0) {
                return false;
            }
            Inflater inflater = new Inflater(true);
            try {
                byte[] piece = new byte[1 << 16];
                byte[] away = new byte[1 << 16];
                while (!inflater.finished()) {
                    if (inflater.needsInput()) {
                        int read = in.read(piece);
                        if (read < 0) {
                            return false;
                        }
                        inflater.setInput(piece, 0, read);
                    }
                    inflater.inflate(away);
                }
                return inflater.getRemaining() + in.readAllBytes().length == GZIP_TRAILER;
            } catch (DataFormatException e) {
                return false;
            } finally {
                inflater.end();
            }
        }
    }

    private void content(TableRow row, String name, Path file, int named) {
        try {
            int[] found = new int[1];
            int[] events = new int[1];
            BitSet seen = new BitSet();
            SessionCount count = new SessionCount();
            TranscriptHeader header = TranscriptReader.readEach(file, LARGEST, event -> {
                long key = Keys.of(row.get("target_id"), row.get("session"), Integer.toString(event.index()));
                if (event.index() < MOST_EVENTS) {
                    seen.set(event.index());
                }
                events[0]++;
                count.add(event);
                if (content.contains(key)) {
                    found[0]++;
                    if (content.get(key) != Keys.of(WitnessRows.cells(event))) {
                        problems.add(sessions.path(), row.number(), "event " + event.index() + " of transcript " + name + " is not what table witnesses says");
                    }
                }
            });
            if (!header.session().equals(row.get("session")) || !header.attempt().equals(row.get("attempt")) || !packages.getOrDefault(row.get("target_id"), List.of()).contains(header.target())) {
                problems.add(sessions.path(), row.number(), "transcript " + name + " is of another session");
            }
            List<String> told = new ArrayList<>(List.of(header.script(), header.era().id(), header.offeredRevision(), header.startedAt()));
            told.addAll(count.cells());
            if (!told.equals(TOLD.stream().map(row::get).toList())) {
                problems.add(sessions.path(), row.number(), String.join(", ", TOLD) + " are not those of transcript " + name + ": " + String.join(", ", told));
            }
            // Stderr stands at the end, so that numbers need not ascend.
            if (seen.length() != events[0] || seen.cardinality() != events[0]) {
                problems.add(sessions.path(), row.number(), "transcript " + name + " has " + events[0] + " events, and their numbers do not go from 0 to " + (events[0] - 1));
            }
            if (!plain(file)) {
                problems.add(name, 0, "is more than one member of gzip without a name, a comment and a time");
            }
            if (found[0] != named) {
                problems.add(sessions.path(), row.number(), "table witnesses has " + named + " events of this session, transcript " + name + " has " + found[0] + " of them");
            }
        } catch (IOException e) {
            problems.add(sessions.path(), row.number(), "transcript " + name + " cannot be read: " + e.getMessage());
        }
    }
}
