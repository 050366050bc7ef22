package dev.mcpprober.dataset;

import dev.mcpprober.install.InstallDocument;
import dev.mcpprober.install.InstallRecord;
import dev.mcpprober.io.Digests;
import dev.mcpprober.redaction.Redaction;
import dev.mcpprober.redaction.Redactor;
import dev.mcpprober.run.FrameRow;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.LedgerIndex;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.RunInfo;
import dev.mcpprober.run.UnusableRunException;
import dev.mcpprober.run.TargetState;
import dev.mcpprober.transcript.EventRedaction;
import dev.mcpprober.transcript.Transcript;
import dev.mcpprober.transcript.TranscriptReader;
import dev.mcpprober.transcript.TranscriptWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a run folder for publishing: target by target in the order of the tables, one target's transcripts in memory at a time.
 * What does not hash as the ledger says is not read. Every failure names the file.
 */
final class RunReader implements Closeable {
    private final RunFolder folder;
    private final RunInfo info;
    private final List<FrameRow> rows;
    private final LedgerIndex events;
    private final Redactor redactor;
    private Veil veil = Veil.NONE;
    private Path publishTo;
    private final Set<String> kept = new HashSet<>();
    private final Map<String, String> published = new HashMap<>();

    /** @param redactor takes secrets out of what is read */
    RunReader(RunFolder folder, Redactor redactor) throws IOException {
        this.folder = folder;
        this.info = folder.readInfo();
        this.rows = folder.readFrame().stream()
                .sorted(Comparator.comparing(row -> List.of(row.target()), CsvTable.KEY_ORDER)).toList();
        this.redactor = RunRedactor.of(rows, redactor);
        this.events = LedgerIndex.of(folder.ledger());
        if (events.targets() == 0 && Files.isDirectory(folder.path().resolve("transcripts"))) {
            events.close();
            throw new UnusableRunException("run folder " + folder.path() + ": holds transcripts, but its ledger is "
                    + (Files.exists(folder.ledger()) ? "empty" : "missing") + "; nothing can be said of them without it. Restore ledger.jsonl.");
        }
    }

    RunInfo info() {
        return info;
    }

    RunFolder folder() {
        return folder;
    }

    /** Every row of the frame, in the order of the tables. */
    List<FrameRow> rows() {
        return veil == Veil.NONE ? rows : rows.stream().sorted(Comparator.comparing(row -> List.of(veil.name(row.target())), CsvTable.KEY_ORDER)).toList();
    }

    TargetHistory history(FrameRow row) throws IOException {
        TargetHistory history = TargetHistory.of(told(row), events.of(row.target()).stream().map(this::redacted).toList());
        if (veil.covers(row.target())) {
            history.attempts().forEach(attempt -> kept.add(attempt.id()));
        }
        return history;
    }

    private FrameRow told(FrameRow row) {
        if (row.args().isEmpty()) {
            return row;
        }
        Redaction redaction = redactor.open();
        return new FrameRow(row.target(), row.line(), row.label(), row.registry(), row.name(), row.version(), row.args().stream().map(redaction::text).toList(),
                row.envNames(), row.note(), row.excluded(), row.reason());
    }

    private LedgerEvent redacted(LedgerEvent event) {
        return event instanceof LedgerEvent.Faulted e ? new LedgerEvent.Faulted(e.at(), e.target(), e.key(), e.attempt(), e.kind(), redactor.text(e.detail())) : event;
    }

    /**
     * Reads for a release.
     *
     * @param to folder that each transcript goes into when it is first read, as it may be published; null for none
     * @param by servers whose transcripts stay here, and the order of the rows
     */
    void publish(Path to, Veil by) {
        publishTo = to;
        veil = by;
    }

    /** SHA-256 of a session's transcript as it is published, else as it was recorded. */
    String digest(TargetHistory.Attempt session) {
        return published.getOrDefault(session.id(), session.sha256());
    }

    /** The install of a measured target. */
    Optional<InstallRecord> install(TargetHistory history) throws IOException {
        if (!history.state().measured()) {
            return Optional.empty();
        }
        Path file = folder.install(history.row().target());
        check(file, history.installed().sha256());
        try {
            return Optional.of(InstallDocument.read(Files.readAllBytes(file)).published(redactor));
        } catch (IOException e) {
            throw new UnusableRunException(file + ": " + e.getMessage(), e);
        }
    }

    /** The sessions by which a target is measured, in the order of its plan. */
    List<TargetHistory.Attempt> sessions(TargetHistory history) {
        boolean probed = history.state() == TargetState.STARTED || history.state() == TargetState.START_FAILED;
        return probed ? history.counting() : List.of();
    }

    Transcript transcript(TargetHistory.Attempt session) throws IOException {
        Path file = folder.transcript(session.id());
        check(file, session.sha256());
        Transcript recorded = TranscriptReader.read(file);
        Optional<Transcript> redacted = EventRedaction.of(recorded, redactor);
        if (publishTo != null && !kept.contains(session.id()) && !published.containsKey(session.id())) {
            Path copy = publishTo.resolve(path(session));
            Files.createDirectories(copy.getParent());
            if (redacted.isEmpty()) {
                Files.copy(file, copy);
            } else {
                TranscriptWriter.write(copy, redacted.get());
            }
            published.put(session.id(), Digests.sha256(copy));
        }
        return redacted.orElse(recorded);
    }

    /** Of a session's transcript, relative to the run folder. */
    String path(TargetHistory.Attempt session) {
        return folder.path().relativize(folder.transcript(session.id())).toString();
    }

    private void check(Path file, String sha256) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new UnusableRunException(file + " is missing, but the ledger counts on it. \"census verify\" shows all that is wrong, "
                    + "\"census run\" measures it again.");
        }
        String found;
        try {
            found = Digests.sha256(file);
        } catch (IOException e) {
            throw new UnusableRunException(file + ": cannot be read: " + e.getMessage(), e);
        }
        if (!found.equals(sha256)) {
            throw new UnusableRunException(file + " is not what the ledger says (SHA-256 " + found + "). \"census verify\" shows all that is wrong, "
                    + "\"census run\" measures it again.");
        }
    }

    @Override
    public void close() throws IOException {
        events.close();
    }
}
