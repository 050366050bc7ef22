package dev.mcpprober.census;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.corpus.Frame;
import dev.mcpprober.run.RunFolder;
import dev.mcpprober.run.RunInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenRunTest {
    @TempDir Path temp;
    private Path folder;
    private Frame frame;

    @BeforeEach
    void frame() throws IOException {
        folder = temp.resolve("run");
        frame = FakeWorld.frame(temp, "npm:a,,\"{\"\"TOKEN\"\":\"\"s3cret-value\"\"}\",");
    }

    @Test
    void aFolderIsOpenedOnceAtATime() throws Exception {
        try (OpenRun first = FakeWorld.open(folder, frame)) {
            RunRefused refused = assertThrows(RunRefused.class, () -> FakeWorld.open(folder, frame));
            assertTrue(refused.getMessage().contains(folder.toString()), refused.getMessage());
            assertTrue(refused.getMessage().contains("in use by process " + ProcessHandle.current().pid()), refused.getMessage());
            assertEquals(1, first.frameIds().size());
        }
        FakeWorld.open(folder, frame).close();
    }

    @Test
    void anotherProcessIsRefusedToo() throws Exception {
        try (OpenRun run = FakeWorld.open(folder, frame)) {
            Process other = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                    System.getProperty("java.class.path"), OpenRunTest.class.getName(), folder.toString(), temp.toString())
                    .redirectErrorStream(true).start();
            String output = new String(other.getInputStream().readAllBytes());
            assertEquals(7, other.waitFor(), output);
            assertTrue(output.contains("in use by process " + ProcessHandle.current().pid()), output);
            assertEquals(1, run.frameIds().size());
        }
    }

    /** The other process of the test above: exit 7 when it is refused. */
    public static void main(String[] args) throws IOException {
        try {
            Frame frame = FakeWorld.frame(Files.createTempDirectory(Path.of(args[1]), "other"), "npm:a,,\"{\"\"TOKEN\"\":\"\"s3cret-value\"\"}\",");
            FakeWorld.open(Path.of(args[0]), frame).close();
        } catch (RunRefused e) {
            System.out.println(e.getMessage());
            System.exit(7);
        }
    }

    @Test
    void anotherFrameIsRefused() throws Exception {
        FakeWorld.open(folder, frame).close();
        Frame other = FakeWorld.frame(temp, "npm:b");
        String message = assertThrows(RunRefused.class, () -> FakeWorld.open(folder, other)).getMessage();
        assertTrue(message.contains("another frame") && message.contains(folder.toString()), message);
    }

    @Test
    void anotherVersionProfileOrSettingIsRefused() throws Exception {
        FakeWorld.open(folder, frame).close();
        RunInfo info = FakeWorld.info(frame);
        refused(new RunInfo(1, "", "0.2.0", "", info.frameHash(), 1, 1, "full", info.settings(), Map.of(), Map.of()), "made by mcp-prober 0.1.0, this is 0.2.0");
        refused(new RunInfo(1, "", "0.1.0", "", info.frameHash(), 1, 1, "quick", info.settings(), Map.of(), Map.of()), "profile full, asked for: quick");
        refused(new RunInfo(1, "", "0.1.0", "", info.frameHash(), 1, 2, "full", info.settings(), Map.of(), Map.of()), "seed 1, asked for: 2");
        refused(new RunInfo(1, "", "0.1.0", "", info.frameHash(), 1, 1, "full", Map.of("policy", "q"), Map.of(), Map.of()), "policy p, asked for: q");
        refused(new RunInfo(1, "", "0.1.0", "", info.frameHash(), 1, 1, "full", Map.of("policy", "p", "as-of", "2026-01-01"), Map.of(), Map.of()),
                "as-of unset, asked for: 2026-01-01");
    }

    private void refused(RunInfo wanted, String message) {
        String said = assertThrows(RunRefused.class, () -> OpenRun.open(folder, wanted, frame, FakeWorld.CLOCK)).getMessage();
        assertTrue(said.contains(message), said);
    }

    @Test
    void anotherFormatVersionIsRefusedEvenForReading() throws Exception {
        FakeWorld.open(folder, frame).close();
        RunFolder files = new RunFolder(folder);
        Files.writeString(files.census(), Files.readString(files.census()).replace("\"formatVersion\" : 1", "\"formatVersion\" : 2"));
        assertTrue(assertThrows(IOException.class, () -> FakeWorld.open(folder, frame)).getMessage().contains("format version 2, this program reads version 1"));
        assertThrows(IOException.class, () -> CensusStatus.of(files));
    }

    @Test
    void aFolderWithOtherFilesIsRefused() throws Exception {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("thesis.tex"), "x");
        assertTrue(assertThrows(RunRefused.class, () -> FakeWorld.open(folder, frame)).getMessage().contains("no folder of a run"));
        Path file = Files.writeString(temp.resolve("file"), "x");
        assertTrue(assertThrows(RunRefused.class, () -> FakeWorld.open(file, frame)).getMessage().contains("is a file"));
    }

    @Test
    void aStartThatWasKilledHalfWayIsTakenUp() throws Exception {
        Files.createDirectories(folder);
        Files.writeString(new RunFolder(folder).lock(), "123\n");
        Files.writeString(new RunFolder(folder).frame(), "{\"tar");
        FakeWorld.open(folder, frame).close();
        assertEquals(1, CensusStatus.of(new RunFolder(folder)).coverage().unmeasured());
    }

    @Test
    void foldersThatAreNoRunAreNamed() throws IOException {
        assertTrue(assertThrows(IOException.class, () -> CensusStatus.of(new RunFolder(temp.resolve("none")))).getMessage().contains("no such folder"));
        Files.createDirectories(folder);
        assertTrue(assertThrows(IOException.class, () -> CensusStatus.of(new RunFolder(folder))).getMessage().contains("no census.json"));
        Files.writeString(new RunFolder(folder).census(), "{]");
        assertTrue(assertThrows(IOException.class, () -> CensusStatus.of(new RunFolder(folder))).getMessage().contains("census.json: cannot be read"));
    }

    @Test
    void valuesOfVariablesAreNotCopied() throws Exception {
        FakeWorld.open(folder, frame).close();
        try (var files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                assertTrue(!Files.readString(file).contains("s3cret-value"), file.toString());
            }
        }
        assertEquals("TOKEN", new RunFolder(folder).readFrame().get(0).envNames().get(0));
    }
}
