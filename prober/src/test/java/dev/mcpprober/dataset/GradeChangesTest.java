package dev.mcpprober.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.observation.Observation;
import dev.mcpprober.observation.TargetObservations;
import dev.mcpprober.transcript.Transcript;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code grade} says of an older run: which observations and verdicts came out otherwise, and on which targets. */
class GradeChangesTest {
    @TempDir Path temp;

    @Test
    void theFirstGradingHasNothingToCompareWith() throws Exception {
        Changes changes = Regrade.run(RunFixture.make(temp, "run").folder, RunFixture.analysis()).changes();
        assertNull(changes.file());
        assertEquals(List.of("", "", ""), changes.parts().stream().map(Changes.Part::before).toList());
        assertTrue(ChangesText.render(changes).contains("nothing in this folder to compare with"));
    }

    @Test
    void theSameAgainChangesNothing() throws Exception {
        RunFixture fixture = RunFixture.make(temp, "run");
        Regrade.run(fixture.folder, RunFixture.analysis());
        Changes changes = Regrade.run(fixture.folder, RunFixture.analysis()).changes();
        assertNull(changes.file());
        assertEquals(List.of(13, 13, 13), changes.parts().stream().map(Changes.Part::same).toList());
        assertFalse(Files.exists(fixture.folder.path().resolve("changes")));
    }

    /** Files of an earlier version of the program have no member "extractor" in their verdicts. */
    @Test
    void aNewerExtractorIsHeldAgainstTheOlderFiles() throws Exception {
        RunFixture fixture = RunFixture.make(temp, "run");
        Regrade.run(fixture.folder, RunFixture.analysis());
        for (String set : List.of("spec@1", "other@2")) {
            rewrite(fixture.folder.verdicts(set), text -> text.replace("\"extractor\":\"fake@1\",", ""));
        }
        Changes changes = Regrade.run(fixture.folder, newer()).changes();
        Changes.Part observed = changes.parts().get(0);
        assertEquals("fake@2 fake@1", observed.after() + " " + observed.before());
        assertEquals(9, observed.same());
        assertEquals(List.of("tools-call-unknown protocol-error -32601 +late +no-code → tool-error 2 2 [pkg:npm/%40scope/good@1.0.0, pkg:pypi/modern@2.0]",
                        "tools-call-wrong-type success silent-execution → none 2 2 [pkg:npm/%40scope/good@1.0.0, pkg:pypi/modern@2.0]"),
                observed.groups().stream().map(GradeChangesTest::line).toList());
        Changes.Part judged = changes.parts().get(1);
        assertEquals(List.of("tools-call-unknown divergent → fail 2 2 [pkg:npm/%40scope/good@1.0.0, pkg:pypi/modern@2.0]",
                        "tools-call-wrong-type fail → none 2 2 [pkg:npm/%40scope/good@1.0.0, pkg:pypi/modern@2.0]"),
                judged.groups().stream().map(GradeChangesTest::line).toList());
        assertTrue(Files.exists(fixture.folder.observations("fake@1")), "what the older one said stays");
        List<String> rows = Files.readAllLines(changes.file(), StandardCharsets.UTF_8);
        assertEquals(1 + 3 * 4, rows.size());
        assertTrue(rows.get(0).startsWith("target_id,what,number,check,"), rows.get(0));
        assertFalse(rows.stream().flatMapToInt(String::chars).anyMatch(Character::isISOControl), "tool names are hostile");
        String text = ChangesText.render(changes);
        assertTrue(text.startsWith("fake@1 → fake@2: 9 the same, 4 changed\n"), text);
    }

    @Test
    void verdictsOnObservationsOfAnotherExtractorAreNotCompared() throws Exception {
        RunFixture fixture = RunFixture.make(temp, "run");
        Regrade.run(fixture.folder, RunFixture.analysis());
        rewrite(fixture.folder.verdicts("spec@1"), text -> text.replace("\"extractor\":\"fake@1\"", "\"extractor\":\"fake@0\""));
        Changes changes = Regrade.run(fixture.folder, RunFixture.analysis()).changes();
        assertEquals(List.of("fake@1", "", "other@2"), changes.parts().stream().map(Changes.Part::before).toList());
    }

