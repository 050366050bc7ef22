package dev.mcpprober.cli;

import dev.mcpprober.dataset.release.Release;
import dev.mcpprober.model.Printable;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Arrays;

/** What is looked at before the work: that its result can be kept, and that what is to be run is there. */
public final class Before {
    private Before() {}

    /**
     * Tries whether a file can be made in the nearest folder above a file or folder that is to be written. Leaves nothing.
     *
     * @param option how the user named it
     */
    public static void canBeWritten(String option, Path file) throws UserError {
        tried(option, file, file.toAbsolutePath().normalize().getParent());
    }

    private static void tried(String option, Path named, Path within) throws UserError {
        String name = option + ": \"" + Printable.text(named.toString(), 300) + "\" ";
        if (within == null) {
            throw new UserError(name + "is no name of a file or folder");
        }
        try {
            Path folder = within;
            while (!Files.exists(folder)) {
                folder = folder.getParent();
            }
            if (!Files.isDirectory(folder)) {
                throw new NotDirectoryException(folder.toString());
            }
            Files.delete(Files.createTempFile(folder, ".prober-", ".tmp"));
        } catch (IOException e) {
            throw new UserError(name + "cannot be written: " + Printable.text(ProberCommand.reason(e), 500));
        }
    }

    /** The same for a file that must not be a folder. */
    public static void fileCanBeWritten(String option, Path file) throws UserError {
        if (Files.isDirectory(file)) {
            throw new UserError(option + ": \"" + Printable.text(file.toString(), 300) + "\" is a folder; name a file");
        }
        canBeWritten(option, file);
    }

    /** The same for a folder that may be there. */
    public static void folderCanBeWritten(String option, Path folder) throws UserError {
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new UserError(option + ": \"" + Printable.text(folder.toString(), 300) + "\" is not a folder");
        }
        tried(option, folder, folder.toAbsolutePath().normalize());
    }

    /** The same for tables, some of which have names that a release has, too. */
    static void tablesCanBeWritten(String option, Path folder) throws UserError {
        folderCanBeWritten(option, folder);
        if (Files.exists(folder.resolve(Release.SUMS))) {
            throw new UserError(option + ": \"" + Printable.text(folder.toString(), 300) + "\" is a release, whose checksums leave no room for more; name another folder");
        }
    }

    /** Looks for a program as the operating system does: by its path, or by name in PATH. */
    public static void canBeRun(String option, String program) throws UserError {
        String name = option + ": cannot run \"" + Printable.text(program, 300) + "\": ";
        try {
            if (program.indexOf('/') >= 0) {
                Path path = Path.of(program);
                if (!runs(path)) {
                    throw new UserError(name + (Files.exists(path) ? "no program, or not one that this user may run" : "no such file"));
                }
            } else if (Arrays.stream(String.valueOf(System.getenv("PATH")).split(File.pathSeparator)).noneMatch(folder -> runs(Path.of(folder, program)))) {
                throw new UserError(name + "no such program in PATH");
            }
        } catch (InvalidPathException e) {
            throw new UserError(name + "no name of a file");
        }
    }

    private static boolean runs(Path path) {
        return Files.isRegularFile(path) && Files.isExecutable(path);
    }
}
