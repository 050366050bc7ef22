package dev.mcpprober.census;

import dev.mcpprober.corpus.Eligibility;
import dev.mcpprober.corpus.Frame;
import dev.mcpprober.model.Fault;
import dev.mcpprober.run.Coverage;
import dev.mcpprober.run.FrameRow;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.RunInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A run folder that this process holds alone, with its ledger open. */
public final class OpenRun implements AutoCloseable {
    private final RunFolder folder;
    private final RunInfo info;
    private final List<String> frameIds;
    private final Ledger ledger;
    private final RunLock lock;
    private final Clock clock;

    private OpenRun(RunFolder folder, RunInfo info, List<String> frameIds, Ledger ledger, RunLock lock, Clock clock) {
        this.folder = folder;
        this.info = info;
        this.frameIds = frameIds;
        this.ledger = ledger;
        this.lock = lock;
        this.clock = clock;
    }

    /**
     * Makes the run folder, or takes up the run that is in it.
     *
     * @param wanted what is to be measured; its {@code createdAt} counts only for a new folder
     * @throws RunRefused  when the folder is in use, holds another run, or something that is no run
     * @throws IOException when it cannot be read or written
     */
    public static OpenRun open(Path path, RunInfo wanted, Frame frame, Clock clock) throws IOException {
        return open(path, wanted, frame, clock, Ledger.FileSink::new);
    }

    static OpenRun open(Path path, RunInfo wanted, Frame frame, Clock clock, Ledger.SinkFactory sinks) throws IOException {
        try {
            return take(path, wanted, frame, clock, sinks);
        } catch (RunRefused e) {
            throw e;
        } catch (IOException e) {
            // A full disk does not say which one it is.
            throw new IOException("run folder " + path + " cannot be opened: " + e.getMessage(), e);
        }
    }

    private static OpenRun take(Path path, RunInfo wanted, Frame frame, Clock clock, Ledger.SinkFactory sinks) throws IOException {
        RunFolder folder = new RunFolder(path);
        refuseForeign(folder);
        Files.createDirectories(path);
        RunLock lock = RunLock.take(folder.lock());
        Ledger ledger = null;
        boolean opened = false;
        try {
            List<FrameRow> rows = frame.rows().stream().map(FrameRow::of).toList();
            RunInfo info = wanted;
            if (Files.exists(folder.census())) {
                info = folder.readInfo();
                var refusal = info.refusal(wanted);
                if (refusal.isPresent()) {
                    throw new RunRefused("run folder " + path + " cannot be continued: " + refusal.get()
                            + ". Choose another folder, or ask for the same again.");
                }
                rows = folder.readFrame();
            } else {
                folder.writeFrame(rows);
                folder.writeInfo(info);
            }
            removeLeftovers(folder);
            ledger = Ledger.open(folder.ledger(), sinks);
            OpenRun run = new OpenRun(folder, info, rows.stream().map(FrameRow::target).toList(), ledger, lock, clock);
            run.begin(rows, wanted);
            opened = true;
            return run;
        } finally {
            if (!opened) {
                if (ledger != null) {
                    ledger.close();
                }
                lock.close();
            }
        }
    }

    private static void refuseForeign(RunFolder folder) throws IOException {
        if (Files.exists(folder.census()) || !Files.exists(folder.path())) {
            return;
        }
        if (!Files.isDirectory(folder.path())) {
            throw new RunRefused(folder.path() + " is a file; a run needs a folder");
        }
        try (Stream<Path> inside = Files.list(folder.path())) {
            // What a run leaves that was killed before it had written its census.json.
            List<Path> own = List.of(folder.lock(), folder.frame());
            if (inside.anyMatch(file -> !own.contains(file) && !file.getFileName().toString().endsWith(".tmp"))) {
                throw new RunRefused("folder " + folder.path() + " holds files and is no folder of a run. Choose an empty or a new one.");
            }
        }
    }

    /** Temporary files of a process that was killed; this process holds the folder, so nobody writes them now. */
    private static void removeLeftovers(RunFolder folder) throws IOException {
        for (String name : List.of("transcripts", "installs", "observations", "verdicts", "dataset")) {
            Path dir = folder.path().resolve(name);
            if (!Files.isDirectory(dir)) {
                continue;
            }
            try (Stream<Path> files = Files.walk(dir)) {
                for (Path file : (Iterable<Path>) files::iterator) {
                    String fileName = file.getFileName().toString();
                    if (fileName.startsWith(".") && fileName.endsWith(".tmp")) {
                        Files.delete(file);
                    }
                }
            }
        }
    }

    private void begin(List<FrameRow> rows, RunInfo wanted) throws IOException {
        List<LedgerEvent> events = new ArrayList<>();
        Map<String, String> facts = new TreeMap<>(wanted.host());
        wanted.images().forEach((name, digest) -> facts.put("image " + name, digest));
        events.add(new LedgerEvent.Opened(now(), wanted.proberVersion(), ProcessHandle.current().pid(), facts));
        for (FrameRow row : rows) {
            if (!row.excluded().isEmpty() && !ledger.read(state -> state.of(row.target()).excluded())) {
                events.add(new LedgerEvent.Excluded(now(), row.target(), row.excluded()));
            }
        }
        for (LedgerEvent.Started open : ledger.read(state -> state.open())) {
            Fault fault = new Fault.Interrupted("the program ended during this attempt");
            events.add(new LedgerEvent.Faulted(now(), open.target(), open.key(), open.attempt(), fault.kind(), fault.detail()));
        }
        ledger.append(events.toArray(LedgerEvent[]::new));
    }

    public RunFolder folder() {
        return folder;
    }

    public RunInfo info() {
        return info;
    }

    public Ledger ledger() {
        return ledger;
    }

    /** Target ids of the whole frame, excluded rows included. */
    public List<String> frameIds() {
        return frameIds;
    }

    public Coverage coverage() {
        return ledger.read(state -> state.coverage(frameIds));
    }

    String now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS).toString();
    }

    /** Says in the ledger that the run ended in good order; {@code reason} is empty when all was done. */
    public void end(String reason) throws IOException {
        ledger.append(new LedgerEvent.Closed(now(), reason));
    }

    @Override
    public void close() throws IOException {
        try {
            ledger.close();
        } finally {
            lock.close();
        }
    }
}
