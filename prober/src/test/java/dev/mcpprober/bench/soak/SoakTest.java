package dev.mcpprober.bench.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.corpus.Frame;
import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.corpus.FrameReader;
import dev.mcpprober.io.Digests;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SoakTest {
    private static final Path HOME = Path.of(System.getProperty("prober.home", ".")).toAbsolutePath();

    @TempDir Path temp;

    private static Map<String, String> files(Path folder) throws IOException {
        Map<String, String> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
                files.put(folder.relativize(file).toString(), Digests.sha256(file));
            }
        }
        return files;
    }

    @Test
    void aSeedMakesAFrameOfThatManyTargetsTheSameEachTime() throws Exception {
        Frame frame = FrameReader.read(SoakFrame.make(HOME, temp.resolve("a"), 300, 1));
        assertEquals(300, frame.eligible().size());
        assertEquals(1, frame.excluded().size());
        Set<String> ids = new HashSet<>();
        frame.eligible().forEach(entry -> assertTrue(ids.add(entry.id()), entry.id()));
        List<String> labels = frame.eligible().stream().map(FrameEntry::label).toList();
        assertTrue(labels.contains("./npm-hang") && labels.contains("./hostile-npm") && labels.contains("./hostile-py"), labels.toString());
        assertTrue(labels.stream().anyMatch(label -> label.startsWith("./node-")) && labels.stream().anyMatch(label -> label.startsWith("./python-")), labels.toString());
        assertTrue(labels.stream().noneMatch(label -> label.contains("moody")), "what differs by itself says nothing about a disturbance");
        SoakFrame.make(HOME, temp.resolve("b"), 300, 1);
        assertEquals(files(temp.resolve("a")), files(temp.resolve("b")));
        SoakFrame.make(HOME, temp.resolve("c"), 300, 2);
        assertNotEquals(files(temp.resolve("a")), files(temp.resolve("c")));
        assertThrows(FileAlreadyExistsException.class, () -> SoakFrame.make(HOME, temp.resolve("a"), 300, 2));
    }

    @Test
    void disturbancesFallAllOverTheRunAndAreTheSameForASeed() {
        List<Disturbance> plan = Disturbance.plan(300, 1, 20, 3, 0, 0, 0, 0);
        assertEquals(plan, Disturbance.plan(300, 1, 20, 3, 0, 0, 0, 0));
        assertNotEquals(plan, Disturbance.plan(300, 2, 20, 3, 0, 0, 0, 0));
        assertEquals(23, plan.size());
        assertEquals(20, plan.stream().filter(d -> d.kind() == Disturbance.Kind.KILL).count());
        assertTrue(plan.get(0).after() < 100 && plan.get(22).after() > 200 && plan.get(22).after() < 300, plan.toString());
    }

    @Test
    void whatIsLostOrDifferentIsFound() {
        Map<String, String> calm = Map.of("a", "pass", "b", "fail", "c", "pass");
        assertEquals(List.of(), Outcome.lost(calm, Map.copyOf(calm)));
        assertEquals(List.of(), Outcome.different(calm, Map.copyOf(calm)));
        Map<String, String> rough = Map.of("a", "pass", "b", "pass");
        assertEquals(List.of("c"), Outcome.lost(calm, rough));
        assertEquals(1, Outcome.different(calm, rough).size());
        assertTrue(Outcome.different(calm, rough).get(0).startsWith("b\n"));
    }

    @Test
    void wrongArgumentsAreNamed() {
        assertEquals(300, SoakOptions.parse(new String[0]).targets());
        assertEquals(7, SoakOptions.parse(new String[] {"--kills", "7"}).kills());
        for (String[] wrong : List.of(new String[] {"--kill", "7"}, new String[] {"--kills"}, new String[] {"--kills", "many"}, new String[] {"--targets", "2"},
                new String[] {"--profile", "none"})) {
            assertTrue(assertThrows(IllegalArgumentException.class, () -> SoakOptions.parse(wrong)).getMessage().contains(wrong[0]), wrong[0]);
        }
    }
}
