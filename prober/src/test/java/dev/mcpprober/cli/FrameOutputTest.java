package dev.mcpprober.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.corpus.FrameReader;
import dev.mcpprober.model.Target;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Frames made of frames: a target on disk stays what it was, and its id says no more of this machine than the frame did. */
class FrameOutputTest {
    @TempDir Path temp;

    private String run(String... more) throws Exception {
        Path frame = Files.createDirectories(temp.resolve("a")).resolve("frame.csv");
        Files.writeString(frame, "target\n./srv\n./x/..deep\n../a\n..//\nnpm:thing\n");
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        List<String> args = new java.util.ArrayList<>(List.of("corpus", "filter", frame.toString()));
        args.addAll(List.of(more));
        assertEquals(ExitCode.DONE, ProberCommand.run(args.toArray(String[]::new), new PrintWriter(out, true), new PrintWriter(err, true)), err.toString());
        return out.toString();
    }

    private void written(Path to, String... ids) throws Exception {
        Files.createDirectories(to.getParent());
        run("--to", to.toString());
        List<FrameEntry> entries = FrameReader.read(to).eligible();
        assertEquals(List.of(ids), entries.stream().map(FrameEntry::label).toList());
        assertEquals(List.of(temp.resolve("a/srv"), temp.resolve("a/x/..deep"), temp.resolve("a"), temp),
                entries.stream().filter(e -> e.target() instanceof Target.OnDisk).map(e -> ((Target.OnDisk) e.target()).path()).toList());
    }

    @Test
    void aFileHasPathsRelativeToItsFolder() throws Exception {
        written(temp.resolve("a/part.csv"), "./srv", "./x/..deep", ".", "..", "npm:thing");
        written(temp.resolve("b/c/part.csv"), "../../a/srv", "../../a/x/..deep", "../../a", "../..", "npm:thing");
    }

    @Test
    void onStandardOutputPathsHoldEverywhere() throws Exception {
        assertTrue(run().contains("\n" + temp.resolve("a/srv") + ",,,\n"), run());
    }
}
