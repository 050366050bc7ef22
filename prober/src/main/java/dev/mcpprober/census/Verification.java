package dev.mcpprober.census;

import dev.mcpprober.run.Coverage;
import dev.mcpprober.run.FrameRow;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.LedgerReader;
import dev.mcpprober.run.LedgerState;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.RunInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Whether a run folder is what it claims to be: numbers that add up, every file that a result stands on there and whole, no unit of
 * work counted twice, nothing in the folder that the ledger does not know.
 *
 * @param problems one sentence each, naming file or target; empty when all is well
 */
public record Verification(Coverage coverage, int transcripts, List<String> problems) {
    public Verification {
        problems = List.copyOf(problems);
    }

    public boolean sound() {
        return problems.isEmpty();
    }

    /** @throws IOException naming the file, when the folder is no readable run */
    public static Verification of(RunFolder folder) throws IOException {
        return new Check(folder).run();
    }

    private static final class Check {
        private final RunFolder folder;
        private final List<String> problems = new ArrayList<>();
        private final LedgerState state = new LedgerState();
        private final Set<String> ledgerTargets = new LinkedHashSet<>();
        private final Set<String> started = new HashSet<>();
        private final Map<String, Session> completed = new HashMap<>();

        /** What must be so of a completed session. */
        private record Session(String target, String key, String sha256) {}

        Check(RunFolder folder) {
            this.folder = folder;
        }

        Verification run() throws IOException {
            RunInfo info = folder.readInfo();
            List<FrameRow> rows = folder.readFrame();
            if (Files.exists(folder.ledger())) {
                LedgerReader.read(folder.ledger(), this::take);
            }
            Set<String> frame = new LinkedHashSet<>();
            for (FrameRow row : rows) {
                if (!frame.add(row.target())) {
                    problems.add(folder.frame() + ": target " + row.target() + " stands twice");
                }
                if (!row.excluded().isEmpty() && !state.of(row.target()).excluded()) {
                    problems.add("row " + row.target() + " is left out by the frame, but not in the ledger");
                }
            }
            if (rows.size() != info.frameRows()) {
                problems.add(folder.frame() + ": " + rows.size() + " rows, census.json says " + info.frameRows());
            }
            for (String target : ledgerTargets) {
                if (!frame.contains(target)) {
                    problems.add("the ledger has a target that the frame has not: " + target);
                }
            }
            Coverage coverage = state.coverage(frame);
            if (!coverage.addsUp()) {
                problems.add("the numbers do not add up: " + coverage);
            }
            for (String target : frame) {
                target(target);
            }
            strays();
            return new Verification(coverage, completed.size(), problems);
        }

        private void take(LedgerEvent event) {
            state.apply(event);
            if (event instanceof LedgerEvent.Started e) {
                ledgerTargets.add(e.target());
                if (!started.add(e.attempt())) {
                    problems.add("attempt " + e.attempt() + " was started twice");
                }
            } else if (event instanceof LedgerEvent.Completed e) {
                if (completed.put(e.attempt(), new Session(e.target().intern(), e.key(), e.sha256())) != null) {
                    problems.add("attempt " + e.attempt() + " was completed twice");
                }
                if (!started.contains(e.attempt())) {
                    problems.add("attempt " + e.attempt() + " was completed and never started");
                }
            }
        }

        private void target(String target) throws IOException {
            LedgerState.OfTarget of = state.of(target);
            if (of.finished().isEmpty()) {
                return;
            }
            LedgerEvent.Finished finished = of.finished().get();
            if (of.installed().isEmpty()) {
                problems.add(target + ": measured without an install");
            } else if (!RunFolder.holds(folder.install(target), of.installed().get().sha256())) {
                problems.add(target + ": " + folder.install(target) + " is missing or not what the ledger says");
            }
            Set<String> keys = new HashSet<>();
            for (String attempt : finished.attempts()) {
                Session known = completed.get(attempt);
                if (known == null || !known.target().equals(target)) {
                    problems.add(target + ": measured by attempt " + attempt + ", which the ledger does not have as completed for it");
                } else if (!RunFolder.holds(folder.transcript(attempt), known.sha256())) {
                    problems.add(target + ": transcript " + folder.transcript(attempt) + " is missing or not what the ledger says");
                } else if (!keys.add(known.key())) {
                    problems.add(target + ": work key " + known.key() + " counts twice");
                }
            }
        }

        /** A transcript of an attempt that was started may lie there without counting: the program was killed before it could say so. */
        private void strays() throws IOException {
            Path dir = folder.path().resolve("transcripts");
            if (!Files.isDirectory(dir)) {
                return;
            }
            try (Stream<Path> files = Files.walk(dir)) {
                for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                    String name = file.getFileName().toString();
                    boolean known = name.endsWith(".jsonl.gz") && started.contains(name.substring(0, name.length() - ".jsonl.gz".length()));
                    if (!known && !name.endsWith(".tmp")) {
                        problems.add(file + ": no attempt of the ledger");
                    }
                }
            }
        }
    }
}
