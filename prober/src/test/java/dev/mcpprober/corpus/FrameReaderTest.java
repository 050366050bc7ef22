package dev.mcpprober.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.model.Target;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FrameReaderTest {
    private static final String HEADER = "target,args,env,note\n";

    @TempDir Path folder;

    /** The digest is published: whoever knows the frame but for a password could try passwords until it fits. */
    @Test
    void theHashOfAFrameTellsAValueFromAnotherAndCannotBeUsedToGuessIt() throws Exception {
        java.util.Set<String> hashes = new java.util.HashSet<>();
        for (int i = 0; i < 2000; i++) {
            hashes.add(frame(HEADER + "npm:a@1.0.0,,\"{\"\"PIN\"\":\"\"" + i + "\"\"}\",n\n").hash());
        }
        assertEquals(256, hashes.size(), "eight bits of 2000 values");
    }

    @Test
    void readsEveryKindOfTarget() throws Exception {
        Frame frame = frame(HEADER
                + "npm:@scope/name@1.2.3,\"[\"\"/tmp\"\",\"\"-v\"\"]\",,\"a note, with a comma\"\n"
                + "pypi:Some_Name==2.0,,\"{\"\"REGION\"\":\"\"eu\"\"}\",\n"
                + "pkg:npm/%40scope/other@1.0.0,,,\n"
                + "./fixtures/x/,,,\n"
                + "/srv/y.tgz,,,\n");
        List<FrameEntry> entries = frame.eligible();
        assertEquals(5, entries.size());
        assertEquals(List.of(), frame.excluded());
        assertEquals("npm:@scope/name@1.2.3", entries.get(0).label());
        assertEquals(List.of("/tmp", "-v"), entries.get(0).args());
        assertEquals("a note, with a comma", entries.get(0).note());
        assertTrue(entries.get(0).id().startsWith("pkg:npm/%40scope/name@1.2.3#args-"), entries.get(0).id());
        assertEquals("pkg:pypi/some-name@2.0", entries.get(1).id());
        assertEquals(Map.of("REGION", "eu"), entries.get(1).env());
        assertEquals("npm:@scope/other@1.0.0", entries.get(2).label());
        assertEquals(new Target.OnDisk(folder.resolve("fixtures/x")), entries.get(3).target());
        assertEquals("./fixtures/x", entries.get(3).id());
        assertEquals(new Target.OnDisk(Path.of("/srv/y.tgz")), entries.get(4).target());
        assertEquals(6, entries.get(4).line());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "npm:a,\"[1]\"||args: holds 1, which is no string",
        "npm:a,[\"x\",,|not CSV|args",
        "npm:a,{},,||args: not a JSON array",
        "npm:a,,[],||env: not a JSON object",
        "npm:a,,\"{\"\"A B\"\":\"\"x\"\"}\",||env: \"A B\" is no name",
        "npm:a,,,\"open||quote is opened and not closed",
        "npm:a,,,\"x\"y||text stands beside a quoted cell",
        "npm:a,,,,,||6 cells where the header has 4",
        "npm:a@^1.0,,,||not a version",
        "npm:..,,,||not a name",
        "pypi:,,,||not a name",
        "left-pad,,,||expected npm:NAME",
        "pkg:cargo/x@1,,,||unsupported type",
        ",,,||target: empty",
        "./a\u001bb,,,||a path with a control character, \"./a\\u001bb\"",
        "npm:a,nonsense,,||args: not JSON",
    })
    void namesWhatIsWrongWithARowAndGoesOn(String row, String ignored, String message) throws Exception {
        Frame frame = frame(HEADER + "npm:first,,,\n" + row + "\nnpm:last,,,\n");
        assertEquals(2, frame.eligible().size());
        assertEquals(1, frame.excluded().size());
        Eligibility.Excluded excluded = frame.excluded().get(0);
        assertEquals(3, excluded.line());
        assertEquals("malformed", excluded.code());
        assertTrue(excluded.reason().contains(message), excluded.reason());
        assertEquals(3, frame.rows().size());
    }

    @Test
    void controlCharactersNeverReachTheMessage() throws Exception {
        Frame frame = frame(HEADER + "\u001b[2Jevil,,,\n");
        assertTrue(frame.excluded().get(0).reason().contains("\\u001b[2Jevil"), frame.excluded().get(0).reason());
    }

    @Test
    void aRowThatIsNotUtf8CostsThatRowAlone() throws Exception {
        Path file = folder.resolve("frame.csv");
        byte[] good = (HEADER + "npm:a,,,\nnpm:b,,,X\nnpm:c,,,\n").getBytes(StandardCharsets.UTF_8);
        good[new String(good, StandardCharsets.UTF_8).indexOf('X')] = (byte) 0xFF;
        Files.write(file, good);
        Frame frame = FrameReader.read(file);
        assertEquals(List.of("npm:a", "npm:c"), frame.eligible().stream().map(FrameEntry::label).toList());
        assertEquals("not UTF-8", frame.excluded().get(0).reason());
    }

    @Test
    void duplicatesAreOneTargetAndCounted() throws Exception {
        Frame frame = frame(HEADER + "npm:a,,,one\npkg:npm/a,,,two\nnpm:a,[],,\nnpm:a,\"[\"\"x\"\"]\",,\nnpm:a,,\"{\"\"K\"\":\"\"v\"\"}\",\n");
        assertEquals(2, frame.eligible().size());
        assertEquals(List.of(3, 4, 6), frame.excluded().stream().map(Eligibility.Excluded::line).toList());
        assertEquals("duplicate", frame.excluded().get(0).code());
        assertEquals("the same target and args as line 2", frame.excluded().get(0).reason());
        assertTrue(frame.excluded().get(2).reason().contains("another env"));
        assertEquals(2, frame.eligible().stream().map(FrameEntry::id).distinct().count());
    }

    @Test
    void theHashIsThatOfWhatIsMeasured() throws Exception {
        String hash = frame(HEADER + "npm:a@1.0.0,,,n\nnpm:b,,,\n").hash();
        assertEquals(hash, frame("note,target\nother,npm:b\n\n,pkg:npm/a@1.0.0\n").hash());
        assertEquals(hash, frame("\uFEFFtarget\r\nnpm:a@1.0.0\r\nnpm:b").hash());
        assertNotEquals(hash, frame(HEADER + "npm:a@1.0.1,,,n\nnpm:b,,,\n").hash());
        assertNotEquals(hash, frame(HEADER + "npm:a@1.0.0,\"[\"\"x\"\"]\",,n\nnpm:b,,,\n").hash());
        assertNotEquals(hash, frame(HEADER + "npm:a@1.0.0,,\"{\"\"A\"\":\"\"x\"\"}\",n\nnpm:b,,,\n").hash());
        assertNotEquals(hash, frame(HEADER + "npm:a@1.0.0,,,n\nnpm:b,,,\nbroken,,,\n").hash());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n\n", "npm:a,,,\n", "args,env\n", "target,arg\n", "target,target\n", "\"target\n"})
    void aFileWithoutTheHeaderIsRefusedByName(String content) throws Exception {
        Path file = Files.writeString(folder.resolve("bad.csv"), content);
        FrameException refused = assertThrows(FrameException.class, () -> FrameReader.read(file));
        assertTrue(refused.getMessage().contains(file.toString()), refused.getMessage());
        assertTrue(refused.getMessage().contains("header"), refused.getMessage());
    }

    @Test
    void aMissingFileAndAFolderAreToldApart() throws Exception {
        assertTrue(assertThrows(FrameException.class, () -> FrameReader.read(folder.resolve("none.csv"))).getMessage().contains("no such file"));
        Path imported = Files.createDirectory(folder.resolve("imported"));
        assertTrue(assertThrows(FrameException.class, () -> FrameReader.read(imported)).getMessage().endsWith("name the CSV file"));
        Files.writeString(imported.resolve("frame.csv"), "target\n");
        assertTrue(assertThrows(FrameException.class, () -> FrameReader.read(imported)).getMessage().endsWith("name the CSV file, " + imported.resolve("frame.csv")));
        assertTrue(assertThrows(FrameException.class, () -> FrameReader.read(folder)).getMessage().contains("is a folder"));
    }

    @Test
    void readsJsonLines() throws Exception {
        Path file = Files.writeString(folder.resolve("frame.jsonl"), """
                {"target":"npm:a","args":["x"],"env":{"A":"b"},"note":"n"}
                {"target":5}
                {"target":"npm:b","argv":[]}
                not json
                {"target":"./local"}
                """);
        Frame frame = FrameReader.read(file);
        assertEquals(List.of("npm:a", "./local"), frame.eligible().stream().map(FrameEntry::label).toList());
        assertEquals(List.of(2, 3, 4), frame.excluded().stream().map(Eligibility.Excluded::line).toList());
        assertTrue(frame.excluded().get(1).reason().contains("unknown member \"argv\""));
        assertEquals(frame(HEADER + "npm:a,\"[\"\"x\"\"]\",\"{\"\"A\"\":\"\"b\"\"}\",\n").hash(),
                FrameReader.read(Files.writeString(folder.resolve("one.jsonl"), "{\"target\":\"npm:a\",\"args\":[\"x\"],\"env\":{\"A\":\"b\"}}")).hash());
    }

    @Test
    void readsTwentyThousandRows() throws Exception {
        StringBuilder text = new StringBuilder(HEADER);
        for (int i = 0; i < 20_000; i++) {
            text.append("npm:server-").append(i).append(i % 100 == 0 ? "@bad version" : "@1.0.0").append(",,,\n");
        }
        Frame frame = frame(text.toString());
        assertEquals(19_800, frame.eligible().size());
        assertEquals(200, frame.excluded().size());
    }

    private Frame frame(String content) throws IOException {
        return FrameReader.read(Files.writeString(folder.resolve("frame.csv"), content));
    }
}
