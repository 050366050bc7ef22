package dev.mcpprober.cli;

import dev.mcpprober.corpus.FrameEntry;
import dev.mcpprober.corpus.FrameTable;
import dev.mcpprober.model.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Where a command puts the frame that it makes. */
final class FrameOutput {
    @Option(names = "--to", paramLabel = "FILE", description = "CSV file to write. Default: the frame goes to standard output.")
    Path file;

    /**
     * Paths of targets on disk are relative to the file's folder, as in other frames: they are the targets' ids, and what a release of a run would say of this
     * machine. On standard output they are absolute, since nobody knows where it goes.
     */
    int write(List<FrameEntry> kept, int of, CommandLine command) throws UserError, IOException {
        List<FrameTable.Line> lines = FrameTable.lines(kept.stream().map(this::placed).toList());
        if (file == null) {
            FrameTable.write(command.getOut(), lines);
            command.getOut().flush();
        } else {
            Before.fileCanBeWritten("--to", file);
            FrameTable.write(file, lines);
        }
        command.getErr().println("prober: " + kept.size() + " of " + of + " targets");
        return ExitCode.DONE;
    }

    private FrameEntry placed(FrameEntry entry) {
        if (!(entry.target() instanceof Target.OnDisk disk)) {
            return entry;
        }
        Path path = disk.path().toAbsolutePath().normalize();
        String text = path.toString();
        if (file != null) {
            text = file.toAbsolutePath().normalize().getParent().relativize(path).toString();
            text = text.equals("..") ? "../" : text.startsWith("../") ? text : "./" + text;
        }
        return new FrameEntry(entry.line(), text, disk, entry.args(), entry.env(), entry.note());
    }
}
