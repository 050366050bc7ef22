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
        /** Everything that was started, and whether it was completed: some hundred thousand names. */
        private final Map<String, Boolean> attempts = new HashMap<>();

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
            return new Verification(coverage, (int) attempts.values().stream().filter(Boolean::booleanValue).count(), problems);
        }

        private void take(LedgerEvent event) {
            state.apply(event);
            if (event instanceof LedgerEvent.Started e) {
                ledgerTargets.add(e.target());
                if (attempts.put(e.attempt(), false) != null) {
                    problems.add("attempt " + e.attempt() + " was started twice");
                }
            } else if (event instanceof LedgerEvent.Completed e) {
                Boolean before = attempts.put(e.attempt(), true);
                if (before == null) {
                    problems.add("attempt " + e.attempt() + " was completed and never started");
                } else if (before) {
                    problems.add("attempt " + e.attempt() + " was completed twice");
                }
            } else if (event instanceof LedgerEvent.Installed e) {
                ended(e.attempt(), "came to an install");
            } else if (event instanceof LedgerEvent.Faulted e) {
                ended(e.attempt(), "faulted");
            } else if (event instanceof LedgerEvent.Finished e) {
                ledgerTargets.add(e.target());
            }
        }

        private void ended(String attempt, String how) {
            if (!attempts.containsKey(attempt)) {
                problems.add("attempt " + attempt + " " + how + " and was never started");
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
            Map<String, String> digests = new HashMap<>();
            of.keys().values().forEach(key -> key.completed().ifPresent(done -> digests.put(done.attempt(), done.sha256())));
            Set<String> counting = new HashSet<>();
            for (String attempt : finished.attempts()) {
                if (!digests.containsKey(attempt)) {
                    problems.add(target + ": measured by attempt " + attempt + ", which is not the last that the ledger has as completed for it and its work key");
                } else if (!RunFolder.holds(folder.transcript(attempt), digests.get(attempt))) {
                    problems.add(target + ": transcript " + folder.transcript(attempt) + " is missing or not what the ledger says");
                } else if (!counting.add(attempt)) {
                    problems.add(target + ": attempt " + attempt + " counts twice");
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
                    boolean known = name.endsWith(".jsonl.gz") && attempts.containsKey(name.substring(0, name.length() - ".jsonl.gz".length()));
                    if (!known && !name.endsWith(".tmp")) {
                        problems.add(file + ": no attempt of the ledger");
                    }
                }
            }
        }
    }
}
