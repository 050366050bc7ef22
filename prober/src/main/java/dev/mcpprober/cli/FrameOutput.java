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

    /** Paths of targets on disk are written so that they hold wherever the frame stands. */
    int write(List<FrameEntry> kept, int of, CommandLine command) throws UserError, IOException {
        List<FrameTable.Line> lines = FrameTable.lines(kept.stream().map(FrameOutput::absolute).toList());
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

    private static FrameEntry absolute(FrameEntry entry) {
        return entry.target() instanceof Target.OnDisk disk
                ? new FrameEntry(entry.line(), disk.path().toAbsolutePath().toString(), disk, entry.args(), entry.env(), entry.note()) : entry;
    }
}