    @Test
    void anEarlierFileThatCannotBeReadIsNamedAndNothingIsOverwritten() throws Exception {
        RunFixture fixture = RunFixture.make(temp, "run");
        Regrade.run(fixture.folder, RunFixture.analysis());
        Path file = fixture.folder.observations("fake@1");
        rewrite(file, text -> text.substring(0, text.length() / 2));
        byte[] before = Files.readAllBytes(file);
        String message = assertThrows(IOException.class, () -> Regrade.run(fixture.folder, RunFixture.analysis())).getMessage();
        assertTrue(message.contains(file + ": what an earlier command wrote cannot be read"), message);
        assertEquals(new String(before, StandardCharsets.ISO_8859_1), Files.readString(file, StandardCharsets.ISO_8859_1));
        Files.write(file, new byte[] {1, 2, 3});
        assertTrue(assertThrows(IOException.class, () -> Regrade.run(fixture.folder, RunFixture.analysis())).getMessage().contains(file.toString()));
    }

    private static String line(Changes.Group group) {
        return group.check() + " " + group.before() + " → " + group.after() + " " + group.count() + " " + group.targets() + " " + group.some();
    }

    /** Sees an unknown tool answered otherwise, and no longer a second call. */
    private static Analysis newer() {
        return new Analysis("fake@2", () -> new Analysis.Extraction() {
            private final Analysis.Extraction older = RunFixture.extraction();

            @Override
            public void add(Transcript transcript) {
                older.add(transcript);
            }

            @Override
            public TargetObservations finish() {
                TargetObservations was = older.finish();
                List<Observation> observations = new ArrayList<>();
                for (Observation observation : was.observations()) {
                    if (observation.subject().check().equals("tools-call-unknown")) {
                        observations.add(new Observation.Reaction(observation.subject(), "tool-error", null, java.util.Set.of(), null, "", List.of(1)));
                    } else if (!observation.observed().equals("success")) {
                        observations.add(observation);
                    }
                }
                return new TargetObservations(was.eras(), was.session(), was.startup(), observations);
            }
        }, RunFixture.analysis().judges());
    }

    private static void rewrite(Path file, java.util.function.UnaryOperator<String> edit) throws IOException {
        String text;
        try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(file))) {
            text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(edit.apply(text).getBytes(StandardCharsets.UTF_8));
        }
    }

    @Test
    void tablesOfTraitsInTheDataSetAreWrittenAnew() throws Exception {
        RunFixture fixture = RunFixture.make(temp, "run");
        assertTrue(Regrade.run(fixture.folder, RunFixture.analysis()).files().stream().noneMatch(file -> file.toString().endsWith(".csv")), "no data set, no tables");
        DatasetBuilder.build(fixture.folder, RunFixture.analysis());
        Path folder = fixture.folder.dataset();
        java.util.Map<String, String> before = new java.util.TreeMap<>();
        for (String name : List.of("failure-shapes.csv", "declared-tools.csv", "vocabulary.csv", "verdicts.csv", "datapackage.json")) {
            before.put(name, Files.readString(folder.resolve(name)));
        }
        Files.writeString(folder.resolve("declared-tools.csv"), "of an earlier version\n");
        Files.delete(folder.resolve("vocabulary.csv"));
        List<Path> files = Regrade.run(fixture.folder, RunFixture.analysis()).files();
        assertTrue(files.containsAll(List.of(folder.resolve("vocabulary.csv"), folder.resolve("datapackage.json"))), files.toString());
        for (String name : before.keySet()) {
            assertEquals(before.get(name), Files.readString(folder.resolve(name)), name);
        }
    }
}
