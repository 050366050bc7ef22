package dev.mcpprober.census;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.mcpprober.corpus.Frame;
import dev.mcpprober.run.Coverage;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.LedgerReader;
import dev.mcpprober.run.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A small frame of targets that end in every way, and the run folder that it is measured into. */
@Timeout(120)
abstract class CensusRunnerSetting {
    static final DiskGuard NO_GUARD = DiskGuard.none();

    @TempDir Path temp;
    Path folder;
    Frame frame;

    @BeforeEach
    void frame() throws IOException {
        folder = temp.resolve("run");
        frame = FakeWorld.frame(temp, "npm:good", "npm:no-install-a", "npm:no-start-b", "broken row", "npm:good", "pypi:other");
    }

    Coverage complete(FakeWorld world) throws Exception {
        try (OpenRun run = FakeWorld.open(folder, frame)) {
            return assertInstanceOf(CensusOutcome.Done.class, runner(run, world, 1, Progress.SILENT).run(frame.eligible())).coverage();
        }
    }

    static CensusRunner runner(OpenRun run, FakeWorld world, int workers, Progress progress) {
        return new CensusRunner(run, world, world, NO_GUARD, options(workers), progress);
    }

    static CensusRunner.Options options(int workers) {
        return CensusRunner.Options.defaults().with(workers == 1 ? Workers.forBoth(1) : new Workers(workers, 1));
    }

    void assertSound() throws IOException {
        assertEquals(List.of(), Verification.of(new RunFolder(folder)).problems());
    }

    static List<LedgerEvent> events(Path folder) throws IOException {
        List<LedgerEvent> events = new ArrayList<>();
        LedgerReader.read(new RunFolder(folder).ledger(), events::add);
        return events;
    }

    List<LedgerEvent.Faulted> attempts(String kind) throws IOException {
        return events(folder).stream().filter(e -> e instanceof LedgerEvent.Faulted f && f.kind().equals(kind)).map(LedgerEvent.Faulted.class::cast).toList();
    }

    static List<LedgerEvent.Completed> completions(Path folder) throws IOException {
        return events(folder).stream().filter(LedgerEvent.Completed.class::isInstance).map(LedgerEvent.Completed.class::cast).toList();
    }

    static Set<String> completedSessions(Path folder) throws IOException {
        Set<String> keys = new HashSet<>();
        completions(folder).forEach(c -> keys.add(c.target() + c.key()));
        return keys;
    }

    /** What was measured, without how many tries it took: target to state and the content of its transcripts. */
    static Map<String, String> results(Path folder) throws IOException {
        Map<String, String> results = new TreeMap<>();
        RunFolder files = new RunFolder(folder);
        var state = files.readLedger();
        for (var row : files.readFrame()) {
            StringBuilder text = new StringBuilder(state.of(row.target()).state().id());
            state.of(row.target()).finished().ifPresent(finished -> finished.attempts().forEach(attempt -> {
                try {
                    text.append(" | ").append(Files.readString(files.transcript(attempt)));
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }));
            results.put(row.target(), text.toString());
        }
        return results;
    }
}
