package dev.mcpprober.census;

import dev.mcpprober.run.Coverage;
import dev.mcpprober.run.FrameRow;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.LedgerReader;
import dev.mcpprober.run.LedgerState;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.RunInfo;
import dev.mcpprober.run.TargetState;
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
import java.util.function.Function;
import java.util.stream.Collectors;
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
        private final LedgerCheck ledger = new LedgerCheck(problems);

        Check(RunFolder folder) {
            this.folder = folder;
        }

        Verification run() throws IOException {
            RunInfo info = folder.readInfo();
            List<FrameRow> rows = folder.readFrame();
            if (Files.exists(folder.ledger())) {
                LedgerReader.read(folder.ledger(), ledger::take);
            }
            Set<String> frame = new LinkedHashSet<>();
            for (FrameRow row : rows) {
                if (!frame.add(row.target())) {
                    problems.add(folder.frame() + ": target " + row.target() + " stands twice");
                }
                row(row);
            }
            if (rows.size() != info.frameRows()) {
                problems.add(folder.frame() + ": " + rows.size() + " rows, census.json says " + info.frameRows());
            }
            for (String target : ledger.targets()) {
                if (!frame.contains(target)) {
                    problems.add("the ledger has a target that the frame has not: " + target);
                }
            }
            Coverage coverage = ledger.state().coverage(frame);
            if (!coverage.addsUp()) {
                problems.add("the numbers do not add up: " + coverage);
            }
            for (String target : frame) {
                target(target);
            }
            strays("transcripts", file -> {
                String name = file.getFileName().toString().replaceFirst("\\.jsonl\\.gz$", "");
                return ledger.knows(name) && file.equals(folder.transcript(name)) ? "" : "no attempt of the ledger";
            });
            Set<Path> installs = ledger.targets().stream().map(folder::install).collect(Collectors.toSet());
            strays("installs", file -> installs.contains(file) ? "" : "no target of the ledger");
            return new Verification(coverage, ledger.completed(), problems);
        }

        private void row(FrameRow row) {
            boolean excluded = ledger.state().of(row.target()).excluded();
            if (!row.excluded().isEmpty() && !excluded) {
                problems.add("row " + row.target() + " is left out by the frame, but not in the ledger");
            } else if (row.excluded().isEmpty() && excluded) {
                problems.add("row " + row.target() + " is left out in the ledger, but not by the frame");
            }
            try {
                if (!row.id().equals(row.target())) {
                    problems.add(folder.frame() + ": row " + row.target() + " says what belongs to " + row.id());
                }
            } catch (IllegalArgumentException e) {
                problems.add(folder.frame() + ": row " + row.target() + " names no target: " + e.getMessage());
            }
        }

        private void target(String target) throws IOException {
            LedgerState.OfTarget of = ledger.state().of(target);
            if (of.finished().isPresent()) {
                measured(target, of, of.finished().get());
                return;
            }
            // What an unmeasured target has so far is what a later run goes on from.
            for (LedgerState.OfKey key : of.keys().values()) {
                if (key.completed().isPresent()) {
                    transcript(target, key.completed().get().attempt(), key.completed().get().sha256());
                }
            }
        }

        private void measured(String target, LedgerState.OfTarget of, LedgerEvent.Finished finished) throws IOException {
            if (of.installed().isEmpty()) {
                problems.add(target + ": measured without an install");
            } else if (!RunFolder.holds(folder.install(target), of.installed().get().sha256())) {
                problems.add(target + ": " + folder.install(target) + " is missing or not what the ledger says");
            }
            boolean installed = !finished.state().equals(TargetState.NOT_INSTALLED.id());
            if (installed == finished.attempts().isEmpty() || of.installed().isPresent() && of.installed().get().usable() != installed) {
                problems.add(target + ": " + finished.state() + " by " + finished.attempts().size() + " sessions, and its install came to "
                        + of.installed().map(LedgerEvent.Installed::outcome).orElse("nothing"));
            }
            Map<String, String> digests = new HashMap<>();
            of.keys().values().forEach(key -> key.completed().ifPresent(done -> digests.put(done.attempt(), done.sha256())));
            Set<String> counting = new HashSet<>();
            for (String attempt : finished.attempts()) {
                if (!digests.containsKey(attempt)) {
                    problems.add(target + ": measured by attempt " + attempt + ", which is not the last that the ledger has as completed for it and its work key");
                } else if (transcript(target, attempt, digests.get(attempt)) && !counting.add(attempt)) {
                    problems.add(target + ": attempt " + attempt + " counts twice");
                }
            }
            // Where anything was done again, sessions of before may have left the plan.
            if (of.keys().values().stream().allMatch(key -> key.attempts() == 1)) {
                digests.keySet().stream().filter(attempt -> !finished.attempts().contains(attempt)).sorted()
                        .forEach(attempt -> problems.add(target + ": attempt " + attempt + " was completed and does not count"));
            }
        }

        private boolean transcript(String target, String attempt, String sha256) throws IOException {
            boolean holds = RunFolder.holds(folder.transcript(attempt), sha256);
            if (!holds) {
                problems.add(target + ": transcript " + folder.transcript(attempt) + " is missing or not what the ledger says");
            }
            return holds;
        }

        /** A transcript of an attempt that was started may lie there without counting: the program was killed before it could say so. */
        private void strays(String name, Function<Path, String> problem) throws IOException {
            Path dir = folder.path().resolve(name);
            if (!Files.isDirectory(dir)) {
                return;
            }
            try (Stream<Path> files = Files.walk(dir)) {
                for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                    String why = file.getFileName().toString().endsWith(".tmp") ? "" : problem.apply(file);
                    if (!why.isEmpty()) {
                        problems.add(file + ": " + why);
                    }
                }
            }
        }
    }
}
