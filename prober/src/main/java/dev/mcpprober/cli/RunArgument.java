package dev.mcpprober.cli;

import dev.mcpprober.model.Printable;
import dev.mcpprober.run.RunFolder;
import java.nio.file.Files;
import java.nio.file.Path;

/** A run folder named on the command line. */
final class RunArgument {
    private RunArgument() {}

    static RunFolder open(Path folder) throws UserError {
        return open("DIR", folder);
    }

    /** @param as the parameter or option by which it is named */
    static RunFolder open(String as, Path folder) throws UserError {
        RunFolder run = new RunFolder(folder);
        String name = Printable.text(folder.toString(), 300);
        if (!Files.isDirectory(folder)) {
            throw new UserError(as + ": " + name + " is no folder; name the run folder that census run printed");
        }
        if (!Files.isReadable(folder) || !Files.isExecutable(folder)) {
            throw new UserError(as + ": " + name + " may not be read by this user");
        }
        if (!Files.exists(run.census())) {
            throw new UserError(as + ": " + name + " holds no census.json, so it is no run folder; name the one that census run printed");
        }
        return run;
    }
}
