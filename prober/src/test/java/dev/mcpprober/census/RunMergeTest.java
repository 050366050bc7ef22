package dev.mcpprober.census;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.corpus.Frame;
import dev.mcpprober.corpus.Shard;
import dev.mcpprober.run.LedgerEvent;
import dev.mcpprober.run.LedgerReader;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.RunInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunMergeTest {
    @TempDir Path temp;
    private Frame frame;

    @BeforeEach
    void frame() throws Exception {
        frame = FakeWorld.frame(temp, "npm:a", "npm:b", "npm:no-install-c", "npm:no-start-d", "broken row", "npm:a", "pypi:e", "pypi:f", "npm:g");
    }

    private RunInfo info(String shard, int rows) {
        RunInfo whole = FakeWorld.info(frame);
        TreeMap<String, String> settings = new TreeMap<>(whole.settings());
        settings.put(RunInfo.SHARD, shard);
        return new RunInfo(whole.formatVersion(), whole.createdAt(), whole.proberVersion(), whole.frameFile(), whole.frameHash(), rows, whole.seed(),
                whole.profile(), settings, whole.images(), whole.host());
    }

    private Path measured(String shard) throws Exception {
        Path folder = temp.resolve("part-" + shard.replace('/', '-'));
        Frame part = Shard.parse(shard).of(frame);
        try (OpenRun run = OpenRun.open(folder, info(shard, part.rows().size()), part, FakeWorld.CLOCK)) {
            FakeWorld world = new FakeWorld();
            new CensusRunner(run, world, world, DiskGuard.none(), CensusRunner.Options.defaults().with(new Workers(2, 1)), new Progress() { }).run(part.eligible());
        }
        return folder;
    }

    private static Map<String, String> ends(Path folder) throws Exception {
        Map<String, String> out = new TreeMap<>();
        LedgerReader.read(new RunFolder(folder).ledger(), event -> {
            if (event instanceof LedgerEvent.Finished e) {
                out.put(e.target(), e.state() + " " + e.detail() + " " + e.attempts());
            }
        });
        return out;
    }

    @Test
    void theShardsTogetherAreTheUndividedRun() throws Exception {
        Path whole = temp.resolve("whole");
        try (OpenRun run = FakeWorld.open(whole, frame)) {
            FakeWorld world = new FakeWorld();
            new CensusRunner(run, world, world, DiskGuard.none(), CensusRunner.Options.defaults(), new Progress() { }).run(frame.eligible());
        }
        Path merged = temp.resolve("merged");
        RunMerge.merge(List.of(measured("3/3"), measured("1/3"), measured("2/3")), merged, FakeWorld.CLOCK);
        assertEquals(ends(whole), ends(merged));
        assertEquals(Files.readString(new RunFolder(whole).frame()), Files.readString(new RunFolder(merged).frame()));
        assertEquals(Verification.of(new RunFolder(whole)), Verification.of(new RunFolder(merged)));
        // And it goes on as any other run of this frame: nothing is left to do.
        FakeWorld idle = new FakeWorld();
        try (OpenRun run = FakeWorld.open(merged, frame)) {
            new CensusRunner(run, idle, idle, DiskGuard.none(), CensusRunner.Options.defaults(), new Progress() { }).run(frame.eligible());
        }
        assertEquals(List.of(), idle.runs);
    }

    @Test
    void everyRowIsInOneShard() {
        TreeSet<String> seen = new TreeSet<>();
        int rows = 0;
        for (int i = 1; i <= 4; i++) {
            Frame part = new Shard(i, 4).of(frame);
            rows += part.rows().size();
            part.eligible().forEach(entry -> assertTrue(seen.add(entry.id()), entry.id()));
        }
        assertEquals(frame.rows().size(), rows);
    }

    @Test
    void whatIsNotTheShardsOfOneRunIsRefused() throws Exception {
        Path one = measured("1/2");
        Path two = measured("2/2");
        assertTrue(refusal(List.of(one)).contains("shard 2/2 is missing"));
        assertTrue(refusal(List.of(one, two, one)).contains("both shard 1/2"));
        assertTrue(refusal(List.of(one, measured("2/3"))).contains("is shard 2/3"));
        Path whole = temp.resolve("whole");
        FakeWorld.open(whole, frame).close();
        assertTrue(refusal(List.of(one, whole)).contains("no shard"));
        Path full = temp.resolve("full");
        Files.createDirectories(full);
        Files.writeString(full.resolve("x"), "");
        assertTrue(assertThrows(RunRefused.class, () -> RunMerge.merge(List.of(one, two), full, FakeWorld.CLOCK)).getMessage().contains("not empty"));
        try (OpenRun busy = OpenRun.open(one, info("1/2", Shard.parse("1/2").of(frame).rows().size()), Shard.parse("1/2").of(frame), FakeWorld.CLOCK)) {
            assertTrue(refusal(List.of(one, two)).contains("in use"), busy.folder().toString());
        }
    }

    /** Rows that a part has lost and that nothing was begun of would be missing without a trace. */
    @Test
    void aPartThatIsNotWholeIsRefused() throws Exception {
        Path one = measured("1/2");
        RunFolder two = new RunFolder(measured("2/2"));
        List<String> rows = Files.readAllLines(two.frame());
        Files.write(two.frame(), rows.subList(1, rows.size()));
        assertTrue(refusal(List.of(one, two.path())).contains(rows.size() - 1 + " rows, its census.json says " + rows.size()));
        List<String> foreign = new ArrayList<>(rows.subList(1, rows.size()));
        foreign.add(Files.readAllLines(new RunFolder(one).frame()).get(0));
        Files.write(two.frame(), foreign);
        assertTrue(refusal(List.of(one, two.path())).contains("which is not of shard 2/2"));
        Files.write(two.frame(), rows);
        String info = Files.readString(two.census());
        Files.writeString(two.census(), info.replace("2/2", "9/2"));
        assertTrue(refusal(List.of(one, two.path())).contains("shard 9/2"));
        Files.writeString(two.census(), info);
        Files.delete(two.ledger());
        assertTrue(refusal(List.of(one, two.path())).contains("no ledger.jsonl"));
    }

    private String refusal(List<Path> parts) {
        return assertThrows(RunRefused.class, () -> RunMerge.merge(parts, temp.resolve("never"), FakeWorld.CLOCK)).getMessage();
    }

    @Test
    void oneArtefactInTwoShardsKeepsBothTranscripts() throws Exception {
        // The same work key in two folders: what two names of one package come to.
        Path one = measured("1/2");
        Path two = measured("2/2");
        RunFolder from = new RunFolder(one);
        RunFolder to = new RunFolder(two);
        List<LedgerEvent> events = new ArrayList<>();
        LedgerReader.read(from.ledger(), events::add);
        LedgerEvent.Started first = events.stream().filter(e -> e instanceof LedgerEvent.Started s && !s.key().equals(LedgerEvent.INSTALL))
                .map(LedgerEvent.Started.class::cast).findFirst().orElseThrow();
        Files.createDirectories(to.transcript(first.attempt()).getParent());
        Files.writeString(to.transcript(first.attempt()), "another");
        try (Ledger ledger = Ledger.open(to.ledger())) {
            RunAbsorber absorber = new RunAbsorber(to, ledger);
            absorber.book(absorber.take(from));
        }
        assertEquals("another", Files.readString(to.transcript(first.attempt())));
        String second = first.attempt().replaceFirst("-1$", "-2");
        assertTrue(Files.exists(to.transcript(second)));
        assertTrue(ends(two).values().stream().anyMatch(end -> end.contains(second)));
    }

    @Test
    void shardsAreWrittenLikeFractions() {
        assertEquals(new Shard(2, 8), Shard.parse("2/8"));
        for (String bad : List.of("0/2", "3/2", "1/0", "a/b", "1", "", "-1/2")) {
            assertThrows(IllegalArgumentException.class, () -> Shard.parse(bad), bad);
        }
    }
}
